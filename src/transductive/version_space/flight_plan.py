"""How long to fly: until probabilities are known and the chains agree, or a budget is spent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .mixing import ESS, R_HAT, Mixing, mixing
from .start import IllConditionedError

__all__ = ["SOUND_BURN_IN", "SOUND_TOL", "FlightReport", "fly_until_known"]

# Flights of each chain before its first sample; it starts from a draw of the prior.
SOUND_BURN_IN = 100
# Largest standard error of a probability.
SOUND_TOL = 0.02
# Chains with a larger R-hat have not forgotten their starts.
UNSETTLED = 1.05
# Samples of each chain at the first look.
FIRST_SAMPLES = 250
# Batches of each chain, for the standard error of a probability.
N_BATCHES = 20
# Outputs whose mixing is diagnosed: those on which the chains agree least.
N_WORST = 10
# The first look comes whatever the budget, unless a chain meets so many walls before it.
MOST_FIRST_EVENTS = 10_000_000


@dataclass(frozen=True)
class FlightReport:
    """What is known at the end of the flights, and what is not.

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
    billiard, probes, tol, *, n_samples, thin=1, burn_in=SOUND_BURN_IN, max_events=1_000_000
):
    """Fly until all standard errors are small enough and all chains agree.

    Each round flies as long as all those before it. While R-hat is above 1.05 the chains have not
    forgotten their starts: what they have flown so far counts as burn-in.

    Parameters
    ----------
    billiard : RefractingBilliard
    probes : array of shape (p, r)
        Coordinates of the points whose probabilities are asked for.
    tol : float
        Largest standard error of a probability.
    n_samples : int
        Samples kept of each chain, or more if `tol` needs them. Longer chains keep every second,
        fourth and so on.
    thin : int, default=1
        Flights from sample to sample, at first.
    burn_in : int, default=100
    max_events : int, default=1_000_000
        Walls that a chain may meet before its last round.

    Returns
    -------
    samples : FlightSamples
    report : FlightReport

    Raises
    ------
    IllConditionedError
        If a chain meets ten million walls without enough samples for a first look.
    """
    # so many independent samples know a probability of one half
    n_samples = max(n_samples, int(np.ceil(0.5 / tol**2 / billiard.n_chains)))
    least = 8 if billiard.n_chains == 1 else 4
    flown = min(n_samples, FIRST_SAMPLES)
    samples = billiard.run(flown, thin=thin, burn_in=burn_in, max_events=MOST_FIRST_EVENTS)
    if samples.errors.shape[1] < least:
        raise IllConditionedError(
            f"{billiard.events.max()} walls were met on the first flights, fewer than "
            f"{burn_in + least * thin}: the posterior is too thin for the billiard; use a narrower "
            "kernel, or add a ridge to the diagonal"
        )
    report = _look(samples, probes, tol, billiard.q == "infer")
    while report.missing and billiard.events.max() < max_events:
        length = samples.errors.shape[1]
        if report.mixing.worst_r_hat > UNSETTLED:
            # twice as long, and the first half of it is gone
            thin, length = (thin, 2 * length) if 2 * length <= n_samples else (2 * thin, length)
            samples = None
        elif 2 * length > n_samples:
            samples, thin, length = samples.every_second(), 2 * thin, length // 2
        more = billiard.run(length, thin=thin)
        samples = more if samples is None else samples.join(more)
        report = _look(samples, probes, tol, billiard.q == "infer")
    return samples, report


def _look(samples, probes, tol, inferred):
    """The report on what has been flown so far."""
    outputs = samples.outputs(probes)
    error = _standard_error(outputs > 0.0)
    followed = [samples.errors, *([samples.noise] if inferred else [])]
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
        missing.append(f"standard error of p+ {error.max():.2g}, at most {tol:.2g} is asked")
    for name, (r_hat, size) in rows.items():
        if not r_hat <= R_HAT:
            missing.append(f"R-hat of {WORDS[name]} {r_hat:.3f}, at most {R_HAT} is asked")
        if not size >= ESS:
            missing.append(
                f"effective sample size of {WORDS[name]} {size:.0f}, at least {ESS} is asked"
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
