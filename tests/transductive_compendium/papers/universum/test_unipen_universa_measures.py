"""Characters: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.universum import unipen_universa_measures as report
from transductive_compendium.papers.universum.unipen_universa import (
    NO_UNIVERSUM,
    TRAINING_SIZES,
    UNIVERSA,
)
from transductive_compendium.verdicts.rules import NotTestable

METHODS = [NO_UNIVERSUM, *UNIVERSA]
NOISE = 0.002 * np.random.default_rng(0).standard_normal((len(METHODS), 30))


def made_up():
    """Each universum a point better than the one before; at 200 points the other way round."""
    rows = [
        {"n_train": n, "draw": draw, "method": method}
        | {"error": 0.10 + (0.01 if n == 200 else -0.01) * k + NOISE[k, draw]}
        for n in TRAINING_SIZES
        for draw in range(30)
        for k, method in enumerate(METHODS)
    ]
    return pd.DataFrame(rows)


def test_overlap_grows_with_the_drawn_share():
    share = np.mean([110 / 1807, 110 / 503])
    assert report.overlap(20) == pytest.approx(share / (1 - share))
    assert report.overlap(20) < report.overlap(200) < 0.5


def test_what_is_not_public_is_not_testable():
    found = report.abcdetc_not_public(made_up())
    assert isinstance(found, NotTestable) and "UNIPEN" in found.substitute


def test_gains_have_intervals():
    table = report.gains(made_up())
    assert len(table) == len(TRAINING_SIZES) * len(UNIVERSA)
    row = table.loc[(50, "Symbols")]
    assert row["gain"] == pytest.approx(4.0, abs=0.1) and 0 < row["half"] < 0.5
    assert table.loc[(200, "Symbols"), "gain"] < -3.9
