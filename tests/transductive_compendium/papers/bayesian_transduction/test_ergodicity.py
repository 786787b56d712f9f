"""Version spaces in which p+ is known, and p+ from the times of single events."""

import numpy as np
import pytest

from transductive_compendium.exact.volumes import probability_positive
from transductive_compendium.papers.bayesian_transduction.ergodicity import (
    GEOMETRIES,
    ratio_and_error,
)


def test_geometries_have_the_stated_probabilities():
    exact = {name: probability_positive(*case).value for name, case in GEOMETRIES.items()}
    assert exact["orthant"] == pytest.approx(0.5971, abs=5e-5)
    assert exact["triangle"] == pytest.approx(0.8564, abs=5e-5)


def test_ratio_and_its_error_on_independent_events():
    """p+ of 0.3 from 2000 events; the error measured is that of the ratio, within a third."""
    rng = np.random.default_rng(0)
    total = rng.exponential(size=(400, 2000))
    positive = total * rng.binomial(1, 0.3, size=total.shape)
    p, error = np.transpose(
        [ratio_and_error(*times) for times in zip(positive, total, strict=True)]
    )
    assert p.mean() == pytest.approx(0.3, abs=6 * p.std() / 20)
    assert np.median(error) == pytest.approx(p.std(), rel=0.33)
