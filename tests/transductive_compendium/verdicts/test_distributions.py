"""Student's t and chi-square against SciPy's."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import chdtrc, stdtr, stdtrit

from transductive_compendium.verdicts.distributions import (
    chi_square_tail,
    student_t_cdf,
    student_t_quantile,
)


@given(st.floats(-30, 30), st.integers(1, 400))
def test_student_t(t, df):
    assert student_t_cdf(t, df) == pytest.approx(stdtr(df, t), rel=1e-9)


@given(st.floats(1e-4, 1 - 1e-4), st.integers(1, 400))
def test_quantiles_of_student_t(probability, df):
    expected = stdtrit(df, probability)
    assert student_t_quantile(probability, df) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@example(5e-324, 2)  # half of it is zero
@given(st.floats(-1, 5000), st.integers(1, 3000))
def test_chi_square(x, df):
    expected = chdtrc(df, x) if x > 0 else 1.0
    assert chi_square_tail(x, df) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_what_is_no_distribution_is_an_error():
    for call in (lambda: student_t_quantile(0.9, 0), lambda: chi_square_tail(1.0, 0)):
        with pytest.raises(ValueError, match="df = 0"):
            call()
    with pytest.raises(ValueError, match="between 0 and 1"):
        student_t_quantile(1.0, 5)
