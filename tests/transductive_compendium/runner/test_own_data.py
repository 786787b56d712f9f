"""A reader's own table in place of an experiment's data set."""

import hashlib
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from transductive_compendium.book.citation_of_run import bibtex
from transductive_compendium.book.notebook import begin
from transductive_compendium.cli import main
from transductive_compendium.rooms import room_folders
from transductive_compendium.runner import (
    ParameterError,
    RecordError,
    all_experiments,
    compare,
    get,
    own_data,
    record,
    run,
)

ROOT = Path(__file__).parents[3]
FIGURE, TARGET = "bayesian_transduction/figure_2b", "transductive_regression/figure_1a"
FAST = {"n_bounces": 50}
OWN = sorted(name for paper in room_folders() for name in own_data.least_rows(paper))


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.normal(size=(70, 3)), columns=["a", "b", "c"]).round(3)
    return frame.assign(kind=np.where(frame["a"] + 0.1 * rng.normal(size=70) > 0, "yes", "no"))


@pytest.fixture
def written(tmp_path):
    def write(frame, name="mine.csv", **options):
        path = tmp_path / name
        frame.to_csv(path, **{"index": False} | options)
        return str(path)

    return write


def loaded(name, path):
    data, names, note = own_data.load(get(name), path)
    ((asked, found),) = data.items()
    assert names == {asked: Path(path).name}
    return found, note


def test_experiments_with_an_own_table_have_one_data_set_and_a_page_with_the_parameter():
    for name in OWN:
        experiment = all_experiments()[name]
        assert len(experiment.datasets) == 1 and "data" not in experiment.parameters
        page = f"notebooks/{experiment.paper}/{experiment.page}.ipynb"
        assert f'data: str = \\"\\"  # {own_data.PARAMETER.doc}' in (ROOT / page).read_text()
    assert len(OWN) == 6


@pytest.mark.parametrize("classes", [("no", "yes"), (0, 1), (-1.5, 2.0), (False, True)])
def test_the_later_name_or_the_larger_number_is_the_positive_class(table, written, classes):
    frame = table.assign(kind=[classes[kind == "yes"] for kind in table["kind"]])
    found, note = loaded(FIGURE, written(frame))
    np.testing.assert_array_equal(found.X, table[["a", "b", "c"]].to_numpy())
    np.testing.assert_array_equal(found.y, np.where(table["kind"] == "yes", 1, -1))
    assert found.target_names == tuple(map(str, classes)) and found.feature_names == tuple("abc")
    assert f"of class {classes[1]} (+1)" in note and "70 rows, 3 features" in note


@pytest.mark.parametrize("name", ["y", "Label", "target"])
def test_a_label_by_its_name_stands_anywhere(table, written, name):
    frame = table.rename(columns={"kind": name})[["a", name, "b", "c"]]
    again, _ = loaded(FIGURE, written(table))
    found, _ = loaded(FIGURE, written(frame))
    np.testing.assert_array_equal(found.X, again.X)
    assert found.sha256 == again.sha256


def test_an_export_of_a_spreadsheet_is_read(table, tmp_path):
    (tmp_path / "t.csv").write_text(
        "sep=;\n" + table.to_csv(index=False, sep=";", decimal=",", lineterminator=";\n")
    )
    found, _ = loaded(FIGURE, str(tmp_path / "t.csv"))
    np.testing.assert_array_equal(found.X, table[["a", "b", "c"]].to_numpy())


def test_a_target_is_a_number(table, written):
    found, note = loaded(TARGET, written(table.drop(columns="kind")))
    np.testing.assert_array_equal(found.y, table["c"])
    assert found.feature_names == ("a", "b") and "target 'c'" in note


BAD = {
    "column 'a' holds text; code it as numbers": lambda t: t.assign(a="warm"),
    "column 'b' of row 3 below the header is empty": lambda t: t.assign(
        b=t["b"].where(t.index != 2)
    ),
    "column 'kind' of row 1 below the header is empty": lambda t: t.assign(
        kind=t["kind"].where(t.index != 0)
    ),
    "column 'c' never varies, or has huge values": lambda t: t.assign(c=np.inf),
    "column 'b' never varies, or has huge": lambda t: t.assign(b=2.0),
    "column 'c' rises or falls like row numbers": lambda t: t.assign(c=-np.arange(70).cumsum()),
    "has 3 classes, the smallest of 1 rows; keep two": lambda t: t.assign(
        kind=["maybe", *t["kind"][1:]]
    ),
    "has 1 classes": lambda t: t.assign(kind="yes"),
    "at least 30; add rows": lambda t: t[:20],
    "it has one column; separate": lambda t: t[["kind"]],
    "two columns are called y or label or target": lambda t: t.assign(y=1.0, label=2.0),
    "equal features and different labels": lambda t: pd.concat(
        [t, t[:1].assign(kind={"yes": "no", "no": "yes"}[t["kind"][0]])]
    ),
    "its first line has numbers": lambda t: t.set_axis(["1.5", "2", "-3", "kind"], axis=1),
}


@pytest.mark.parametrize("words", BAD)
def test_a_problem_is_one_message_with_the_remedy(table, written, words):
    path = written(BAD[words](table))
    said = CliRunner().invoke(main, ["run", FIGURE, "-p", f"data={path}"])
    assert said.exit_code == 1 and words in said.output, said.output
    assert said.output.startswith(f"Error: {path}: ") and said.output.count("\n") == 1


def test_what_is_no_table_or_target_is_refused(table, written, tmp_path):
    path = tmp_path / "other.csv"
    for content in (b"", b"\xff\xfe\x00", b"a,b,y\n1,2,0\n1,2,3,1\n"):
        path.write_bytes(content)
        with pytest.raises(own_data.OwnDataError, match="cannot be read as a table"):
            loaded(FIGURE, str(path))
    for name, file, words in (
        (FIGURE, str(tmp_path / "none.csv"), "No such file"),
        (
            FIGURE,
            written(table, "index.csv", index=True),
            "no name; name it, or save with index=False",
        ),
        (TARGET, written(table), "column 'kind' holds text"),
    ):
        with pytest.raises(own_data.OwnDataError, match=words):
            loaded(name, file)


def test_a_run_on_it_is_neither_compared_nor_recorded(table, written, tmp_path):
    (tmp_path / "it's secret").mkdir()
    path = written(table, "it's secret/my table.csv")
    done = run(FIGURE, params={**FAST, "data": path}, progress=False)
    assert done.own_data == path and "data=my table.csv" in done.departures
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    cited = bibtex(done)
    assert f"table of {len(table)} rows, SHA-256 of the file {digest}" in cited
    assert "secret" not in cited and "-p 'data=my table.csv'" in cited
    assert done.provenance["data"]["heart"]["used"] == "my table.csv"
    assert f"data={path}" in shlex.split(done.provenance["command"])
    assert compare(done).compared == 0 and compare(done).ok
    with pytest.raises(RecordError, match="because it ran on"):
        record(done)
    again = run(FIGURE, params={**FAST, "data": path}, progress=False, fresh=True)
    pd.testing.assert_frame_equal(done.rows, again.rows)
    other = written(table.assign(a=table["a"] + (table["a"] > 1)))
    assert not run(FIGURE, params={**FAST, "data": other}, progress=False).rows.equals(done.rows)


def test_an_empty_name_is_the_papers_data_and_other_experiments_have_none(table, written):
    plain, empty = (
        run(FIGURE, params=FAST | extra, progress=False) for extra in ({}, {"data": ""})
    )
    pd.testing.assert_frame_equal(plain.rows, empty.rows)
    assert plain.provenance["command"] == empty.provenance["command"] and not empty.own_data
    with pytest.raises(ParameterError, match="unknown parameter 'data'"):
        run("bayesian_transduction/labellings", params={"data": written(table)}, progress=False)


def test_a_notebook_shows_the_readers_rows_and_says_so_once(table, written, capsys):
    cell = {"__name__": "__main__", "profile": "smoke", "seed": 0, "n_bounces": 50}
    session = begin(FIGURE, cell | {"data": written(table)})
    done = session.run()
    session.check(done)
    assert session.shown(done) is done.rows and "mine.csv" in session.provenance_note()
    said = capsys.readouterr().out
    assert said.count("Your data, mine.csv") == 1 and "profile paper" in said
    assert "not the recorded result" not in said
    session = begin(FIGURE, cell | {"data": "", "n_bounces": 1000})
    assert session.run().departures == [] and not session.own_data
