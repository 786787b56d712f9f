"""The exponential in single precision, against NumPy's in double precision."""

import numpy as np
import pytest
from planted import off

from transductive.margin._gaussian import exponential

# half a digit of single precision is 6e-8
ACCURACY = 2.5e-7


@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (16, 16), (300, 1001)])
def test_relative_error(shape):
    exponents = np.linspace(-87.0, 1.0, shape[0] * shape[1], dtype=np.float32).reshape(shape)
    found = exponents.copy()
    exponential(found)
    expected = np.exp(exponents.astype(np.float64))
    assert np.max(np.abs(found / expected - 1.0)) < ACCURACY


def test_one_underflow_and_an_empty_block():
    block = np.array([[0.0, -0.0, -89.0, -120.0, -1e6]], dtype=np.float32)
    exponential(block)
    np.testing.assert_array_equal(block, [[1.0, 1.0, 0.0, 0.0, 0.0]])
    exponential(np.empty((0, 5), np.float32))


def test_monotone_up_to_rounding():
    block = np.linspace(-3.0, 0.0, 100_001, dtype=np.float32)[None]
    exponential(block)
    assert np.all(np.diff(block) > -ACCURACY * block[:, 1:])


def test_detects_an_error_of_one_percent(monkeypatch):
    monkeypatch.setitem(globals(), "exponential", off(exponential, argument=0))
    with pytest.raises(AssertionError):
        test_relative_error((3, 7))
