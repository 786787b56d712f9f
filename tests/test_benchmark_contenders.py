"""What the kernels are timed against does the same work."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, WhitenedPoints
from transductive.version_space._gibbs_reference import gibbs_step

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture
def benchmark_module(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for path in BENCHMARKS.glob("[!_]*.py"):
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return import_module


@pytest.mark.parametrize("l, m", [(13, 0), (40, 27)])
def test_loops_play_the_billiard_of_the_kernel(benchmark_module, l, m):
    billiard = benchmark_module("billiard")
    billiard.check_contenders(billiard.Problem(l, m), n_bounces=40)


@pytest.mark.parametrize("m, rank", [(80, None), (200, 70)])
def test_the_numpy_sampler_takes_the_steps_of_the_kernel(benchmark_module, m, rank):
    gibbs = benchmark_module("gibbs")
    problem = gibbs.Problem(m, rank)
    assert problem.points.triangular == (rank is None)
    gibbs.check_contender(problem)


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


@pytest.mark.parametrize("rank", [None, 30])
def test_the_floor_multiplies_what_the_sampler_multiplies(benchmark_module, rank):
    gibbs = benchmark_module("gibbs")
    points = gibbs.Problem(70, rank).points
    floor = gibbs.Floor(points)
    assert ("dtrmm" in floor.jobs) == (rank is None)
    for name in floor.jobs.keys() - {"normals"}:
        floor.jobs["normals"]()
        floor.jobs[name]()
        expected = floor.directions @ points.coordinates.T
        np.testing.assert_allclose(floor.products, expected, atol=1e-12, err_msg=name)


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
