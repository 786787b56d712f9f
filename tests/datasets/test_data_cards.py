"""The numbers on the data cards, against the registry and against the data."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from transductive.datasets import available, load, load_realisation
from transductive.datasets.registry import registry

BOOK = Path(__file__).parents[2] / "book"
NAMES = ["thyroid", "heart", "banana", "ringnorm"]
DIVIDED = ["banana", "ringnorm"]

pytestmark = pytest.mark.skipif(not BOOK.is_dir(), reason="the book is not beside the tests")
needs_data = pytest.mark.skipif(
    not os.environ.get("TRANSDUCTIVE_DATA"),
    reason="TRANSDUCTIVE_DATA names no data folder; `transductive data fetch --folder FOLDER`",
)


def card(name):
    return (BOOK / "data" / f"{name}.md").read_text(encoding="utf-8")


def rows(text, width):
    """Cells of all table rows with `width` cells, header and rule left out."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return [row for row in cells if len(row) == width and not row[0].startswith("---")]


@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_registry(name):
    entry, text = registry()[name], card(name)
    facts = dict(row for row in rows(text, 2))
    assert int(facts["size in bytes"]) == entry.bytes
    file = entry.files[0]
    content = file.content_sha256 if name not in DIVIDED else file.content_sha256[0]
    assert facts["SHA-256 of the file"].strip("`") == file.sha256
    assert facts["SHA-256 of the content"].strip("`") == content
    assert facts["terms"] == entry.terms
    assert tuple(row[1].strip("`") for row in rows(text, 6)[1:]) == entry.features
    assert {int(row[0]): int(row[2]) for row in rows(text, 3)[1:]} == entry.classes
    readings = {row[0].strip("`"): row for row in rows(text, 4)[1:]}
    assert set(readings) == set(entry.readings)
    for key, reading in entry.readings.items():
        positive = sum(entry.classes[code] for code in reading.positive)
        assert [int(v) for v in readings[key][2:]] == [positive, entry.rows - positive]
    overview = {row[0]: row for row in rows(card("index"), 6)}[f"[`{name}`]({name}.md)"]
    assert [int(v) for v in overview[1:3]] == [entry.rows, len(entry.features)]
    assert overview[3] == " / ".join(map(str, entry.classes.values()))
    assert overview[4] == entry.terms


def test_the_card_of_mnist_agrees_with_the_registry():
    entry, text = registry()["mnist"], card("mnist")
    for row, file in zip(rows(text, 4)[1:], entry.files, strict=True):
        assert row[0].strip("`") == Path(file.path).name and int(row[1]) == file.bytes
        assert [cell.strip("`") for cell in row[2:]] == [file.sha256, file.content_sha256]
    counts = {int(row[0]): int(row[1]) + int(row[2]) for row in rows(text, 3)[1:]}
    assert counts == entry.classes
    assert sum(int(row[1]) for row in rows(text, 3)[1:]) == entry.training_rows
    overview = {row[0]: row for row in rows(card("index"), 6)}["[`mnist`](mnist.md)"]
    assert [int(v) for v in overview[1:3]] == [entry.rows, len(entry.features)]
    assert overview[4] == entry.terms


def test_cited_works_are_in_a_bibliography():
    entries = "".join(p.read_text(encoding="utf-8") for p in BOOK.glob("references*.bib"))
    known = set(re.findall(r"^@\w+\{(\S+),", entries, re.MULTILINE))
    cited = {key for entry in registry().values() for key in entry.citation}
    for name in [*NAMES, "mnist", "index"]:
        for keys in re.findall(r"\{cite(?::t)?\}`([^`]+)`", card(name)):
            cited.update(keys.split(","))
    assert cited and cited <= known


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_data(name):
    assert available(name), f"{name} is not in TRANSDUCTIVE_DATA"
    text, data = card(name), load(name, download=False)
    assert data.X.shape == (registry()[name].rows, len(registry()[name].features))
    for column, row in zip(data.X.T, rows(text, 6)[1:], strict=True):
        statistics = [column.min(), np.median(column), column.max()]
        assert [float(v) for v in row[3:]] == [round(float(v), 4) for v in statistics]
    for row in rows(text, 4)[1:]:
        read = data.with_reading(row[0].strip("`"))
        assert list(read.counts.values()) == [int(row[3]), int(row[2])]
    repeated = len(data.X) - len(np.unique(np.column_stack([data.X, data.codes]), axis=0))
    missing = int(np.isnan(data.X).sum())
    assert f"Missing values: {missing}. Repeated rows: {repeated}." in text


@needs_data
def test_particular_facts_on_the_cards():
    thyroid, heart = load("thyroid", download=False), load("heart", download=False)
    negative = (thyroid.X[:, thyroid.feature_names.index("tsh_response")] < 0).sum()
    assert f"{negative} of its values are negative" in card("thyroid")
    assert (np.diff(thyroid.codes) >= 0).all()  # "the classes stand in order"
    # The mean squared distance between two rows is the sum of twice the variances.
    share = 100 * thyroid.X.var(axis=0) / thyroid.X.var(axis=0).sum()
    assert (
        f"{share[0]:.0f} % of the mean\n  squared distance between two patients and the third "
        f"{share[2]:.0f} %" in card("thyroid")
    )
    share = 100 * heart.X.var(axis=0) / heart.X.var(axis=0).sum()
    assert f"cholesterol makes up {share[heart.feature_names.index('cholesterol')]:.0f} %" in card(
        "heart"
    )
    ones = (heart.X[:, heart.feature_names.index("ecg")] == 1).sum()
    assert f"occurs {ones} times only" in card("heart")


@needs_data
@pytest.mark.parametrize("name", DIVIDED)
def test_cards_agree_with_the_realisations(name):
    text, whole, tests = " ".join(card(name).split()), load(name, download=False), []
    table = {int(row[0]): [int(v) for v in row[1:]] for row in rows(card(name), 5)[1:]}
    assert list(table) == list(range(1, 11))
    for number, row in table.items():
        _, y_train, X_test, y_test = load_realisation(name, number, download=False)
        assert row == [len(y_train), (y_train == 1).sum(), len(y_test), (y_test == 1).sum()]
        tests.append({point.tobytes() for point in X_test})
    shared = np.mean([len(a & b) for i, a in enumerate(tests) for b in tests[:i]])
    assert f"share {100 * shared / len(tests[0]):.0f} % of their rows" in text
    np.testing.assert_allclose(whole.X.mean(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(whole.X.std(axis=0, ddof=1), 1, atol=1e-7)
    assert f"(divisor {len(whole.X) - 1})" in text


@needs_data
def test_ringnorm_is_two_spherical_normal_distributions():
    text, data = " ".join(card("ringnorm").split()), load("ringnorm", download=False)
    scores, widths = [], []
    for sign in (-1, 1):
        points = data.X[data.y == sign]
        squares = ((data.X - points.mean(axis=0)) ** 2).sum(axis=1)
        variance = squares[data.y == sign].mean() / data.X.shape[1]
        widths.append(np.sqrt(variance))
        prior = len(points) / len(data.X)
        scores.append(np.log(prior / variance ** (data.X.shape[1] / 2)) - squares / variance / 2)
    assert f"{widths[0]:.2f} in the narrow class and {widths[1]:.2f} in the wide one" in text
    errors = np.mean((scores[1] > scores[0]) != (data.y == 1))
    assert f"errs on {100 * errors:.2f} % of them" in text


@needs_data
def test_the_card_of_mnist_agrees_with_the_data():
    text, data = " ".join(card("mnist").split()), load("mnist", download=False)
    counts = {int(row[0]): [int(v) for v in row[1:]] for row in rows(card("mnist"), 3)[1:]}
    for digit in (5, 8):
        chosen = data.codes == digit
        n = int(chosen[: data.n_train].sum())
        assert counts[digit] == [n, int(chosen.sum()) - n]
    assert f"data.X is {len(data.X)} x {data.X.shape[1]}" in text
    assert f"# {data.n_train} rows" in text and f"# {len(data.X) - data.n_train} rows" in text
    dark = int((data.X.max(axis=0) == 0).sum())
    assert f"784 pixels {dark} are 0 in every 5 and 8" in text
    assert f"{100 * np.mean(data.X == 0):.0f} % of all values are 0" in text
    length = np.sqrt(np.einsum("ij,ij->i", data.X, data.X)).mean()
    assert f"length of an image as a vector is {length:.1f}" in text
    repeated = len(data.X) - len({row.tobytes() for row in data.X})
    assert f"Missing values: 0. Repeated rows: {repeated}." in text


def test_stand_ins_are_described_as_they_are():
    text = " ".join(card("index").split())
    cancer, digits = load("breast_cancer"), load("digits")
    assert (
        f"({len(cancer.X)} rows, {cancer.X.shape[1]} variables; malignant "
        f"{cancer.counts['malignant']} is +1)" in text
    )
    assert f"({len(digits.X)} images of 8 x 8 pixels" in text
