"""The numbers on the data cards, against the registry and against the data."""

import json
import os
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import NearestNeighbors

from transductive_compendium.datasets import available, load, word_counts
from transductive_compendium.datasets.registry import registry

BOOK = Path(__file__).parents[3] / "book"
NAMES = ["thyroid", "heart", "banana", "ringnorm"]
DIVIDED = ["banana", "ringnorm"]
IDA = [name for name in registry() if name.startswith("ida_")]
REGRESSION = ["boston", "kin32fh"]

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


def section(name):
    """The part of the common card that is about one set."""
    label = name.replace("_", "-")
    return re.split(r"\n## |\n\(data-", card("ida").split(f"(data-{label})=\n## ")[1])[0]


def verified(name, page=None):
    """Assert that the last table of a card has what the registry has."""
    entry, facts = registry()[name], dict(row for row in rows(card(page or name), 2))
    assert int(facts["size in bytes"]) == entry.bytes
    file = entry.files[0]
    content = file.content_sha256
    content = content if isinstance(content, str) else content[0]
    assert facts["SHA-256 of the file"].strip("`") == file.sha256
    assert facts["SHA-256 of the content"].strip("`") == content
    assert facts["terms"] == entry.terms


def overview(name, page):
    """Assert that the overview of all sets says what the registry says; return its row."""
    entry, row = registry()[name], {row[0]: row for row in rows(card("index"), 6)}
    row = row[f"[`{name}`]({page}.md)"]
    assert [int(v) for v in row[1:3]] == [entry.rows, len(entry.features)]
    assert row[4] == entry.terms and row[5].strip("`") == entry.substitute
    return row


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


@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_registry(name):
    entry, text = registry()[name], card(name)
    verified(name)
    assert tuple(row[1].strip("`") for row in rows(text, 6)[1:]) == entry.features
    assert {int(row[0]): int(row[2]) for row in rows(text, 3)[1:]} == entry.classes
    choices = {row[0].strip("`"): row for row in rows(text, 4)[1:]}
    assert set(choices) == set(entry.positive_classes)
    for key, chosen in entry.positive_classes.items():
        positive = sum(entry.classes[code] for code in chosen.codes)
        assert [int(v) for v in choices[key][2:]] == [positive, entry.rows - positive]
    assert overview(name, name)[3] == " / ".join(map(str, entry.classes.values()))


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
    assert overview(name, "ida")[3] == " / ".join(map(str, entry.classes.values()))
    assert entry.terms == "no licence stated"


def test_the_common_card_has_the_hashes_of_the_registry():
    files = [file for name in IDA for file in registry()[name].files]
    for row, file in zip(rows(card("ida"), 4)[1:], files, strict=True):
        content = file.content_sha256
        content = content if isinstance(content, str) else content[0]
        facts = [Path(file.path).name, str(file.bytes), file.sha256, content]
        assert [cell.strip("`") for cell in row] == facts


def test_the_card_of_usps_agrees_with_the_registry():
    entry, counts = registry()["usps"], [list(map(int, row)) for row in rows(card("usps"), 3)[1:]]
    verified("usps")
    assert {digit: n + m for digit, n, m in counts} == entry.classes
    assert sum(n for _, n, _ in counts) == entry.training_rows
    assert overview("usps", "usps")[3] == "ten digits"


@pytest.mark.parametrize("name", REGRESSION)
def test_cards_of_regression_sets_agree_with_the_registry(name):
    verified(name)
    assert overview(name, name)[3] == "a number"


def test_the_card_of_mnist_agrees_with_the_registry():
    entry, text = registry()["mnist"], card("mnist")
    for row, file in zip(rows(text, 4)[1:], entry.files, strict=True):
        assert row[0].strip("`") == Path(file.path).name and int(row[1]) == file.bytes
        assert [cell.strip("`") for cell in row[2:]] == [file.sha256, file.content_sha256]
    counts = {int(row[0]): int(row[1]) + int(row[2]) for row in rows(text, 3)[1:]}
    assert counts == entry.classes
    assert sum(int(row[1]) for row in rows(text, 3)[1:]) == entry.training_rows
    overview("mnist", "mnist")


def test_the_card_of_reuters_agrees_with_the_registry():
    entry = registry()["reuters21578"]
    verified("reuters21578", "reuters")
    parts = [list(map(int, row[1:])) for row in rows(card("reuters"), 3)[-3:]]
    assert np.sum(parts, axis=0).tolist() == [entry.training_rows, entry.rows - entry.training_rows]
    row = {row[0]: row for row in rows(card("index"), 6)}["[`reuters21578`](reuters.md)"]
    assert int(row[1]) == entry.rows and row[4] == entry.terms


@needs_data
def test_the_card_of_reuters_agrees_with_the_data():
    """The stories themselves are looked at in `test_data_text`."""
    data, text = load("reuters21578", download=False), " ".join(card("reuters").split())
    train, test = data.documents[: data.n_train], data.documents[data.n_train :]
    found = [["topic", "training part", "test part"]]
    most = Counter(topic for topics in data.topics[: data.n_train] for topic in set(topics))
    assert f"{len(most)} topics occur" in text
    for topic, count in most.most_common(10):
        found.append([topic, str(count), str((data.labels(topic)[data.n_train :] == 1).sum())])
    assert rows(card("reuters"), 3)[:11] == found
    numbers = np.array([min(len(set(topics)), 2) for topics in data.topics])
    parts = [np.bincount(part) for part in np.split(numbers, [data.n_train])]
    assert [row[1:] for row in rows(card("reuters"), 3)[-3:]] == np.transpose(parts).astype(
        str
    ).tolist()
    crop = (data.labels("wheat") == 1) | (data.labels("corn") == 1)
    others = (crop & (data.labels("grain") == -1)).sum()
    assert f"wheat or corn but {others} are" in text
    of_text = defaultdict(list)
    for document, topics in zip(data.documents, data.topics, strict=True):
        of_text[document].append(set(topics))
    differ = sum(any(topics != found[0] for topics in found) for found in of_text.values())
    assert (
        f"{len(train) - len(set(train))} training and {len(test) - len(set(test))} test documents "
        f"repeat the text of an earlier one in their part, and {len(set(test) & set(train))} test "
        f"documents are in the training part too. Of the repeated texts, {differ} have" in text
    )
    last = np.mean([bool(re.search(r"reuter\W*$", d, re.IGNORECASE)) for d in data.documents])
    assert f"{100 * last:.0f} % of the documents end with the word *Reuter*" in text
    counts, stems = word_counts(data.documents)
    assert f"{len(stems)} stems, over the training part {len(word_counts(train)[1])}" in text
    assert f"{counts.nnz / len(data.documents):.0f} different ones on average" in text


def test_the_cards_of_winmac_rcv1_and_unipen_agree_with_the_registry():
    index = {row[0]: row for row in rows(card("index"), 6)}
    for name, page in (("winmac", "winmac"), ("rcv1_k500", "rcv1"), ("unipen", "unipen")):
        verified(name, page)
        row, entry = index[f"[`{name}`]({page}.md)"], registry()[name]
        assert int(row[1]) == entry.rows and row[4] == entry.terms
    found = {row[0]: int(row[1]) for row in rows(card("winmac"), 2)[1:4]}
    assert found == registry()["winmac"].classes
    entry, (*letters, total) = registry()["unipen"], rows(card("unipen"), 4)[1:]
    assert [sum(map(int, row[1:])) for row in letters] == [entry.classes[97], entry.classes[98]]
    assert int(total[1]) == entry.training_rows and sum(map(int, total[1:])) == entry.rows
    sizes = entry.classes.values()
    assert f"between {min(sizes)} and {max(sizes)} images" in card("unipen")


@needs_data
def test_the_card_of_winmac_agrees_with_the_data():
    data, text = load("winmac", download=False), " ".join(card("winmac").split())
    counts, stems = word_counts(data.documents)
    assert f"keeps {len(stems)} stems over the {len(data.documents)} documents" in text
    assert f"A document has {counts.nnz / len(data.documents):.0f} different ones" in text
    senders = defaultdict(set)
    for document, group in zip(data.documents, data.topics, strict=True):
        senders[re.search("^From: (.*)$", document, re.MULTILINE)[1]].add(group)
    both = sum(len(groups) > 1 for groups in senders.values())
    assert f"Of the {len(senders)} senders" in text and f"name, {both} wrote in both" in text
    bodies = {document.split("\n\n", 1)[1] for document in data.documents}
    assert f"{len(data.documents) - len(bodies)} documents repeat" in text


@needs_data
def test_the_card_of_rcv1_agrees_with_the_data():
    data, text = load("rcv1_k500", download=False), " ".join(card("rcv1").split())
    for topic, count in rows(card("rcv1"), 2)[1:7]:
        assert (data.labels(topic) == 1).sum() == int(count)
    assert f"{len(set(sum(data.topics, ())))} topics occur" in text
    several = np.array([data.labels(top) == 1 for top in ("CCAT", "ECAT", "GCAT", "MCAT")])
    assert f"{(several.sum(axis=0) > 1).sum()} stories are in more than one" in text
    assert f"between {data.X.data.min():.4f} and {data.X.data.max():.4f}" in text
    assert f"has {data.X.nnz / data.X.shape[0]:.1f} of the words" in text
    assert f"{(np.diff(data.X.indptr) == 0).sum()} stories have none" in text
    repeated = data.X.shape[0] - len(np.unique(data.X.toarray(), axis=0))
    assert f"{repeated} rows repeat" in text


@needs_data
def test_the_card_of_unipen_agrees_with_the_data():
    data, text = load("unipen", download=False), " ".join(card("unipen").split())
    assert f"data.X is {len(data.X)} x {data.X.shape[1]}" in text
    assert f"# {data.n_train} rows" in text
    letters = {ord(row[0]): int(row[1]) for row in rows(card("unipen"), 4)[1:3]}
    assert letters == Counter(data.codes[: data.n_train].tolist())
    assert f"{100 * np.mean(data.X == 0):.0f} % of all values" in text
    length = np.sqrt(np.einsum("ij,ij->i", data.X, data.X)).mean()
    assert f"length of an image as a vector is {length:.1f}" in text
    of_image = defaultdict(set)
    for image, code in zip(data.X, data.codes, strict=True):
        of_image[image.tobytes()].add(int(code))
    assert f"Repeated rows of *a* and *b*: {len(data.X) - len(of_image)}." in text
    assert all(len(codes) == 1 for codes in of_image.values())


def test_cited_works_are_in_a_bibliography():
    entries = "".join(p.read_text(encoding="utf-8") for p in BOOK.glob("references*.bib"))
    known = set(re.findall(r"^@\w+\{(\S+),", entries, re.MULTILINE))
    cited = {key for entry in registry().values() for key in entry.citation}
    for name in [
        *NAMES,
        *REGRESSION,
        "ida",
        "usps",
        "mnist",
        "reuters",
        "winmac",
        "rcv1",
        "unipen",
        "index",
    ]:
        for keys in re.findall(r"\{cite(?::t)?\}`([^`]+)`", card(name)):
            cited.update(keys.split(","))
    assert cited and cited <= known


def columns_agree(X, text):
    for column, row in zip(X.T, rows(text, 6)[1:], strict=True):
        statistics = [column.min(), np.median(column), column.max()]
        assert [float(v) for v in row[3:]] == [round(float(v), 4) + 0.0 for v in statistics]


def counted(X, target):
    repeated = len(X) - len(np.unique(np.column_stack([X, target]), axis=0))
    return f"Missing values: {int(np.isnan(X).sum())}. Repeated rows: {repeated}."


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_cards_agree_with_the_data(name):
    assert available(name), f"{name} is not in TRANSDUCTIVE_DATA"
    text, data = card(name), load(name, download=False)
    assert data.X.shape == (registry()[name].rows, len(registry()[name].features))
    columns_agree(data.X, text)
    assert counted(data.X, data.codes) in text
    for row in rows(text, 4)[1:]:
        read = data.with_positive_class(row[0].strip("`"))
        assert list(read.counts.values()) == [int(row[3]), int(row[2])]


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
def test_cards_agree_with_the_realisations(name, realisation):
    text, whole, tests = " ".join(card(name).split()), load(name, download=False), []
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


@needs_data
@pytest.mark.parametrize("name", IDA)
def test_the_common_card_agrees_with_the_data(name):
    assert available(name), f"{name} is not in TRANSDUCTIVE_DATA"
    text, data = section(name), load(name, download=False)
    columns_agree(data.X, text)
    assert counted(data.X, data.codes) in text
    table = [row[IDA.index(name) + 1] for row in rows(card("ida").split("## Realisations")[1], 6)]
    positive = (data.y[data.partitions] == 1).sum(axis=1)
    column = dict(zip(registry()[name].divisions, map(str, positive), strict=True))
    assert table[1:] == [column.get(number, "–") for number in range(1, 21)]
    if "divisor" in text:
        np.testing.assert_allclose(data.X.mean(axis=0), 0, atol=1e-6)
        np.testing.assert_allclose(data.X.std(axis=0, ddof=1), 1, atol=1e-6)


@needs_data
def test_particular_facts_on_the_common_card():
    data = {name: load(name, download=False) for name in IDA}
    texts = {name: " ".join(section(name).split()) for name in IDA}
    for name in ("ida_breast_cancer", "ida_titanic"):
        kinds = np.unique(data[name].X, axis=0, return_inverse=True)[1].ravel()
        size, positive = np.bincount(kinds), np.bincount(kinds, data[name].y == 1)
        both = (positive > 0) & (positive < size)
        if name == "ida_titanic":
            errors = int(np.minimum(positive, size - positive).sum())
            share = f"{100 * errors / len(kinds):.1f} %"
            assert f"fewer than {errors} of the {len(kinds)} rows ({share})" in texts[name]
            assert len(size) == 14 and both.sum() == 10
            assert "14 different patterns only, ten of them with both labels" in texts[name]
        else:
            assert (len(size), both.sum(), size[both].sum()) == (257, 6, 13)
            assert "Of the 257 different patterns six, with 13 rows" in texts[name]
    deviation = data["ida_breast_cancer"].X.std(axis=0, ddof=1)
    assert f"from {deviation.min():.2f} to {deviation.max():.2f}" in texts["ida_breast_cancer"]
    X, names = data["ida_diabetis"].X, data["ida_diabetis"].feature_names
    counts = {name: int((x == x.min()).sum()) for x, name in zip(X.T, names, strict=True)}
    for part in ("{insulin} times in `insulin`", "{skin_fold} in `skin_fold`", "{glucose} in `glu"):
        assert part.format(**counts) in texts["ida_diabetis"]
    assert (counts["blood_pressure"], counts["body_mass_index"]) == (35, 11)
    deviations = [f"{v:.2f}" for v in data["ida_thyroid"].X.std(axis=0, ddof=1)]
    assert f"{', '.join(deviations[:4])} and {deviations[4]}" in texts["ida_thyroid"]
    shares = []
    for name in IDA:
        rows_of = set(range(len(data[name].X)))
        tests = [rows_of - set(part) for part in data[name].partitions.tolist()]
        shared = np.mean([len(a & b) for i, a in enumerate(tests) for b in tests[:i]])
        shares.append(f"{100 * shared / len(tests[0]):.0f} %")
    text = " ".join(card("ida").split())
    assert f"from {min(shares)} (breast cancer) to {max(shares)} (Titanic)" in text
    assert [shares.index(min(shares)), shares.index(max(shares))] == [0, 1]


@needs_data
def test_the_card_of_usps_agrees_with_the_data():
    text, data = " ".join(card("usps").split()), load("usps", download=False)
    n = data.n_train
    for row in rows(card("usps"), 3)[1:]:
        digit, train, test = map(int, row)
        assert [(data.codes[:n] == digit).sum(), (data.codes[n:] == digit).sum()] == [train, test]
    assert f"{100 * np.mean(data.X == 0):.0f} % of all values are 0" in text
    length = np.sqrt(np.einsum("ij,ij->i", data.X, data.X)).mean()
    assert f"length of an image as a vector is {length:.1f}" in text
    assert counted(data.X, data.codes) in text
    neighbours = NearestNeighbors(n_neighbors=2).fit(data.X[:n])
    nearest = neighbours.kneighbors(data.X, return_distance=False)
    wrong = data.codes[:n][nearest] != data.codes[:, None]
    assert f"wrong digit to {100 * wrong[n:, 0].mean():.1f} % of the test images" in text
    assert f"{100 * wrong[:n, 1].mean():.1f} % of the training images" in text


@needs_data
def test_the_card_of_boston_agrees_with_the_data():
    text, data = " ".join(card("boston").split()), load("boston", download=False)
    table = [row for row in rows(card("boston"), 6)[1:]]
    assert [row[1].strip("`") for row in table] == [*data.feature_names, data.target_name]
    columns_agree(np.column_stack([data.X, data.y]), card("boston"))
    assert counted(data.X, data.y) in text
    assert f"`MEDV` is exactly 50 in {(data.y == 50).sum()} rows" in text
    assert data.y.max() == 50
    B = data.X[:, data.feature_names.index("B")]
    two_shares = 0.63 + np.sqrt(B / 1000) <= 1
    assert f"{two_shares.sum()} rows have a `B` that two different shares give" in text
    assert f"In {(B == 396.9).sum()} rows the share is 0" in text
    towns = [data.feature_names.index(name) for name in ("ZN", "INDUS", "RAD", "TAX", "PTRATIO")]
    kinds = len(np.unique(data.X[:, towns], axis=0))
    assert f"take {kinds} different combinations" in text


@needs_data
def test_the_card_of_kin32fh_agrees_with_the_data():
    text, data = " ".join(card("kin32fh").split()), load("kin32fh", download=False)
    groups = [data.X[:, i : i + 8] for i in range(0, 32, 8)]
    for group, row in zip(groups, rows(card("kin32fh"), 4)[1:], strict=True):
        assert [float(v) for v in row[1:3]] == [round(float(v), 4) for v in _ends(group)]
    # Uniform on [-a, a]: standard deviation a / sqrt(3).
    np.testing.assert_allclose(groups[0].std(axis=0), np.pi / 10 / np.sqrt(3), rtol=0.02)
    np.testing.assert_allclose(np.unique(groups[1]), [-np.pi / 8, 0, np.pi / 8], atol=1e-8)
    for group in groups[2:]:
        assert f"| 0 in {100 * np.mean(group == 0):.0f} % of the cases" in text
    low, high = _ends(data.y)
    assert f"goes from {low:.4f} to {high:.4f}" in text
    assert f"mean {data.y.mean():.3f} and standard deviation {data.y.std(ddof=1):.3f}" in text
    explained = LinearRegression().fit(data.X, data.y).score(data.X, data.y)
    assert f"explains {100 * explained:.0f} % of the variance" in text
    assert counted(data.X, data.y) in text


def _ends(values):
    return values.min(), values.max()


def test_substitutes_are_described_as_they_are():
    text = " ".join(card("index").split())
    cancer, digits, diabetes = load("breast_cancer"), load("digits"), load("diabetes")
    assert f"({len(diabetes.X)} rows, {diabetes.X.shape[1]} variables)" in text
    assert (
        f"({len(cancer.X)} rows, {cancer.X.shape[1]} variables; malignant "
        f"{cancer.counts['malignant']} is +1)" in text
    )
    assert f"({len(digits.X)} images of 8 x 8 pixels" in text


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
