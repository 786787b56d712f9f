"""Decision rules: they turn evidence from recorded results into an outcome.

The question is always the same: in what share of repetitions of the experiment, with as many
random draws (splits, training or data sets) as in the paper, does the printed statement come out?
Everything here is a pure function of its arguments. The claim's kind fixes the rule and the
claim's entry its arguments, both before anything runs.

References
----------
Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 11: resampling, and
the jackknife that leaves out groups. Šidák (1967), Journal of the American Statistical Association
62: one level for several cells of a table.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.05
MOST = 1.0 - LEVEL
#: With fewer reproduced draws than a rule needs, a share decides only if this close to 0 or 1.
UNANIMOUS = 0.995
#: With fewer draws nothing is decided, since the rule treats their mean as the truth.
N_DRAWS_LEAST = 20
#: Fewest reproduced draws for a share; draws of a repetition if the paper gives no number.
N_DRAWS_MIN = 100
#: Resamples of means, of what is no mean, and for a variance of the latter.
N_RESAMPLES, N_RESAMPLES_SLOW, N_RESAMPLES_FEW, N_RESAMPLES_VARIANCE = 2000, 500, 200, 50
SEED = 20260101

REPRODUCED = "reproduced"
IN_DIRECTION = "in direction only"
COMES_AND_GOES = "comes and goes"
DEPENDS = "depends on the number of draws"
NOT_REPRODUCED = "not reproduced"
SAME, COMPATIBLE, NEAR, DIFFERENT = "same", "compatible", "near", "different"
HOLDS, FAILS = "holds", "does not hold"
UNDECIDED = "undecided"
NOT_TESTABLE = "not testable here"

YES, PARTLY, NO, OPEN = "yes", "in part", "no", "open"
#: Does the printed statement come out? By outcome, in the order of every table.
COMES_OUT = {
    REPRODUCED: YES,
    HOLDS: YES,
    SAME: YES,
    COMPATIBLE: YES,
    NEAR: YES,
    IN_DIRECTION: PARTLY,
    COMES_AND_GOES: PARTLY,
    DEPENDS: PARTLY,
    NOT_REPRODUCED: NO,
    DIFFERENT: NO,
    FAILS: NO,
    UNDECIDED: OPEN,
    NOT_TESTABLE: OPEN,
}
OUTCOMES = tuple(COMES_OUT)


class EvidenceError(ValueError):
    """A measure returned evidence that no rule can use."""


def number(x: float) -> str:
    """A number as text, with four significant digits."""
    return f"{x:.4g}"


def with_error(estimate: float, error: float) -> str:
    """An estimate and its standard error, to two digits of the error."""
    if error == 0:
        return number(estimate)
    digits = max(1 - math.floor(math.log10(error)), 0)
    return f"{estimate:.{digits}f} ± {error:.{digits}f}"


def _finite_array(values: Any, what: str) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.size == 0 or not np.isfinite(values).all():
        raise EvidenceError(
            f"{what} needs finite values; got {values.size}, of which "
            f"{int(np.isfinite(values).sum())} finite. Say in the measure what becomes of the rest"
        )
    return values


@dataclass(frozen=True)
class Repeats:
    """Reproduced draws, and the printed statement about their mean.

    Parameters
    ----------
    gaps : array of shape (n,) or (n, k), or callable
        By draw, k quantities; the statement comes out if each of their means over a repetition is
        above zero. For quantities that are not means, a callable: ``gaps(pick)`` returns the k
        numbers of a repetition that consists of the draws `pick`, an array of integers below `n`.
    vectorized : bool, default False
        Whether the callable takes r repetitions at once: of `picks` of shape (r, m), it returns
        the numbers of each in a row.
    n : int, optional
        Number of draws, for a callable.
    shown : str, optional
        The reproduced numbers in words; by default the mean gaps.
    gain : array of shape (n,), optional
        Gain by draw, in the printed gain's unit, to be compared with it; by default the only gap.
    ragged : bool, default False
        Whether draws may lack some quantities (NaN), for example if some need more data and draws
        share no data. Only `carries_over_disjoint` accepts these.
    """

    gaps: Any
    n: int | None = None
    shown: str = ""
    gain: Any = None
    ragged: bool = False
    vectorized: bool = False

    def __post_init__(self):
        if callable(self.gaps):
            if not self.n:
                raise EvidenceError("gaps given as a function need n, the number of draws")
        else:
            gaps = self.gaps if self.ragged else _finite_array(self.gaps, "a repeated statement")
            gaps = np.asarray(gaps, dtype=float)
            if gaps.ndim not in (1, 2):
                raise EvidenceError(f"gaps have the shape (n,) or (n, k), not {gaps.shape}")
            gaps = gaps[:, None] if gaps.ndim == 1 else gaps
            object.__setattr__(self, "gaps", gaps)
            object.__setattr__(self, "n", len(gaps))
            if self.gain is None and gaps.shape[1] == 1:
                object.__setattr__(self, "gain", gaps[:, 0])
        if self.ragged:
            object.__setattr__(self, "gain", None)
        if self.gain is not None:
            object.__setattr__(self, "gain", _finite_array(self.gain, "a gain").ravel())

    @property
    def estimate(self) -> np.ndarray:
        """The k quantities over all draws."""
        if callable(self.gaps):
            return self._of(np.arange(self.n)[None], "a repeated statement")[0]
        return self._rounded(self.gaps.mean(axis=0))

    def repetitions(self, m: int, few: bool = False) -> np.ndarray:
        """The k quantities of each of many repetitions of `m` draws: shape (repetitions, k)."""
        if callable(self.gaps):
            return self._of(_picks(self.n, m)[: N_RESAMPLES_FEW if few else None])
        return self._rounded(_weights(self.n, m) @ self.gaps)

    def _of(self, picks: np.ndarray, what: str = "each repetition of a statement") -> np.ndarray:
        """Result of the function of the draws for each repetition."""
        found = self.gaps(picks) if self.vectorized else [self.gaps(pick) for pick in picks]
        return _finite_array(found, what).reshape(len(picks), -1)

    def _rounded(self, means: np.ndarray) -> np.ndarray:
        """Means, with 0 for those that are zero up to rounding: a tie does not come out."""
        return np.where(np.abs(means) > 1e-12 * np.abs(self.gaps).max(axis=0), means, 0.0)

    def mean_variance(self) -> np.ndarray:
        """Monte Carlo variance of `estimate`."""
        if callable(self.gaps):
            few = self._of(_picks(self.n, self.n)[:N_RESAMPLES_VARIANCE])
            return few.var(axis=0, ddof=1)
        return self.gaps.var(axis=0, ddof=1) / self.n if self.n > 1 else np.zeros_like(self.gaps[0])


@lru_cache(maxsize=8)
def _weights(n: int, m: int) -> np.ndarray:
    counts = np.random.default_rng([SEED, n, m]).multinomial(m, np.full(n, 1 / n), N_RESAMPLES)
    return counts / m


@lru_cache(maxsize=8)
def _picks(n: int, m: int) -> np.ndarray:
    return np.random.default_rng([SEED, n, m]).integers(n, size=(N_RESAMPLES_SLOW, m))


@dataclass(frozen=True)
class Value:
    """A reproduced number: values by draw, or an estimate and the standard deviation of a draw.

    Parameters
    ----------
    values : array of shape (n,), optional
        Their mean is the estimate.
    estimate, sd, n : float, float, int, optional
        Instead of `values`; ``sd=0`` for a number without sampling error.
    """

    values: Any = None
    estimate: float | None = None
    sd: float = 0.0
    n: int = 1

    def __post_init__(self):
        if (self.values is None) == (self.estimate is None):
            raise EvidenceError("give a value as values=..., or as estimate=..., sd=..., n=...")
        if self.values is not None:
            values = _finite_array(self.values, "a value").ravel()
            object.__setattr__(self, "estimate", float(values.mean()))
            object.__setattr__(self, "sd", float(values.std(ddof=1)) if len(values) > 1 else 0.0)
            object.__setattr__(self, "n", len(values))
        if not (math.isfinite(self.estimate) and math.isfinite(self.sd) and self.n >= 1):
            raise EvidenceError(f"a value needs finite numbers and n >= 1: {self}")
        if self.sd < 0:
            raise EvidenceError(f"a standard deviation is not negative: {self}")

    @property
    def lone(self) -> bool:
        """Whether it is a single draw, whose spread is unknown."""
        return self.values is not None and self.n == 1

    @property
    def text(self) -> str:
        """The estimate with its standard error, to two digits of the error."""
        draws = f" (n = {self.n})" if self.sd else ""
        return with_error(self.estimate, self.sd / math.sqrt(self.n)) + draws


@dataclass(frozen=True)
class Column:
    """Reproduced numbers of a table's column, by the name of the cell."""

    cells: Mapping[str, Value]


@dataclass(frozen=True)
class Mathematics:
    """An identity by its largest error relative to `scale`, or a proposition by its cases.

    Parameters
    ----------
    error, scale : float, optional
        Error and scale of an identity.
    true, cases : int, optional
        Of a proposition: number of cases in which it is true, and number of cases tried.
    shown : str, optional
        The numbers in words.
    """

    error: float | None = None
    scale: float = 1.0
    true: int | None = None
    cases: int = 0
    shown: str = ""


@dataclass(frozen=True)
class NotTestable:
    """Why a claim cannot be tested here, and its substitute, which has a name of its own."""

    reason: str
    substitute: str = ""


@dataclass(frozen=True)
class Decision:
    """Decision of a rule.

    Parameters
    ----------
    outcome : str
        One of `OUTCOMES`.
    reproduced : str
        The reproduced numbers.
    detail : str
        The arithmetic in words.
    share : float, optional
        Share of repetitions in which the statement comes out; the smallest if the paper leaves the
        number of draws open.
    shares : tuple of (int, float)
        Draws of a repetition and that share; several if the paper leaves the number open.
    tolerance_matters : bool
        Whether half or double the tolerance gives another outcome.
    rises : bool
        Whether every quantity that should be above zero is above zero over all draws.
    """

    outcome: str
    reproduced: str
    detail: str
    share: float | None = None
    tolerance_matters: bool = False
    rises: bool = True
    shares: tuple[tuple[int, float], ...] = ()


def _by_share(share: float, n: int, m: int) -> str:
    needed = max(N_DRAWS_MIN, m)
    if n < min(N_DRAWS_LEAST, needed):
        return UNDECIDED
    most = MOST if n >= needed else UNANIMOUS
    if share >= most:
        return REPRODUCED
    if share <= 1.0 - most + 1e-12:
        return NOT_REPRODUCED
    return COMES_AND_GOES if n >= needed else UNDECIDED


def _below_half(gain: np.ndarray, printed: float) -> tuple[bool, bool]:
    """Whether the 95 % interval of a mean gain lies below half the printed one, and above zero."""
    reach = 0.0
    if len(gain) > 1:
        reach = stdtrit(len(gain) - 1, 1 - LEVEL / 2) * gain.std(ddof=1)
        reach /= math.sqrt(len(gain))
    sign = math.copysign(1.0, printed)
    mean = sign * gain.mean()
    return mean + reach < abs(printed) / 2, mean - reach > 0


def _repetitions_text(share: float, m: int) -> str:
    return f"comes out in {100 * share:.0f} of 100 repetitions of {m} draw{'s' * (m != 1)}"


def decide_repeats(
    evidence: Repeats,
    m: int | Sequence[int],
    gain: float | None = None,
    margin: float | None = None,
    few: bool = False,
) -> Decision:
    """Reproduced if the statement comes out in 95 of 100 repetitions, not if in 5 or fewer.

    In between, it comes and goes. A gain below half the printed one counts in direction only.

    Parameters
    ----------
    evidence : Repeats
    m : int or sequence of int
        Draws of a repetition; 0 if nothing is random. Several if the paper leaves the number open:
        if they disagree, the outcome depends on the number of draws.
    gain : float, optional
        The printed gain.
    margin : float, optional
        For an equivalence: the gaps are differences, and it comes out within ``margin`` of zero.
    few : bool
        Whether to resample quantities that are not means fewer times, for one of many options.
    """
    if not isinstance(evidence, Repeats) or evidence.ragged:
        raise EvidenceError(f"this claim is decided by Repeats, not {type(evidence).__name__}")
    estimate = evidence.estimate
    means = {
        size: evidence.repetitions(size, few) if size else estimate[None, :]
        for size in ([m] if isinstance(m, int) else m)
    }
    found = _by_repetitions(evidence, means, gain, margin)
    others = {
        _by_repetitions(evidence, means, gain and factor * gain, margin and factor * margin).outcome
        for factor in (0.5, 2.0)
        if gain or margin
    }
    quantities = estimate if margin is None else margin - np.abs(estimate)
    return replace(
        found,
        reproduced=evidence.shown or _gaps_text(evidence, estimate),
        tolerance_matters=not others <= {found.outcome},
        rises=bool((quantities > 0).all()),
    )


def _by_repetitions(evidence, means, gain, margin):
    outcomes, words, shares = [], [], []
    for size, found in means.items():
        share = float(((found if margin is None else margin - np.abs(found)) > 0).all(1).mean())
        if size == 0:
            outcome = REPRODUCED if share else NOT_REPRODUCED
            text = f"nothing is drawn anew: it {'comes' if share else 'does not come'} out"
        else:
            outcome = _by_share(share, evidence.n, size)
            text = f"{_repetitions_text(share, size)}, resampled from {evidence.n}"
            if outcome == UNDECIDED:
                text += f"; too few: {max(N_DRAWS_MIN, size)} draws would decide it"
        outcomes.append(outcome)
        words.append(text)
        shares.append(share)
    outcome = outcomes[-1] if len(set(outcomes)) == 1 else DEPENDS
    if UNDECIDED in outcomes:
        outcome = UNDECIDED
    if margin is not None:
        words.append(f"margin ±{number(margin)}")
    if gain is not None and outcome not in (NOT_REPRODUCED, UNDECIDED):
        if evidence.gain is None:
            raise EvidenceError("a printed gain needs Repeats(gain=...), the gain by draw")
        below, above = _below_half(evidence.gain, gain)
        if below:
            if not above:
                outcome = NOT_REPRODUCED
            elif outcomes[-1] == REPRODUCED:
                outcome = IN_DIRECTION
            words.append(f"the 95 % interval of the gain is below half of {number(gain)}")
    found = tuple(zip(means, shares, strict=True))
    return Decision(outcome, "", "; ".join(words), min(shares), shares=found)


def _gaps_text(evidence, estimate):
    error = np.sqrt(evidence.mean_variance())
    shown = [with_error(*pair) for pair in zip(estimate, error, strict=True)]
    draws = f" (n = {evidence.n})" if evidence.n > 1 else ""
    if len(shown) > 3:
        least = int(np.argmin(estimate))
        return f"smallest of {len(shown)} gaps {shown[least]}{draws}"
    return ", ".join(shown) + draws


def tolerance_of(value: float, digits: int, percentage: bool) -> float:
    """Deviation that does not matter: a last digit, or a tenth of the number if that is more.

    For a percentage p it is a tenth of min(p, 100 - p).
    """
    size = min(abs(value), abs(100.0 - value)) if percentage else abs(value)
    return max(10.0**-digits, 0.1 * size)


def _half_width(value: Value, digits: int, m: int, level: float) -> float:
    if value.sd == 0:
        return 0.5 * 10.0**-digits
    spread = value.sd * math.sqrt(1 / value.n + (1 / m if m else 0.0))
    t = float(stdtrit(max(value.n - 1, 1), 1 - level / 2))
    return t * spread + 0.5 * 10.0**-digits


def _value_outcome(gap: float, half: float, tau: float) -> str:
    # Decimal input such as 2.155 against 2.15 +- 0.005 must not fail by a rounding error.
    slack = 1e-9 * max(half, tau)
    if gap <= half + slack:
        return SAME if half <= tau + slack else COMPATIBLE
    return NEAR if gap <= tau + slack else DIFFERENT


def decide_value(
    evidence: Value,
    value: float,
    digits: int,
    m: int,
    tau: float,
    rival: float | None = None,
) -> Decision:
    """Same or compatible within h = t s sqrt(1/n + 1/m) + half a digit, else near or different.

    Within h it is the same if h is at most the tolerance, else compatible, since the printed number
    allows no more. Beyond h it is near if the difference is within the tolerance, else different.

    Parameters
    ----------
    evidence : Value
    value, digits : float, int
        The printed number and its decimals (-3: thousands).
    m : int
        Draws behind it; 0 if it has no sampling error.
    tau : float
        The tolerance, `tolerance_of` unless the claim gives one.
    rival : float, optional
        The rival's printed number. If it is within h of the reproduced number: undecided.
    """
    return decide_column(
        Column({"": evidence}),
        {"": value},
        digits,
        m,
        {"": tau},
        {} if rival is None else {"": rival},
    )


def decide_column(
    evidence: Column,
    cells: Mapping[str, float],
    digits: int,
    m: int,
    taus: Mapping[str, float],
    rivals: Mapping[str, float] | None = None,
) -> Decision:
    """All cells of a column jointly: each by the rule of a value, at a joint level.

    With k cells each half-width has the level 1 - 0.95^(1/k) (Šidák). The column has the outcome of
    its worst cell: different before near before compatible before same.

    Parameters
    ----------
    evidence : Column
    cells, taus, rivals : mappings
        By cell: the printed number, its tolerance, the rival's printed number (optional).
    digits, m : int
        As in `decide_value`.
    """
    if isinstance(evidence, Value):
        evidence = Column({"": evidence})
    found = evidence.cells.values() if isinstance(evidence, Column) else [evidence]
    for kind in [type(x) for x in found if not isinstance(x, Value)]:
        raise EvidenceError(f"this claim is decided by Value or Column, not {kind.__name__}")
    missing = [cell for cell in cells if cell not in evidence.cells]
    if missing:
        raise EvidenceError(f"no rows for {', '.join(missing)}")
    lone = [c for c in cells if m and evidence.cells[c].lone]
    if lone:
        raise EvidenceError(
            f"one draw has no spread ({', '.join(lone) or 'the value'}): give two or more, or "
            f"estimate=... where nothing is random"
        )
    level = 1.0 - (1.0 - LEVEL) ** (1.0 / len(cells))
    order = (SAME, COMPATIBLE, NEAR, DIFFERENT)

    def worst(factor):
        return max(
            (_value_outcome(gaps[c], halves[c], factor * taus[c]) for c in cells), key=order.index
        )

    halves = {c: _half_width(evidence.cells[c], digits, m, level) for c in cells}
    gaps = {c: abs(evidence.cells[c].estimate - cells[c]) for c in cells}
    outcome = worst(1.0)
    single = len(cells) == 1
    off = [c for c in cells if gaps[c] > halves[c] * (1 + 1e-9)]
    if single:
        (cell,) = cells
        shown = evidence.cells[cell].text
        detail = (
            f"deviation {number(gaps[cell])}, half-width {number(halves[cell])}, tolerance "
            f"{number(taus[cell])}"
        )
    else:
        shown = ", ".join(f"{c} {evidence.cells[c].estimate:.{max(digits, 0)}f}" for c in cells)
        far = max(cells, key=lambda c: gaps[c] / taus[c])
        detail = (
            f"{len(cells) - len(off)} of {len(cells)} cells within their half-widths "
            f"({number(min(halves.values()))} to {number(max(halves.values()))}, jointly at 5 %)"
        )
        detail += f"; beyond: {', '.join(off)}" if off else ""
        detail += f"; farthest: {far}, by {number(gaps[far])} (tolerance {number(taus[far])})"
    close = [
        c
        for c, rival in (rivals or {}).items()
        if abs(evidence.cells[c].estimate - rival) <= halves[c]
    ]
    if close and outcome in (SAME, COMPATIBLE, NEAR):
        if len(close) == len(rivals):
            outcome = UNDECIDED
            detail += "; the rival's printed number is as close everywhere: it supports nothing"
        else:
            detail += f"; the rival's number is within the half-width, too: {', '.join(close)}"
    matters = outcome != UNDECIDED and {worst(0.5), worst(2.0)} != {outcome}
    return Decision(outcome, shown, detail, tolerance_matters=matters)


def decide_mathematics(evidence: Mathematics, tolerance: float | None = None) -> Decision:
    """Holds if the error is at most the tolerance, or the proposition true in all cases tried."""
    if not isinstance(evidence, Mathematics):
        raise EvidenceError(f"mathematics is decided by Mathematics, not {type(evidence).__name__}")
    if evidence.error is not None:
        if tolerance is None:
            raise EvidenceError("an identity needs the claim's tolerance")
        if not (math.isfinite(evidence.error) and evidence.scale > 0 and evidence.error >= 0):
            raise EvidenceError(f"an identity needs a finite error >= 0 and scale > 0: {evidence}")
        relative = evidence.error / evidence.scale
        holds = relative <= tolerance
        shown = evidence.shown or f"{relative:.2g}"
        detail = (
            f"largest deviation {evidence.error:.2g} over scale {number(evidence.scale)} "
            f"{'≤' if holds else '>'} {tolerance:.2g}"
        )
    else:
        if evidence.true is None or not 0 <= evidence.true <= evidence.cases or not evidence.cases:
            raise EvidenceError(f"a proposition needs 0 <= true <= cases, cases > 0: {evidence}")
        holds = evidence.true == evidence.cases
        shown = evidence.shown or f"{evidence.true} of {evidence.cases} cases"
        detail = f"true in {evidence.true} of {evidence.cases} cases tried"
    return Decision(HOLDS if holds else FAILS, shown, detail)


# ---- the second mark ----------------------------------------------------------------------------

CARRIES, NOT_SHOWN, REVERSED = "carries over", "not shown to carry over", "reversed on new cases"


def carries_over(
    whole: Repeats, left_out: Sequence[Repeats], margin: float | None = None
) -> tuple[str, str]:
    """Whether every gap stays above zero on new cases: jackknife over groups of cases.

    Parameters
    ----------
    whole : Repeats
        Evidence from all cases.
    left_out : sequence of Repeats
        One for each group, with everything refitted without its cases.
    margin : float, optional
        Margin of an equivalence.

    Returns
    -------
    mark, detail : str

    Notes
    -----
    With G groups the variance is (G - 1)/G times the sum of squared deviations of the G estimates,
    minus their Monte Carlo variance, (G - 1)^2/G times its mean over groups, plus the Monte Carlo
    variance of the whole. The limit is one-sided, at 5 %, by Student's t with G - 1 degrees of
    freedom.
    """
    G = len(left_out)
    if G < 2:
        raise EvidenceError("a jackknife needs at least two groups")
    if not all(isinstance(found, Repeats) for found in (whole, *left_out)):
        raise EvidenceError("a jackknife needs Repeats of the whole and without each group")
    means, found = whole.estimate, [group.estimate for group in left_out]
    if any(estimate.shape != means.shape for estimate in found):
        raise EvidenceError("without a group there are other quantities than of all cases")
    estimates = np.array(found)
    own = np.mean([group.mean_variance() for group in left_out], axis=0)
    variance = (G - 1) / G * ((estimates - estimates.mean(axis=0)) ** 2).sum(axis=0)
    variance = np.maximum(variance - (G - 1) ** 2 / G * own, 0.0) + whole.mean_variance()
    reach = stdtrit(G - 1, MOST) * np.sqrt(variance)
    return _mark(means, reach, margin, f"jackknife over {G} groups of cases")


def carries_over_disjoint(
    by_group: Sequence[Repeats], margin: float | None = None
) -> tuple[str, str]:
    """Whether every gap stays above zero on new cases, from disjoint training sets.

    Parameters
    ----------
    by_group : sequence of Repeats
        One for each group of test cases; its draws are training sets that share no case.
    margin : float, optional
        Margin of an equivalence.

    Returns
    -------
    mark, detail : str

    Notes
    -----
    The variance of a gap's mean is the variance between training sets (of means over test cases)
    divided by the number of sets, plus the variance between groups (of means over sets) divided by
    the number of groups; remaining variance is counted twice. The limit is one-sided, at 5 %, by
    Student's t; its degrees of freedom are the smaller of the two numbers minus one.
    """
    if len(by_group) < 2:
        raise EvidenceError("disjoint training sets need at least two groups of test cases")
    gaps = np.stack([group.gaps for group in by_group])  # groups, sets, quantities
    means, reach, sets = [], [], []
    for cells in np.moveaxis(gaps, 2, 0):
        cells = cells[:, ~np.isnan(cells).any(axis=0)]
        T, S = cells.shape
        if S < 2:
            raise EvidenceError("every quantity needs at least two disjoint training sets")
        variance = cells.mean(axis=0).var(ddof=1) / S + cells.mean(axis=1).var(ddof=1) / T
        means.append(cells.mean())
        reach.append(stdtrit(min(S, T) - 1, MOST) * math.sqrt(variance))
        sets.append(S)
    numbers = " to ".join(map(str, sorted({min(sets), max(sets)})))
    what = f"{numbers} disjoint training sets, {len(gaps)} groups of test cases"
    return _mark(np.array(means), np.array(reach), margin, what)


def _mark(means, reach, margin, what):
    """The mark of all gaps together, by the smallest lower limit."""
    if margin is not None:
        means = margin - np.abs(means)
    least = int(np.argmin(means - reach))
    detail = (
        f"{what}: smallest lower limit {number(means[least] - reach[least])} "
        f"(estimate {number(means[least])})"
    )
    if (means - reach > 0).all():
        return CARRIES, detail
    return (REVERSED if (means + reach < 0).any() else NOT_SHOWN), detail
