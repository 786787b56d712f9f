"""Student's t and chi-square.

They replace SciPy, so that deciding claims starts at once; tests compare them with SciPy's.

References
----------
Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.4.4, 26.4.5, 26.5.8, 26.7.1.
"""

import math
from functools import cache


def student_t_cdf(t: float, df: int) -> float:
    """P(T <= t) for Student's t with `df` degrees of freedom, accurate in the tail."""
    _check(df)
    total = df + t * t
    tail = 0.5 * _incomplete_beta(0.5 * df, 0.5, df / total, t * t / total)
    return tail if t < 0 else 1.0 - tail


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Regularised incomplete beta function at x = 1 - y, by its continued fraction (Lentz)."""
    if x == 0.0 or y == 0.0:
        return x
    if x > (a + 1.0) / (a + b + 2.0):  # there the fraction converges for the complement
        return 1.0 - _incomplete_beta(b, a, y, x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(front + a * math.log(x) + b * math.log(y)) / a
    tiny, c, d = 1e-300, 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for k in range(1, 500):
        for step in (
            k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)),
        ):
            d = 1.0 / (1.0 + step * d or tiny)
            c = 1.0 + step / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front * fraction


@cache
def student_t_quantile(probability: float, df: int) -> float:
    """Quantile of Student's t with `df` degrees of freedom at this probability."""
    if not 0.0 < probability < 1.0:
        raise ValueError(f"probability = {probability}; it must lie between 0 and 1")
    if probability < 0.5:
        return -student_t_quantile(1.0 - probability, df)
    low, high = 0.0, 1.0
    while student_t_cdf(high, df) < probability:
        low, high = high, 2.0 * high
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if student_t_cdf(middle, df) < probability else (low, middle)
    return 0.5 * (low + high)


def chi_square_tail(x: float, df: int) -> float:
    """P(X > x) for chi-square with `df` degrees of freedom, a whole number of at least 1."""
    _check(df)
    half, first = 0.5 * x, 0.5 * (df % 2)
    if half <= 0:  # half of the smallest number is zero
        return 1.0
    powers = (first + k for k in range(df // 2))
    terms = (math.exp(j * math.log(half) - half - math.lgamma(j + 1.0)) for j in powers)
    return sum(terms, math.erfc(math.sqrt(half)) if df % 2 else 0.0)


def _check(df: int) -> None:
    if df < 1:
        raise ValueError(f"df = {df}; a distribution needs at least one degree of freedom")
