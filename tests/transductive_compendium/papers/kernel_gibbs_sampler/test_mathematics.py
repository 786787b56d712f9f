"""Mathematical claims of Graepel and Herbrich (2001), sections 2 to 4, on small random problems.

`test_modes.py` and the library's `test_gibbs.py` decide two more.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan
from transductive.version_space.active_learning import binary_entropy
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.gibbs_reference import gibbs_step, hit_angles, training_errors

N_POINTS, DIMENSION = 12, 4
NOISE = pytest.mark.parametrize("q", [0.05, 0.2])
CASES = range(25)
TOL = 1e-9


def likelihood(errors, m, q):
    """(3) of the paper, by the number of errors."""
    return q**errors * (1.0 - q) ** (m - errors)


def posterior(signed, w, q):
    """The likelihood of a weight vector, which is its posterior up to a constant."""
    return likelihood(np.sum(signed @ w <= 0), len(signed), q)


def unit(x):
    return x / np.linalg.norm(x)


def tangent(w, direction):
    return unit(direction - (direction @ w) * w)


def problem(case):
    """Label-signed points, a weight vector, a unit tangent, and the generator."""
    rng = np.random.default_rng([2000, case])
    signed = rng.standard_normal((N_POINTS, DIMENSION))
    w = unit(rng.standard_normal(DIMENSION))
    return signed, w, tangent(w, rng.standard_normal(DIMENSION)), rng


def arcs(signed, w, v):
    """Hit angles in order, lengths of the arcs behind them, errors in their middles."""
    s, t = signed @ w, signed @ v
    angles = np.sort(hit_angles(s, t))
    lengths = np.diff(angles, append=angles[0] + 2.0 * np.pi)
    return angles, lengths, training_errors(s, t, angles + lengths / 2)


@pytest.mark.claim("kgs-sec2-piecewise", "holds")
@NOISE
def test_product_of_factors_is_the_likelihood(q):
    """(3): q^(m R_emp) (1 - q)^(m (1 - R_emp)); all of a cell have it."""
    for case in CASES:
        signed, w, _, rng = problem(case)
        wrong = signed @ w <= 0
        product = np.prod(np.where(wrong, q, 1.0 - q))
        assert product == pytest.approx(likelihood(wrong.sum(), N_POINTS, q), rel=TOL)
        # a vector of the same training error, however far away
        others = rng.standard_normal((200, DIMENSION))
        same = others[(others @ signed.T <= 0).sum(axis=1) == wrong.sum()]
        assert len(same) > 0
        of_others = np.where(same @ signed.T <= 0, q, 1.0 - q).prod(axis=1)
        np.testing.assert_allclose(of_others, product, rtol=TOL)


@pytest.mark.claim("kgs-sec2-span", "holds")
@NOISE
def test_nothing_is_lost_in_the_span(q):
    """(1): w = sum of alpha_i x_i leaves evidence (2) and the direction of (5) as they are."""
    for case in CASES:
        rng = np.random.default_rng(case)
        two = rng.standard_normal((2, 3))
        basis = np.linalg.svd(two)[2]
        in_plane = Arrangement(two @ basis[:2].T)
        # a third point, across the plane, cuts the sphere into cells and has no likelihood
        cells = Arrangement(np.vstack([two, basis[2] + 0.1 * two[0]]))
        density = likelihood((cells.interior @ two.T <= 0).sum(axis=1), 2, q)
        assert cells.areas @ density == pytest.approx(np.exp(in_plane.log_evidence(q)), rel=TOL)
        direction = basis[:2].T @ in_plane.bayes_point(q)
        np.testing.assert_allclose(unit(density @ cells.moments), direction, atol=TOL)


@pytest.mark.claim("kgs-fig2-classes", "fails")
def test_two_points_make_four_classes_of_three_densities():
    """Caption of figure 2: "four equivalence classes, with different posterior density"."""
    cells = Arrangement(np.array([[1.0, 0.2], [-0.3, 1.0]]))
    assert sorted(cells.errors) == [0, 1, 1, 2]
    densities = cells.posterior(0.2) / cells.areas
    one_error = densities[cells.errors == 1]
    assert one_error[0] == pytest.approx(one_error[1], rel=TOL)
    assert len(np.unique(densities.round(9))) == 3


@pytest.mark.claim("kgs-fig2-step-4", "holds")
def test_printed_angles_are_the_hits_of_one_turn():
    """Steps 3 and 4: zeta = -sign(<v, b>) arccos(<w, b>), and zeta + pi mod 2 pi."""
    for case in CASES:
        signed, w, v, _ = problem(case)
        b = w - ((signed @ w) / (signed @ v))[:, None] * v
        b /= np.linalg.norm(b, axis=1, keepdims=True)
        first = -np.sign(b @ v) * np.arccos(np.clip(b @ w, -1.0, 1.0))
        zeta = np.concatenate([first, (first + np.pi) % (2.0 * np.pi)])
        places = np.outer(np.cos(zeta), w) - np.outer(np.sin(zeta), v)
        outputs = np.einsum("ij,ij->i", places, np.vstack([signed, signed]))
        np.testing.assert_allclose(outputs, 0.0, atol=TOL)
        assert np.ptp(zeta) < 2.0 * np.pi and len(np.unique(zeta)) == 2 * N_POINTS


@pytest.mark.claim("kgs-fig2-draw", "holds")
@NOISE
def test_drawn_angle_has_the_posterior_of_the_circle(q):
    """Steps 7 and 8: the posterior's mass before the drawn angle is the uniform number."""
    for case in CASES[:5]:
        signed, w, v, rng = problem(case)
        span = FeatureSpan(signed @ signed.T)
        a, b = (np.linalg.lstsq(signed.T, x, rcond=None)[0] for x in (w, v))
        u = rng.random()
        step = gibbs_step(span, a, q, rng, direction=b, u=u)
        moved = step.position @ signed
        assert np.linalg.norm(moved) == pytest.approx(1.0, abs=TOL)
        on_circle = np.cos(step.angle) * w + np.sin(step.angle) * v
        np.testing.assert_allclose(moved, on_circle, atol=TOL)

        def density(angle, signed=signed, w=w, v=v):
            return posterior(signed, np.cos(angle) * w + np.sin(angle) * v, q)

        def mass(end, breaks):
            edges = np.r_[breaks[0], breaks[breaks < end][1:], end]
            return sum(quad(density, *pair)[0] for pair in pairwise(edges))

        hits = arcs(signed, w, v)[0]
        end = hits[0] + (step.angle - hits[0]) % (2.0 * np.pi)
        whole = mass(hits[0] + 2.0 * np.pi, hits)
        assert mass(end, hits) / whole == pytest.approx(u, abs=TOL)


@pytest.mark.claim("kgs-sec3-stationary", "holds")
@NOISE
def test_a_step_is_in_detailed_balance(q):
    """Abstract: "samples from the resulting piecewise constant density along the line chosen".

    With isotropic v the density of a step from a to b is L(b) over the mass of their circle and
    sin^(r - 2) of their angle, up to a constant.
    """

    def density_of_step(signed, a, b):
        _, lengths, errors = arcs(signed, a, tangent(a, b))
        circle = lengths @ likelihood(errors, N_POINTS, q)
        sine = np.linalg.norm(b - (b @ a) * a)
        return posterior(signed, b, q) / circle / sine ** (DIMENSION - 2)

    for case in CASES:
        signed, a, _, rng = problem(case)
        b = unit(rng.standard_normal(DIMENSION))
        there = posterior(signed, a, q) * density_of_step(signed, a, b)
        back = posterior(signed, b, q) * density_of_step(signed, b, a)
        assert there > 0 and there == pytest.approx(back, rel=TOL)


@pytest.mark.claim("kgs-sec3-kernels", "holds")
@NOISE
def test_steps_by_the_kernel_are_those_in_features(q):
    """Section 3: inner products are alpha' G nu; here (1 + <x, x'>)^2 and its six features."""
    r2 = np.sqrt(2.0)
    for case in CASES:
        rng = np.random.default_rng(case)
        X, y = rng.standard_normal((N_POINTS, 2)), rng.choice([-1.0, 1.0], N_POINTS)
        one, (x1, x2) = np.ones(N_POINTS), X.T
        features = np.column_stack([one, r2 * x1, r2 * x2, x1**2, x2**2, r2 * x1 * x2])
        gram = gram_matrix(X, kernel="poly", degree=2, gamma=1.0, coef0=1.0) * np.outer(y, y)
        signed, span = y[:, None] * features, FeatureSpan(gram)
        a = rng.standard_normal(N_POINTS)
        a /= span.norm(a)
        w = a @ signed
        for _ in range(5):
            b = span.random_tangent(a, rng)
            u = rng.random()
            a_next = gibbs_step(span, a, q, rng, direction=b, u=u).position
            # the same step without the kernel: arcs, draw and move in the six features
            v = b @ signed
            angles, lengths, errors = arcs(signed, w, v)
            before = np.r_[0.0, np.cumsum(lengths * likelihood(errors, N_POINTS, q))]
            arc = np.searchsorted(before, u * before[-1], side="right") - 1
            rest = u * before[-1] - before[arc]
            angle = angles[arc] + rest / likelihood(errors[arc], N_POINTS, q)
            w, a = unit(np.cos(angle) * w + np.sin(angle) * v), a_next
            scale = np.linalg.norm(features, axis=1)
            np.testing.assert_allclose(gram @ a / scale, signed @ w / scale, atol=TOL)


def differential_entropy(cells, q):
    """Entropy of w in bits, relative to the uniform distribution."""
    posterior = cells.posterior(q)
    inside = posterior > 0
    return posterior[inside] @ np.log2(cells.areas[inside] / posterior[inside])


@pytest.mark.claim("kgs-sec4-entropy-information", "corrected")
@pytest.mark.parametrize("q", [0.0, 0.05, 0.2])
def test_entropy_with_its_minus_sign_ranks_what_labels_tell(q):
    """Section 4: S = p+ log2 p+ + p- log2 p-, printed without its minus sign.

    The expected fall of the posterior's entropy is H(q + (1 - 2q) p+) - H(q), which grows with -S.
    """
    rng = np.random.default_rng(4)
    points, candidates = rng.standard_normal((10, 3)), rng.standard_normal((60, 3))
    points *= np.where(points[:, 2] > 0, 1.0, -1.0)[:, None]
    cells = Arrangement(points)
    p = cells.probability_positive(q, candidates)
    divided = (p > 1e-6) & (p < 1 - 1e-6)
    candidates, p = candidates[divided][:12], p[divided][:12]
    before, gains = differential_entropy(cells, q), []
    for x, positive in zip(candidates, p, strict=True):
        finer = [Arrangement(np.vstack([points, sign * x])) for sign in (1.0, -1.0)]
        of_label = q + (1.0 - 2.0 * q) * np.array([positive, 1.0 - positive])
        gains.append(of_label @ [before - differential_entropy(cells, q) for cells in finer])
    observed = q + (1.0 - 2.0 * q) * p
    expected = binary_entropy(observed) - binary_entropy(q)
    np.testing.assert_allclose(gains, expected, atol=TOL)
    printed = p * np.log2(p) + (1.0 - p) * np.log2(1.0 - p)
    assert len(p) == 12
    assert (np.diff(np.array(gains)[np.argsort(-printed)]) > 0).all()
    assert (np.diff(np.array(gains)[np.argsort(printed)]) < 0).all()
    if q == 0.0:
        np.testing.assert_allclose(gains, -printed, atol=TOL)
