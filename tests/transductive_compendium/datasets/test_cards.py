"""The numbers on the data cards, against the registry and against the data."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import NearestNeighbors

from transductive_compendium.datasets import load, word_counts
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


# ---- numbers in sentences: each function gives what the card of the set of its name says --------


def images(data):
    length = np.sqrt(np.einsum("ij,ij->i", data.X, data.X)).mean()
    return [
        f"{100 * np.mean(data.X == 0):.0f} % of all values are 0",
        f"length of an image as a vector is {length:.1f}",
    ]


def usps(data):
    n = data.n_train
    neighbours = NearestNeighbors(n_neighbors=2).fit(data.X[:n])
    nearest = neighbours.kneighbors(data.X, return_distance=False)
    wrong = data.codes[:n][nearest] != data.codes[:, None]
    return [
        *images(data),
        counted(data.X, data.codes),
        f"wrong digit to {100 * wrong[n:, 0].mean():.1f} % of the test images",
        f"{100 * wrong[:n, 1].mean():.1f} % of the training images",
    ]


def mnist(data):
    dark = int((data.X.max(axis=0) == 0).sum())
    repeated = len(data.X) - len({row.tobytes() for row in data.X})
    return [
        *images(data),
        f"data.X is {len(data.X)} x {data.X.shape[1]}",
        f"# {data.n_train} rows",
        f"# {len(data.X) - data.n_train} rows",
        f"784 pixels {dark} are 0 in every 5 and 8",
        f"Missing values: 0. Repeated rows: {repeated}.",
    ]


def unipen(data):
    of_image = defaultdict(set)
    for image, code in zip(data.X, data.codes, strict=True):
        of_image[image.tobytes()].add(int(code))
    assert all(len(codes) == 1 for codes in of_image.values())
    return [
        images(data)[0].removesuffix(" are 0"),
        images(data)[1],
        f"data.X is {len(data.X)} x {data.X.shape[1]}",
        f"# {data.n_train} rows",
        f"Repeated rows of *a* and *b*: {len(data.X) - len(of_image)}.",
    ]


def reuters21578(data):
    train, test = data.documents[: data.n_train], data.documents[data.n_train :]
    topics = {topic for topics in data.topics[: data.n_train] for topic in topics}
    crop = (data.labels("wheat") == 1) | (data.labels("corn") == 1)
    of_text = defaultdict(list)
    for document, has in zip(data.documents, data.topics, strict=True):
        of_text[document].append(set(has))
    differ = sum(any(has != found[0] for has in found) for found in of_text.values())
    last = np.mean([bool(re.search(r"reuter\W*$", d, re.IGNORECASE)) for d in data.documents])
    counts, stems = word_counts(data.documents)
    return [
        f"{len(topics)} topics occur",
        f"wheat or corn but {(crop & (data.labels('grain') == -1)).sum()} are",
        f"{len(train) - len(set(train))} training and {len(test) - len(set(test))} test documents "
        f"repeat the text of an earlier one in their part, and {len(set(test) & set(train))} test "
        f"documents are in the training part too. Of the repeated texts, {differ} have",
        f"{100 * last:.0f} % of the documents end with the word *Reuter*",
        f"{len(stems)} stems, over the training part {len(word_counts(train)[1])}",
        f"{counts.nnz / len(data.documents):.0f} different ones on average",
    ]


def winmac(data):
    counts, stems = word_counts(data.documents)
    senders = defaultdict(set)
    for document, group in zip(data.documents, data.topics, strict=True):
        senders[re.search("^From: (.*)$", document, re.MULTILINE)[1]].add(group)
    bodies = {document.split("\n\n", 1)[1] for document in data.documents}
    return [
        f"keeps {len(stems)} stems over the {len(data.documents)} documents",
        f"A document has {counts.nnz / len(data.documents):.0f} different ones",
        f"Of the {len(senders)} senders",
        f"name, {sum(len(groups) > 1 for groups in senders.values())} wrote in both",
        f"{len(data.documents) - len(bodies)} documents repeat",
    ]


def rcv1_k500(data):
    several = np.array([data.labels(top) == 1 for top in ("CCAT", "ECAT", "GCAT", "MCAT")])
    repeated = data.X.shape[0] - len(np.unique(data.X.toarray(), axis=0))
    return [
        f"{len(set(sum(data.topics, ())))} topics occur",
        f"{(several.sum(axis=0) > 1).sum()} stories are in more than one",
        f"between {data.X.data.min():.4f} and {data.X.data.max():.4f}",
        f"has {data.X.nnz / data.X.shape[0]:.1f} of the words",
        f"{(np.diff(data.X.indptr) == 0).sum()} stories have none",
        f"{repeated} rows repeat",
    ]


def thyroid(data):
    assert (np.diff(data.codes) >= 0).all()  # "the classes stand in order"
    negative = (data.X[:, data.feature_names.index("tsh_response")] < 0).sum()
    # The mean squared distance between two rows is the sum of twice the variances.
    share = 100 * data.X.var(axis=0) / data.X.var(axis=0).sum()
    return [
        f"{negative} of its values are negative",
        f"{share[0]:.0f} % of the mean squared distance between two patients and the third "
        f"{share[2]:.0f} %",
    ]


def heart(data):
    share = 100 * data.X.var(axis=0) / data.X.var(axis=0).sum()
    ones = (data.X[:, data.feature_names.index("ecg")] == 1).sum()
    return [
        f"cholesterol makes up {share[data.feature_names.index('cholesterol')]:.0f} %",
        f"occurs {ones} times only",
    ]


def ringnorm(data):
    """Two spherical normal distributions."""
    scores, widths = [], []
    for sign in (-1, 1):
        points = data.X[data.y == sign]
        squares = ((data.X - points.mean(axis=0)) ** 2).sum(axis=1)
        variance = squares[data.y == sign].mean() / data.X.shape[1]
        widths.append(np.sqrt(variance))
        prior = len(points) / len(data.X)
        scores.append(np.log(prior / variance ** (data.X.shape[1] / 2)) - squares / variance / 2)
    errors = np.mean((scores[1] > scores[0]) != (data.y == 1))
    return [
        f"{widths[0]:.2f} in the narrow class and {widths[1]:.2f} in the wide one",
        f"errs on {100 * errors:.2f} % of them",
    ]


def boston(data):
    B = data.X[:, data.feature_names.index("B")]
    towns = [data.feature_names.index(name) for name in ("ZN", "INDUS", "RAD", "TAX", "PTRATIO")]
    return [
        counted(data.X, data.y),
        f"`MEDV` is exactly {data.y.max():.0f} in {(data.y == 50).sum()} rows",
        f"{(0.63 + np.sqrt(B / 1000) <= 1).sum()} rows have a `B` that two different shares give",
        f"In {(B == 396.9).sum()} rows the share is 0",
        f"take {len(np.unique(data.X[:, towns], axis=0))} different combinations",
    ]


def kin32fh(data):
    groups = [data.X[:, i : i + 8] for i in range(0, 32, 8)]
    for group, row in zip(groups, rows(card("kin32fh"), 4)[1:], strict=True):
        ends = group.min(), group.max()
        assert [float(v) for v in row[1:3]] == [round(float(v), 4) for v in ends]
    # Uniform on [-a, a]: standard deviation a / sqrt(3).
    np.testing.assert_allclose(groups[0].std(axis=0), np.pi / 10 / np.sqrt(3), rtol=0.02)
    np.testing.assert_allclose(np.unique(groups[1]), [-np.pi / 8, 0, np.pi / 8], atol=1e-8)
    explained = LinearRegression().fit(data.X, data.y).score(data.X, data.y)
    return [
        *(f"| 0 in {100 * np.mean(group == 0):.0f} % of the cases" for group in groups[2:]),
        f"goes from {data.y.min():.4f} to {data.y.max():.4f}",
        f"mean {data.y.mean():.3f} and standard deviation {data.y.std(ddof=1):.3f}",
        f"explains {100 * explained:.0f} % of the variance",
        counted(data.X, data.y),
    ]


def patterns(data):
    """Number of rows of each different pattern, and of those of the positive class."""
    kinds = np.unique(data.X, axis=0, return_inverse=True)[1].ravel()
    return np.bincount(kinds), np.bincount(kinds, data.y == 1)


def ida_titanic(data):
    size, positive = patterns(data)
    assert len(size) == 14 and ((positive > 0) & (positive < size)).sum() == 10
    errors = int(np.minimum(positive, size - positive).sum())
    share = f"{100 * errors / size.sum():.1f} %"
    return [
        f"fewer than {errors} of the {size.sum()} rows ({share})",
        "14 different patterns only, ten of them with both labels",
    ]


def ida_breast_cancer(data):
    size, positive = patterns(data)
    both = (positive > 0) & (positive < size)
    assert (len(size), both.sum(), size[both].sum()) == (257, 6, 13)
    deviation = data.X.std(axis=0, ddof=1)
    return [
        "Of the 257 different patterns six, with 13 rows",
        f"from {deviation.min():.2f} to {deviation.max():.2f}",
    ]


def ida_diabetis(data):
    least = (data.X == data.X.min(axis=0)).sum(axis=0)
    counts = dict(zip(data.feature_names, least.tolist(), strict=True))
    assert (counts["blood_pressure"], counts["body_mass_index"]) == (35, 11)
    parts = "{insulin} times in `insulin`", "{skin_fold} in `skin_fold`", "{glucose} in `glu"
    return [part.format(**counts) for part in parts]


def ida_thyroid(data):
    deviations = [f"{v:.2f}" for v in data.X.std(axis=0, ddof=1)]
    return [f"{', '.join(deviations[:4])} and {deviations[4]}"]


@pytest.mark.parametrize(
    "facts",
    [
        *(usps, mnist, unipen, reuters21578, winmac, rcv1_k500, thyroid, heart, ringnorm, boston),
        *(kin32fh, ida_titanic, ida_breast_cancer, ida_diabetis, ida_thyroid),
    ],
)
def test_numbers_in_sentences_are_those_of_the_data(facts, published):
    name = facts.__name__
    text = " ".join((section if name in IDA else card)(name).split())
    assert [words for words in facts(published(name)) if words not in text] == []


def test_shares_of_common_rows_are_those_of_the_divisions(published):
    shares = []
    for data in map(published, IDA):
        tests = [set(range(len(data.X))) - set(part) for part in data.partitions.tolist()]
        shared = np.mean([len(a & b) for i, a in enumerate(tests) for b in tests[:i]])
        shares.append(f"{100 * shared / len(tests[0]):.0f} %")
    text = " ".join(card("ida").split())
    assert f"from {min(shares)} (breast cancer) to {max(shares)} (Titanic)" in text
    assert [shares.index(min(shares)), shares.index(max(shares))] == [0, 1]


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
