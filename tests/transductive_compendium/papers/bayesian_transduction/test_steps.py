"""The run in explicit features knows nothing of the run by coefficients."""

import numpy as np
import pytest

from transductive_compendium.papers.bayesian_transduction import steps

LITERALLY, IN_FEATURES = steps._literally, steps._fly_in_features
SEED = 44  # a run that stops at the test wall


def difference():
    return steps._in_features(np.random.default_rng(SEED))


def test_both_runs_agree_and_stop_at_the_test_wall(monkeypatch):
    flown = []

    def seen(*arguments):
        flown.extend(IN_FEATURES(*arguments))
        return flown

    monkeypatch.setattr(steps, "_fly_in_features", seen)
    assert difference() < 1e-12
    # more segments than bounces: the rest are stops
    assert len(flown) > 40


@pytest.mark.parametrize("place", range(4), ids=["gram", "column", "w", "directions"])
def test_a_coefficient_that_is_off_is_seen(monkeypatch, place):
    def off(*arguments):
        changed = [np.copy(x) for x in arguments[:4]]
        changed[place].flat[0] += 1e-4
        return LITERALLY(*changed, *arguments[4:])

    monkeypatch.setattr(steps, "_literally", off)
    assert difference() > 1e-9
