"""Probabilities of several classes: the rules, what is counted, and what the record chooses."""

import numpy as np
import pytest

from transductive_compendium.runner import load_recorded


@pytest.fixture
def several(benchmark_module):
    return benchmark_module("several_classes")


def test_odds_are_the_law_of_independent_answers_given_one_yes(several):
    p = np.random.default_rng(0).uniform(0.01, 0.99, (50, 4))
    alone = [p[:, k] * np.delete(1 - p, k, axis=1).prod(axis=1) for k in range(4)]
    np.testing.assert_allclose(several.by_odds(p), (alone / np.sum(alone, axis=0)).T)


@pytest.mark.parametrize("rule", ["by_sum", "by_odds"])
def test_coupling_by_pairs_leads_to_the_sum_or_the_odds(several, rule):
    p = np.random.default_rng(1).uniform(0.01, 0.99, (50, 3))
    i, j = p[:, :, None], p[:, None, :]
    pairs = i / (i + j) if rule == "by_sum" else i * (1 - j) / (i * (1 - j) + j * (1 - i))
    found = getattr(several, rule)(p)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    # Bradley and Terry: each pair is won in the proportion of the two probabilities
    np.testing.assert_allclose(found[:, :, None] / (found[:, :, None] + found[:, None]), pairs)


def test_what_is_too_sure_and_how_far_off(several):
    p = np.array([[0.98, 0.01, 0.01], [0.98, 0.01, 0.01], [0.4, 0.35, 0.25], [0.2, 0.2, 0.6]])
    found = several.compared(p.copy(), np.array([0, 1, 0, 0]))
    assert found["error"] == 0.5
    assert found["too sure"] == pytest.approx((0.98 + 0.98 + 0.4 + 0.6) / 4 - 0.5)
    assert (found["sure"], found["sure and right"]) == (2, 1)
    assert np.abs(found["excess"]).sum() == pytest.approx(0.96 + 0.6 + 0.6)
    assert found["log-loss"] == pytest.approx(-np.mean(np.log([0.98, 0.01, 0.4, 0.2])))


def test_changed_labels_are_of_another_class_and_as_many_as_the_share(several):
    for name, (_, l) in several.PROBLEMS.items():
        clean, given = several.draw(name, 0.0, 1), several.draw(name, 0.2, 1)
        np.testing.assert_array_equal(clean[0], given[0])
        assert np.sum(clean[1] != given[1]) == round(0.2 * l)
        assert set(given[1]) <= set(range(clean[1].max() + 1))


def test_the_record_chooses_the_rule_of_the_library(several):
    rows, _ = load_recorded("benchmarks/several_classes")
    value = rows.set_index(["group", "case", "quantity"])["value"]
    losses = {rule: value["choice", rule, "log-loss"] for rule in several.RULES}
    assert min(losses, key=losses.get) == "vote"
    assert value["choice", "vote", "above sum"] < -2 * value["choice", "vote", "standard error"]
    for share in several.SHARES:
        right = [
            value["methods", f"{100 * share:.0f} %, {rule}", "right where confident"]
            for rule in ("vote", "sum")
        ]
        assert right[0] > right[1]
    # and what the book says of the others
    for share in several.SHARES:
        place = f"{100 * share:.0f} %, "
        assert value["methods", f"{place}odds", "too sure"] > 5.0
        assert all(value["methods", place + peer, "too sure"] < -5.0 for peer in several.PEERS)
        assert value["cases", f"three clouds, {place}vote", "too sure"] > 10.0
        assert value["cases", f"digits, {place}vote", "too sure"] < 0.0
