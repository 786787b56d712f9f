"""Student's t and chi-square at whole degrees of freedom, by their finite sums.

Deciding claims is to start at once and to need no SciPy; tested against it.

References
----------
Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.7.3, 26.7.4, 26.4.4, 26.4.5.
"""

import math
from functools import cache


def student_t_cdf(t: float, df: int) -> float:
    """P(T <= t) for Student's t with `df` degrees of freedom, a whole number of at least 1."""
    angle = math.atan2(abs(t), math.sqrt(df))
    cosine = math.cos(angle)
    term = math.sin(angle) * (cosine if df % 2 else 1.0)
    total = term if df > 1 else 0.0
    for k in range(3 if df % 2 else 2, df - 1, 2):
        term *= cosine**2 * (k - 1) / k
        total += term
    within = 2.0 / math.pi * (angle + total) if df % 2 else total
    return 0.5 + math.copysign(0.5 * min(within, 1.0), t)


@cache
def student_t_quantile(probability: float, df: int) -> float:
    """The t below which Student's t with `df` degrees of freedom lies with this probability."""
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
    if x <= 0:
        return 1.0
    if df % 2:
        term, total = math.sqrt(2.0 * x / math.pi) * math.exp(-0.5 * x), 0.0
        for k in range(1, df, 2):
            total += term
            term *= x / (k + 2)
        return math.erfc(math.sqrt(0.5 * x)) + total
    term = total = math.exp(-0.5 * x)
    for k in range(2, df, 2):
        term *= x / k
        total += term
    return total
