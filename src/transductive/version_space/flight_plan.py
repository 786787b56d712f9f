"""How long to fly: until probabilities are known and the chains agree, or a budget is spent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .billiard import sound_bounces
from .mixing import ESS, R_HAT, Mixing, mixing
from .start import IllConditionedError
from .trajectory import concatenate

__all__ = [
    "SOUND_BUDGET",
    "SOUND_BURN_IN",
    "SOUND_TOL",
    "FlightReport",
    "fly_inside_until_known",
    "fly_until_known",
    "midpoints",
    "standard_error",
]

# Flights of each chain before its first sample; it starts from a draw of the prior.
SOUND_BURN_IN = 100
# Largest standard error of a probability.
SOUND_TOL = 0.02
# Walls that a chain may meet.
SOUND_BUDGET = 1_000_000
# Chains with a larger R-hat have not forgotten their starts.
UNSETTLED = 1.05
# Samples of each chain at the first look.
FIRST_SAMPLES = 250
# Batches of each chain, for the standard error of a probability.
N_BATCHES = 20
# Pairs of opposite labels between which p+ is measured if there is no working sample.
N_PAIRS = 50
# Squared distance from the origin, as a fraction, below which a midpoint has no sign.
MIN_MIDPOINT = 1e-9
# Outputs whose mixing is diagnosed: those on which the chains agree least.
N_WORST = 10
# Burn-in and first look exceed the budget unless flights meet each wall more often than this: up to
# once where the chains mix, but hundreds of times where the posterior is thin.
FIRST_EVENTS_PER_WALL = 2
# A later round, up to twice as long as all before, may meet this many times the budget.
ROUND_BUDGETS = 3


@dataclass(frozen=True)
class FlightReport:
    """Results of the diagnostics at the end of the flights.

    Attributes
    ----------
    mixing : Mixing
        Of training errors, of the noise if it was inferred, and of the outputs on which the chains
        agree least.
    diagnostics : dict
        R-hat and effective sample size of "errors", "q" (if it was inferred) and "output", the
        worst.
    proba_error : ndarray of shape (p,)
        Monte Carlo standard error of each probability.
    missing : list of str
        Conditions that were not met.
    """

    mixing: Mixing
    diagnostics: dict
    proba_error: np.ndarray
    missing: list


def fly_until_known(
    billiard, probes, tol, *, n_samples, thin=1, burn_in=SOUND_BURN_IN, max_events=SOUND_BUDGET
):
    """Fly until all standard errors are small enough and all chains agree.

    Each round flies as long as all those before it. While R-hat is above 1.05 the chains have not
    forgotten their starts: what they have flown so far counts as burn-in.

    Parameters
    ----------
    billiard : RefractingBilliard
    probes : array of shape (p, r)
        Coordinates of the points whose probabilities are wanted.
    tol : float
        Largest standard error of a probability.
    n_samples : int
        Samples kept of each chain, or more if `tol` needs them. Longer chains keep every second,
        fourth and so on.
    thin : int, default=1
        Flights from sample to sample, at first.
    burn_in : int, default=100
    max_events : int, default=1_000_000
        Walls that a chain may meet before its last round. Burn-in and first look are cut short
        where either meets more than this and than two for each point and flight; a later round,
        where it meets three times as many.

    Returns
    -------
    samples : FlightSamples
    report : FlightReport

    Raises
    ------
    IllConditionedError
        If the budget leaves a chain fewer samples than the diagnostics need.
    """
    # so many independent samples know a probability of one half
    n_samples = max(n_samples, int(np.ceil(0.5 / tol**2 / billiard.n_chains)))
    least = 8 if billiard.n_chains == 1 else 4
    flown = min(n_samples, FIRST_SAMPLES)
    first_events = FIRST_EVENTS_PER_WALL * len(billiard.signs) * max(burn_in, flown * thin)
    first_events = max(first_events, max_events)
    samples = billiard.run(flown, thin=thin, burn_in=burn_in, max_events=first_events)
    if samples.errors.shape[1] < least:
        raise IllConditionedError(
            f"a chain met {billiard.events.max()} walls before it had {least} samples: the "
            "posterior is too thin for the billiard; scale and centre the features, use a narrower "
            "kernel, or raise n_bounces"
        )
    report = _look(samples, probes, tol, billiard)
    while report.missing and billiard.events.max() < max_events:
        length, settled = samples.errors.shape[1], report.mixing.worst_r_hat <= UNSETTLED
        if not settled:
            # twice as long, and the first half of it is gone
            thin, length = (thin, 2 * length) if 2 * length <= n_samples else (2 * thin, length)
        elif 2 * length > n_samples:
            samples, thin, length = samples.every_second(), 2 * thin, length // 2
        more = billiard.run(length, thin=thin, max_events=ROUND_BUDGETS * max_events)
        if settled:
            samples = samples.join(more)
        elif more.errors.shape[1] >= least:  # or else the round was cut short
            samples = more
        report = _look(samples, probes, tol, billiard)
    return samples, report


def _look(samples, probes, tol, billiard):
    """The report on what has been flown so far."""
    outputs = samples.outputs(probes)
    error = _standard_error(outputs > 0.0)
    followed = [samples.errors, *([samples.noise] if billiard.q == "infer" else [])]
    names = ["errors", "q"][: len(followed)]
    worst = np.argsort(-_disagreement(outputs), kind="stable")[:N_WORST]
    draws = np.concatenate([np.stack(followed, axis=2), outputs[:, :, worst]], axis=2)
    mixed = mixing(draws)
    ess = np.minimum(mixed.ess_bulk, mixed.ess_tail)
    rows = {name: (mixed.r_hat[k], ess[k]) for k, name in enumerate(names)}
    rows["output"] = mixed.r_hat[len(names) :].max(), ess[len(names) :].min()
    diagnostics = {
        name: {"r_hat": float(r_hat), "ess": float(size)} for name, (r_hat, size) in rows.items()
    }
    missing = []
    if error.max() > tol:
        missing.append(f"standard error of p+ {error.max():.2g}, at most {tol:.2g} is required")
    for name, (r_hat, size) in rows.items():
        if not r_hat <= R_HAT:
            missing.append(f"R-hat of {WORDS[name]} {r_hat:.3f}, at most {R_HAT} is required")
        if not size >= ESS:
            missing.append(
                f"effective sample size of {WORDS[name]} {size:.0f}, at least {ESS} is required"
            )
    if billiard.frozen(samples):
        missing.append(
            f"all samples have {samples.errors.flat[0]} training errors, and no ball has the "
            "energy for one more, behind which there may be fewer (set q=0 if all labels are "
            "right, else a larger q)"
        )
    return FlightReport(mixed, diagnostics, error, missing)


WORDS = {"errors": "the training errors", "q": "the label noise", "output": "the worst output"}


def _standard_error(positive):
    """Standard error of the mean of each column by batches, shape (p,)."""
    chains, n, p = positive.shape
    size = max(1, n // N_BATCHES)
    batches = positive[:, : n // size * size].reshape(chains, n // size, size, p).mean(axis=2)
    return batches.std(axis=(0, 1), ddof=1) / np.sqrt(batches.shape[0] * batches.shape[1])


def _disagreement(outputs):
    """Variance of half chains' means over that within, shape (p,): R-hat without ranks."""
    half = outputs.shape[1] // 2
    halves = np.concatenate([outputs[:, :half], outputs[:, -half:]])
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    return between / np.maximum(within, 1e-300)


def fly_inside_until_known(billiard, cross, tol, max_events):
    """Fly in version space until p+ of all points is known, or a budget is spent.

    Parameters
    ----------
    billiard : KernelBilliard
    cross : array of shape (l, m)
        Inner products of the label-signed training points with the points.
    tol : float
        Largest standard error of p+.
    max_events : int
        Events of each chain.

    Returns
    -------
    trajectory : Trajectory
    times : FlightTimes
    error : float
        The largest standard error; NaN of a single event.
    """
    flown = min(sound_bounces(billiard.n_walls), max_events)
    trajectory = billiard.run(flown)
    while True:
        times = trajectory.flight_times(cross, n_batches=min(N_BATCHES, flown))
        error = float(standard_error(times).max(initial=0.0))
        more = min(flown, max_events - flown)
        if error <= tol or more <= 0:
            return trajectory, times, error
        trajectory = concatenate([trajectory, billiard.run(more)])
        flown += more


def standard_error(times):
    """Standard error of p+: between chains where there are four; between batches otherwise."""
    if len(np.unique(times.chain)) >= 4:
        return np.maximum(times.standard_error("chain"), times.standard_error("batch"))
    if len(times.total) < 2:
        return np.full(times.positive.shape[1], np.nan)
    return times.standard_error("batch")


def midpoints(gram, signs):
    """Inner products of the label-signed points with midpoints of pairs of opposite labels."""
    positive, negative = np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)
    n = min(len(positive), len(negative), N_PAIRS)
    i, j = positive[:n], negative[:n]
    lengths = gram[i, i] + gram[j, j]
    apart = lengths - 2.0 * gram[i, j] > MIN_MIDPOINT * lengths
    return gram[:, i[apart]] - gram[:, j[apart]]
