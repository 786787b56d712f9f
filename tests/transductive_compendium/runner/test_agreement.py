"""A rerun against the record: what must agree, how closely, and on which machine."""

import numpy as np
import pytest
from toy_experiments import toy

from transductive_compendium.runner import ExperimentError, compare, record, run, sentinel


def recorded(**changes):
    done = run(toy(**changes), "paper", progress=False)
    return done, record(done)


def rewrite(done, change):
    """Record `done` with its rows changed, as an older code would have left them."""
    rows = done.rows.copy()
    changed = change(rows)
    rows = rows if changed is None else changed
    record(type(done)(**{**vars(done), "rows": rows}))


def test_a_rerun_agrees_and_says_what_it_compared():
    recorded()
    smoke = compare(run(toy(), "smoke", progress=False, fresh=True))
    assert smoke.ok and smoke.compared == 4 and smoke.reason is None
    assert "4 rows agree with the recorded result to 1e-09" in smoke.describe()
    assert "rounds in another way: nothing (within 0.1)" in smoke.describe()
    full = compare(run(toy(), "full", progress=False))
    assert full.ok and full.compared == 12


@pytest.mark.parametrize(
    ("column", "change", "agrees"),
    [
        ("error", 1e-10, True),
        ("error", 1e-8, False),
        ("hits", 1, False),
        ("nothing", 1e-8, False),
        ("nothing", float("nan"), False),
        ("nothing", float("inf"), False),
    ],
)
def test_a_planted_stale_row_is_found(column, change, agrees):
    done, _ = recorded()
    rewrite(
        done,
        lambda rows: rows.__setitem__(
            column,
            rows[column] + np.where(rows.index == 2, change, 0).astype(rows[column].dtype)
            if change == change
            else rows[column].where(rows.index != 2),
        ),
    )
    agreement = compare(run(toy(), "smoke", progress=False))
    assert agreement.ok is agrees
    if not agrees:
        assert column in agreement.problems[0] and "split 1, half odd:" in agreement.problems[0]
        assert "raise the experiment's version" in agreement.describe()


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.__setitem__("sure", ~rows["sure"]),
        lambda rows: rows.__setitem__("name", "s9"),
        lambda rows: rows.drop(index=[2, 3]),  # a unit
        lambda rows: rows.drop(index=[3]),  # a row of a unit
        lambda rows: rows.drop(columns=["hits"]),
    ],
)
def test_other_differences_are_found_too(change):
    done, _ = recorded()
    rewrite(done, change)
    assert not compare(run(toy(), "smoke", progress=False)).ok


def test_a_stale_row_outside_the_smoke_units_needs_the_paper_run():
    done, _ = recorded()
    rewrite(
        done, lambda rows: rows.__setitem__("hits", rows["hits"] + (rows.index == 11).astype(int))
    )
    assert compare(run(toy(), "smoke", progress=False)).ok
    assert not compare(run(toy(), "paper", progress=False)).ok


def test_a_record_without_any_unit_of_the_run_does_not_pass_for_agreement():
    done, _ = recorded()
    rewrite(done, lambda rows: rows.__setitem__("split", rows["split"] + 100))
    agreement = compare(run(toy(), "full", progress=False))
    assert not agreement.ok and "no unit of this run is in the record" in agreement.problems


def elsewhere(monkeypatch, first=1.0, last=2.0):
    """From now on this machine's sentinel has other first and last digits."""
    numbers = [float(number) for number in sentinel.sentinel().split()]
    numbers[::2] = [first * number for number in numbers[::2]]
    numbers[1::2] = [last * number for number in numbers[1::2]]
    monkeypatch.setattr(sentinel, "sentinel", lambda: " ".join(map(repr, numbers)))


def test_a_column_that_some_units_lack_is_empty_in_their_recorded_rows():
    def run_unit(key, params, data, rng):
        return [{"size": 1.0} | ({"angle": 2.0} if key["split"] else {})]

    rules = {"angle": 1e-6}
    done, _ = recorded(run_unit=run_unit, agreement=rules)
    first = toy(run_unit=run_unit, agreement=rules, units=lambda p, profile: done_keys(done)[:1])
    assert compare(run(first, "paper", progress=False, fresh=True)).ok
    never = toy(run_unit=lambda *a: [{"size": 1.0}], agreement={})
    assert "angle" in compare(run(never, "paper", progress=False, fresh=True)).describe()


def test_units_may_stand_in_another_order_but_their_rows_may_not():
    done, _ = recorded()
    rewrite(done, lambda rows: rows.sort_values(["split"], ascending=False, kind="stable"))
    assert compare(done).ok and compare(done).compared == 12
    rewrite(done, lambda rows: rows.iloc[::-1])
    assert not compare(done).ok


def done_keys(done):
    return done.experiment.unit_keys(done.params, "paper")


def test_tolerances_stand_only_where_numbers_round_in_another_way(monkeypatch):
    rules = {"nothing": 0.1, "error": "chaotic", "hits": "ignore"}
    done, _ = recorded(agreement=rules)
    assert done.provenance["sentinels"] == [sentinel.sentinel()]

    def stale(column, change):
        rewrite(done, lambda rows: rows.__setitem__(column, rows[column] + change))
        return not compare(done).ok

    deviations = {"theta": 1e-6, "nothing": 0.05, "error": 3.0, "hits": 5}
    here = {column: stale(column, change) for column, change in deviations.items()}
    assert here == {"theta": True, "nothing": True, "error": True, "hits": False}
    elsewhere(monkeypatch)
    there = {column: stale(column, change) for column, change in deviations.items()}
    assert there == {"theta": True, "nothing": False, "error": False, "hits": False}
    assert stale("nothing", 0.2)


def test_where_numbers_round_in_another_way_a_chaotic_unit_may_have_other_rows(monkeypatch):
    done, _ = recorded(agreement={"error": "chaotic"})
    rewrite(done, lambda rows: rows.drop(index=[3]))
    assert "one side only" in compare(done).describe()
    elsewhere(monkeypatch)
    assert compare(done).ok and compare(done).compared == 10
    rewrite(done, lambda rows: rows.drop(index=[3]).assign(theta=9.0))
    assert not compare(done).ok


def test_first_steps_that_differ_are_no_rounding(monkeypatch):
    """An error of a kernel moves its sentinel, too, and must not buy itself a tolerance."""
    done, _ = recorded(agreement={"error": "chaotic"})
    rewrite(done, lambda rows: rows.__setitem__("error", rows["error"] + 1.0))
    elsewhere(monkeypatch, first=1.01)
    assert not compare(done).ok


def test_a_record_of_an_unknown_machine_has_tolerances():
    done, _ = recorded(agreement={"error": "chaotic"})
    done.provenance.pop("sentinels")
    rewrite(done, lambda rows: rows.__setitem__("error", rows["error"] + 1.0))
    assert compare(done).ok


@pytest.mark.parametrize("rule", [-0.1, float("nan"), float("inf"), True, "exact", None])
def test_rules_that_are_no_rule_are_refused(rule):
    words = r"toy/walk: agreement of 'theta' is .*; give an absolute tolerance .*'chaotic'"
    with pytest.raises(ExperimentError, match=words):
        toy(agreement={"theta": rule})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 2}, "version is 2 here, 1 in the record"),
        ({"parameters": {}, "run_unit": lambda k, p, d, r: [{"x": 1.0}]}, "parameters"),
        ({"seed": 8}, "seed is 8"),
        ({"agreement": {"eror": 0.1}}, "did you mean 'error'"),
    ],
)
def test_a_record_of_another_state_of_the_experiment_is_stale(change, words):
    recorded()
    agreement = compare(run(toy(**change), progress=False))
    assert not agreement.ok and words in agreement.describe()


def test_other_data_make_a_record_stale():
    done, _ = recorded()
    done.provenance["data"] = {"thyroid": {"used": "thyroid", "sha256": "00"}}
    assert "data" in compare(done).problems[0]


def test_nothing_is_compared_with_other_parameters_or_without_a_record():
    assert "toy/walk is not recorded yet" in compare(run(toy(), progress=False)).describe()
    recorded()
    for arguments in ({"params": {"scale": 2.0}}, {"seed": 3}):
        agreement = compare(run(toy(), progress=False, **arguments))
        assert agreement.ok and agreement.compared == 0
        assert "differs from the recorded run" in agreement.describe()
