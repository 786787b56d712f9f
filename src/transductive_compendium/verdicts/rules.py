"""Decision rules: evidence from recorded results in, one of five outcomes out.

Everything here is a pure function of its arguments. Which rule decides is fixed by the kind of the
claim, the numbers it needs by the claim's tolerance, both before anything runs.

References
----------
Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52: the
variance of a mean over overlapping random splits. Holm (1979), Scandinavian Journal of
Statistics 6. Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15: two
one-sided tests. McNemar (1947), Psychometrika 12.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .distributions import student_t_cdf, student_t_quantile

LEVEL = 0.05
REPRODUCED = "reproduced"
IN_DIRECTION = "reproduced in direction"
NOT_REPRODUCED = "not reproduced"
INCONCLUSIVE = "inconclusive"
NOT_TESTABLE = "not testable here"
#: In the order of every table and picture: agreement first, contradiction last.
OUTCOMES = (REPRODUCED, IN_DIRECTION, INCONCLUSIVE, NOT_TESTABLE, NOT_REPRODUCED)


class EvidenceError(ValueError):
    """A measure gave evidence that no rule can use."""


def _sample(values: Any, least: int = 2) -> np.ndarray:
    values = np.asarray(values, dtype=float).ravel()
    if len(values) < least or not np.isfinite(values).all():
        raise EvidenceError(
            f"evidence needs at least {least} finite values; got {len(values)}, of which "
            f"{int(np.isfinite(values).sum())} finite. Say in the measure what becomes of the rest"
        )
    return values


def _finite(**numbers: float) -> None:
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise EvidenceError(f"evidence has {name} = {number}; it must be finite")


@dataclass(frozen=True)
class ValueEvidence:
    """The reproduced number: values per split, or an estimate with its standard deviation and n.

    Parameters
    ----------
    values : array of shape (n,), optional
        One value per split; their mean is the estimate.
    estimate, sd, n : float, float, int, optional
        Instead of `values`: an estimate, the standard deviation of one of the `n` values behind it.
        ``sd=0`` for a number without sampling error.
    test_train_ratio : float, optional
        Only when the published number comes from other data than the reproduced one: then the
        splits' overlap adds this ratio to 1/n on either side (Nadeau and Bengio). On the same data,
        means over independent random splits differ by no more than the splits do, and it stays
        None.
    """

    values: Any = None
    estimate: float | None = None
    sd: float = 0.0
    n: int = 1
    test_train_ratio: float | None = None

    def __post_init__(self):
        if (self.values is None) == (self.estimate is None):
            raise EvidenceError("value evidence is values=..., or estimate=..., sd=..., n=...")
        if self.values is not None:
            values = _sample(self.values)
            for name, it in (("estimate", values.mean()), ("sd", values.std(ddof=1))):
                object.__setattr__(self, name, float(it))
            object.__setattr__(self, "n", len(values))
        _finite(estimate=self.estimate, sd=self.sd)
        if self.sd < 0 or self.n < 1 or (self.sd > 0 and self.n < 2):
            raise EvidenceError(f"sd = {self.sd}, n = {self.n}: sd > 0 needs n >= 2")


@dataclass(frozen=True)
class OrderingEvidence:
    """Which of two is better: paired differences over splits, or a tally on a fixed test set.

    Parameters
    ----------
    differences : array of shape (n,), optional
        Per split; above 0 where the claim holds.
    test_train_ratio : float, default 0
        Size of the test part over that of the training part, for splits that overlap.
    wins, losses : int, optional
        Instead of `differences`: McNemar's discordant cases (the one right, the other wrong), or
        for a sign test the cases for and against the claim.
    """

    differences: Any = None
    test_train_ratio: float = 0.0
    wins: int | None = None
    losses: int | None = None

    def __post_init__(self):
        if (self.differences is None) == (self.wins is None or self.losses is None):
            raise EvidenceError("ordering evidence is differences=..., or wins=..., losses=...")
        if self.differences is None and min(self.wins, self.losses) < 0:
            raise EvidenceError("wins and losses are counts, at least 0")


@dataclass(frozen=True)
class EquivalenceEvidence:
    """Paired differences over splits that the claim says are negligible."""

    differences: Any
    test_train_ratio: float = 0.0


@dataclass(frozen=True)
class IdentityEvidence:
    """Largest deviation between two sides that should be the same, and their scale."""

    error: float
    scale: float = 1.0


@dataclass(frozen=True)
class ShapeEvidence:
    """Whether a named pattern holds, and the numbers behind it in words."""

    holds: bool
    detail: str


@dataclass(frozen=True)
class NotTestable:
    """Why a claim cannot be tested here, and its substitute, under a name of its own."""

    reason: str
    substitute: str = ""


KINDS = {
    "value": ValueEvidence,
    "ordering": OrderingEvidence,
    "equivalence": EquivalenceEvidence,
    "identity": IdentityEvidence,
    "shape": ShapeEvidence,
}
Evidence = ValueEvidence | OrderingEvidence | EquivalenceEvidence | IdentityEvidence | ShapeEvidence


@dataclass(frozen=True)
class Decision:
    """Outcome of a rule: the reproduced number and the arithmetic in words, p-values if any."""

    outcome: str
    reproduced: str
    detail: str
    p: float | None = None
    p_adjusted: float | None = None


def number(x: float) -> str:
    """A number for people: four significant digits."""
    return f"{x:.4g}"


def corrected_t(differences: Any, test_train_ratio: float) -> tuple[float, float, int]:
    """Mean, corrected standard error and degrees of freedom of differences over splits.

    The variance of the mean is s^2 (1/n + n_test/n_train).
    """
    values = _sample(differences)
    _finite(test_train_ratio=test_train_ratio)
    scale = 1 / len(values) + test_train_ratio
    return float(values.mean()), float(values.std(ddof=1) * math.sqrt(scale)), len(values) - 1


def half_width(differences: Any, test_train_ratio: float = 0.0) -> float:
    """Half of the 90 % interval of a mean over splits: what two one-sided tests at 5 % look at."""
    _, se, df = corrected_t(differences, test_train_ratio)
    return student_t_quantile(1 - LEVEL, df) * se


def _tail(mean: float, se: float, df: int) -> float:
    """P(T >= mean/se): the one-sided p-value of a positive mean."""
    if se == 0:
        return 0.5 if mean == 0 else float(mean < 0)
    return student_t_cdf(-mean / se, df)


def sign_test(wins: int, losses: int) -> float:
    """Exact two-sided binomial p-value of `wins` against `losses`: McNemar's exact test."""
    n, k = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


def ordering_p(evidence: OrderingEvidence) -> float:
    """Two-sided p-value of an ordering, before adjustment."""
    if evidence.differences is None:
        return sign_test(evidence.wins, evidence.losses)
    mean, se, df = corrected_t(evidence.differences, evidence.test_train_ratio)
    return min(1.0, 2 * _tail(abs(mean), se, df))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment, in the order given."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = least
    return adjusted


def decide_value(
    evidence: ValueEvidence,
    value: float,
    half_digit: float,
    n: int | None,
    tolerance: float,
    reference: float | None = None,
) -> Decision:
    """|reproduced - published| <= t s sqrt(1/n_reproduced + 1/n_published) + half a last digit.

    Parameters
    ----------
    evidence : ValueEvidence
    value, half_digit : float
        The published number and half a unit of its last digit.
    n : int or None
        Number of values behind it; None for a number without sampling error.
    tolerance : float
        Half-width above which agreement shows nothing. A deviation beyond the half-width is
        a disagreement even then: a small run cannot pass for agreement, but it can contradict.
    reference : float, optional
        The reference method's number. When the value is off, but the estimate is on the published
        side of the reference at the 5 % level, the claim is reproduced in direction.
    """
    estimate, s = evidence.estimate, evidence.sd
    overlap = evidence.test_train_ratio or 0.0
    own = 1 / evidence.n + overlap
    spread = s * math.sqrt(own + (1 / n + overlap if n else 0.0))
    t = student_t_quantile(1 - LEVEL / 2, evidence.n - 1) if s > 0 else 0.0
    half, gap = t * spread + half_digit, abs(estimate - value)
    # Decimal input such as 2.155 against 2.15 +- 0.005 must not fail by a rounding error.
    agrees = gap <= half + 1e-12 * max(abs(estimate), abs(value))
    words = number(estimate)
    parts = f"half of the last digit {number(half_digit)}"
    if s > 0:
        words += f" ± {s * math.sqrt(own):.2g} (n = {evidence.n})"
        parts = f"{number(t)} standard errors of {number(spread)}, plus {parts}"
    detail = (
        f"deviation {number(gap)} {'≤' if agrees else '>'} half-width {number(half)} "
        f"({parts}); tolerance {number(tolerance)}"
    )
    if agrees:
        return Decision(
            REPRODUCED if half <= tolerance else INCONCLUSIVE,
            words,
            detail + ("" if half <= tolerance else ": the half-width is too wide to tell"),
        )
    if reference is not None:
        side = math.copysign(1.0, value - reference)
        if side * (estimate - reference) > student_t_quantile(
            1 - LEVEL, max(evidence.n - 1, 1)
        ) * s * math.sqrt(own):
            return Decision(
                IN_DIRECTION,
                words,
                detail + f"; on the same side of the reference {number(reference)}",
            )
    return Decision(NOT_REPRODUCED, words, detail)


def decide_ordering(
    evidence: OrderingEvidence, p_adjusted: float, tolerance: float | None = None
) -> Decision:
    """Paired test at 5 %, two-sided, on the adjusted p-value.

    Neither direction significant is inconclusive; with a `tolerance`, the smallest difference
    worth having, it is not reproduced once the interval excludes a difference that large.
    """
    p, excluded = ordering_p(evidence), ""
    if evidence.differences is None:
        lead = evidence.wins - evidence.losses
        reproduced = f"{evidence.wins} for, {evidence.losses} against"
        detail = "exact two-sided binomial test"
    else:
        mean, se, df = corrected_t(evidence.differences, evidence.test_train_ratio)
        lead, reproduced = mean, f"difference {number(mean)} ± {se:.2g} (n = {df + 1})"
        detail = (
            f"paired t test over {df + 1} splits, variance times (1/n + "
            f"{number(evidence.test_train_ratio)}) for their overlap"
        )
        top = mean + student_t_quantile(1 - LEVEL, df) * se
        if tolerance is not None and top < tolerance:
            excluded = f"; at most {number(top)} by the 95 % limit, below {number(tolerance)}"
        elif se == 0 and mean == 0:
            excluded = "; no split differs"
    detail += f": p = {p:.2g}, Holm-adjusted {p_adjusted:.2g}"
    if p_adjusted < LEVEL and lead != 0:
        outcome = REPRODUCED if lead > 0 else NOT_REPRODUCED
        detail += "" if lead > 0 else ", in the opposite direction"
    else:
        outcome = NOT_REPRODUCED if excluded else INCONCLUSIVE
        detail += excluded
    return Decision(outcome, reproduced, detail, p, p_adjusted)


def decide_equivalence(evidence: EquivalenceEvidence, tolerance: float) -> Decision:
    """Two one-sided tests at 5 %: the difference is above -tolerance and below tolerance."""
    mean, se, df = corrected_t(evidence.differences, evidence.test_train_ratio)
    p = max(_tail(tolerance - mean, se, df), _tail(tolerance + mean, se, df))
    reach = half_width(evidence.differences, evidence.test_train_ratio)
    outcome = (
        REPRODUCED
        if p < LEVEL
        else (NOT_REPRODUCED if abs(mean) - reach > tolerance else INCONCLUSIVE)
    )
    detail = (
        f"two one-sided tests: 90 % interval {number(mean - reach)} to "
        f"{number(mean + reach)} against ±{number(tolerance)}, p = {p:.2g}"
    )
    return Decision(outcome, f"difference {number(mean)} ± {se:.2g} (n = {df + 1})", detail, p)


def decide_identity(evidence: IdentityEvidence, tolerance: float) -> Decision:
    """Error relative to scale, at most the tolerance."""
    _finite(error=evidence.error, scale=evidence.scale)
    if evidence.scale <= 0 or evidence.error < 0:
        raise EvidenceError(f"identity evidence needs error >= 0 and scale > 0: {evidence}")
    relative = evidence.error / evidence.scale
    holds = relative <= tolerance
    detail = (
        f"largest deviation {evidence.error:.2g} over scale {number(evidence.scale)} "
        f"{'≤' if holds else '>'} {tolerance:.2g}"
    )
    return Decision(REPRODUCED if holds else NOT_REPRODUCED, f"{relative:.2g}", detail)


def decide_shape(evidence: ShapeEvidence) -> Decision:
    """A named pattern."""
    holds = bool(evidence.holds)
    return Decision(
        REPRODUCED if holds else NOT_REPRODUCED,
        "holds" if holds else "does not hold",
        evidence.detail,
    )
