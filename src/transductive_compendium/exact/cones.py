"""Geometry and integrals for polyhedral cones ``{w : U w > 0}``, behind `volumes` and `labellings`.

Throughout ``walls`` are unit normals, one a row, that span their space (`essential`).

References
----------
Girard, A. (1629): area of a spherical polygon. Schlaefli, L. (1858): differential of a spherical
volume; Plackett, R. L. (1954): the same for normal orthants. Genz, A. (1992), "Numerical
computation of multivariate normal probabilities"; Gibson, G. J., Glasbey, C. A., Elston, D. A.
(1994) for the order of its variables. Wolfe, P. (1976): nearest point of a convex hull. Tyler,
D. E. (1987): angular central Gaussian law.
"""

from __future__ import annotations

import numpy as np
from scipy import integrate, optimize
from scipy.linalg import solve_triangular
from scipy.special import betainc, log_ndtr, ndtr, ndtri
from scipy.stats import qmc

EPS = np.finfo(float).eps
N_REPLICATES = 16
MAX_POINTS_PER_REPLICATE = 2**15


def essential(rows):
    """Coordinates of unit rows in their span, its basis, the largest singular value left out."""
    _, values, basis = np.linalg.svd(rows, full_matrices=False)
    rank = int(np.sum(values > 1e-11 * values[0]))
    dropped = values[rank] if rank < len(values) else 0.0
    walls = rows @ basis[:rank].T
    return walls / np.linalg.norm(walls, axis=1, keepdims=True), basis[:rank], float(dropped)


def interior(walls):
    """Unit vector of largest margin, or None and a bound on the volume if the cone is empty.

    The point of the walls' convex hull nearest to the origin (Wolfe): its direction is the
    hard-margin SVM without bias. If it is the origin, weights lambda >= 0 of sum 1 make
    p = sum lambda_j u_j short, and some u_j.w <= |p| / max(lambda) everywhere in the cone: a slab.
    """
    k, r = walls.shape
    weights, _ = optimize.nnls(
        np.vstack([walls.T, np.ones(k)]), np.append(np.zeros(r), 1.0), maxiter=30 * k + 300
    )
    p = weights @ walls
    length = np.linalg.norm(p)
    if length > 0 and (walls @ p).min() > 4 * r * EPS * length:
        return p / length, 0.0
    return None, float(length / weights.max() * np.sqrt(r))


def irredundant(walls):
    """Walls that carry a facet, and the summed distance by which the others fail to be implied."""
    keep, removed = list(range(len(walls))), 0.0
    for j in range(len(walls)):
        rest = [i for i in keep if i != j]
        if not rest or len(keep) <= walls.shape[1]:
            break
        # By Farkas' lemma a wall is implied by others if it is a non-negative combination of them.
        residual = optimize.nnls(walls[rest].T, walls[j], maxiter=30 * len(walls) + 300)[1]
        if residual < 1e-8:
            keep, removed = rest, removed + residual
    return walls[keep], removed


def facet(walls, *indices):
    """Unit normals of the other walls within the intersection of the indexed ones."""
    basis = np.linalg.qr(walls[list(indices)].T, mode="complete")[0][:, len(indices) :]
    rows = np.delete(walls, indices, axis=0) @ basis
    norms = np.linalg.norm(rows, axis=1)
    return rows[norms > 0] / norms[norms > 0, None]


def _angle(u, v):
    """Angle between unit vectors, accurate near 0 and pi."""
    return 2 * np.arctan2(np.linalg.norm(u - v, axis=-1), np.linalg.norm(u + v, axis=-1))


def closed_volume(walls):
    """Closed forms in rank 0 to 3 and a bound on their error; the rows must span their space."""
    rank = walls.shape[1]
    if rank == 0 or len(walls) == 0:
        return 1.0, 0.0
    if rank == 1:
        return 0.5 if (walls > 0).all() or (walls < 0).all() else 0.0, 0.0
    if rank == 2:
        # All normals lie within an arc shorter than pi, or the cone is empty.
        angles = np.arctan2(walls[:, 1], walls[:, 0])
        order = np.argsort(angles)
        gaps = np.diff(angles[order], append=angles[order[0]] + 2 * np.pi)
        g = int(np.argmax(gaps))
        ends = walls[order[g]], walls[order[(g + 1) % len(order)]]
        value = _angle(ends[0], -ends[1]) / (2 * np.pi) if gaps[g] > np.pi else 0.0
        return float(value), 8 * EPS
    if len(walls) == 3:
        hull = walls
    else:
        inside, bound = interior(walls)
        if inside is None:
            return 0.0, bound + 8 * EPS
        hull = walls[_hull(_gnomonic(walls, inside)[0])]
    # Girard on the polar polygon: the perimeter of the normals' convex hull is the sum of the
    # exterior angles. Redundant walls are inside the hull and near-duplicates do no harm.
    excess = 2 * np.pi - _angle(hull, np.roll(hull, -1, axis=0)).sum()
    return float(max(0.0, excess / (4 * np.pi))), 8 * EPS * len(hull)


def _gnomonic(walls, axis):
    """Normals seen from an axis inside the cone: their central projection to the tangent space."""
    basis = np.linalg.qr(axis[:, None], mode="complete")[0][:, 1:]
    return walls @ basis / (walls @ axis)[:, None], basis


def _hull(points):
    """Indices of the convex hull of points in the plane, in order (monotone chain)."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    points = points.tolist()
    chains = []
    for sweep in (order, order[::-1]):
        chain = []
        for i in sweep.tolist():
            x, y = points[i]
            while len(chain) > 1:
                (ax, ay), (bx, by) = points[chain[-2]], points[chain[-1]]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append(i)
        chains += chain[:-1]
    return chains


def centre(walls, start):
    """Maximiser of sum_j log u_j.w - k |w|^2 / 2 (norm one) and the Hessian there.

    It lies in the cone and, as a positive combination of the normals, in the dual cone: seen from
    it the whole cone is within a right angle.
    """
    k, r = walls.shape
    w = start
    for _ in range(200):
        inverse = 1 / (walls @ w)
        gradient = inverse @ walls - k * w
        hessian = (walls * inverse[:, None] ** 2).T @ walls + k * np.eye(r)
        step = np.linalg.solve(hessian, gradient)
        decrement = np.sqrt(max(0.0, gradient @ step))
        w = w + step / (1 + decrement if decrement > 0.25 else 1)
        if decrement < 1e-8:
            break
    return w / np.linalg.norm(w), hessian


def quadrature(walls, start):
    """Volume in rank 4 or 5: the cone grown from its centre, by Schlaefli's differential.

    The walls s h_j c + d_j (h_j = u_j.c, d_j the rest) scale the cone's section through the
    centre c by s, so that its faces keep their combinatorics, and
    dV/ds = sum_j h_j / |s h_j c + d_j| c.E[w; facet_j] / sqrt(2 pi), where the facet's moment is
    again a sum over its own facets: the faces of codimension two, whose volumes are closed forms.
    """
    middle = centre(walls, start)[0]
    height = walls @ middle
    rest = walls - height[:, None] * middle

    def faces(s, pairs):
        rows = s * height[:, None] * middle + rest
        norms = np.linalg.norm(rows, axis=1)
        unit = rows / norms[:, None]
        volumes, errors = np.transpose([closed_volume(facet(unit, i, j)) for i, j in pairs])
        i, j = pairs.T
        cosine = np.einsum("pi,pi->p", unit[i], unit[j])
        sine = np.linalg.norm(unit[i] - cosine[:, None] * unit[j], axis=1)
        speed, up = height / norms, s * height / norms
        towards = speed[j] * (up[i] - cosine * up[j]) + speed[i] * (up[j] - cosine * up[i])
        return volumes, towards / sine / (2 * np.pi), errors

    pairs = np.transpose(np.triu_indices(len(walls), 1))
    volumes, _, errors = faces(1.0, pairs)
    pairs = pairs[volumes > 0]
    value, error, *problem = integrate.quad(
        lambda s: np.dot(*faces(s, pairs)[:2]), 0, 1, epsabs=0, epsrel=1e-11, full_output=True
    )
    # quad's warning of roundoff says that its bound may be too low.
    return value, error * (100 if len(problem) > 1 else 1) + errors[volumes == 0].sum()


def replicated(integrand, dimension, tol, rng):
    """Mean of an integrand over the unit cube and its standard error.

    A Sobol sequence with 16 independent random digital shifts, each an unbiased estimate. The
    number of points is doubled until the spread of the replicates meets the relative tolerance.
    Fresh shifts then give the result, because the spread that stopped the doubling is too small on
    average.
    """
    points = (
        qmc.Sobol(dimension, scramble=False, bits=30).random(MAX_POINTS_PER_REPLICATE) * 2**30
    ).astype(np.int64)

    def sums(first, last, shifts):
        total = np.empty(N_REPLICATES)
        for i, shift in enumerate(shifts):
            digits = points[first:last] ^ shift
            total[i] = integrand((digits + rng.random(digits.shape)) / 2**30).sum()
        return total

    def fresh_shifts():
        return rng.integers(2**30, size=(N_REPLICATES, dimension))

    def mean_and_error(totals, count):
        means = totals / count
        return means.mean(), means.std(ddof=1) / np.sqrt(N_REPLICATES)

    shifts, totals, done = fresh_shifts(), np.zeros(N_REPLICATES), 0
    count = 512
    while count <= MAX_POINTS_PER_REPLICATE:
        totals += sums(done, count, shifts)
        mean, error = mean_and_error(totals, count)
        if error <= tol * mean:
            return mean_and_error(sums(0, count, fresh_shifts()), count)
        done, count = count, 2 * count
    return mean, error


def genz_integrand(walls):
    """Integrand for linearly independent walls: Genz's sequential conditioning.

    The order is greedy, the least probable wall first (Gibson, Glasbey and Elston), given the
    truncated means of those before. The last variable is integrated exactly.
    """
    k = len(walls)
    left = walls.copy()  # what the variables so far leave of each wall
    L, mean = np.zeros((k, k)), np.zeros(k)
    for i in range(k):
        spread = np.linalg.norm(left[i:], axis=1)
        reach = L[i:, :i] @ mean[:i] / spread
        pick = int(np.argmin(reach))
        for array in (left, L):
            array[[i, i + pick]] = array[[i + pick, i]]
        axis = left[i] / spread[pick]
        L[i:, i] = left[i:] @ axis
        left[i:] -= L[i:, i, None] * axis
        mean[i] = np.exp(-(reach[pick] ** 2) / 2 - log_ndtr(reach[pick])) / np.sqrt(2 * np.pi)

    def integrand(u):
        z = np.empty_like(u)
        product = np.ones(len(u))
        for i in range(k):
            inside = ndtr(z[:, :i] @ L[i, :i] / L[i, i])
            product *= inside
            inside = np.maximum(inside, 1e-300)  # the product is 0 already; keep z finite
            if i < k - 1:
                z[:, i] = -ndtri(u[:, i] * inside)
        return product

    return integrand


def polar_integrand(walls, start):
    """Integrand for any walls: polar coordinates around the centre, the angle integrated exactly.

    Directions are drawn from the Gaussian with the tangential Hessian as precision, pulled to the
    sphere (the angular central Gaussian law), so that elongated cones are as easy as round ones.
    A direction and its opposite are used together.
    """
    middle, hessian = centre(walls, start)
    d = walls.shape[1] - 1
    slopes, basis = _gnomonic(walls, middle)
    factor = np.linalg.cholesky(basis.T @ hessian @ basis)
    log_det = np.log(np.diag(factor)).sum()

    def integrand(u):
        g = ndtri(u)
        y = solve_triangular(factor.T, g.T, lower=False).T
        length = np.linalg.norm(y, axis=1)
        log_weight = d * np.log(np.linalg.norm(g, axis=1) / length) - log_det
        slope = y @ slopes.T / length[:, None]
        # The cotangent of the angle at which the ray leaves the cone; seen from the centre every
        # ray leaves before a right angle.
        leave = np.stack([(-slope).max(axis=1), slope.max(axis=1)])
        within = 0.5 * betainc(d / 2, 0.5, 1 / (1 + leave**2))
        return np.exp(log_weight) * within.mean(axis=0)

    return integrand
