"""What section 4 leaves open."""

import numpy as np
import pytest

from transductive_compendium.datasets import available, load
from transductive_compendium.runner import get, load_recorded

EXPERIMENT = "bayesian_transduction/choices"


def test_choices_name_what_they_change():
    keys = get(EXPERIMENT).unit_keys({}, "paper")
    assert keys[0] == {"dataset": "thyroid", "choice": "the reading"}
    assert {"dataset": "heart", "choice": "classes: hyper against the rest"} not in keys


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_other_positive_classes_are_those_of_the_record():
    """Outside the smoke tier; the SVM's error does not depend on the billiard."""
    key = {"dataset": "thyroid", "choice": "classes: hyper against the rest"}
    data = {"thyroid": load("thyroid")}
    (row,) = get(EXPERIMENT).run_unit(key, {"seed": 0}, data, np.random.default_rng(0))
    recorded, _ = load_recorded(EXPERIMENT)
    same = recorded[(recorded["dataset"] == "thyroid") & (recorded["choice"] == key["choice"])]
    assert row["error_svm"] == pytest.approx(same["error_svm"].item(), abs=0.002)
    assert abs(row["error_svm"] - recorded["error_svm"].iloc[0]) > 0.004
