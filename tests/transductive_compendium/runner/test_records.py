import lzma
import os

import pandas as pd
import pytest
from toy_experiments import toy

from transductive_compendium.runner import (
    RecordError,
    RecordMissingError,
    compare,
    load_recorded,
    record,
    records,
    results_folder,
    run,
)


def recorded(**changes):
    done = run(toy(**changes), "paper", progress=False)
    return done, record(done)


def test_a_record_reads_back_bit_for_bit():
    done, (csv, _) = recorded()
    frame, facts = load_recorded("toy/walk")
    pd.testing.assert_frame_equal(frame, done.rows, check_exact=True)
    assert {"split": "int64", "half": "str", "sure": "bool"}.items() <= facts["columns"].items()
    assert list(facts["columns"]) == list(done.rows)
    assert facts["command"] == "transductive run toy/walk --profile paper"
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
