"""Exact posterior over the labellings of a small working sample, its risks, and cells.

The training and working points cut the sphere of weight vectors into cells, one for each
labelling that a linear classifier can produce: the finitely many equivalence classes that
transduction works with. Here they are counted and measured one by one.

References
----------
Graepel, Herbrich, Obermayer, "Bayesian Transduction": equations (1) and (3) to (5), the footnote
on the growth function in section 2.
Cover, T. M. (1965), "Geometrical and statistical properties of systems of linear inequalities".
"""

from __future__ import annotations

from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from .cones import essential
from .volumes import cone_volume, is_empty, raise_empty, unit_rows

MAX_WORKING_POINTS = 16


class LabellingPosterior(NamedTuple):
    """The posterior measure (1) over all labellings of a working sample.

    Attributes
    ----------
    labellings : ndarray of shape (2**m, m)
        Every vector of labels -1 and +1, in lexicographic order.
    probabilities : ndarray of shape (2**m,)
        Sum to one; 0 where no classifier in version space gives the labelling.
    errors : ndarray of shape (2**m,)
        Error of each probability, of the kind that ``Volume.error`` is.
    """

    labellings: np.ndarray
    probabilities: np.ndarray
    errors: np.ndarray


def joint_posterior(X, X_working, y=None, *, tol=1e-4, rng=0):
    """Probability of each labelling of the working sample: equation (1), uniform prior.

    Parameters
    ----------
    X : array_like of shape (l, n)
        Training points; ``np.zeros((0, n))`` for none.
    X_working : array_like of shape (m, n)
        Working points, at most 16: there are 2**m labellings.
    y : array_like of shape (l,), optional
        Labels -1 or +1; None when the rows of ``X`` are label-signed.
    tol, rng
        As in `transductive_compendium.exact.volumes.cone_volume`.

    Returns
    -------
    LabellingPosterior

    Raises
    ------
    ValueError
        As `cone_volume`; also for an empty version space or more than 16 working points.
    """
    walls = unit_rows(X, y)
    points = unit_rows(X_working, None, "X_working", walls.shape[1])
    m = len(points)
    if m > MAX_WORKING_POINTS:
        raise ValueError(
            f"{m} working points have 2**{m} labellings; enumerate at most "
            f"{MAX_WORKING_POINTS}, or use probability_positive, one point at a time"
        )
    rng = np.random.default_rng(rng)
    labellings = np.array(list(product((-1, 1), repeat=m)), dtype=np.int64).reshape(2**m, m)
    volumes, errors = np.zeros(2**m), np.zeros(2**m)

    def descend(rows, depth, index):
        """Follow the tree of labellings, leaving out branches that no classifier produces."""
        if is_empty(rows):
            return
        if depth == m:
            volumes[index], errors[index], _ = cone_volume(rows, tol=tol, rng=rng)
            return
        for bit, sign in enumerate((-1, 1)):
            descend(np.vstack([rows, sign * points[depth]]), depth + 1, 2 * index + bit)

    descend(walls, 0, 0)
    total = volumes.sum()
    if total == 0:
        raise_empty()
    p = volumes / total
    # Delta method for v_b / sum(v), independent errors.
    spread = np.sqrt((1 - 2 * p) * errors**2 + p**2 * (errors**2).sum()) / total
    return LabellingPosterior(labellings, p, spread)


def marginals(posterior):
    """P(label +1) of each working point, summed from the joint posterior; shape (m,)."""
    return posterior.probabilities @ (posterior.labellings == 1)


def exact_loss(b, b_true):
    """Loss (4): 1 unless the whole labelling is right. Broadcasts over leading axes."""
    return 1.0 - (np.asarray(b) == np.asarray(b_true)).all(axis=-1)


def labelwise_loss(b, b_true):
    """Loss (5): the fraction of labels that are wrong. Broadcasts over leading axes."""
    return (np.asarray(b) != np.asarray(b_true)).mean(axis=-1)


def risk(posterior, loss):
    """Expected loss (3) of deciding for each labelling.

    Parameters
    ----------
    posterior : LabellingPosterior
    loss : callable
        ``loss(b, b_true)``, broadcasting over leading axes of label arrays, such as `exact_loss`.

    Returns
    -------
    ndarray of shape (2**m,)
        In the order of ``posterior.labellings``.
    """
    # One decision at a time: the whole table of losses would have 4**m entries.
    return np.array(
        [posterior.probabilities @ loss(b, posterior.labellings) for b in posterior.labellings]
    )


def bayes_labelling_joint(posterior):
    """Labelling of least risk (4), the most probable one; the first of them in a tie."""
    return posterior.labellings[int(np.argmax(posterior.probabilities))].copy()


def bayes_labelling_marginal(posterior):
    """Labelling of least risk (5): each point's more probable label, +1 in a tie."""
    return np.where(marginals(posterior) >= 0.5, 1, -1)


def cells(X):
    """Sign vectors of all cells into which the hyperplanes ``x_j.w = 0`` cut the space.

    Every cell has a facet on some hyperplane, so the cells of the arrangements induced on the
    hyperplanes, with both signs for the hyperplane itself, give them all. The work grows as
    ``k**(rank - 1)``.

    Parameters
    ----------
    X : array_like of shape (k, n)
        Points, in any position: multiples of one another and linear dependence are allowed.

    Returns
    -------
    ndarray of shape (cells, k)
        Rows of -1 and +1, each once, sorted.
    """
    rows = unit_rows(X)
    if len(rows) == 0:
        return np.zeros((1, 0), dtype=np.int8)
    return np.unique(_cells(essential(rows)[0]), axis=0)


def cover_number(N, n):
    """Cover's number ``2 sum_{k<n} C(N - 1, k)``: cells of N hyperplanes through 0 in R^n.

    It is the growth function of linear classifiers without bias, an upper bound to the number of
    labellings of any N points, reached if and only if every n of them are linearly independent.

    Parameters
    ----------
    N, n : int
        Number of points, at least 0, and dimension, at least 1.

    Raises
    ------
    ValueError
        For numbers out of range.
    """
    if N < 0 or n < 1:
        raise ValueError(f"need N >= 0 points in dimension n >= 1, got N={N}, n={n}")
    return 2 * sum(comb(N - 1, k) for k in range(n)) if N else 1


def _cells(walls):
    """Sign vectors (with repetitions) for unit walls that span their space."""
    k, rank = walls.shape
    cosine = walls @ walls.T
    parallel = np.linalg.norm(walls[:, None] - np.sign(cosine)[..., None] * walls, axis=2) < 1e-9
    first = parallel.argmax(axis=1)  # the first hyperplane equal to each one
    sign = np.where(cosine[np.arange(k), first] > 0, 1, -1).astype(np.int8)
    distinct, position = np.unique(first, return_inverse=True)
    walls = walls[distinct]
    if rank == 1:
        signs = np.array([[1], [-1]], dtype=np.int8)
    elif rank == 2:
        # The lines' directions, sorted; a point between each two neighbours.
        angles = np.sort(np.mod(np.arctan2(walls[:, 0], -walls[:, 1]), np.pi))
        between = (angles + np.append(angles[1:], angles[0] + np.pi)) / 2
        half = np.where(walls @ np.stack([np.cos(between), np.sin(between)]) > 0, 1, -1).T
        signs = np.vstack([half, -half]).astype(np.int8)
    else:
        parts = []
        for j in range(len(walls)):
            basis = np.linalg.qr(walls[j][:, None], mode="complete")[0][:, 1:]
            induced = np.delete(walls, j, axis=0) @ basis
            induced /= np.linalg.norm(induced, axis=1, keepdims=True)
            signs = np.unique(_cells(induced), axis=0)
            parts += [np.insert(signs, j, side, axis=1) for side in (1, -1)]
        signs = np.unique(np.vstack(parts), axis=0)
    return signs[:, position] * sign
