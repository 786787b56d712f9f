"""AND and XOR as printed: thresholds, laws, sizes and the choice of parameters."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive_compendium.papers.universum import and_xor, and_xor_printed
from transductive_compendium.runner import get

NAME = and_xor_printed.NAME


def _rows(problem="and", **params):
    return unit_rows(NAME, {"draw": 0, "problem": problem}, **params).set_index(
        ["universum", "kernel"]
    )


def test_bits_of_so_many_points_are_learnt_without_a_universum():
    """All but XOR with the linear kernel, where a line has three corners right at best."""
    assert (_rows()["error"] == 0).all()
    xor = _rows("xor")["error"]
    assert (xor.drop("linear", level="kernel") == 0).all()
    assert xor["none", "linear"] > 0.2


def test_without_a_threshold_the_linear_kernel_cannot_do_and():
    zero, both = (_rows(toy_bias=bias)["error"] for bias in ("zero", "both_zero"))
    assert zero["none", "linear"] == 0 and both["none", "linear"] > 0.2
    assert zero["axes", "linear"] == both["axes", "linear"] > 0.2


def test_an_odd_kernel_of_degree_three_cannot_tell_xor():
    """Why the polynomial kernel has an offset: x and -x are of one class."""
    X, y = and_xor.sample("xor", "bits", 200, np.random.default_rng(0))
    np.testing.assert_array_equal(X[:, 0] * X[:, 1], -y)
    odd = (X @ X.T) ** 3
    np.testing.assert_array_equal(odd, -((X @ -X.T) ** 3))


@pytest.mark.parametrize("choice", and_xor_printed.SELECTIONS)
def test_the_choice_is_the_best_of_what_it_looks_at(choice, monkeypatch):
    rows = _rows(toy_law="gaussian", selection=choice)["error"]
    least = _rows(toy_law="gaussian", selection="test")["error"]
    assert (least <= rows).all()
    if choice != "test":
        assert (least < rows).any()


def test_cross_validation_counts_each_point_once():
    rng = np.random.default_rng(0)
    train = and_xor.Sample(rng.standard_normal((20, 3)), np.where(np.arange(20) % 2, 1.0, -1.0))
    seen = []

    class Family:
        def decision(self, X):
            return np.ones((2, len(X)))

    def families_of(rest):
        seen.append(len(rest.y))
        return [Family()]

    wrong = and_xor_printed._cross_validation_errors(train, families_of)
    np.testing.assert_allclose(wrong, [10.0, 10.0])  # always one class: half are wrong
    assert seen == [16] * 5


def test_laws():
    rng = np.random.default_rng(0)
    X, y = and_xor.sample("and", "gaussian_noise", 500, rng)
    assert set(np.unique(X[:, :2])) == {-1.0, 1.0} and X[:, 2:].std() == pytest.approx(1, abs=0.05)
    np.testing.assert_array_equal(y, np.where((X[:, :2] > 0).all(axis=1), 1, -1))
    gaussian = and_xor.sample("and", "gaussian", 500, rng).X
    assert gaussian[:, :2].std() == pytest.approx(1, abs=0.1) and len(np.unique(gaussian)) == 10000


def test_every_law_has_the_whole_grid(monkeypatch):
    seen = []
    made = and_xor_printed.trained_families

    def families(*args, **kwargs):
        found = made(*args, **kwargs)
        seen.extend((f.kernel, f.gamma) for f in found)
        return found

    monkeypatch.setattr(and_xor_printed, "trained_families", families)
    whole = {(kernel, gamma) for kernel, grid in and_xor.GAMMAS.items() for gamma in grid}
    for law in and_xor_printed.LAWS:
        seen.clear()
        _rows(toy_law=law)
        assert set(seen) == whole


def test_options_are_run_for_both_problems():
    keys = get(f"{NAME}_options").unit_keys({}, "paper")
    assert {key["problem"] for key in keys} == {"and", "xor"}
    assert {(key["interpretation"], key["option"]) for key in keys} >= {
        ("toy_bias", "zero"),
        ("toy_size", "20"),
        ("selection", "cross_validation"),
    }
