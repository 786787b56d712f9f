"""The numbers on the data cards, against the registry and against the data."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from transductive.datasets import available, load
from transductive.datasets.registry import registry

BOOK = Path(__file__).parents[2] / "book"
NAMES = ["thyroid", "heart"]

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
    assert facts["SHA-256 of the file"].strip("`") == entry.sha256
    assert facts["SHA-256 of the content"].strip("`") == entry.content_sha256
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


def test_cited_works_are_in_a_bibliography():
    entries = "".join(p.read_text(encoding="utf-8") for p in BOOK.glob("references*.bib"))
    known = set(re.findall(r"^@\w+\{(\S+),", entries, re.MULTILINE))
    cited = {key for entry in registry().values() for key in entry.citation}
    for name in [*NAMES, "index"]:
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
        assert [float(v) for v in row[3:]] == [column.min(), np.median(column), column.max()]
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


def test_stand_ins_are_described_as_they_are():
    text = " ".join(card("index").split())
    cancer, digits = load("breast_cancer"), load("digits")
    assert (
        f"({len(cancer.X)} rows, {cancer.X.shape[1]} variables; malignant "
        f"{cancer.counts['malignant']} is +1)" in text
    )
    assert f"({len(digits.X)} images of 8 x 8 pixels" in text
