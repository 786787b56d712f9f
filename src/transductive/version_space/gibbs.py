"""Chains of the kernel Gibbs sampler: starts, random streams, and the recorded samples."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import solve_triangular

from ..blas_threads import one_blas_thread
from ._gibbs import advance, normals
from .start import EmptyVersionSpaceError, IllConditionedError, separating_direction
from .whitening import WhitenedPoints

__all__ = [
    "GibbsChains",
    "GibbsSamples",
    "check_run",
    "inverse_temperature",
    "relative_likelihood",
]


def inverse_temperature(q):
    """``beta = ln((1 - q) / q)``: by (3) each further error costs a factor ``exp(-beta)``.

    Parameters
    ----------
    q : float
        Label noise in [0, 0.5].

    Returns
    -------
    beta : float
        Infinite for q = 0, zero for q = 0.5.

    Raises
    ------
    ValueError
        If q is out of range.
    """
    if not (isinstance(q, Real) and 0.0 <= q <= 0.5):
        raise ValueError(
            f"q must be in [0, 0.5], got {q!r}: it is the probability of a flipped label; above "
            "0.5 flip the labels"
        )
    return np.inf if q == 0.0 else float(np.log1p(-q) - np.log(q))


# Steps whose directions are multiplied by all points at once; with the position the product has
# 256 rows, a multiple of the block size of BLAS.
BLOCK_STEPS = 255
# Points whose outputs are computed together.
BLOCK_POINTS = 512
# Unit-length rows that differ by less count as parallel, or as identical.
PARALLEL_TOL, SAME_POINT_TOL = 1e-9, 1e-13
THIN_REMEDIES = (
    "allow for label noise (q > 0), use a narrower kernel, or add a ridge to the diagonal"
)
# Refuse if a typical sample is nearer to a wall than this: rounding would put about one sample in a
# thousand on the wrong side. The second constant: how many samples of each chain are examined.
MIN_CLEARANCE, CLEARANCE_SAMPLES = 1e-12, 100


@dataclass(frozen=True)
class GibbsSamples:
    """Samples of chains of the kernel Gibbs sampler.

    Attributes
    ----------
    positions : ndarray of shape (c, n, r)
        Unit vectors, in the coordinates of the points: c chains, n samples each.
    errors : ndarray of shape (c, n)
        Training errors k at each.
    expected_errors : ndarray of shape (c, n)
        Expectation of k over each great circle, averaged over the steps since the previous
        sample. Its mean over samples estimates the same as that of `errors`, with less variance.
    clear : ndarray of shape (c, n)
        Probability that k = 0, averaged in the same way.
    """

    positions: np.ndarray
    errors: np.ndarray
    expected_errors: np.ndarray
    clear: np.ndarray

    @property
    def mean(self):
        """Mean position, shape (r,), not of unit length: the Bayes point is its direction."""
        return self.positions.mean(axis=(0, 1))

    def outputs(self, coordinates):
        """Inner products of all samples with points, (c, n, p) for `coordinates` (p, r)."""
        return self.positions @ np.asarray(coordinates).T

    def votes(self, coordinates):
        """Fraction of samples that classify each point as positive, shape (p,); equation (4).

        A sample whose output is exactly zero, as for points at which all kernels vanish, counts as
        half a vote.
        """
        coordinates = np.asarray(coordinates)
        flat = self.positions.reshape(-1, coordinates.shape[1])
        parts = np.split(coordinates, range(BLOCK_POINTS, len(coordinates), BLOCK_POINTS))
        # an output of zero is no vote either way
        return np.concatenate([0.5 + 0.5 * np.sign(flat @ part.T).mean(axis=0) for part in parts])


def joint_votes(samples, coordinates):
    """Probability that each class's output is the highest of all.

    A draw combines one independent sample of each class's classifier; ties share its vote.
    The samples of each class are shuffled, always in the same way: neighbours in a chain are
    similar, so that unshuffled chains would meet in few of the possible combinations.

    Parameters
    ----------
    samples : list of GibbsSamples
        Of each class against the rest, with one kernel.
    coordinates : list of arrays of shape (p, r_k)
        Of the same points.

    Returns
    -------
    probability : ndarray of shape (p, k)
    """
    flat = [one.positions.reshape(-1, one.positions.shape[2]) for one in samples]
    n, p = min(map(len, flat)), len(coordinates[0])
    rng = np.random.default_rng(0)
    flat = [positions[rng.permutation(len(positions))[:n]] for positions in flat]
    votes, step = np.empty((p, len(flat))), max(1, BLOCK_POINTS // len(flat))
    for start in range(0, p, step):
        some = slice(start, start + step)
        outputs = np.array([w @ at[some].T for w, at in zip(flat, coordinates, strict=True)])
        highest = outputs == outputs.max(axis=0)
        votes[some] = (highest / highest.sum(axis=0)).mean(axis=1).T
    return votes


class GibbsChains:
    """Kernel Gibbs sampler on the unit sphere; The Kernel Gibbs Sampler, section 3.

    Parameters
    ----------
    points : WhitenedPoints or array of shape (m, r)
        Training points in orthonormal coordinates of feature space.
    q : float
        Assumed probability of a flipped label, in [0, 0.5]. 0 samples version space alone.
    signs : array of shape (m,), optional
        Labels, -1 and +1; omitted where `points` are label-signed.
    n_chains : int, default=4
    start : array of shape (r,) or (n_chains, r), optional
        First positions. When omitted, each chain draws its own from the prior; for q = 0
        all begin at one point of version space.
    random_state : int, SeedSequence or None
        Each chain has streams of its own, spawned from this, so that the number of workers
        changes nothing.
    n_jobs : int, default=None
        Threads over which the chains are distributed. Each uses one thread of BLAS.

    Raises
    ------
    EmptyVersionSpaceError, IllConditionedError
        If q = 0 and no weight vector has zero training error, or rounding hides whether one does.
    ValueError
        For bad arguments, such as a `start` outside version space for q = 0.
    """

    _least_rank = 2

    def __init__(
        self, points, q, *, signs=None, n_chains=4, start=None, random_state=None, n_jobs=None
    ):
        self.points = points = (
            points if isinstance(points, WhitenedPoints) else WhitenedPoints(points)
        )
        self.set_noise(q)
        m, r = points.coordinates.shape
        if r < self._least_rank:
            raise ValueError(
                "the span has one dimension: there are two unit vectors and nothing to sample; use "
                "a richer kernel, or append a constant feature (a bias)"
            )
        if n_chains < 1:
            raise ValueError(f"n_chains must be at least 1, got {n_chains}")
        self.signs = np.ones(m) if signs is None else np.asarray(signs, dtype=np.float64)
        if self.signs.shape != (m,) or not np.all(np.abs(self.signs) == 1.0):
            raise ValueError(f"signs must be {m} numbers, each -1 or +1")
        self.n_chains, self.n_jobs = int(n_chains), n_jobs
        root = (
            random_state
            if isinstance(random_state, np.random.SeedSequence)
            else np.random.SeedSequence(random_state)
        )
        # streams of directions, angles and starts; SFC64 is NumPy's fastest generator
        self._streams = [
            [np.random.Generator(np.random.SFC64(seed)) for seed in chain.spawn(3)]
            for chain in root.spawn(self.n_chains)
        ]
        self._twins = _parallel_rows(points)
        self.positions = self._first(start)

    def set_noise(self, q):
        """Set another label noise for the steps that follow."""
        self.beta = inverse_temperature(q)
        self._likelihood = relative_likelihood(q, len(self.points.coordinates))

    def _first(self, start):
        r, given = self.points.rank, start is not None
        if start is None and self.beta < np.inf:
            start = np.array([streams[2].standard_normal(r) for streams in self._streams])
        elif start is None:
            start = self._inside()
        start = np.asarray(start, dtype=np.float64)
        if start.shape not in ((r,), (self.n_chains, r)) or not np.all(np.isfinite(start)):
            raise ValueError(
                f"start must have shape ({r},) or ({self.n_chains}, {r}) and be finite, got shape "
                f"{start.shape}"
            )
        first = np.array(np.broadcast_to(start, (self.n_chains, r)), order="C")
        lengths = np.linalg.norm(first, axis=1, keepdims=True)
        if not np.all(lengths > 0):
            raise ValueError("start has a vector of length zero")
        first /= lengths
        if given and self.beta == np.inf:
            self._refuse_outside(first)
        return first

    def _refuse_outside(self, first):
        """Raise if a first position for q = 0 makes training errors, or soon will."""
        # walls of opposite labels at the same angle leave no arc between them
        self._refuse_contradictions()
        margins = self.signs * (first @ self.points.coordinates.T)
        wrong = np.sum(margins <= 0.0, axis=1)
        if wrong.any():
            chain = int(wrong.argmax())
            raise ValueError(
                f"the first position of chain {chain} makes {wrong[chain]} training errors, and "
                "for q = 0 every position must be in version space: leave start out, or allow for "
                "label noise (q > 0)"
            )

    def _inside(self):
        """A point of version space."""
        C = self.points.coordinates
        if self.points.triangular:
            # linearly independent points: all margins can be one
            w = solve_triangular(C, self.signs, lower=True, check_finite=False)
            if (self.signs * (C @ w)).min() > 0.5:
                return w
        self._refuse_contradictions()
        signed = C * self.signs[:, None]
        try:
            return separating_direction(signed)
        except EmptyVersionSpaceError:
            if self.points.truncation > 1e-14:
                raise IllConditionedError(
                    f"the points can hardly be distinguished in feature space (numerical rank "
                    f"{self.points.rank} of {len(C)}): version space, if it is not empty, is "
                    f"thinner than rounding; {THIN_REMEDIES}"
                ) from None
            raise

    def _refuse_contradictions(self):
        """Raise if points of different labels are equal up to rounding."""
        for i, j in zip(*self._twins, strict=True):
            one, other = self.signs[[i, j], None] * self.points.coordinates[[i, j]]
            if one @ other < 0:
                apart = np.abs(_unit(one) + _unit(other)).max()
                if apart < SAME_POINT_TOL:
                    raise EmptyVersionSpaceError(
                        "version space is empty: the same point occurs with both labels, as "
                        f"points {j} and {i}; allow for label noise (q > 0), or remove one of them"
                    )
                raise IllConditionedError(
                    f"points {j} and {i}, of different labels, are {apart:.1g} apart in feature "
                    "space: version space, if it is not empty, is thinner than rounding; allow "
                    "for label noise (q > 0), or use a narrower kernel"
                )

    def run(self, n_samples, *, thin=1, burn_in=0):
        """Continue every chain.

        Parameters
        ----------
        n_samples : int
            Samples of each chain.
        thin : int, default=1
            Steps from sample to sample.
        burn_in : int, default=0
            Steps before the first sample; they are discarded.

        Returns
        -------
        GibbsSamples

        Raises
        ------
        IllConditionedError
            If q = 0 and rounding took a chain out of version space, or would soon.
        """
        chains = self._run_chains(n_samples, thin, burn_in)
        return GibbsSamples(*(np.array(column) for column in zip(*chains, strict=True)))

    def _run_chains(self, n_samples, thin, burn_in, *limits):
        """What `_run_chain` returns, chain by chain."""
        check_run(n_samples, thin, burn_in)
        with one_blas_thread():
            return Parallel(n_jobs=self.n_jobs, require="sharedmem")(
                delayed(self._run_chain)(chain, n_samples, thin, burn_in, *limits)
                for chain in range(self.n_chains)
            )

    def _stepper(self, chain, block):
        """A function that takes up to `block` steps of a chain, with work space of its own."""
        points = self.points.coordinates
        m, r = points.shape
        directions_rng, angles_rng, _ = self._streams[chain]
        products, margins = np.empty((block + 1, m)), np.empty(m)
        keys, spare = np.empty(m, dtype=np.uint64), np.empty(m, dtype=np.uint64)
        bins = np.empty(2**14, dtype=np.int32)
        # directions, one row of work space, and room for an even number of normals
        numbers = np.empty((block + 1) * r + 1)

        def steps(b, likelihood, errors, expected, clear, positions, waited, thin):
            drawn = numbers[: b * r + b * r % 2]
            directions_rng.random(out=drawn)
            normals(drawn)
            return advance(
                points, self.points.triangular, self.signs,
                numbers[: (b + 1) * r].reshape(b + 1, r),
                angles_rng.random(b), likelihood, self.positions[chain],
                products[: b + 1], *self._twins, margins, keys, spare, bins, errors, expected,
                clear, positions, waited, thin,
            )  # fmt: skip

        return steps

    def _run_chain(self, chain, n_samples, thin, burn_in):
        block = min(BLOCK_STEPS, max(burn_in, n_samples * thin))
        steps = self._stepper(chain, block)
        n_steps = n_samples * thin
        errors = np.empty(n_steps, dtype=np.int32)
        expected, clear = np.empty(n_steps), np.empty(n_steps)
        positions = np.empty((n_samples, self.points.rank))
        nowhere = np.empty((0, self.points.rank)), np.empty(block, dtype=np.int32), np.empty(block)
        while burn_in > 0:
            b = min(block, burn_in)
            steps(
                b, self._likelihood, nowhere[1][:b], nowhere[2][:b], nowhere[2][:b], nowhere[0], 0,
                b + 1,
            )  # fmt: skip
            self._refuse_errors(nowhere[1][:b])
            burn_in -= b
        done = written = 0
        while done < n_steps:
            part = slice(done, min(done + block, n_steps))
            written += steps(
                part.stop - done, self._likelihood, errors[part], expected[part], clear[part],
                positions[written:], done % thin, thin,
            )  # fmt: skip
            self._refuse_errors(errors[part])
            done = part.stop
        if self.beta == np.inf:
            self._refuse_thin(positions)
        return (
            positions,
            errors[thin - 1 :: thin],
            expected.reshape(n_samples, thin).mean(axis=1),
            clear.reshape(n_samples, thin).mean(axis=1),
        )

    def _refuse_errors(self, errors):
        """Raise if a step at q = 0 found no arc of its circle in version space."""
        if self.beta == np.inf and errors.any():
            raise IllConditionedError(
                f"the chain left version space by rounding (a position with {errors.max()} "
                f"training errors at q = 0): version space is too thin for double precision; "
                f"{THIN_REMEDIES}"
            )

    def _refuse_thin(self, positions):
        """Raise if rounding decides on which side of a wall typical positions are."""
        some = positions[:: -(-len(positions) // CLEARANCE_SAMPLES)]
        C = self.points.coordinates
        outputs, lengths = some @ C.T, np.sqrt(np.einsum("ij,ij->i", C, C))
        clearance = np.median((self.signs * outputs / lengths).min(axis=1))
        if clearance <= MIN_CLEARANCE:
            raise IllConditionedError(
                f"typical positions in version space are {max(clearance, 0.0):.1g} from its "
                "nearest wall: version space is too thin for double precision, so that the chain "
                f"leaves it by rounding; {THIN_REMEDIES}"
            )


def check_run(n_samples, thin, burn_in):
    """Raise unless these are numbers of samples and steps."""
    given = {"n_samples": n_samples, "thin": thin, "burn_in": burn_in}
    for name, number in given.items():
        if not isinstance(number, Integral):
            raise ValueError(f"{name} must be a whole number, got {number!r}")
    if n_samples < 1 or thin < 1 or burn_in < 0:
        raise ValueError(
            "n_samples and thin must be at least 1, burn_in at least 0; got "
            f"{n_samples}, {thin}, {burn_in}"
        )


def relative_likelihood(q, n_points):
    """Likelihood of 0 to n training errors, relative to that of none."""
    with np.errstate(invalid="ignore"):
        likelihood = np.exp(-inverse_temperature(q) * np.arange(n_points + 1.0))
    likelihood[0] = 1.0
    return likelihood


def _unit(vector):
    return vector / np.linalg.norm(vector)


def _parallel_rows(points):
    """Points on the line of an earlier one, and which one: two arrays of point numbers."""
    none = np.empty(0, dtype=np.intp)
    if points.triangular:
        return none, none
    C = points.coordinates
    rows = C / np.linalg.norm(C, axis=1, keepdims=True)
    # parallel rows have equal projections on any axis, but for their sign
    place = rows @ np.random.default_rng(0).standard_normal(points.rank)
    rows *= np.where(place < 0, -1.0, 1.0)[:, None]
    order = np.argsort(np.abs(place), kind="stable")
    near = np.diff(np.abs(place[order]), prepend=-1.0) < PARALLEL_TOL
    twins, originals, group = [], [], []
    for i, close in zip(order, near, strict=True):
        group = group if close else []
        for j in group:
            if np.abs(rows[i] - rows[j]).max() < PARALLEL_TOL:
                twins.append(i)
                originals.append(j)
                break
        else:
            group = [*group, i]
    return np.array(twins, dtype=np.intp), np.array(originals, dtype=np.intp)
