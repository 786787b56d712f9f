"""The numbers on the data cards, against the registry and against the data."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from transductive_compendium.datasets.registry import registry

BOOK = Path(__file__).parents[3] / "book"
NAMES = ["thyroid", "heart", "banana", "ringnorm"]
IDA = [name for name in registry() if name.startswith("ida_")]
#: Pages of sets that have another name.
PAGES = {"reuters21578": "reuters", "rcv1_k500": "rcv1"} | dict.fromkeys(IDA, "ida")

pytestmark = pytest.mark.skipif(not BOOK.is_dir(), reason="the book is not beside the tests")


def card(name):
    return (BOOK / "data" / f"{PAGES.get(name, name)}.md").read_text(encoding="utf-8")


def rows(text, width):
    """Cells of all table rows with `width` cells, header and rule left out."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    return [row for row in cells if len(row) == width and not row[0].startswith("---")]


def section(name):
    """The part of the common card that is about one set."""
    label = name.replace("_", "-")
    return re.split(r"\n## |\n\(data-", card("ida").split(f"(data-{label})=\n## ")[1])[0]


def first_hash(file):
    content = file.content_sha256
    return content if isinstance(content, str) else content[0]


def overview(name):
    """The row of a set in the overview of all."""
    return {row[0]: row for row in rows(card("index"), 6)}[
        f"[`{name}`]({PAGES.get(name, name)}.md)"
    ]


def test_the_table_of_sources_agrees_with_the_registry():
    table = {row[0].strip("`"): row[1:] for row in rows(card("index"), 5)[1:]}
    # other tests take entries out for a while, which puts them last
    assert list(table) == list(registry.__wrapped__())
    for name, (*checked, redistribution) in table.items():
        entry = registry()[name]
        assert redistribution == entry.redistribution
        for cell, known in zip(checked, ("content", "checksum", "address"), strict=True):
            urls = {s.url for file in entry.files for s in file.sources if s.checked == known}
            named = [place for place in cell.split(", ") if place != "–"]
            assert all(any(f"/{place}/" in url for url in urls) for place in named), name
            assert all(any(f"/{place}/" in url for place in named) for url in urls), name


@pytest.mark.parametrize("name", list(registry()))
def test_the_overview_and_the_last_table_of_a_card_are_those_of_the_registry(name):
    entry, row = registry()[name], overview(name)
    assert int(row[1]) == entry.rows and row[4] == entry.terms
    if row[2].isdigit():
        assert int(row[2]) == len(entry.features)
        assert row[5].strip("`") == entry.substitute
    if name in NAMES + IDA:
        assert row[3] == " / ".join(map(str, entry.classes.values()))
    if name in IDA or name == "mnist":
        return  # which have several files
    facts = dict(row for row in rows(card(name), 2))
    assert int(facts["size in bytes"]) == entry.bytes
    assert facts["SHA-256 of the file"].strip("`") == entry.files[0].sha256
    assert facts["SHA-256 of the content"].strip("`") == first_hash(entry.files[0])
    assert facts["terms"] == entry.terms


@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_registry(name):
    entry, text = registry()[name], card(name)
    assert tuple(row[1].strip("`") for row in rows(text, 6)[1:]) == entry.features
    assert {int(row[0]): int(row[2]) for row in rows(text, 3)[1:]} == entry.classes
    choices = {row[0].strip("`"): row for row in rows(text, 4)[1:]}
    assert set(choices) == set(entry.positive_classes)
    for key, chosen in entry.positive_classes.items():
        positive = sum(entry.classes[code] for code in chosen.codes)
        assert [int(v) for v in choices[key][2:]] == [positive, entry.rows - positive]


@pytest.mark.parametrize("name", IDA)
def test_the_common_card_agrees_with_the_registry(name):
    entry, text = registry()[name], section(name)
    assert tuple(row[1].strip("`") for row in rows(text, 6)[1:]) == entry.features
    assert {int(row[0]): int(row[2]) for row in rows(text, 3)[1:]} == entry.classes
    names = tuple(row[1] for row in rows(text, 3)[1:])
    assert names == entry.positive_classes["published"].target_names
    (row,) = (row for row in rows(card("ida"), 7) if row[0].startswith(f"[`{name}`]"))
    n, m, positive = entry.rows, entry.training_rows, entry.classes[1]
    sizes = [n, len(entry.features), positive, m, n - m, len(entry.divisions)]
    assert [int(v) for v in row[1:]] == sizes
    assert entry.terms == "no licence stated"


def test_the_common_card_has_the_hashes_of_the_registry():
    files = [file for name in IDA for file in registry()[name].files]
    for row, file in zip(rows(card("ida"), 4)[1:], files, strict=True):
        facts = [Path(file.path).name, str(file.bytes), file.sha256, first_hash(file)]
        assert [cell.strip("`") for cell in row] == facts


def test_counts_of_parts_on_a_card_are_those_of_the_registry():
    entries = registry()
    for name, entry in ((name, entries[name]) for name in ("usps", "mnist")):
        counts = [list(map(int, row)) for row in rows(card(name), 3)[1:]]
        assert {digit: n + m for digit, n, m in counts} == entry.classes
        assert sum(n for _, n, _ in counts) == entry.training_rows
    for row, file in zip(rows(card("mnist"), 4)[1:], entries["mnist"].files, strict=True):
        assert row[0].strip("`") == Path(file.path).name and int(row[1]) == file.bytes
        assert [cell.strip("`") for cell in row[2:]] == [file.sha256, file.content_sha256]
    entry = entries["reuters21578"]
    parts = [list(map(int, row[1:])) for row in rows(card("reuters"), 3)[-3:]]
    assert np.sum(parts, axis=0).tolist() == [entry.training_rows, entry.rows - entry.training_rows]
    found = {row[0]: int(row[1]) for row in rows(card("winmac"), 2)[1:4]}
    assert found == entries["winmac"].classes
    entry, (*letters, total) = entries["unipen"], rows(card("unipen"), 4)[1:]
    assert [sum(map(int, row[1:])) for row in letters] == [entry.classes[97], entry.classes[98]]
    assert int(total[1]) == entry.training_rows and sum(map(int, total[1:])) == entry.rows
    sizes = entry.classes.values()
    assert f"between {min(sizes)} and {max(sizes)} images" in card("unipen")


def test_cited_works_are_in_a_bibliography():
    entries = "".join(p.read_text(encoding="utf-8") for p in BOOK.glob("references*.bib"))
    known = set(re.findall(r"^@\w+\{(\S+),", entries, re.MULTILINE))
    cited = {key for entry in registry().values() for key in entry.citation}
    for page in (BOOK / "data").glob("*.md"):
        for keys in re.findall(r"\{cite(?::t)?\}`([^`]+)`", page.read_text(encoding="utf-8")):
            cited.update(keys.split(","))
    assert cited and cited <= known


def columns_agree(X, text):
    for column, row in zip(X.T, rows(text, 6)[1:], strict=True):
        statistics = [column.min(), np.median(column), column.max()]
        assert [float(v) for v in row[3:]] == [round(float(v), 4) + 0.0 for v in statistics]


def counted(X, target):
    repeated = len(X) - len(np.unique(np.column_stack([X, target]), axis=0))
    return f"Missing values: {int(np.isnan(X).sum())}. Repeated rows: {repeated}."


@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_data(name, published):
    text, data = card(name), published(name)
    assert data.X.shape == (registry()[name].rows, len(registry()[name].features))
    columns_agree(data.X, text)
    assert counted(data.X, data.codes) in text
    for row in rows(text, 4)[1:]:
        read = data.with_positive_class(row[0].strip("`"))
        assert list(read.counts.values()) == [int(row[3]), int(row[2])]


@pytest.mark.parametrize("name", ["banana", "ringnorm"])
def test_cards_agree_with_the_realisations(name, published, realisation):
    text, whole, tests = " ".join(card(name).split()), published(name), []
    table = {int(row[0]): [int(v) for v in row[1:]] for row in rows(card(name), 5)[1:]}
    assert list(table) == list(range(1, 11))
    for number, row in table.items():
        _, y_train, X_test, y_test = realisation(name, number)
        assert row == [len(y_train), (y_train == 1).sum(), len(y_test), (y_test == 1).sum()]
        tests.append({point.tobytes() for point in X_test})
    shared = np.mean([len(a & b) for i, a in enumerate(tests) for b in tests[:i]])
    assert f"share {100 * shared / len(tests[0]):.0f} % of their rows" in text
    np.testing.assert_allclose(whole.X.mean(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(whole.X.std(axis=0, ddof=1), 1, atol=1e-7)
    assert f"(divisor {len(whole.X) - 1})" in text


@pytest.mark.parametrize("name", IDA)
def test_the_common_card_agrees_with_the_data(name, published):
    text, data = section(name), published(name)
    columns_agree(data.X, text)
    assert counted(data.X, data.codes) in text
    table = [row[IDA.index(name) + 1] for row in rows(card("ida").split("## Realisations")[1], 6)]
    positive = (data.y[data.partitions] == 1).sum(axis=1)
    column = dict(zip(registry()[name].divisions, map(str, positive), strict=True))
    assert table[1:] == [column.get(number, "–") for number in range(1, 21)]
    if "divisor" in text:
        np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=1e-6)
        np.testing.assert_allclose(data.X.std(axis=0, ddof=1), 1, atol=1e-6)


def test_tables_of_counts_are_those_of_the_data(published):
    for name in ("usps", "mnist"):
        data = published(name)
        for digit, *counts in (map(int, row) for row in rows(card(name), 3)[1:]):
            parts = np.split(data.codes, [data.n_train])
            if name == "usps" or digit in (5, 8):
                assert [(part == digit).sum() for part in parts] == counts
    data = published("reuters21578")
    most = Counter(topic for topics in data.topics[: data.n_train] for topic in set(topics))
    found = [["topic", "training part", "test part"]]
    for topic, count in most.most_common(10):
        found.append([topic, str(count), str((data.labels(topic)[data.n_train :] == 1).sum())])
    assert rows(card("reuters"), 3)[:11] == found
    numbers = np.array([min(len(set(topics)), 2) for topics in data.topics])
    parts = np.transpose([np.bincount(part) for part in np.split(numbers, [data.n_train])])
    assert [row[1:] for row in rows(card("reuters"), 3)[-3:]] == parts.astype(str).tolist()
    data = published("rcv1_k500")
    for topic, count in rows(card("rcv1"), 2)[1:7]:
        assert (data.labels(topic) == 1).sum() == int(count)
    data = published("unipen")
    letters = {ord(row[0]): int(row[1]) for row in rows(card("unipen"), 4)[1:3]}
    assert letters == Counter(data.codes[: data.n_train].tolist())
    data = published("boston")
    table = rows(card("boston"), 6)[1:]
    assert [row[1].strip("`") for row in table] == [*data.feature_names, data.target_name]
    columns_agree(np.column_stack([data.X, data.y]), card("boston"))


def test_every_hash_in_a_record_is_in_the_registry_or_on_a_page():
    root = BOOK.parent
    pages = [root / "data" / "registry.yml", *(BOOK / "data").glob("*.md")]
    known = "".join(page.read_text(encoding="utf-8") for page in pages)
    used = {
        (name, data["sha256"])
        for record in (root / "results").glob("*/*.json")
        for name, data in json.loads(record.read_bytes()).get("data", {}).items()
    }
    assert used
    assert [(name, digest) for name, digest in used if digest not in known] == []
