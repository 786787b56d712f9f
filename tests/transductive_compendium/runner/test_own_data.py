"""A reader's own table in the place of an experiment's data set."""

import bz2
import gzip
import hashlib
import json
import lzma
import os
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from transductive_compendium.book.citation_of_run import bibtex
from transductive_compendium.book.notebook import begin
from transductive_compendium.cli import main
from transductive_compendium.datasets.registry import registry
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
RIDGE, TARGET = "bayesian_transduction/ridge", "transductive_regression/figure_1a"
FIGURE, FAST = "bayesian_transduction/figure_2b", {"n_bounces": 50}
OWN = sorted(name for name, e in all_experiments().items() if own_data.design(e))


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.normal(size=(70, 3)), columns=["a", "b", "c"]).round(3)
    return frame.assign(kind=np.where(frame["a"] + 0.1 * rng.normal(size=70) > 0, "yes", "no"))


@pytest.fixture
def written(tmp_path):
    def write(frame, name="mine.csv", **options):
        path = tmp_path / name
        frame.to_csv(path, index=False, **options)
        return str(path)

    return write


def loaded(name, path, positive_class=""):
    data, names, note = own_data.load(get(name), path, positive_class)
    ((asked, found),) = data.items()
    assert names == {asked: Path(path).name}
    return found, note


def test_either_class_may_be_the_positive_one(table, written):
    path = written(table)
    found, _ = loaded(RIDGE, path)
    other, _ = loaded(RIDGE, path, "no")
    np.testing.assert_array_equal(other.y, -found.y)
    assert found.target_names == ("no", "yes") and other.target_names == ("yes", "no")
    assert found.sha256 != other.sha256  # the units of one are not those of the other
    with pytest.raises(own_data.OwnDataError, match=r"'No'; mine\.csv has the classes no and yes"):
        loaded(RIDGE, path, "No")
    with pytest.raises(own_data.OwnDataError, match="name one of them"):
        run(FIGURE, params={"data": path, "positive_class": "No"}, progress=False)


@pytest.mark.parametrize(
    ("no", "yes", "asked"),
    [(0, 1, 0), (0, 1, 0.0), (0, 1, "0.0"), (-1, 1, np.int64(-1)), ("False", "True", False)],
)
def test_a_class_that_papermill_reads_as_a_number_or_a_bool_is_one(table, written, no, yes, asked):
    table["kind"] = [yes if kind == "yes" else no for kind in table["kind"]]
    path = written(table, name="2024")
    found, _ = loaded(RIDGE, path, str(no))
    names = {"data": path, "positive_class": asked, "profile": "smoke", "seed": 0}
    session = begin(RIDGE, names)
    again, _ = loaded(RIDGE, path, session.own_data["positive_class"])
    assert again.sha256 == found.sha256 and again.target_names == found.target_names
    assert begin(RIDGE, {"data": 2024}).own_data == {"data": "2024"}
    with pytest.raises(ParameterError, match="positive_class = None"):
        begin(RIDGE, names | {"positive_class": None})


def test_a_class_goes_with_a_table_and_those_of_thyroid_do_not(table, written):
    with pytest.raises(own_data.OwnDataError, match=r"name its file, too, by data=FILE\.csv"):
        run(FIGURE, params={"positive_class": "no"}, progress=False)
    with pytest.raises(ParameterError, match="unknown parameter 'positive_class'"):
        run(TARGET, params={"positive_class": "no"}, progress=False)
    asked = {"data": written(table), "thyroid_class": "hyper"}
    with pytest.raises(own_data.OwnDataError, match="leave thyroid_class at 'normal'"):
        run("bayesian_transduction/figure_2a", params=asked, progress=False)


def test_the_note_names_the_class_that_is_positive_in_the_run(table, written):
    path = written(table)
    assert "(class yes is +1)" in own_data.load(get(RIDGE), path)[2]
    assert "(class no is +1)" in own_data.load(get(RIDGE), path, "no")[2]
    asked = {"data": path, "positive_class": "no"}
    done = run(FIGURE, params=FAST | asked, progress=False)
    assert "(class no is +1)" in done.substitute and "positive_class=no" in done.departures
    assert "positive_class=no" in shlex.split(done.provenance["command"])
    plain = run(FIGURE, params=FAST | {"data": path}, progress=False)
    np.testing.assert_array_equal(done.rows["label"], -plain.rows["label"])


def test_each_room_names_experiments_that_are_there_and_have_one_table():
    for name in OWN:
        experiment = get(name)
        (dataset,) = experiment.datasets
        entry = registry()[dataset]
        assert (entry.target is None) != (entry.classes is None), f"{dataset} is no table"
        assert "data" not in experiment.parameters
    listed = {
        f"{folder.name}/{item}"
        for folder in own_data.room_folders().values()
        for item in own_data.designs(folder)
    }
    assert listed == set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_its_notebook_has_the_parameter(name):
    page = f"{get(name).paper}/{get(name).page}.ipynb"
    cells = json.loads((ROOT / "notebooks" / page).read_text())["cells"]
    (cell,) = [c for c in cells if "parameters" in c["metadata"].get("tags", [])]
    for key, parameter in own_data.parameters(get(name)).items():
        assert f'{key}: str = ""  # {parameter.doc}' in "".join(cell["source"]).splitlines()


def test_two_classes_by_words_or_numbers_in_the_last_column(table, written):
    found, note = loaded(RIDGE, written(table))
    assert found.target_names == ("no", "yes") and found.feature_names == ("a", "b", "c")
    np.testing.assert_array_equal(found.X, table[["a", "b", "c"]].to_numpy())
    np.testing.assert_array_equal(found.y, np.where(table["kind"] == "yes", 1, -1))
    assert "70 rows, 3 features" in note and "(class yes is +1)" in note
    assert "60 % of the rows train" in note and "nothing is compared" in note
    numbers = table.assign(kind=np.where(table["kind"] == "yes", 9, 10))
    found, _ = loaded(RIDGE, written(numbers))
    assert found.target_names == ("9", "10")  # by number, not by letter
    np.testing.assert_array_equal(found.y, np.where(table["kind"] == "yes", -1, 1))


def test_labels_that_python_reads_as_one_number_are_two_classes(table, written):
    yes = table["kind"] == "yes"
    for names in (("10", "1_0"), ("1234567", "1234568")):
        found, _ = loaded(RIDGE, written(table.assign(kind=np.where(yes, *names))))
        assert found.target_names == names
        np.testing.assert_array_equal(found.y == -1, yes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    ("marks", "told"),
    [
        ({"sep": ","}, ""),
        ({"sep": ";"}, "separated by semicolons."),
        ({"sep": "\t"}, "separated by tabs."),
        ({"sep": ";", "decimal": ","}, "by semicolons, and commas read as decimal points."),
        ({"sep": "\t", "decimal": ","}, "by tabs, and commas read as decimal points."),
    ],
)
def test_what_spreadsheets_write_is_the_same_table(table, written, encoding, pack, marks, told):
    table = table.rename(columns={"a": "length, mm", "b": "Größe; 1"})
    plain, _ = loaded(RIDGE, written(table, "plain.csv"))
    path = Path(written(table))
    path.write_bytes(pack(table.to_csv(index=False, **marks).encode(encoding)))
    found, note = loaded(RIDGE, str(path))
    assert found.sha256 == plain.sha256 and found.feature_names == plain.feature_names
    assert told in note and ("separated" in note) == bool(told)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (["1,234", "5,678"], "the comma in '1,234' may be a decimal one or separate thousands"),
        (["1,5", "2.5"], "numbers with commas, such as '1,5', and numbers with points"),
        (["1.234,5", "2,5"], "column 'a' holds the text '1.234,5'"),
    ],
)
def test_commas_that_may_be_something_else_are_refused(numbers, words, tmp_path):
    path = tmp_path / "mine.csv"
    rows = [f"{numbers[k % 2]};{k * k};{'xz'[k % 2]}" for k in range(40)]
    path.write_text("\n".join(["a;b;kind", *rows]))
    with pytest.raises(own_data.OwnDataError, match=words):
        loaded(RIDGE, str(path))


@pytest.mark.parametrize("name", ["y", "Label", "TARGET"])
def test_a_label_that_is_named_may_stand_anywhere(table, written, name):
    moved = table.rename(columns={"kind": name})[[name, "a", "b", "c"]]
    found, note = loaded(RIDGE, written(moved))
    assert found.feature_names == ("a", "b", "c") and repr(name) in note


def test_a_target_and_what_the_hash_covers(table, written):
    numbers = table.drop(columns="kind").assign(z=table["a"] ** 2)
    found, note = loaded(TARGET, written(numbers))
    assert found.target_name == "z" and "target 'z' from" in note
    np.testing.assert_array_equal(found.y, numbers["z"])
    same, _ = loaded(TARGET, written(numbers, "renamed.csv", lineterminator="\r\n"))
    other, _ = loaded(TARGET, written(numbers.assign(z=-numbers["z"])))
    assert found.sha256 == same.sha256 != other.sha256


def changed(column, row, value):
    def change(frame):
        frame = frame.astype(object)
        frame.loc[row, column] = value
        return frame

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            changed("b", 4, "male"),
            "line 6: column 'b' holds the text 'male'; if it is the label, call it",
        ),
        (changed("b", 4, "NaN"), "line 6: column 'b' is NaN; fill in a number, or remove"),
        (changed("b", 4, "?"), r"line 6: column 'b' is \?; fill in a number, or remove"),
        (changed("b", 4, "1_02"), "line 6: column 'b' holds the text '1_02'; if it"),
        (changed("b", 4, "\u0661"), "line 6: column 'b' holds the text"),
        (changed("b", 0, "inf"), "line 2: column 'b' is inf"),
        (changed("b", 3, 1e300), "line 5: column 'b' is 1e.300, whose square no floating-point"),
        (changed("b", 3, -1e308), "line 5: column 'b' is -1e.308, whose square no floating-point"),
        (lambda f: f.assign(b=f["b"] * 1e-200), "column 'b' is .*e-200, whose square no floating"),
        (changed("c", 69, ""), "line 71: column 'c' is empty; fill in a number, or remove"),
        (changed("kind", 1, ""), "line 3: the label 'kind' is missing"),
        (changed("kind", 1, "?"), r"line 3: the label 'kind' is missing \(\?\); fill it in"),
        (changed("kind", 1, "N/A"), r"line 3: the label 'kind' is missing \(N/A\)"),
        (
            lambda f: f.assign(kind=["1", "1.0", "0"] * 23 + ["0"]),
            "the labels 1.* and 1.* are one number; write each class in one way",
        ),
        (
            changed("kind", 1, "maybe"),
            r"'kind' has 3 classes: .*maybe \(1 rows\); keep or make two",
        ),
        (lambda f: f.assign(kind=1.0), r"1 class: 1 \(70 rows\); a second one is needed"),
        (lambda f: f.assign(kind=f["a"]), "take a figure of transductive_regression for a target"),
        (lambda f: f.assign(b=2), "line 1: column 'b' is 2 in every row; remove the column"),
        (lambda f: f.head(29), "29 rows; bayesian_transduction/ridge needs at least 30"),
        (lambda f: pd.concat([f] * 150), "10500 rows; .* takes at most 10000.*random sample"),
        (lambda f: f.assign(kind=["x"] * 9 + ["z"] * 61), "class x of 'kind' has 9 rows"),
        (lambda f: f.rename(columns={"a": "y", "b": "label"}), "'y' and 'label' may each be"),
        (lambda f: f.rename(columns={"a": "b"}), "2 columns are called 'b'"),
        (lambda f: f.rename(columns={"a": " "}), "a column has no name"),
        (lambda f: f.assign(a=range(7, 7 + len(f))), "column 'a' counts the rows"),
        (lambda f: f[["kind"]], "one column, 'kind'; separate features and label by commas"),
        (lambda f: f.head(0), "0 rows"),
    ],
)
def test_bad_tables_are_refused_by_line_and_remedy(table, written, change, words):
    path = written(change(table))
    with pytest.raises(own_data.OwnDataError, match=words) as caught:
        loaded(RIDGE, path)
    assert str(caught.value).startswith(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the file is empty"),
        ("1,2,3\n4,5,6\n", "line 1: numbers in place of names"),
        ("1,2,yes\n4,5,no\n", "line 1: numbers in place of names"),
        ("a,b,kind\n1,2,0\n\n3,1\n", "line 4: 2 cells under a header of 3"),
        ("a,b,kind\n1,\xff,0\n", "cannot be read"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, words):
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(own_data.OwnDataError, match=words):
        loaded(RIDGE, str(path))
    with pytest.raises(own_data.OwnDataError, match=r"no such file; give the path from /"):
        loaded(RIDGE, str(tmp_path / "mien.csv"))
    with pytest.raises(own_data.OwnDataError, match="it is a folder"):
        loaded(RIDGE, str(tmp_path))


def test_binary_and_damaged_files_are_refused(table, tmp_path):
    text = table.to_csv(index=False)
    packed = gzip.compress(text.encode())
    for content, words in (
        (packed[:-20], "unpacking it fails"),
        (packed[:20] + bytes(20) + packed[40:], "unpacking it fails"),
        (text.encode("utf-16-le"), "null characters"),
        (b"PK\x03\x04\xff", "codec can't decode"),
    ):
        (tmp_path / "mine.csv").write_bytes(content)
        with pytest.raises(own_data.OwnDataError, match=f"{words}.*; save it as a CSV file"):
            loaded(RIDGE, str(tmp_path / "mine.csv"))


def test_pipes_and_devices_are_refused_at_sight(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path in ("/dev/zero", str(tmp_path / "pipe.csv")):
        with pytest.raises(
            own_data.OwnDataError, match=r"a pipe or a device, .*; write it to a file"
        ):
            loaded(RIDGE, path)
    with pytest.raises(own_data.OwnDataError, match="it cannot be read"):
        loaded(RIDGE, str(tmp_path / ("x" * 300)))


def test_equal_features_with_two_labels_are_refused(table, written):
    table = pd.concat(
        [table, table.iloc[[5]].assign(kind={"yes": "no", "no": "yes"}[table.kind[5]])]
    )
    with pytest.raises(own_data.OwnDataError, match="line 72: the features of line 7 with another"):
        loaded(RIDGE, written(table))


def test_a_target_has_to_be_a_number_that_varies(table, written):
    words = "needs a number as target, and column 'kind' holds '(yes|no)'; call a column of numbers"
    with pytest.raises(own_data.OwnDataError, match=words):
        loaded(TARGET, written(table))
    with pytest.raises(own_data.OwnDataError, match="line 3: column 'c' is empty; fill in"):
        loaded(TARGET, written(changed("c", 1, "")(table.drop(columns="kind"))))
    with pytest.raises(own_data.OwnDataError, match="'kind' is 3 in every row"):
        loaded(TARGET, written(table.assign(kind=3)))


def test_a_run_on_it_is_neither_compared_nor_recorded(table, written, tmp_path):
    (tmp_path / "it's secret").mkdir()
    path = written(table, "it's secret/my table.csv")
    done = run(RIDGE, params={**FAST, "data": path}, progress=False)
    assert done.own_data == {"data": path} and "data=my table.csv" in done.departures
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    cited = bibtex(done)
    assert f"table of {len(table)} rows, SHA-256 of the file {digest}" in cited
    assert "secret" not in cited and "seed 0" in cited
    assert f"transductive run {RIDGE} --profile smoke".replace("_", r"\_") in cited
    sweep = "transductive run x -p 'data=~/secret/my table.csv' -p n=1,2"
    for entry in (cited, bibtex(done, sweep, "n=1,2")):
        assert "-p 'data=my table.csv'" in entry and "secret" not in entry
    assert done.provenance["data"]["heart"]["used"] == "my table.csv"
    assert f"data={path}" in shlex.split(done.provenance["command"])
    assert done.params == {"n_bounces": 50}
    assert compare(done).compared == 0 and "mine" not in compare(done).describe()
    with pytest.raises(RecordError, match="because it ran on"):
        record(done)
    again = run(RIDGE, params={**FAST, "data": path}, progress=False, fresh=True)
    pd.testing.assert_frame_equal(done.rows, again.rows)
    flipped = {"yes": "no", "no": "yes"}
    other = written(
        table.assign(kind=table["kind"].map(flipped).where(table["a"] > 1, table["kind"]))
    )
    assert not run(RIDGE, params={**FAST, "data": other}, progress=False).rows.equals(done.rows)


def test_an_empty_name_is_the_papers_data_and_other_experiments_have_none(table, written):
    plain, empty = (run(RIDGE, params=FAST | extra, progress=False) for extra in ({}, {"data": ""}))
    pd.testing.assert_frame_equal(plain.rows, empty.rows)
    assert plain.provenance["command"] == empty.provenance["command"] and not empty.own_data
    with pytest.raises(ParameterError, match="unknown parameter 'data'"):
        run("bayesian_transduction/labellings", params={"data": written(table)}, progress=False)


def test_the_command_line_says_it_once(table, written, tmp_path):
    out = str(tmp_path / "rows.csv")
    command = ["run", RIDGE, "-p", f"data={written(table)}", "-p", "n_bounces=50", "--out", out]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0 and result.output.count("Data of your own, mine.csv") == 1
    assert len(pd.read_csv(out)) == 10
    result = CliRunner().invoke(main, [*command[:2], "-p", "data=absent.csv"])
    assert result.exit_code == 1 and "no such file" in result.output
    assert "data = ''" in CliRunner().invoke(main, ["list", RIDGE]).output


def test_a_notebook_shows_the_readers_rows_and_says_so_once(table, written, capsys):
    path = written(table)
    cell = {"__name__": "__main__", "profile": "smoke", "seed": 0, "n_bounces": 50, "data": path}
    session = begin(RIDGE, cell)
    done = session.run()
    session.check(done)
    shown = session.shown(done)
    assert shown is done.rows and "mine.csv" in session.provenance_note()
    said = capsys.readouterr().out
    assert said.count("Data of your own, mine.csv") == 1 and "profile paper" in said
    assert "not the recorded result" not in said
    session = begin(RIDGE, cell | {"data": "", "n_bounces": 20_000})
    assert session.run().departures == [] and not session.own_data


@pytest.mark.parametrize("name", [n for n in OWN if n.startswith("transductive_regression/")])
def test_sizes_follow_the_table(name, written):
    rng = np.random.default_rng(0)
    n = own_data.design(get(name)).at_least
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=list("abcd"))
    done = run(name, params={"data": written(frame.assign(y=frame["a"]))}, progress=False)
    assert len(done.rows) and np.isfinite(done.rows.select_dtypes(float).to_numpy()).all()
