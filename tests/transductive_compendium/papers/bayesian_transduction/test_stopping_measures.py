"""Equation (8): its number of bounces, and the test of what it promises."""

import numpy as np
import pandas as pd
import pytest

from transductive.version_space import hoeffding_bounces
from transductive_compendium.papers.bayesian_transduction.stopping_measures import (
    equation_8_bounces,
    equation_8_coverage,
    hoeffding_holds,
)


@pytest.mark.parametrize(("epsilon", "eta"), [(0.05, 0.01), (0.1, 0.05), (0.02, 0.001)])
def test_bounces_are_those_of_the_library(epsilon, eta):
    shown = equation_8_bounces({}, epsilon, eta, 1000).shown
    assert shown.split(";")[0] == str(hoeffding_bounces(epsilon, eta))


@pytest.mark.parametrize(("n_missed", "sign"), [(1, 1), (5, -1)])
def test_coverage_counts_the_runs_that_are_too_high(n_missed, sign):
    """A hundred runs, of which two in a hundred may miss: five are too many."""
    rows = {"time_ratio": [0.56] * n_missed + [0.4] * (100 - n_missed), "repeat": range(100)}
    constant = {"bounces": 922, "rule": "any", "case": "triangle", "truth": 0.5, "truth_error": 0.0}
    frame = pd.DataFrame(rows).assign(**constant)
    evidence = equation_8_coverage(
        {"bayesian_transduction/stopping": frame}, bounces=922, epsilon=0.05, eta=0.02, rule="any"
    )
    assert evidence.estimate[0] == pytest.approx(0.02 - n_missed / 100)
    assert np.sign(evidence.estimate[0]) == sign


def test_hoeffding_and_its_number_of_bounces():
    assert hoeffding_holds({}).true == hoeffding_holds({}).cases
    about = equation_8_bounces({}, 0.05, 0.01, 1000)
    assert (about.true, about.cases) == (2, 2)
    assert equation_8_bounces({}, 0.05, 0.01, 950).true == 1
