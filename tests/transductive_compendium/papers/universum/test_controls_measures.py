"""Wrong universa: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import controls_measures as report
from transductive_compendium.papers.universum.controls import CONTROLS
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, UNDECIDED


def controls():
    """A fixed cost helps with Rest and does harm with fives; validation hardly moves."""
    rng = np.random.default_rng(1)
    rows = [
        {"draw": draw, "universum": kind, "method": method}
        | {"error_unseen": 0.014 + shift + 1e-4 * rng.standard_normal()}
        for draw in range(20)
        for kind in CONTROLS
        for method, shift in {
            "SVM": 0.0,
            "fixed": {"Rest": -0.003, "fives": 0.03}.get(kind, 0.0),
            "largest": {"fives": 0.04}.get(kind, 0.0),
            "chosen": {"Rest": -0.002}.get(kind, 0.0),
        }.items()
    ]
    return {"universum/controls": pd.DataFrame(rows)}


def test_controls():
    frames = controls()
    assert outcome_of(report.control_gain(frames, "Rest", "fixed")) == REPRODUCED
    assert outcome_of(report.control_gain(frames, "fives", "fixed")) == NOT_REPRODUCED
    assert outcome_of(report.control_loss(frames, "fives", "fixed")) == REPRODUCED
    assert np.mean(report.control_loss(frames, "fives", "largest").gaps) == pytest.approx(
        4.0, abs=0.02
    )
    assert outcome_of(report.control_loss(frames, "fives", "chosen")) == UNDECIDED
    same = [report.control_gain(frames, kind, "fixed") for kind in ("inverted", "fives")]
    found = [outcome_of(evidence, margin=0.14) for evidence in same]
    assert found == [REPRODUCED, NOT_REPRODUCED]
