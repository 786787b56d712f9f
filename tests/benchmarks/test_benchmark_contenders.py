"""What the kernels are timed against does the same work."""

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive.margin import TransductiveSVC, UniversumSVC
from transductive.version_space import FeatureSpan, WhitenedPoints
from transductive_compendium.datasets import text_like
from transductive_compendium.exact import loo_reference
from transductive_compendium.exact.gibbs_reference import gibbs_step


@pytest.mark.parametrize("l, m", [(13, 0), (40, 27)])
def test_loops_play_the_billiard_of_the_kernel(benchmark_module, l, m):
    billiard = benchmark_module("billiard")
    billiard.check_contenders(billiard.Problem(l, m), n_bounces=40)


@pytest.mark.parametrize("name", ["plain", "tuned"])
def test_the_numpy_samplers_keep_to_the_sphere_and_count_errors(benchmark_module, name):
    gibbs = benchmark_module("gibbs")
    sample = getattr(benchmark_module("gibbs_in_numpy"), name)
    problem = gibbs.Problem(90)
    # longer than the random numbers drawn at a time
    positions, errors = problem.contender(sample, problem.chain().positions[0])(600)
    np.testing.assert_allclose(np.linalg.norm(positions, axis=1), 1.0, atol=1e-12)
    margins = problem.signs * (positions @ problem.points.coordinates.T)
    np.testing.assert_array_equal(errors, np.sum(margins <= 0.0, axis=1))


def test_the_plain_sampler_takes_the_steps_of_the_reference(benchmark_module):
    plain = benchmark_module("gibbs_in_numpy").plain
    rng = np.random.default_rng(0)
    X = rng.standard_normal((25, 3))
    points = WhitenedPoints.from_gram(gram_matrix(X, gamma=0.5)).coordinates
    points *= np.where(X[:, :1] + 0.5 * rng.standard_normal((25, 1)) > 0, 1.0, -1.0)
    span = FeatureSpan(points @ points.T)
    w = np.ones(25) / 5.0
    streams = [np.random.default_rng(seed) for seed in (1, 2)]
    positions, errors = plain(np.ascontiguousarray(points), np.log(9.0), w, *streams, 15)
    streams = [np.random.default_rng(seed) for seed in (1, 2)]
    directions, uniforms = streams[0].standard_normal((15, 25)), streams[1].random(15)
    for k in range(15):
        v = directions[k] - (directions[k] @ w) * w
        step = gibbs_step(
            span,
            np.linalg.solve(points.T, w),
            0.1,
            None,
            direction=np.linalg.solve(points.T, v / np.linalg.norm(v)),
            u=uniforms[k],
        )
        w = step.position @ points
        np.testing.assert_allclose(positions[k], w, atol=1e-6)
        assert errors[k] == np.sum(points @ w <= 0)


def small_grid(loo):
    rng = np.random.default_rng(0)
    return loo.Grid(
        rng.standard_normal((40, 3)), rng.standard_normal(40),
        alphas=np.array([0.01, 1.0]), sigmas=np.exp(np.linspace(0.0, 1.0, 6)),
    )  # fmt: skip


def test_the_contenders_give_the_leave_one_out_errors_of_the_reference(benchmark_module):
    grid = small_grid(benchmark_module("loo"))
    expected = np.array([
        [
            loo_reference.loo_error(gram_matrix(grid.X, gamma=gamma), grid.y, alpha)
            for alpha in grid.alphas
        ]
        for gamma in grid.gammas
    ])  # fmt: skip
    least = []
    for name, (job, step) in grid.jobs.items():
        found = job()
        if found.ndim == 1:
            least.append(name)
            np.testing.assert_allclose(found, expected[::step].min(axis=1), err_msg=name)
        else:
            np.testing.assert_allclose(found, expected[::step], err_msg=name)
    assert least == ["RidgeCV"]
    assert max(grid.check().values()) < 1e-8


@pytest.mark.parametrize("kernel", ["precomputed", "linear"])
def test_the_refitted_svm_switches_the_same_pairs(benchmark_module, kernel):
    contenders, smo = benchmark_module("smo_in_sklearn"), benchmark_module("smo")
    X, y = text_like(120, 300, 20, np.random.default_rng(1))
    svm = TransductiveSVC(1.0, n_positive="sample", kernel="linear", first_costs="slides", tol=1e-9)
    svm.fit(X[:10], y[:10], X[10:])
    gram = gram_matrix(X, kernel="linear")
    refitted = contenders.Refitted(
        gram if kernel == "precomputed" else X, y[:10], svm.n_positive_, kernel,
        tol=1e-9,
    )  # fmt: skip
    np.testing.assert_array_equal(refitted.run(), svm.transduction_)
    assert refitted.n_switches == svm.n_switches_ > 0
    assert refitted.n_fits == svm.n_machines_ - 1  # TransductiveSVC ends with a solution at C*
    labels = np.r_[y[:10], svm.transduction_]
    found = smo.optimum(gram, labels, np.ones(120))
    assert found == pytest.approx(svm.objective_, rel=1e-6)


def test_the_doubled_svc_is_the_svm_of_epsilon_one(benchmark_module):
    universum = benchmark_module("universum")
    rng = np.random.default_rng(0)
    X, U, y = rng.random((30, 6)), rng.random((20, 6)), np.arange(30) % 2 * 2.0 - 1.0
    gamma, costs = universum.GAMMA, (universum.C, universum.C_UNIVERSUM)
    ours = UniversumSVC(*costs, epsilon=1.0, gamma=gamma, tol=1e-6).fit(X, y, U)
    theirs = universum.undoubled(universum.doubled_svc(X, y, U), 30, 20)
    K = gram_matrix(np.vstack([X, U]), gamma=gamma)
    values = [universum.dual(K, y, b, 1.0) for b in (theirs, ours.dual_coef_)]
    assert values[0] == pytest.approx(values[1], rel=1e-3)
    assert values[1] == pytest.approx(ours.objective_, rel=1e-5)


# ---- scale --------------------------------------------------------------------------------------


def test_a_power_law_and_where_it_ends(benchmark_module):
    scale = benchmark_module("scale")
    sizes = np.array([100, 200, 400, 800])
    # the first is noise, and the second no longer among the last three
    values = np.r_[0.01, 9.0, 3e-6 * sizes[2:] ** 2.5]
    law = scale.power_law(sizes, values, 0.05)
    assert law != pytest.approx((2.5, 3e-6), rel=1e-3)
    law = scale.power_law(np.r_[sizes, 1600], np.r_[values, 3e-6 * 1600**2.5], 0.05)
    assert law == pytest.approx((2.5, 3e-6))
    assert scale.reaches(60.0, *law) == pytest.approx((60.0 / 3e-6) ** 0.4)
    assert np.isnan(scale.power_law([100], [1.0], 0.0)).all()
    assert scale.reaches(60.0, 0.0, 1.0) == np.inf == scale.reaches(60.0, np.nan, np.nan)


def test_every_case_of_scale_fits(benchmark_module):
    scale = benchmark_module("scale")
    for name in scale.CASES:
        seconds, size = scale.fit_once(name, 60)
        assert seconds > 0 and size >= 0
