"""Evidence of a sample under label noise, and the volume of version space, from one path."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed
from scipy.interpolate import BPoly
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from ..blas_threads import one_blas_thread
from ..caller_warning import warn_caller
from .gibbs import GibbsChains, inverse_temperature
from .mixing import array_statistics, mixing
from .replica_exchange import Replicas
from .start import EmptyVersionSpaceError, IllConditionedError

__all__ = ["Evidence", "Ladder", "estimate_evidence"]

# Rungs are one standard deviation of k apart, so that about every second attempted exchange
# succeeds, and at most this much in beta, because rare errors are Poisson, with exp(-beta).
RUNG_SPACING = 1.0
MAX_BETA_STEP = 2.0
# The ladder to q = 0 ends where version space has this part of the posterior, or at this beta.
MIN_CLEAR_SHARE = 0.5
MAX_BETA = 12.0
# Assumed error of the quintics, as a share of their difference from the cubics.
QUINTIC_ERROR_SHARE = 0.5
# Beyond these the stated error is unreliable.
MAX_R_HAT = 1.1
MIN_ESS = 50
MIN_EXCHANGE_RATE = 0.1


@dataclass(frozen=True)
class Ladder:
    """The inverse temperatures at which the posterior was sampled, ascending.

    Attributes
    ----------
    beta : ndarray of shape (n,)
        The first is 0, the prior, where mean and variance are known.
    mean_errors, variance : ndarrays of shape (n,)
        Of the training errors k.
    standard_error, ess : ndarrays of shape (n,)
        Of `mean_errors`, and the effective sample size behind it; 0 and infinite at the first.
    clear : ndarray of shape (n,)
        Probability of no training error; NaN at the first.
    accepted : ndarray of shape (n,)
        Rate at which a rung exchanges its position with the next one's; NaN at the first and
        the last.
    """

    beta: np.ndarray
    mean_errors: np.ndarray
    variance: np.ndarray
    standard_error: np.ndarray
    ess: np.ndarray
    clear: np.ndarray
    accepted: np.ndarray


@dataclass(frozen=True)
class Evidence:
    """Estimated log evidence. All but `ladder` are floats or arrays of the shape of `q`.

    Attributes
    ----------
    q : float or ndarray
        Label noise, as passed.
    log_evidence : float or ndarray
        Natural logarithm of ``E[q^k (1 - q)^(m - k)]`` over uniform unit weight vectors; for
        q = 0 the log volume of version space, as a fraction of the sphere, -inf if it is empty.
        NaN for q = 0 if rounding hides whether it is empty, or if no chain reached it.
    error : float or ndarray
        One standard error of the sampling, and `discretisation`, in quadrature.
    discretisation : float or ndarray
        Estimated error of integrating between the rungs.
    r_hat, ess : float or ndarray
        R-hat and effective sample size of the samples' contributions to `log_evidence`. With
        an R-hat above 1.1, or an `ess` below 50, `error` signals a problem but not its size.
    ladder : Ladder
    """

    q: float | np.ndarray
    log_evidence: float | np.ndarray
    error: float | np.ndarray
    discretisation: float | np.ndarray
    r_hat: float | np.ndarray
    ess: float | np.ndarray
    ladder: Ladder = field(repr=False)


def estimate_evidence(
    points, q, *, signs=None, n_samples=500, n_chains=4, thin=50, random_state=None, n_jobs=None
):
    """Estimate the evidence of a sample, or the volume of its version space.

    One run serves all values of `q`, at the cost of the smallest.

    Parameters
    ----------
    points : WhitenedPoints or array of shape (m, r)
        Training points in orthonormal coordinates, as for `GibbsChains`.
    q : float or array
        Label noise, in [0, 0.5]. 0: the volume of version space.
    signs : array of shape (m,), optional
        Labels, -1 and +1; omitted where `points` are label-signed.
    n_samples : int, default=500
        Samples of each chain at each rung of the ladder. A quarter as many are discarded before
        them, and another quarter is used before that to find the ladder.
    n_chains : int, default=4
        Independent ladders, at least 2.
    thin : int, default=50
        Steps from sample to sample, and between attempts to exchange.
    random_state : int, SeedSequence or None
    n_jobs : int, default=None
        Threads over which the ladders are distributed; the result does not depend on it.

    Returns
    -------
    Evidence

    Raises
    ------
    ValueError
        If `q`, `n_samples` or `n_chains` is out of range, or for bad points.

    Warns
    -----
    ConvergenceWarning
        If the ladders disagree (R-hat above 1.1, fewer than 50 effective samples), or
        neighbouring rungs hardly exchange: the error cannot be relied on.

    Notes
    -----
    With ``beta = ln((1 - q) / q)`` the log evidence is ``l ln(1 - q)`` minus the area under the
    mean number of training errors from 0 to beta: thermodynamic integration. Chains at a ladder of
    beta exchange their positions. For q = 0 every other ladder starts in version space and the rest
    from the prior; R-hat shows whether they agree.

    References
    ----------
    Graepel, Herbrich, "The Kernel Gibbs Sampler", NIPS 13 (2001): likelihood (3), evidence
    (section 4). Gelman, Meng, "Simulating normalizing constants", Statistical Science 13 (1998).
    Geyer, "Markov chain Monte Carlo maximum likelihood" (1991): exchange.

    Examples
    --------
    >>> import numpy as np
    >>> from transductive.version_space.evidence import estimate_evidence
    >>> estimate = estimate_evidence(np.eye(3), 0.0, random_state=0)  # an eighth of the sphere
    >>> bool(abs(estimate.log_evidence - np.log(1 / 8)) < 4 * estimate.error)
    True
    """
    levels = np.asarray(q)
    if levels.dtype.kind not in "fiu":
        raise ValueError(f"q must be a number in [0, 0.5] or an array of them, got {q!r}")
    levels = levels.astype(np.float64)
    if levels.size == 0 or not np.all((levels >= 0.0) & (levels <= 0.5)):
        raise ValueError(f"q must be a number in [0, 0.5] or a non-empty array of them, got {q!r}")
    if n_samples < 8 or n_chains < 2:
        raise ValueError(
            "n_samples must be at least 8 and n_chains at least 2, for the error to be estimated; "
            f"got {n_samples} and {n_chains}"
        )
    root = (
        random_state
        if isinstance(random_state, np.random.SeedSequence)
        else np.random.SeedSequence(random_state)
    )
    prior = GibbsChains(points, 0.5, signs=signs)  # checks them, and keeps them ready for use
    points, signs = prior.points, prior.signs
    asked = np.array([inverse_temperature(one) for one in levels.ravel()])
    inside, empty = _inside(points, signs) if np.any(asked == np.inf) else (None, False)
    top = asked[asked < np.inf].max(initial=0.0)
    variance = _prior_variance(points, signs)
    # set here, so that threads do not restore each other's limits
    with one_blas_thread():
        beta, starts = _find_ladder(
            points, signs, variance, top, inside is not None, n_chains, -(-n_samples // 4), thin,
            root.spawn(1)[0], n_jobs,
        )  # fmt: skip
        if inside is not None:
            starts[1::2] = inside
        parts = Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(_exchange)(points, signs, beta[1:], start, n_samples, thin, seed)
            for start, seed in zip(starts, root.spawn(n_chains), strict=True)
        )
    errors, expected, clear, accepted = (np.array(column) for column in zip(*parts, strict=True))
    centred = errors - errors.mean(axis=(0, 1))
    ladder = Ladder(
        beta,
        np.r_[0.5 * len(signs), expected.mean(axis=(0, 1))],
        np.r_[variance, np.mean(centred**2, axis=(0, 1))],
        np.r_[0.0, [_standard_error(one) for one in np.moveaxis(expected, 2, 0)]],
        np.r_[np.inf, mixing(expected).ess_bulk if len(beta) > 1 else []],
        np.r_[np.nan, clear.mean(axis=(0, 1))],
        np.r_[np.nan, accepted.mean(axis=0), np.nan][: len(beta)],
    )
    third = np.r_[0.0, np.mean(centred**3, axis=(0, 1))]
    columns = [
        _at(one, ladder, third, expected, centred, clear, inside is not None, empty)
        for one in asked
    ]
    value, error, discretisation, r_hat, ess = np.array(columns).T.reshape(5, *levels.shape)
    value = value + len(signs) * np.log1p(-levels)
    torn = accepted.mean(axis=0).min(initial=1.0)
    if r_hat.max() > MAX_R_HAT or ess.min() < MIN_ESS or torn < MIN_EXCHANGE_RATE:
        warn_caller(
            f"the ladders disagree about the evidence (R-hat {r_hat.max():.3g}, effective sample "
            f"size {ess.min():.0f}) or their rungs hardly exchange (least rate {torn:.2g}); raise "
            "thin or n_samples, or use a larger q",
            ConvergenceWarning,
        )
    if levels.ndim == 0:
        value, error, discretisation, r_hat, ess = map(
            float, (value, error, discretisation, r_hat, ess)
        )
    return Evidence(
        float(levels) if levels.ndim == 0 else levels,
        value, error, discretisation, r_hat, ess, ladder,
    )  # fmt: skip


def _prior_variance(points, signs):
    """Variance of the training errors over the prior."""
    rows = points.coordinates * signs[:, None]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return float(np.sum(np.arcsin(np.clip(rows @ rows.T, -1.0, 1.0))) / (2.0 * np.pi))


def _inside(points, signs):
    """A point of version space or None, and whether version space is certainly empty."""
    try:
        return GibbsChains(points, 0.0, signs=signs, n_chains=1).positions[0], False
    except EmptyVersionSpaceError:
        return None, True
    except IllConditionedError:
        return None, False


def _find_ladder(
    points, signs, variance, top, has_version_space, n_chains, n_samples, thin, seed, n_jobs
):
    """Anneal chains from the prior to `top`, and on until version space is in sight.

    Returns the ladder, and the positions on all its rungs but the first, (c, n - 1, r).
    """
    beta, starts, position, clear = [0.0], [], None, 0.0
    further = MAX_BETA if has_version_space else 0.0
    while beta[-1] < top or (clear < MIN_CLEAR_SHARE and beta[-1] < further):
        # far down, what is left of the errors is exponentially small
        step = max(MAX_BETA_STEP, 0.5 * beta[-1])
        if variance > 0.0:
            step = min(step, RUNG_SPACING / np.sqrt(variance))
        beta.append(min(beta[-1] + step, max(top, further)))
        chains = GibbsChains(
            points, expit(-beta[-1]), signs=signs, n_chains=n_chains, start=position,
            random_state=seed.spawn(1)[0], n_jobs=n_jobs,
        )  # fmt: skip
        samples = chains.run(n_samples, thin=thin, burn_in=n_samples // 4 * thin)
        position = chains.positions
        starts.append(position)
        variance, clear = samples.errors.var(), samples.clear.mean()
    shape = len(starts), n_chains, points.rank
    return np.array(beta), np.array(starts).reshape(shape).swapaxes(0, 1).copy()


def _exchange(points, signs, beta, start, n_samples, thin, seed):
    """Samples of one ladder whose neighbours exchange their positions.

    Returns training errors, their expectation on the circle, the probability of none there, each
    of shape (n_samples, len(beta)), and the rates of exchange.
    """
    replicas = Replicas(points, signs, beta, start, seed)
    burn_in = -(-n_samples // 4)
    record = np.empty((3, burn_in + n_samples, len(beta)))
    exchanged = np.zeros(max(len(beta) - 1, 0))
    for i in range(burn_in + n_samples):
        for j, (_, *sample) in enumerate(replicas.move(1, thin)):
            record[:, i, j] = np.ravel(sample)
        exchanged += np.nan_to_num(replicas.exchange(record[0, i]))
    accepted = exchanged * 2.0 / (burn_in + n_samples)
    return *record[:, burn_in:], accepted


def _weights(beta, at, order):
    """Areas under a piecewise polynomial from 0 to `at`, as weights of its data at the knots.

    Parameters
    ----------
    beta : array of shape (n,)
        Knots, ascending from 0.
    at : array of shape (k,)
        Within the knots.
    order : int
        Data at the knots: values (1), and slopes (2: cubic), and second derivatives (3: quintic).

    Returns
    -------
    weights : ndarray of shape (k, n, order)
    """
    n = len(beta)
    if n == 1:
        return np.zeros((len(at), n, order))
    basis = BPoly.from_derivatives(beta, np.eye(n * order).reshape(n, order, n * order))
    return basis.antiderivative()(at).reshape(len(at), n, order)


def _area(beta, cumulants, at):
    """Area under the mean of k from 0 to `at`, and the error of integrating between rungs.

    Parameters
    ----------
    beta : array of shape (n,)
    cumulants : array of shape (n, 3)
        Mean, variance and third cumulant of k.
    at : float

    Returns
    -------
    area, error : float
    """
    # slope and curvature of the mean as a function of beta
    derivatives = cumulants * [1.0, -1.0, 1.0]
    knots = np.minimum(beta, at)
    quintic, cubic = (
        np.diff(np.sum(_weights(beta, knots, order) * derivatives[:, :order], axis=(1, 2)))
        for order in (3, 2)
    )
    return quintic.sum(), QUINTIC_ERROR_SHARE * np.abs(quintic - cubic).sum()


def _at(beta, ladder, third, expected, centred, clear, has_version_space, empty):
    """ln Z, its error, the discretisation's part in it, R-hat and effective sample size."""
    last = 0.0
    if beta == np.inf:
        if empty:
            return -np.inf, 0.0, 0.0, 1.0, np.inf
        if not has_version_space or not ladder.clear[-1] > 0.0:
            return np.nan, np.inf, 0.0, np.inf, 0.0
        beta, last = ladder.beta[-1], np.log(ladder.clear[-1])
    cumulants = np.column_stack([ladder.mean_errors, ladder.variance, third])
    area, discretisation = _area(ladder.beta, cumulants, beta)
    # what each sample adds to the cumulants' estimates, and so to ln Z
    weights = _weights(ladder.beta, np.array([beta]), 3)[0, 1:]
    series = (
        (centred**2 @ weights[:, 1])
        - expected @ weights[:, 0]
        - (centred**3 - 3.0 * ladder.variance[1:] * centred) @ weights[:, 2]
    )
    if last:
        series = series + clear[..., -1] / ladder.clear[-1]
    quality = mixing(series[..., None])
    error = np.hypot(_standard_error(series), discretisation)
    return last - area, error, discretisation, quality.r_hat[0], quality.ess_bulk[0]


def _standard_error(draws):
    """Standard error of the mean of draws, of shape (chain, draw)."""
    return array_statistics().mcse(draws, method="mean") if np.ptp(draws) > 0.0 else 0.0
