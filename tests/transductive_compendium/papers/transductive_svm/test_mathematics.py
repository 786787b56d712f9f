"""How many labellings and classes exist, counted without the library."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import linprog


@pytest.mark.claim("ts-too-expensive", "holds")
def test_labellings_of_thousands_of_points_are_too_many_to_try():
    """2^k labellings of k points, C(k, num_+) with num_+ positives: at k = 3299 thirty years."""
    for k in range(4, 13):
        assert sum(1 for _ in product((-1, 1), repeat=k)) == 2**k
        for num_plus in range(1, k):
            assert sum(1 for _ in combinations(range(k), num_plus)) == comb(k, num_plus)
    fewest, seconds = comb(3299, round(3299 / 17)), 30 * 365 * 24 * 3600
    assert 2**3299 > fewest > 10**18 > 10**9 * seconds


def number_of_classes(points):
    """Labellings that hyperplanes <w, x> + b produce: one linear programme for each."""
    with_b = np.column_stack([points, np.ones(len(points))])

    def produced(labels):
        rows = -np.array(labels)[:, None] * with_b
        found = linprog(np.zeros(rows.shape[1]), rows, -np.ones(len(rows)), bounds=(None, None))
        return found.status == 0  # not infeasible

    return sum(produced(labels) for labels in product((-1.0, 1.0), repeat=len(points)))


@pytest.mark.claim("ts-classes-finite", "holds")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_points_in_general_position_have_covers_number_of_classes(d):
    """2 sum_{i <= d} C(N - 1, i) <= 2^N classes in general position, fewer on a line."""
    rng = np.random.default_rng(d)
    for n in range(1, 8):
        cover = 2 * sum(comb(n - 1, i) for i in range(d + 1))
        assert number_of_classes(rng.standard_normal((n, d))) == cover <= 2**n
    on_a_line = number_of_classes(np.outer(np.arange(7.0), np.ones(d)))
    assert on_a_line == 2 * 7 and (on_a_line < cover) is (d > 1)
