"""Which rows of a set are the training part of each published division."""

import os
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import KDTree

from transductive_compendium.datasets.formats.realisations_xlsx import spreadsheet
from transductive_compendium.datasets.registry import registry
from transductive_compendium.datasets.tables import content_sha256, matching_rows


@st.composite
def tables_and_rows(draw):
    """A table with many equal rows, and row indices of several parts of it."""
    n, k = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    values = st.sampled_from([-1.5, -0.0, 0.0, 2.0])
    table = draw(st.lists(st.tuples(values, values), min_size=n, max_size=n))
    m = draw(st.integers(1, n))
    parts = [draw(st.permutations(range(n)))[:m] for _ in range(k)]
    return np.array(table), np.array(parts)


@given(tables_and_rows())
def test_rows_match_and_none_is_used_twice(case):
    table, parts = case
    found = matching_rows(table, table[parts])
    assert found.shape == parts.shape
    np.testing.assert_array_equal(table[found], table[parts])
    assert all(len(set(part)) == len(part) for part in found.tolist())


@given(tables_and_rows())
def test_the_first_rows_are_themselves(case):
    table, parts = case
    m = parts.shape[1]
    np.testing.assert_array_equal(matching_rows(table, table[None, :m]), [range(m)])


def test_a_row_too_many_or_unknown_is_refused():
    table = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    np.testing.assert_array_equal(matching_rows(table, table[None, [2, 0]]), [[0, 2]])
    for rows in ([[1.0, 2.0]] * 3, [[3.0, 4.0]] * 2, [[3.0, 5.0]]):
        with pytest.raises(ValueError, match="rows that the whole table lacks"):
            matching_rows(table, np.array([rows]))


DIVIDED = [name for name, entry in registry().items() if entry.divisions]


@pytest.mark.parametrize("name", DIVIDED)
def test_partitions_are_the_published_divisions(name, published, realisation):
    entry, data = registry()[name], published(name)
    assert data.partitions.shape == (len(entry.divisions), entry.training_rows)
    assert len({frozenset(part) for part in data.partitions.tolist()}) == len(entry.divisions)
    with pytest.raises(ValueError, match="read-only"):
        data.partitions[0, 0] = 1
    for position in (0, 4, -1):
        number, part = entry.divisions[position], data.partitions[position]
        X_train, y_train, X_test, y_test = realisation(name, number)
        np.testing.assert_array_equal(data.X[part], X_train)
        np.testing.assert_array_equal(data.y[part], y_train)
        rest = np.setdiff1d(np.arange(len(data.X)), part)
        first, second = (
            Counter(map(bytes, np.column_stack([X, y])))
            for X, y in ((data.X[rest], data.y[rest]), (X_test, y_test))
        )
        assert first == second


def test_partitions_leave_the_recorded_hashes_as_they_are(published):
    for name in ("banana", "ringnorm"):
        data = published(name)
        assert data.sha256 == registry()[name].files[0].content_sha256[0]
        assert data.sha256 == content_sha256(np.column_stack([data.X, data.codes]))
        again = pickle.loads(pickle.dumps(data.with_positive_class("published")))
        np.testing.assert_array_equal(again.partitions, data.partitions)


def test_the_block_left_out_contradicts_the_others(published):
    data, (X_file, y_file) = published("ida_thyroid"), registry()["ida_thyroid"].files[:2]
    X, y = (
        spreadsheet(open(os.path.join(os.environ["TRANSDUCTIVE_DATA"], file.path), "rb").read())
        for file in (X_file, y_file)
    )
    wrong = []
    for block in range(20):
        rows = slice(140 * block, 140 * (block + 1))
        (part,) = matching_rows(data.X, X[None, rows])
        wrong.append(int((data.y[part] != y[rows, 0]).sum()))
    assert wrong == [58 if block == 10 else 0 for block in range(20)]


@pytest.mark.parametrize("name, original", [("ida_heart", "heart"), ("ida_thyroid", "thyroid")])
def test_two_sets_are_uci_tables_in_another_scale(name, original, published):
    first, second = published(name), published(original)
    whole = [(data.X - data.X.mean(axis=0)) / data.X.std(axis=0) for data in (first, second)]
    distance, row = KDTree(whole[1]).query(whole[0])
    assert distance.max() < 1e-6 and len(set(row)) == len(whole[1])
    np.testing.assert_array_equal(first.codes == -1, second.codes[row] == 1)
