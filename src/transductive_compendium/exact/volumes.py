"""Volumes and centres of mass of version spaces, without a sampler's trajectory.

The version space of a linear classifier is the cone ``{w : X w > 0}`` of label-signed rows
``y_i x_i``, and under the uniform prior on directions its probability is the fraction of the sphere
it covers, which equals ``P(X w > 0)`` for ``w ~ N(0, I)``. Everything depends on the span of the
rows alone, so each routine first turns to coordinates there. With ``r`` the rank:

* ``r <= 3``: closed forms for any number of walls (points, arcs, Girard's spherical excess);
* ``r = 4, 5``: one deterministic quadrature over Schlaefli's differential, few walls;
* otherwise randomised quasi-Monte Carlo, the error being measured on independent replicates.

Cones whose walls fall into mutually orthogonal groups are multiplied up from the groups.

References
----------
Graepel, Herbrich, Obermayer, "Bayesian Transduction": equations (2) and (6), section 3.1.
Girard, A. (1629), and Sheppard, W. F. (1899): area of a spherical triangle, orthant probability.
Schlaefli, L. (1858): differential of a spherical volume; Plackett, R. L. (1954): the same for
normal orthants. Genz, A. (1992), "Numerical computation of multivariate normal probabilities".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.special import betainc, gammaln

from . import cones

METHODS = ("closed form", "quadrature", "Genz QMC", "polar QMC")  # from best to worst
QUADRATURE_MAX_WALLS = {4: 40, 5: 16}  # rank: walls up to which quadrature is also the faster way


class Volume(NamedTuple):
    """A fraction of the sphere, or a ratio of two, with its error.

    Attributes
    ----------
    value : float or ndarray
        Between 0 and 1.
    error : float or ndarray
        "closed form": a bound on rounding; "quadrature": the integrator's bound;
        "... QMC": one standard error, from 16 independent randomisations.
    method : str
        The least accurate of the routes that went into the value. The closed form of an empty
        cone has as error the largest volume that rounding could hide.
    """

    value: float
    error: float
    method: str


class Centroid(NamedTuple):
    """Centre of mass of a cone cut by the unit sphere.

    Attributes
    ----------
    direction : ndarray of shape (n,)
        Unit vector towards the centre of mass: the Bayes point.
    mean : ndarray of shape (n,)
        Mean of ``w`` uniform on the cone's part of the unit sphere in R^n: the first moment per
        volume.
    error : float
        Error of ``direction`` in the Euclidean norm, of the kind that ``Volume.error`` is.
    mean_error : float
        The same for ``mean``, which also has the error of the volume.
    method : str
        The least accurate route that went into ``direction``.
    """

    direction: np.ndarray
    mean: np.ndarray
    error: float
    mean_error: float
    method: str


def features_from_gram(gram):
    """Return rows whose inner products are the given (possibly singular) Gram matrix.

    Parameters
    ----------
    gram : array_like of shape (k, k)
        Symmetric positive semi-definite, diagonal positive. For a training and a working sample
        give the Gram matrix of both together and split the rows of the result.

    Returns
    -------
    ndarray of shape (k, rank)
        Eigenvalues of the correlation matrix below ``4 k eps`` of the largest count as zero.
    """
    K = np.asarray_chkfinite(gram, dtype=float)
    if K.shape == (0, 0):
        return K
    square = K.ndim == 2 and K.shape[0] == K.shape[1]
    if not (square and np.abs(K - K.T).max() <= 1e-8 * np.abs(K).max()):
        raise ValueError(
            f"gram must be square, and symmetric, got shape {K.shape}: give the kernel "
            "values of all points with one another"
        )
    scale = np.sqrt(np.maximum(np.diag(K), 0.0))
    if not (scale > 0).all():
        raise ValueError(
            f"gram has a non-positive diagonal entry at {int(np.argmin(scale))}: that "
            "point is the origin of feature space and has no label; leave it out or "
            "add a ridge, gram + c * np.eye(len(gram))"
        )
    R = K / scale[:, None] / scale
    values, vectors = np.linalg.eigh((R + R.T) / 2)
    if values[0] < -1e-8 * values[-1]:
        raise ValueError(
            f"gram is not positive semi-definite (eigenvalue {values[0]:.2g} after "
            "scaling to unit diagonal); check the kernel or add a ridge, "
            "gram + c * np.eye(len(gram))"
        )
    keep = values > 4 * len(K) * cones.EPS * values[-1]
    return scale[:, None] * vectors[:, keep] * np.sqrt(values[keep])


def unit_rows(X, y=None, name="X", n_features=None):
    """Check feature vectors and return them scaled to norm one, times their labels if given."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise ValueError(
            f"{name} must be two-dimensional (points by features), got shape "
            f"{X.shape}; use {name}.reshape(1, -1) for a single point"
        )
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(
            f"{name} has {X.shape[1]} features, the training sample has {n_features}; "
            "give both in the same feature space"
        )
    if not np.isfinite(X).all():
        raise ValueError(f"{name} contains NaN or infinity; remove or impute those points")
    largest = np.abs(X).max(axis=1, initial=0.0)
    if not (largest > 0).all():
        raise ValueError(
            f"row {int(np.argmin(largest))} of {name} is zero: its half-space is "
            "empty; leave it out or append a constant feature (a bias)"
        )
    X = X / largest[:, None]
    X = X / np.linalg.norm(X, axis=1, keepdims=True)
    if y is None:
        return X
    y = np.asarray(y)
    if y.shape != (len(X),) or not np.isin(y, (-1, 1)).all():
        raise ValueError(
            f"y must hold one label -1 or +1 for each of the {len(X)} rows of {name}; "
            "encode the classes first, e.g. np.where(classes == positive, 1, -1)"
        )
    return X * y[:, None]


def cone_volume(X=None, *, gram=None, tol=1e-4, rng=0, method="auto"):
    """Fraction of the sphere on which all of ``X w > 0`` hold: the volume of version space (2).

    Parameters
    ----------
    X : array_like of shape (k, n), optional
        Wall normals, label-signed (``y[:, None] * features``). Their lengths do not matter.
    gram : array_like of shape (k, k), optional
        ``X X^T`` instead of ``X``; may be singular.
    tol : float, default 1e-4
        Relative standard error at which the quasi-Monte Carlo routes stop refining. They also
        stop at 2^15 points per replicate; ``error`` is the standard error reached.
    rng : int or numpy.random.Generator, default 0
        Seed of the randomisations. Closed forms and quadrature use none.
    method : {"auto", "quadrature", "Genz QMC", "polar QMC"}, default "auto"
        Force a numerical route for rank 4 and more, to check one against another.

    Returns
    -------
    Volume

    Raises
    ------
    ValueError
        For NaN, zero rows, wrong shapes, a Gram matrix that is not positive semi-definite, or a
        forced method that does not apply.
    """
    if (X is None) == (gram is None):
        raise ValueError("give either X (wall normals) or gram (their inner products)")
    rows = unit_rows(X if gram is None else features_from_gram(gram), name="X")
    if method not in ("auto", *METHODS[1:]):
        raise ValueError(
            f"unknown method {method!r}; choose 'auto', 'quadrature', 'Genz QMC' or 'polar QMC'"
        )
    return _volume(rows, (tol, np.random.default_rng(rng)), method)


def probability_positive(X, X_working, y=None, *, tol=1e-4, rng=0):
    """Posterior probability p+ that a working point is labelled +1: V+ / V of section 3.1.

    Computed as ``V+ / (V+ + V-)`` with both parts of version space measured, each to relative
    accuracy, so that p+ and p- sum to one and a small probability keeps its digits.

    Parameters
    ----------
    X : array_like of shape (l, n)
        Training points.
    X_working : array_like of shape (n,) or (m, n)
        Working point or points, each judged on its own.
    y : array_like of shape (l,), optional
        Labels -1 or +1; None when the rows of ``X`` are label-signed.
    tol, rng
        As in `cone_volume`.

    Returns
    -------
    Volume
        ``value`` and ``error`` are floats for one point, arrays of shape (m,) for several.

    Raises
    ------
    ValueError
        As `cone_volume`; also when version space is empty.
    """
    walls = unit_rows(X, y)
    points = np.asarray(X_working, dtype=float)
    single = points.ndim == 1
    points = unit_rows(points[None] if single else points, None, "X_working", walls.shape[1])
    accuracy = tol, np.random.default_rng(rng)
    values, errors, methods = [], [], []
    if is_empty(walls):
        raise_empty()
    for point in points:
        (plus, e_plus, m_plus), (minus, e_minus, m_minus) = (
            _volume(np.vstack([walls, sign * point]), accuracy) for sign in (1, -1)
        )
        total = plus + minus
        if total == 0:
            raise_empty()
        p = plus / total
        values.append(p)
        errors.append(float(np.hypot((1 - p) * e_plus, p * e_minus) / total))  # delta method
        methods.append(_worst(m_plus, m_minus))
    if single:
        return Volume(values[0], errors[0], methods[0])
    return Volume(np.array(values), np.array(errors), _worst(*methods))


def centroid(X, y=None, *, tol=1e-4):
    """Centre of mass of version space on the unit sphere: the point a billiard converges to.

    By the divergence theorem ``E[w; X w > 0] = sum_j u_j vol(facet_j) / sqrt(2 pi)`` for standard
    normal ``w``, ``u_j`` the unit normals and ``vol`` the fraction that a facet covers of its own
    great sphere. In dimension 2 the facets are points, in dimension 3 arcs, in dimension 4
    spherical polygons: closed forms. In higher dimensions they come from `cone_volume`.

    Parameters
    ----------
    X : array_like of shape (l, n)
        Training points.
    y : array_like of shape (l,), optional
        Labels -1 or +1; None when the rows of ``X`` are label-signed.
    tol
        As in `cone_volume`.

    Returns
    -------
    Centroid

    Raises
    ------
    ValueError
        As `cone_volume`; also when there is no wall or version space is empty.
    """
    rows = unit_rows(X, y)
    if len(rows) == 0:
        raise ValueError(
            "the whole sphere has its centre of mass at the origin: no direction; "
            "give at least one training point"
        )
    accuracy = tol, np.random.default_rng(0)
    if is_empty(rows):
        raise_empty()
    volume = _volume(rows, accuracy)
    walls, basis, dropped = cones.essential(rows)
    walls, removed = cones.irredundant(walls)
    facets = [_volume(cones.facet(walls, j), accuracy) for j in range(len(walls))]
    moment = np.array([f.value for f in facets]) @ walls
    length = np.linalg.norm(moment)
    n = rows.shape[1]
    # E|w| for w ~ N(0, I_n) takes the Gaussian moment to the sphere.
    radius = np.sqrt(2) * np.exp(gammaln((n + 1) / 2) - gammaln(n / 2))
    mean = basis.T @ moment / np.sqrt(2 * np.pi) / radius / volume.value
    error = (
        float(np.linalg.norm([f.error for f in facets]) / length)
        + dropped
        + removed
        + 8 * cones.EPS * walls.shape[1]
    )
    mean_error = float(np.linalg.norm(mean) * np.hypot(error, volume.error / volume.value))
    return Centroid(
        basis.T @ moment / length, mean, error, mean_error, _worst(*(f.method for f in facets))
    )


def is_empty(rows):
    """Whether no ``w`` is strictly on the inner side of all unit rows."""
    return len(rows) > 0 and cones.interior(cones.essential(rows)[0])[0] is None


def raise_empty():
    """Raise the error for a training sample that no linear classifier separates."""
    raise ValueError(
        "version space is empty: no linear classifier through the origin has these labels. Look "
        "for equal points with different labels; a bias (constant feature), a richer kernel or a "
        "ridge on the Gram matrix (gram + c * np.eye(l)) makes the sample separable"
    )


def _worst(*methods):
    return max(methods, key=METHODS.index, default=METHODS[0])


def _volume(rows, accuracy, method="auto"):
    """Volume of the cone of unit rows, from its mutually orthogonal groups of walls."""
    if len(rows) == 0:
        return Volume(1.0, 0.0, METHODS[0])
    _, group = connected_components(np.abs(rows @ rows.T) > 4 * cones.EPS, directed=False)
    parts = [_connected_volume(rows[group == g], accuracy, method) for g in range(group.max() + 1)]
    value = float(np.prod([p.value for p in parts]))
    others = [np.prod([q.value for q in parts if q is not p]) for p in parts]
    error = float(np.linalg.norm([p.error * o for p, o in zip(parts, others, strict=True)]))
    return Volume(value, error, _worst(*(p.method for p in parts)))


def _connected_volume(rows, accuracy, method):
    walls, _, dropped = cones.essential(rows)
    rank = walls.shape[1]
    if rank <= 3:
        value, error = cones.closed_volume(walls)
        return Volume(value, error + dropped, "closed form")
    start, bound = cones.interior(walls)
    if start is None:
        return Volume(0.0, bound + dropped, "closed form")
    walls, removed = cones.irredundant(walls)
    independent = len(walls) == rank
    if method == "auto" and len(walls) <= QUADRATURE_MAX_WALLS.get(rank, 0):
        method = "quadrature"
    results = []
    if method == "quadrature" and rank in QUADRATURE_MAX_WALLS:
        results.append((*cones.quadrature(walls, start), method))
    if method in ("auto", "Genz QMC") and independent:
        integrand = cones.genz_integrand(walls)
        results.append((*cones.replicated(integrand, rank - 1, *accuracy), "Genz QMC"))
    # A ball around `start` fits into the cone: a smaller estimate missed it, whatever its error.
    cap = 0.5 * betainc((rank - 1) / 2, 0.5, min((walls @ start).min(), 1.0) ** 2)
    results = [result for result in results if result[0] >= (1.0 - 1e-6) * cap]
    # Sequential conditioning is the better of the two, except in very small cones.
    missed = not results or results[0][1] > accuracy[0] * results[0][0]
    if method == "polar QMC" or (method == "auto" and missed):
        integrand = cones.polar_integrand(walls, start)
        results.append((*cones.replicated(integrand, rank - 1, *accuracy), "polar QMC"))
    if not results:
        raise ValueError(
            f"method={method!r} does not apply to {len(walls)} facets of rank {rank}: "
            "'quadrature' needs rank 4 or 5, 'Genz QMC' linearly independent facets; "
            "'auto' and 'polar QMC' always do"
        )
    value, error, method = min(results, key=lambda result: result[1])
    # Displacing the walls by delta changes the volume by delta times their area, and the area of a
    # convex body is at most its dimension times the volume over the radius of a ball inside.
    delta = 8 * cones.EPS * rank + dropped + removed
    rounding = value * rank * delta / (walls @ start).min()
    return Volume(float(value), float(error + rounding), method)
