import json
import lzma
import os
import re

import numpy as np
import pandas as pd
import pytest
from toy_experiments import toy

from transductive_compendium.runner import (
    ExperimentError,
    RecordError,
    RecordMissingError,
    UnitMean,
    compare,
    extended,
    load_recorded,
    record,
    records,
    results_folder,
    run,
    store_recorded,
)
from transductive_compendium.runner.records import notebook_of


def recorded(**changes):
    done = run(toy(**changes), "paper", progress=False)
    return done, record(done)


def rewrite(done, change):
    """Record `done` with its rows changed, as an older code would have left them."""
    rows = done.rows.copy()
    changed = change(rows)
    rows = rows if changed is None else changed
    record(type(done)(**{**vars(done), "rows": rows}))


def test_a_record_reads_back_bit_for_bit():
    done, (csv, _) = recorded()
    frame, facts = load_recorded("toy/walk")
    pd.testing.assert_frame_equal(frame, done.rows, check_exact=True)
    assert facts["columns"] == {
        "split": "int64",
        "half": "str",
        "theta": "float64",
        "error": "float64",
        "hits": "int64",
        "sure": "bool",
        "name": "str",
        "nothing": "float64",
    }
    assert facts["parameters"] == done.params and facts["rows"] == 12
    before = csv.read_bytes()
    recorded()
    assert csv.read_bytes() == before


def test_large_rows_are_compressed_and_read_back(monkeypatch):
    done, (csv, target) = recorded()
    plain, facts = csv.read_bytes(), target.read_text()
    with monkeypatch.context() as patch:
        patch.setattr(records, "LARGE", len(plain) - 1)
        packed, _ = record(done)
        before = packed.read_bytes()
        assert packed.name == "walk.csv.xz" and lzma.decompress(before) == plain
        assert not csv.exists() and target.read_text() == facts  # the hash is that of the rows
        pd.testing.assert_frame_equal(load_recorded("toy/walk")[0], done.rows, check_exact=True)
        record(done)
        assert packed.read_bytes() == before
    for damage in (before[:-20], before[:40] + b"x" + before[41:], b"split\n1\n"):
        packed.write_bytes(damage)
        with pytest.raises(RecordError, match=r"walk\.csv\.xz is damaged .* --record"):
            load_recorded("toy/walk")
    assert record(done)[0] == csv and not packed.exists()  # small again


def test_a_record_is_extended_without_computing_its_units_again(tmp_path):
    few = toy(units=lambda params, profile: [{"split": i} for i in range(3)])
    more = toy(units=lambda params, profile: [{"split": i} for i in range(5)])
    record(run(few, "paper", progress=False))
    facts = load_recorded("toy/walk")[1]
    (part,) = store_recorded(few, tmp_path)
    assert part["units"] == 3 and part["machine"] == facts["machine"]
    lines = []
    longer = extended(run(more, "paper", progress=lines.append, store=tmp_path), [part])
    record(longer)
    assert [p["units"] for p in store_recorded(more, tmp_path)] == [3, 2]
    assert load_recorded("toy/walk")[1]["extended"] == [part]
    assert len(lines) == 2 and lines[0].startswith("toy/walk: 4 of 5 units")
    whole = run(more, "paper", progress=False, store=tmp_path / "other")
    pd.testing.assert_frame_equal(longer.rows, whole.rows, check_exact=True)


def test_a_record_of_other_code_is_not_extended(monkeypatch, tmp_path):
    done, _ = recorded()
    monkeypatch.setattr(records, "fingerprint", lambda experiment: "f" * 16)
    with pytest.raises(RecordError, match=r"cannot be extended: other code made it .* again"):
        store_recorded(done.experiment, tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("step", range(1, 5))
def test_a_recorder_that_dies_leaves_the_old_record_or_says_what_to_do(step, monkeypatch):
    """Two flushes to disk and two renames: each fails in turn, and nothing comes after it."""
    old, _ = recorded()
    new = run(toy(agreement={}), "paper", progress=False, fresh=True)
    new.rows["error"] += 1.0
    steps = iter(range(1, 9))

    class Dead(BaseException):
        pass

    def count(does):
        def call(*arguments):
            if next(steps) == step:
                raise Dead
            return does(*arguments)

        return call

    with monkeypatch.context() as patch, pytest.raises(Dead):
        for name in ("replace", "fsync"):
            patch.setattr(os, name, count(getattr(os, name)))
        record(new)
    if step < 4:
        assert load_recorded("toy/walk")[0].equals(old.rows)
    else:  # new rows beside old provenance are never read as one record
        with pytest.raises(RecordError, match=r"not those .* --profile paper --record"):
            load_recorded("toy/walk")
    for done in (new, old):
        record(done)  # the next recorder is none the worse
        assert load_recorded("toy/walk")[0].equals(done.rows)
    assert sorted(os.listdir(results_folder() / "toy")) == ["walk.csv", "walk.json"]


def test_a_results_folder_that_cannot_be_written_keeps_its_record_and_says_so(monkeypatch):
    done, (csv, _) = recorded()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(
            RecordError, match=r"toy cannot be written \(No space.*RESULTS"
        ) as caught:
            record(done)
    assert str(csv.parent) in str(caught.value)
    assert load_recorded("toy/walk")[0].equals(done.rows)
    assert sorted(os.listdir(csv.parent)) == ["walk.csv", "walk.json"]


def test_text_that_looks_like_numbers_or_nothing_stays_text():
    def run_unit(key, params, data, rng):
        return [{"code": "010", "word": "NA", "lines": 'a,"b"\n\u2028c', "value": float("inf")}]

    done, _ = recorded(run_unit=run_unit, agreement={})
    frame = load_recorded("toy/walk")[0]
    assert frame["code"].tolist()[0] == "010" and frame["word"].tolist()[0] == "NA"
    assert frame["lines"].tolist()[0] == 'a,"b"\n\u2028c'
    assert compare(done).ok


@pytest.mark.parametrize(
    ("run_arguments", "words"),
    [
        ({"profile": "smoke"}, "--profile paper --record"),
        ({"profile": "paper", "params": {"scale": 2.0}}, "scale=2.0"),
        ({"profile": "paper", "seed": 3}, "seed=3"),
    ],
)
def test_only_default_runs_of_the_real_tiers_are_recorded(run_arguments, words):
    with pytest.raises(RecordError, match=words):
        record(run(toy(), progress=False, **run_arguments))


def test_runs_on_substitutes_are_neither_recorded_nor_compared():
    done, _ = recorded()
    stood = type(done)(**{**vars(done), "substitute": "breast_cancer replaces thyroid"})
    with pytest.raises(RecordError, match="transductive data fetch"):
        record(stood)
    assert compare(stood).ok and "replaces" in compare(stood).reason


def test_columns_of_mixed_types_are_not_recorded():
    def run_unit(key, params, data, rng):
        return [{"x": 1 if key["split"] else "one"}]

    with pytest.raises(RecordError, match="mixes types"):
        recorded(run_unit=run_unit, agreement={})


def test_a_rerun_agrees_and_says_what_it_compared():
    recorded()
    smoke = compare(run(toy(), "smoke", progress=False, fresh=True))
    assert smoke.ok and smoke.compared == 4 and smoke.reason is None
    assert smoke.table["agrees"].all() and "error (within 1e-6)" in smoke.describe()
    assert "hits (exact)" in smoke.describe()
    full = compare(run(toy(), "full", progress=False))
    assert full.ok and full.compared == 12


@pytest.mark.parametrize(
    ("column", "change", "agrees"),
    [
        ("error", 1e-8, True),
        ("error", 1e-4, False),
        ("hits", 1, False),
        ("nothing", 0.05, True),
        ("nothing", 0.2, False),
        ("nothing", float("nan"), False),
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


def test_rules_exact_and_ignore():
    done, _ = recorded(agreement={"error": "exact", "hits": "ignore"})
    rewrite(done, lambda rows: rows.__setitem__("hits", rows["hits"] + 1))
    again = run(toy(agreement={"error": "exact", "hits": "ignore"}), progress=False)
    assert compare(again).ok and "hits" not in set(compare(again).table["column"])
    rewrite(done, lambda rows: rows.__setitem__("error", rows["error"] * (1 + 1e-12)))
    assert not compare(again).ok


def sampler(agreement, wrong=None, offset=0.0, jitter=False, **changes):
    """Each unit gives twenty values around 1; `wrong` is a split that a stale record has off."""

    def run_unit(key, params, data, rng):
        ripple = 0.2 * (-1.0) ** np.arange(20)  # rows of another machine: other values, same mean
        values = 1 + 0.1 * rng.normal(size=20) + (ripple if jitter else 0)
        values += offset if key["split"] == wrong else 0
        return [{"theta": float(value)} for value in values]

    return toy(**{**dict(run_unit=run_unit, agreement={"theta": agreement}), **changes})


@pytest.mark.parametrize("keys", [("split",), ("split", "half")])
def test_a_planted_stale_unit_is_found_by_its_mean_where_wide_rows_miss_it(keys):
    def units(params, profile):
        count = {"smoke": 2, "paper": 6, "full": 8}[profile]
        return [{"split": i, "half": "x"} if "half" in keys else {"split": i} for i in range(count)]

    def again(rule):
        return compare(run(sampler(rule, units=units), "smoke", progress=False, fresh=True))

    other = sampler(UnitMean(0.02), jitter=True, units=units)
    record(run(other, "paper", progress=False, fresh=True))
    honest = again(UnitMean(0.02))
    assert honest.ok and honest.compared == 40
    assert "theta (unit means within 0.02)" in honest.describe()
    assert not again(0.02).ok  # single rows do differ
    assert again(0.3).ok

    stale = sampler(UnitMean(0.02), wrong=1, offset=0.05, jitter=True, units=units)
    record(run(stale, "paper", progress=False, fresh=True))
    assert again(0.3).ok
    found = again(UnitMean(0.02))
    assert not found.ok and found.compared == 40
    assert re.search(
        r"theta \(unit means within 0.02\): 1 of 2 units differ, worst at split 1\b.*: "
        r"[\d.]+ here, [\d.]+ in the record",
        found.describe(),
    )
    assert found.table["worst"].tolist() == pytest.approx([0.05])


def test_unit_means_are_not_pooled_over_units():
    record(run(sampler(UnitMean(0.02)), "paper", progress=False))

    def run_unit(key, params, data, rng):
        shift = 0.1 if key["split"] == 0 else -0.1
        return [{"theta": 1 + shift + 0.1 * float(value)} for value in rng.normal(size=20)]

    done = run(sampler(UnitMean(0.02), run_unit=run_unit), progress=False, fresh=True)
    assert "2 of 2 units differ" in compare(done).describe()


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ([1.0, np.nan, 2.0], [2.0, np.nan, 1.0], None),
        ([1.0, -np.inf, 2.0], [2.0, -np.inf, 1.0], None),
        ([np.nan, np.nan], [np.nan, np.nan], None),
        ([np.inf, 1.0], [np.inf, 5.0], "1.0 here, 5.0 in the record"),
        ([1.0, np.nan, 1.0], [1.0, 1.0, np.nan], "missing or infinite in other rows"),
        ([1.0, np.inf], [1.0, -np.inf], "missing or infinite in other rows"),
        ([np.nan, np.nan], [1.0, 1.0], "missing or infinite in other rows"),
        ([1, 0, 3], [2, 1, 1], None),
        ([1, 0, 3], [2, 1, 3], "worst at split 0"),
        ([True, False], [False, True], None),
        ([True, False], [True, True], "0.5 here, 1.0 in the record"),
        (["a", "b"], ["b", "a"], "not a number; use exact"),
    ],
)
def test_unit_means_of_missing_infinite_whole_and_other_values(ours, theirs, words):
    def made(values):
        return sampler(UnitMean(0.02), run_unit=lambda k, p, d, r: [{"theta": v} for v in values])

    record(run(made(theirs), "paper", progress=False))
    agreement = compare(run(made(ours), progress=False, fresh=True))
    assert agreement.ok is (words is None)
    assert words is None or words in agreement.describe()


@pytest.mark.parametrize(
    "rule",
    [-0.1, float("nan"), float("inf"), True, "exactly", None, UnitMean, UnitMean(-0.1)]
    + [UnitMean(float("nan")), UnitMean(float("inf")), UnitMean(True), UnitMean("exact")],
)
def test_rules_that_are_no_rule_are_refused(rule):
    words = r"toy/walk: agreement of 'theta' is .*; give an absolute tolerance .*UnitMean"
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
    assert "no recorded result" in compare(run(toy(), progress=False)).describe()
    recorded()
    for arguments in ({"params": {"scale": 2.0}}, {"seed": 3}):
        agreement = compare(run(toy(), progress=False, **arguments))
        assert agreement.ok and agreement.compared == 0
        assert "differs from the recorded run" in agreement.describe()


def test_damaged_records_are_errors_with_the_remedy():
    _, (csv, facts) = recorded()
    whole = csv.read_text()
    csv.write_text(whole.replace("s3", "s4", 1))
    with pytest.raises(RecordError, match=r"damaged.*--profile paper --record"):
        load_recorded("toy/walk")
    csv.write_text(whole)
    facts.write_text("{")
    with pytest.raises(RecordError, match="damaged"):
        load_recorded("toy/walk")
    facts.unlink()
    with pytest.raises(RecordMissingError, match="transductive run toy/walk"):
        load_recorded("toy/walk")


def test_where_results_are_found(tmp_path, monkeypatch):
    assert results_folder() == tmp_path / "results"
    monkeypatch.delenv("TRANSDUCTIVE_RESULTS")
    book = tmp_path / "book"
    (book / "results").mkdir(parents=True)
    (book / "_config.yml").write_text("")
    (book / "notebooks" / "deep").mkdir(parents=True)
    monkeypatch.chdir(book / "notebooks" / "deep")
    assert results_folder() == book / "results"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(records, "source_checkout", lambda: tmp_path / "checkout")
    assert results_folder() == tmp_path / "checkout" / "results"
    monkeypatch.setattr(records, "source_checkout", lambda: None)
    with pytest.raises(RecordError, match="TRANSDUCTIVE_RESULTS"):
        results_folder()


def test_the_provenance_file_is_plain_json():
    _, (_, path) = recorded()
    facts = json.loads(path.read_text())
    assert facts["command"] == "transductive run toy/walk --profile paper"


def test_a_notebook_shows_its_item_and_its_companions(folders):
    path = folders / "notebooks/toy/walk.ipynb"
    path.parent.mkdir(parents=True)
    path.touch()
    for name in ("toy/walk", "toy/walk_options", "toy/walk_groups"):
        assert notebook_of(name) == "notebooks/toy/walk.ipynb"
    assert notebook_of("toy/run") is None and notebook_of("toy/walk_other") is None
    path.with_name("walk_groups.ipynb").touch()
    assert notebook_of("toy/walk_groups") == "notebooks/toy/walk_groups.ipynb"
