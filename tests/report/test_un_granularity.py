"""Printed means of counts, and how many draws they need."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transductive.report.universum.granularity import fewest_draws


@pytest.mark.parametrize(
    "errors, n_test, draws",
    [
        ([50.0], 2, 1),
        ([25.0], 2, 2),
        ([33.33, 66.67], 1, 3),
        ([33.33, 25.0], 1, 12),
        ([0.05, 0.16, 0.21, 0.27], 1866, 1),  # one, three, four and five errors
        ([1.96], 1866, 2),  # 36 errors are 1.93, 37 are 1.98
    ],
)
def test_small_cases(errors, n_test, draws):
    assert fewest_draws(errors, n_test) == draws


@settings(deadline=None)
@given(
    counts=st.lists(st.lists(st.integers(0, 97), min_size=3, max_size=3), min_size=1, max_size=5)
)
def test_means_of_three_draws_never_need_more(counts):
    printed = [round(100 * np.mean(row) / 97, 2) for row in counts]
    assert fewest_draws(printed, 97) <= 3


def test_every_number_of_two_decimals_is_a_mean_of_enough_draws():
    assert fewest_draws(np.round(np.arange(0, 3, 0.01), 2), 1866) == 6
