"""Flights through the walls of label-noise posteriors, around the compiled kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._billiard import refract
from .gibbs import GibbsChains, GibbsSamples, relative_likelihood
from .label_noise import draw_noise, error_potential, noise_and_prior

__all__ = ["FlightSamples", "RefractingBilliard"]

# Flights whose directions are multiplied with all points in one go.
BLOCK_FLIGHTS = 16
# Hit-and-run steps after a block: in few dimensions a mode may lie behind walls too high for a
# ball, and a circle leads past them. In many dimensions steps are short and expensive.
MOST_STEPS, STEPS_TIMES_RANK = 16, 2048
# Arcs of flights are uniform between these: a quarter of a turn on average, after which a flight
# without walls has forgotten its start (the mean of the cosine is zero).
SHORTEST_ARC, LONGEST_ARC = np.pi / 4, 3 * np.pi / 4
# With fewer expected crossings to more errors, chains may agree and all be in the wrong place.
FEW_CROSSINGS = 10


@dataclass(frozen=True)
class FlightSamples(GibbsSamples):
    """Samples of the refracting billiard: those of `GibbsSamples`, with means over flights.

    Attributes
    ----------
    noise : ndarray of shape (c, n)
        Label noise q at each sample: a draw from its posterior if it was to be inferred.
    wrong : ndarray of shape (c, m)
        Share of the flights that each training label spends on the wrong side.
    """

    noise: np.ndarray
    wrong: np.ndarray

    def join(self, later):
        """These samples and later ones of the same chains, at equal distances."""
        n, more = self.errors.shape[1], later.errors.shape[1]
        wrong = (n * self.wrong + more * later.wrong) / (n + more)
        columns = [
            np.concatenate([getattr(self, name), getattr(later, name)], axis=1)
            for name in ("positions", "errors", "expected_errors", "clear", "noise")
        ]
        return FlightSamples(*columns, wrong)

    def every_second(self):
        """Every second sample, with means over all flights."""
        n = self.errors.shape[1] // 2
        means = [
            values[:, : 2 * n].reshape(-1, n, 2).mean(axis=2)
            for values in (self.expected_errors, self.clear)
        ]
        return FlightSamples(
            self.positions[:, 1::2], self.errors[:, 1::2], *means, self.noise[:, 1::2], self.wrong
        )


class RefractingBilliard(GibbsChains):
    """Posterior under label noise by exact Hamiltonian flights through walls.

    Position and velocity are N(0, I) in the span of the points, of which only the position's
    direction matters. Each training error raises the potential. Between walls a ball flies
    ``w cos(phi) + v sin(phi)``. It crosses a wall if its kinetic energy normal to the wall
    exceeds the cost of the error behind it, and is reflected otherwise; where an error is
    corrected, it gains the energy. Total energy is constant, so that no step is ever refused. New
    flights begin with a new velocity, after arcs that do not depend on the walls met.

    With q = 0 no ball leaves version space. With ``q="infer"`` the noise is integrated out
    of the potential and drawn afterwards, so that errors and noise need not wait for each other.

    Parameters
    ----------
    points : WhitenedPoints or array of shape (m, r)
        Training points in orthonormal coordinates of feature space.
    q : float, "infer" or pair of float
        Probability of a flipped label, in [0, 0.5]; "infer": unknown, with the prior (1, 9); a
        pair: unknown, the a and b of its Beta prior, cut at 1/2.
    signs : array of shape (m,), optional
        Labels, -1 and +1; omitted where `points` are label-signed.
    gram : array of shape (m, m), optional
        Inner products of the points, if already computed.
    n_chains, start, random_state, n_jobs
        See `GibbsChains`.

    Attributes
    ----------
    events : ndarray of shape (c,)
        Walls that each chain has met.
    least_margin : float
        Smallest margin met on the ball's own side of a wall, relative to the lengths of points
        and position: 0 or a rounding error below.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError, ValueError
        See `GibbsChains`. `EmptyVersionSpaceError` concerns q = 0 only.
    """

    # a ball on a line crosses the origin, if it has the energy
    _least_rank = 1

    def __init__(
        self,
        points,
        q,
        *,
        signs=None,
        gram=None,
        n_chains=4,
        start=None,
        random_state=None,
        n_jobs=None,
    ):
        super().__init__(
            points,
            q,
            signs=signs,
            n_chains=n_chains,
            start=start,
            random_state=random_state,
            n_jobs=n_jobs,
        )
        self._make_walls(gram)
        self.least_margin = 0.0
        self.events = np.zeros(self.n_chains, dtype=np.intp)

    def set_noise(self, q):
        """Set another label noise for the flights that follow."""
        m = len(self.points.coordinates)
        self.q, self._prior = noise_and_prior(q)
        self._potential = error_potential(self.q, m, self._prior)
        # cost of the first error
        self.beta = float(self._potential[1])

    def frozen(self, samples):
        """Whether all samples have the same errors, which no ball could add to.

        If some of the errors can be avoided, the chains may have missed where.
        """
        errors = samples.errors.flat[0]
        if errors <= self._unavoidable or np.any(samples.errors != errors):
            return False
        # of a normal speed towards a wall, exp(-cost) have the energy that one more error costs
        cost = self._potential[errors + 1] - self._potential[errors]
        return bool(self.events.sum() * np.exp(-cost) < FEW_CROSSINGS)

    def _make_walls(self, gram):
        """One wall for all points on a line; the label of their majority is its right side."""
        C, m = self.points.coordinates, len(self.signs)
        wall_of, along = np.arange(m), np.ones(m)
        twins, originals = self._twins
        wall_of[twins] = originals
        along[twins] = np.sign(np.einsum("ij,ij->i", C[twins], C[originals]))
        balance = np.bincount(wall_of, self.signs * along, minlength=m)
        size = np.bincount(wall_of, minlength=m)
        # a wall with as many labels on either side costs nothing
        self._walls = np.flatnonzero(size)
        self._labels = np.where(balance < 0, -1.0, 1.0)[self._walls]
        self._gains = np.abs(balance[self._walls]).astype(np.intp)
        # the minority's labels are wrong on the right side
        self._unavoidable = int(size.sum() - self._gains.sum()) // 2
        # of each label: its wall, and whether it is of the minority there
        self._wall_of = np.searchsorted(self._walls, wall_of)
        self._minority = self.signs * along != self._labels[self._wall_of]
        self._wall_points = np.ascontiguousarray(C[self._walls])
        if len(self._walls) == m and gram is not None:
            self._gram = np.ascontiguousarray(gram, dtype=np.float64)
        elif gram is not None:
            self._gram = np.asarray(gram, dtype=np.float64)[np.ix_(self._walls, self._walls)]
        else:
            self._gram = self._wall_points @ self._wall_points.T
        if self._gram.shape != (len(self._walls), len(self._walls)):
            raise ValueError(f"gram must have shape {(m, m)}, got {np.shape(gram)}")
        self._longest = float(np.sqrt(np.diag(self._gram).max()))

    def run(self, n_samples, *, thin=1, burn_in=0, max_events=None):
        """Continue every chain.

        Parameters
        ----------
        n_samples : int
            Samples of each chain.
        thin : int, default=1
            Flights from sample to sample.
        burn_in : int, default=0
            Flights before the first sample; they are discarded.
        max_events : int, optional
            Walls that each chain may meet in its burn-in, and after it. A chain that has met so
            many gives its flight up: burn-in ends early, and all chains return as many samples as
            the one with fewest.

        Returns
        -------
        FlightSamples

        Raises
        ------
        IllConditionedError
            If rounding took a chain with q = 0 out of version space, or would soon.
        """
        allowance = np.iinfo(np.intp).max
        if max_events is not None:
            allowance = min(allowance, int(max_events))
        parts = self._run_chains(n_samples, thin, burn_in, allowance)
        shortest = min(len(part[0]) for part in parts)
        columns = [
            np.array([values[:shortest] for values in column])
            for column in zip(*(part[:5] for part in parts), strict=True)
        ]
        wrong, least, events = zip(*(part[5:] for part in parts), strict=True)
        self.least_margin = min(self.least_margin, *least)
        self.events = self.events + events
        wrong = np.array(wrong)[:, self._wall_of]
        wrong[:, self._minority] = 1.0 - wrong[:, self._minority]
        return FlightSamples(*columns, wrong)

    def _run_chain(self, chain, n_samples, thin, burn_in, allowance):
        """Samples, column by column; arcs on the wrong sides; least margin; events."""
        m, r = self._wall_points.shape
        velocities_rng, noise_rng, _ = self._streams[chain]
        n_flights = n_samples * thin
        positions = np.empty((n_samples, r))
        errors = np.empty(n_flights, dtype=np.int32)
        expected, clear = np.empty(n_flights), np.empty(n_flights)
        coefficients = np.empty((BLOCK_FLIGHTS, m))
        wrong, length = np.zeros(m), 0.0
        n_steps = int(np.clip(STEPS_TIMES_RANK // r, 1, MOST_STEPS))
        steps = self._stepper(chain, n_steps)
        nowhere = np.empty(n_steps, np.int32), *np.empty((2, n_steps)), np.empty((0, r))
        done, events, left, least = -burn_in, 0, allowance, 0.0
        likelihood = None if self.q == "infer" else relative_likelihood(self.q, len(self.signs))
        while done < n_flights:
            # a block is all of the burn-in or none of it
            b = min(BLOCK_FLIGHTS, n_flights - done if done >= 0 else -done)
            record = np.empty(b, dtype=np.int32), np.empty(b), np.empty(b)
            if done == 0:
                wrong[:], length = 0.0, 0.0
            # the length of the position is independent of all else
            w = self.positions[chain] * np.sqrt(velocities_rng.chisquare(r))
            velocities = velocities_rng.standard_normal((b, r))
            arcs = velocities_rng.uniform(SHORTEST_ARC, LONGEST_ARC, b)
            flown, met, lowest = self._fly(w, velocities, arcs, left, coefficients, record, wrong)
            length += arcs[:flown].sum()
            events += met
            left -= met
            least = min(least, lowest / np.linalg.norm(w))
            ends = coefficients[:flown] @ self._wall_points
            ends += np.sin(arcs[:flown, None]) * velocities[:flown]
            for end, cosine in zip(ends, np.cos(arcs), strict=False):
                end += cosine * w
                w = end
            self.positions[chain] = w / np.linalg.norm(w)
            at = done + 1 + np.arange(flown)
            taken = (at > 0) & (at % thin == 0)
            positions[at[taken] // thin - 1] = ends[taken]
            if done >= 0:
                for whole, part in zip((errors, expected, clear), record, strict=True):
                    whole[done : done + flown] = part[:flown]
            done += flown
            if flown < b:
                if done >= 0:
                    break
                # no more burn-in
                done, left = 0, allowance
                continue
            if done == 0:
                left = allowance
            if self.q == "infer":
                q = draw_noise(noise_rng.random(), record[0][-1], len(self.signs), self._prior)
                likelihood = relative_likelihood(float(q), len(self.signs))
            steps(n_steps, likelihood, *nowhere, 0, n_steps + 1)
        n = max(done, 0) // thin
        positions[:n] /= np.linalg.norm(positions[:n], axis=1, keepdims=True)
        if self.beta == np.inf and n:
            self._refuse_thin(positions[:n])
        means = [part[: n * thin].reshape(n, thin).mean(axis=1) for part in (expected, clear)]
        errors = errors[thin - 1 : n * thin : thin]
        if self.q == "infer":
            noise = draw_noise(noise_rng.random(n), errors, len(self.signs), self._prior)
        else:
            noise = np.full(n, float(self.q))
        return positions[:n], errors, *means, noise, wrong / max(length, 1e-300), least, events

    def _fly(self, w, velocities, arcs, allowance, coefficients, record, wrong):
        margins = self._wall_points @ w
        right = np.where(margins > 0.0, 1.0, -1.0) == self._labels
        errors = self._unavoidable + int(self._gains[~right].sum())
        self._refuse_errors(np.array([errors]))
        speeds = np.ascontiguousarray(velocities @ self._wall_points.T)
        flown, met, lowest = refract(
            self._gram,
            self._labels,
            self._gains,
            self._potential,
            errors,
            margins,
            speeds,
            arcs,
            allowance,
            coefficients[: len(arcs)],
            *record,
            wrong,
        )
        return flown, met, lowest / self._longest
