"""Decision rules: they turn evidence from recorded rows into an outcome.

Everything here is a pure function of its arguments. A claim's kind fixes the rule, its entry the
arguments, before the rows are made.

- An ordering is judged by the mean over at least 100 draws (random splits, training or data sets)
  with its 95 % interval: above zero, below it, or below half or a tenth of the printed effect.
- A printed number is compared by its *misfit*, the deviation relative to the number.
- Mathematics is decided by marked tests (`mathematics`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.05
#: Fewest draws by which anything random is decided.
N_DRAWS_MIN = 100
#: An anchor fits if the interval of its misfit reaches below this; a contribution's printed number
#: is reproduced if it lies below.
FIT = 0.2
#: Resamples of means, of what is no mean, and for a variance of the latter.
N_RESAMPLES, N_RESAMPLES_SLOW, N_RESAMPLES_VARIANCE = 2000, 500, 50
SEED = 20260101

REPRODUCED, SMALLER, NOT_REPRODUCED = "reproduced", "smaller", "not reproduced"
HOLDS, CORRECTED, FAILS = "holds", "holds once corrected", "does not hold"
UNDECIDED, NOT_TESTABLE = "undecided", "not testable here"

YES, PARTLY, NO, OPEN = "yes", "in part", "no", "open"
#: Does the printed statement come out? By outcome, in the order of every table.
COMES_OUT = {
    REPRODUCED: YES,
    HOLDS: YES,
    CORRECTED: YES,
    SMALLER: PARTLY,
    NOT_REPRODUCED: NO,
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


def with_interval(estimate: float, half: float) -> str:
    """An estimate and its interval, to two digits of the interval's half-width."""
    if half == 0:
        return number(estimate)
    digits = max(1 - math.floor(math.log10(half)), 0)
    return f"{estimate:.{digits}f} ({estimate - half:.{digits}f}, {estimate + half:.{digits}f})"


def _finite_array(values: Any, what: str) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.size == 0 or not np.isfinite(values).all():
        raise EvidenceError(
            f"{what} needs finite values; got {values.size}, of which "
            f"{int(np.isfinite(values).sum())} finite. Say in the measure what becomes of the rest"
        )
    return values


def half_width(variance: Any, n: int) -> Any:
    """Half of the 95 % interval of a mean over `n` draws, by Student's t, from its variance."""
    return stdtrit(n - 1, 1 - LEVEL / 2) * np.sqrt(variance) if n > 1 else 0.0 * variance


@dataclass(frozen=True)
class Repeats:
    """Reproduced draws, and the printed statement about their mean.

    Parameters
    ----------
    gaps : array of shape (n,) or (n, k), or callable
        By draw, k quantities; the statement comes out if each of their means is above zero. For
        quantities that are not means, a callable: ``gaps(pick)`` returns the k numbers of a
        repetition that consists of the draws `pick`, an array of integers below `n`.
    vectorized : bool, default False
        Whether the callable takes r repetitions at once: of `picks` of shape (r, m), it returns
        the numbers of each in a row.
    n : int, optional
        Number of draws, for a callable.
    shown : str, optional
        The reproduced numbers in words; by default the mean gaps.
    gain : array of shape (n,), optional
        Gain by draw, in the printed gain's unit, to be compared with it; by default the only gap.
    """

    gaps: Any
    n: int | None = None
    shown: str = ""
    gain: Any = None
    vectorized: bool = False

    def __post_init__(self):
        if callable(self.gaps):
            if not self.n:
                raise EvidenceError("gaps given as a function need n, the number of draws")
        else:
            gaps = _finite_array(self.gaps, "a repeated statement")
            if gaps.ndim not in (1, 2):
                raise EvidenceError(f"gaps have the shape (n,) or (n, k), not {gaps.shape}")
            gaps = gaps[:, None] if gaps.ndim == 1 else gaps
            object.__setattr__(self, "gaps", gaps)
            object.__setattr__(self, "n", len(gaps))
            if self.gain is None and gaps.shape[1] == 1:
                object.__setattr__(self, "gain", gaps[:, 0])
        if self.gain is not None:
            object.__setattr__(self, "gain", _finite_array(self.gain, "a gain").ravel())

    @property
    def estimate(self) -> np.ndarray:
        """The k quantities over all draws."""
        if callable(self.gaps):
            return self._of(np.arange(self.n)[None], "a repeated statement")[0]
        return self._rounded(self.gaps.mean(axis=0))

    def repetitions(self, m: int) -> np.ndarray:
        """The k quantities of each of many repetitions of `m` draws: shape (repetitions, k)."""
        if callable(self.gaps):
            return self._of(_picks(self.n, m))
        return self._rounded(_weights(self.n, m) @ self.gaps)

    def _of(self, picks: np.ndarray, what: str = "each repetition of a statement") -> np.ndarray:
        """Result of the function of the draws for each repetition."""
        found = self.gaps(picks) if self.vectorized else [self.gaps(pick) for pick in picks]
        return _finite_array(found, what).reshape(len(picks), -1)

    def _rounded(self, means: np.ndarray) -> np.ndarray:
        """Means, with 0 for those that are zero up to rounding: a tie does not come out."""
        return np.where(np.abs(means) > 1e-12 * np.abs(self.gaps).max(axis=0), means, 0.0)

    @property
    def effect(self) -> tuple[float, float]:
        """The gain, or else the average gap, over all draws, and its Monte Carlo variance."""
        gain = self.gain
        if gain is None and callable(self.gaps):
            found = self._of(_picks(self.n, self.n)[:N_RESAMPLES_VARIANCE]).mean(axis=1)
            return float(self.estimate.mean()), float(found.var(ddof=1))
        gain = self.gaps.mean(axis=1) if gain is None else gain
        variance = gain.var(ddof=1) / len(gain) if len(gain) > 1 else 0.0
        return float(gain.mean()), float(variance)

    def mean_variance(self) -> np.ndarray:
        """Monte Carlo variance of `estimate`; by the bootstrap for what is no mean."""
        if callable(self.gaps):
            return self._of(_picks(self.n, self.n)[:N_RESAMPLES_VARIANCE]).var(axis=0, ddof=1)
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
    def half(self) -> float:
        """Half of the 95 % interval of the estimate."""
        return float(half_width(self.sd**2 / self.n, self.n))

    @property
    def text(self) -> str:
        """The estimate with its 95 % interval."""
        return with_interval(self.estimate, self.half) + (f" (n = {self.n})" if self.sd else "")


@dataclass(frozen=True)
class Column:
    """Reproduced numbers of a table's column, by the name of the cell."""

    cells: Mapping[str, Value]


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
        Share of repetitions of the paper's own number of draws in which the statement comes out.
    effect : (float, float, float), optional
        The gain, or else the average gap, with its 95 % interval: estimate, lower, upper.
    n : int
        Draws behind it; 0 if nothing is random.
    """

    outcome: str
    reproduced: str
    detail: str
    share: float | None = None
    effect: tuple[float, float, float] | None = None
    n: int = 0

    @property
    def fault(self) -> str:
        """Why there was nothing to decide by, such as a missing record; empty if there was."""
        return self.detail if self.outcome == UNDECIDED and self.reproduced == "-" else ""

    @property
    def settled(self) -> "Decision":
        """The decision, if it rests on enough draws to be a verdict; else undecided."""
        if not 0 < self.n < N_DRAWS_MIN:
            return self
        why = "; ".join(filter(None, [self.detail, f"{self.n} draws; {N_DRAWS_MIN} decide"]))
        return replace(self, outcome=UNDECIDED, detail=why)


def decide_repeats(
    evidence: Repeats,
    m: int | None,
    effect: float | None = None,
    margin: float | None = None,
    equivalence: bool = False,
) -> Decision:
    """Reproduced if the 95 % interval of each mean gap is above zero.

    Not reproduced if one lies below zero, below a tenth of the printed effect, or within the
    margin; smaller if the gain's lies above zero and below half of the printed effect; else
    undecided. An equivalence comes out if each interval lies within the margin around zero.

    Parameters
    ----------
    evidence : Repeats
    m : int or None
        Draws of a printed number: 0 if nothing is random, None if print does not tell.
    effect : float, optional
        The printed gain.
    margin : float, optional
        A mean gap within it is none; for an equivalence, the largest difference.
    equivalence : bool, default False
        Whether the gaps are differences that should be zero.
    """
    if not isinstance(evidence, Repeats):
        raise EvidenceError(f"this claim is decided by Repeats, not {type(evidence).__name__}")
    mean, random = evidence.estimate, m != 0
    half = half_width(evidence.mean_variance(), evidence.n) if random else np.zeros_like(mean)
    low, high = mean - half, mean + half
    gain, variance = evidence.effect
    reach = float(half_width(variance, evidence.n)) if random else 0.0
    if equivalence:
        yes = bool((low > -margin).all() and (high < margin).all())
        no = bool((low > margin).any() or (high < -margin).any())
    else:
        yes = bool((low > 0).all())
        no = bool((high <= 0).any()) or (margin is not None and bool((high < margin).any()))
        yes = yes and not no
    outcome = REPRODUCED if yes else NOT_REPRODUCED if no else UNDECIDED
    words = []
    if effect is not None:
        if evidence.gain is None:
            raise EvidenceError("a printed gain needs Repeats(gain=...), the gain by draw")
        sign = math.copysign(1.0, effect)
        lower, upper = sign * gain - reach, sign * gain + reach
        if upper < abs(effect) / 10:
            outcome = NOT_REPRODUCED
        elif yes and lower > 0 and upper < abs(effect) / 2:
            outcome = SMALLER
        words.append(f"{100 * gain / effect:.0f} % of the printed gain of {number(effect)}")
    if margin is not None:
        words.append(f"margin ±{number(margin)}")
    if outcome == UNDECIDED:
        words.append(_draws_needed(mean, half, evidence.n, margin if equivalence else None))
    share = None
    if m:
        found = evidence.repetitions(m)
        share = float(((margin - np.abs(found) if equivalence else found) > 0).all(axis=1).mean())
        size = f"{m} draws" if m > 1 else "one draw"
        words.append(f"comes out in {100 * share:.0f} of 100 repetitions of {size}")
    shown = evidence.shown or _gaps_text(mean, half, evidence.n)
    n = evidence.n if random else 0
    return Decision(outcome, shown, "; ".join(words), share, (gain, gain - reach, gain + reach), n)


def _draws_needed(mean, half, n, margin):
    """Draws after which the widest interval would no longer contain what it must leave out."""
    distance = np.abs(mean) if margin is None else np.abs(margin - np.abs(mean))
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = float(((half / distance) ** 2).max())
    if not math.isfinite(factor):
        return "no number of draws decides a tie"
    draws = max(N_DRAWS_MIN, n * factor)
    digits = 1 - math.floor(math.log10(draws))
    return f"about {round(draws, digits):.0f} draws would decide"


def _gaps_text(mean, half, n):
    least = int(np.argmin(mean - half))
    shown = [with_interval(*pair) for pair in zip(mean, half, strict=True)]
    draws = f" (n = {n})" if n > 1 else ""
    if len(shown) > 3:
        return f"smallest of {len(shown)} gaps {shown[least]}{draws}"
    return ", ".join(shown) + draws


@dataclass(frozen=True)
class Misfit:
    """Relative deviation of a reproduced from a printed number, with its 95 % interval."""

    value: float
    lower: float
    upper: float
    where: str = ""

    @property
    def text(self) -> str:
        """In per cent, with the cell."""
        return f"{100 * self.value:.0f} %" + (f" ({self.where})" if self.where else "")


def misfit(value: Value, printed: float, digits: int = 0, percentage: bool = False) -> Misfit:
    """Deviation relative to the number; for a percentage p, to the smaller of p and 100 - p.

    The interval is the 95 % interval of `value`; a printed number is all that rounds to it.
    """
    rounding = 0.5 * 10.0**-digits
    scale = min(abs(printed), abs(100.0 - printed)) if percentage else abs(printed)
    scale = max(scale, rounding)
    gap = abs(value.estimate - printed)
    near, far = (max(gap + side * value.half - rounding, 0.0) for side in (-1, 1))
    return Misfit(gap / scale, near / scale, far / scale)


def worst(misfits: Mapping[str, Misfit]) -> Misfit:
    """The largest misfit of several numbers, and the largest limits."""
    where = max(misfits, key=lambda name: misfits[name].value)
    lower, upper = (max(getattr(m, end) for m in misfits.values()) for end in ("lower", "upper"))
    return Misfit(misfits[where].value, lower, upper, where if len(misfits) > 1 else "")


def decide_numbers(
    evidence: Value | Column,
    printed: Mapping[str, float],
    digits: int,
    percentage: bool,
    random: bool = True,
) -> Decision:
    """Reproduced if the interval of each misfit lies below a fifth, not if one lies above it.

    Else undecided.

    Parameters
    ----------
    evidence : Value or Column
    printed : mapping of str to float
        The printed numbers by cell; a lone number has the name "".
    digits : int
        Their decimals (-3: thousands).
    percentage : bool
    random : bool, default True
        Whether more draws could be made.
    """
    if isinstance(evidence, Value):
        evidence = Column({"": evidence})
    if not isinstance(evidence, Column):
        raise EvidenceError(f"numbers need a Value or Column, not {type(evidence).__name__}")
    if missing := [cell for cell in printed if cell not in evidence.cells]:
        raise EvidenceError(f"no rows for {', '.join(missing)}")
    cells = {cell: evidence.cells[cell] for cell in printed}
    found = {c: misfit(v, printed[c], digits, percentage) for c, v in cells.items()}
    most = worst(found)
    if len(cells) == 1:
        shown = next(iter(cells.values())).text
    else:
        shown = ", ".join(f"{c} {v.estimate:.{max(digits, 0)}f}" for c, v in cells.items())
    outcome = REPRODUCED if most.upper < FIT else NOT_REPRODUCED if most.lower >= FIT else UNDECIDED
    n = min((v.n for v in cells.values() if v.sd), default=0)
    words = [f"misfit {most.text}"]
    if outcome == UNDECIDED and not random:
        words.append("nothing is drawn anew, and no number of draws would decide")
    elif outcome == UNDECIDED:
        at, upper = np.array([(m.value, m.upper) for m in found.values()]).T
        words.append(_draws_needed(at, upper - at, n, FIT))
    return Decision(outcome, shown, "; ".join(words), n=n)
