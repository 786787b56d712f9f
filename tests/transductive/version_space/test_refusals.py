"""What the version-space family refuses: the type of the error, and the name in its message."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from transductive import BayesianTransduction, BayesPointMachine, KernelGibbsSampler
from transductive.kernels import gram_matrix
from transductive.version_space import (
    BilliardEscapeError,
    EmptyVersionSpaceError,
    FeatureSpan,
    GibbsChains,
    IllConditionedError,
    KernelBilliard,
    NotPositiveSemidefiniteError,
    RefractingBilliard,
    WhitenedPoints,
    _billiard,
    binary_entropy,
    inverse_temperature,
)
from transductive.version_space._gibbs import circle
from transductive.version_space.mixing import mixing
from transductive.version_space.start import max_margin_point
from transductive.version_space.trajectory import kick

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((40, 4)), np.arange(40) % 2

#: Parameters that every estimator refuses.
SHARED = [
    ({"kernel": "gauss"}, ValueError, "kernel"),
    *[({"gamma": bad}, ValueError, "gamma") for bad in (0.0, -1.0, float("nan"), "wide")],
    *[({"q": bad}, ValueError, "q") for bad in (0.7, -0.01, "guess", (1, -1), (1, 2, 3))],
    *[({"q": bad}, ValueError, "q") for bad in ((1e9, 1e9), [[1, 9]], ["a", "b"])],
    ({"n_bounces": 0}, ValueError, "n_bounces"),
    ({"n_bounces": True}, ValueError, "n_bounces"),
    ({"n_chains": 0}, ValueError, "n_chains"),
    ({"tol": 0.0}, ValueError, "tol"),
    ({"tol": None}, ValueError, "tol"),
    *[({"n_jobs": bad}, ValueError, "n_jobs") for bad in (0, True)],
    ({"random_state": "a"}, ValueError, "random_state"),
    ({"kernel": "sigmoid", "gamma": 3.0, "coef0": -2.0}, NotPositiveSemidefiniteError, "kernel"),
    ({"kernel": "poly", "gamma": 1e200}, ValueError, "gamma"),
]
SAMPLERS = [
    ({"sampler": "metropolis"}, ValueError, "sampler"),
    ({"sampler": "hit_and_run", "q": "infer"}, ValueError, "q"),
    ({"n_samples": 3}, ValueError, "n_samples"),
    ({"n_samples": 7, "n_chains": 1}, ValueError, "n_samples"),
    *[({"thin": bad}, ValueError, "thin") for bad in (0, True)],
    *[({"burn_in": bad}, ValueError, "burn_in") for bad in (-1, True)],
]
OF_ESTIMATOR = {
    BayesianTransduction: [
        *SHARED,
        ({"ridge": -1.0}, ValueError, "ridge"),
        ({"ridge": float("nan")}, ValueError, "ridge"),
        ({"manifold": -1.0}, ValueError, "manifold"),
    ],
    BayesPointMachine: [*SHARED, *SAMPLERS],
    KernelGibbsSampler: [*SHARED, *SAMPLERS],
}


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(
    ("estimator", "parameters", "error", "name"),
    [(estimator, *row) for estimator, rows in OF_ESTIMATOR.items() for row in rows],
)
def test_estimators_refuse_parameters(estimator, parameters, error, name):
    with pytest.raises(error, match=rf"\b{name}\b"):
        estimator(**{"gamma": "scale", "q": 0.1, **parameters}).fit(X, Y)


BAD_SAMPLES = {
    "NaN": (np.where(X > 2, np.nan, X), Y),
    "1 class": (X, np.zeros(40, dtype=int)),
    "numbers of samples": (X, Y[:-1]),
    "2D": (X[0], Y),
}


@pytest.mark.parametrize("q", [0, 0.1])
@pytest.mark.parametrize("estimator", OF_ESTIMATOR)
def test_estimators_refuse_samples(estimator, q):
    model = estimator(gamma=0.3, q=q, tol=0.2, random_state=0)
    for name, sample in BAD_SAMPLES.items():
        with pytest.raises(ValueError, match=name):
            model.fit(*sample)
    given = estimator("precomputed", q=q, tol=0.2, random_state=0)
    gram = gram_matrix(X, gamma=0.3)
    for name, error, bad in (
        ("square", ValueError, gram[:, :20]),
        ("symmetric", ValueError, gram + np.triu(np.ones((40, 40)))),
        ("positive semi-definite", NotPositiveSemidefiniteError, gram - 0.9 * np.eye(40)),
    ):
        with pytest.raises(error, match=name):
            given.fit(bad, Y)
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="4 features"):
        model.fit(X, Y).predict(X[:, :3])
    if estimator is BayesianTransduction:
        for name, bad in (("expects 4", X[:, :2]), ("NaN", X * np.nan), ("2D", X[0])):
            with pytest.raises(ValueError, match=name):
                model.fit(X, Y, bad)


THREE, ONES = np.eye(3), np.ones(3)
EVENTS = np.empty(5), np.empty(5, dtype=np.intp), np.empty(5)
CONTRADICTION = np.array([[1.0, 2.0], [0.0, 1.0], [-2.0, -4.0]])
INSEPARABLE = np.random.default_rng(0).standard_normal((30, 3))
INSEPARABLE_SPAN = FeatureSpan(INSEPARABLE @ INSEPARABLE.T)
#: A version space thinner than rounding, and points that rounding makes indistinguishable.
THIN = np.array([[1.0, 0.0, 1e-11], [-1.0, 0.0, 1e-11], [0.1, 1.0, 1.0]])
FLAT = gram_matrix(np.random.default_rng(0).standard_normal((60, 2)), gamma=0.01)
TURNS = np.where(np.arange(60) % 2, 1.0, -1.0)
INDEFINITE = np.full((3, 3), 2.0) - THREE


def fly(gram=THREE, margins=ONES, wall=0, events=EVENTS):
    return _billiard.fly(gram, margins, ONES, 0.0, wall, 0.0, 1.0, 1e-9, *events)


def escaping():
    billiard = KernelBilliard(THREE, random_state=0)
    billiard._tolerance = -0.9
    return billiard


def place(position, velocity):
    return KernelBilliard(THREE, random_state=0).place(position, velocity)


def times():
    return KernelBilliard(THREE, random_state=0).run(20)


def narrow():
    """A chain that leaves a thin cone in its burn-in."""
    walls = np.column_stack([np.full(10, 1e-15), np.vstack([np.eye(9), np.full(9, -1 / 3)])])
    return GibbsChains(walls, 0.0, start=np.eye(10)[0], random_state=0).run(1, burn_in=400)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: KernelBilliard(THREE, n_walls=0), ValueError, "n_walls"),
        (lambda: KernelBilliard(THREE, n_walls=4), ValueError, "n_walls"),
        (lambda: KernelBilliard(THREE, refresh=0.0), ValueError, "refresh"),
        (lambda: KernelBilliard(THREE, refresh=float("nan")), ValueError, "refresh"),
        (lambda: KernelBilliard(THREE, n_chains=0), ValueError, "n_chains"),
        (lambda: KernelBilliard(THREE, start="anywhere"), ValueError, "start"),
        (lambda: KernelBilliard(THREE, velocity="fast"), ValueError, "velocity"),
        (lambda: KernelBilliard(THREE, random_state=0).run(0), ValueError, "n_events"),
        (lambda: KernelBilliard(np.eye(1)), ValueError, "constant feature"),
        (lambda: KernelBilliard(CONTRADICTION @ CONTRADICTION.T), EmptyVersionSpaceError, "ridge"),
        (lambda: KernelBilliard(INSEPARABLE @ INSEPARABLE.T), EmptyVersionSpaceError, "ridge"),
        (lambda: KernelBilliard(np.diag([1.0, 0.0])), EmptyVersionSpaceError, "point 1"),
        (lambda: escaping().run(10), BilliardEscapeError, "ridge"),
        (
            lambda: max_margin_point(INSEPARABLE_SPAN, 30),
            EmptyVersionSpaceError,
            "ridge",
        ),
        (lambda: place(np.ones(2), np.ones(3)), ValueError, "shape"),
        (lambda: place([1.0, -1.0, 1.0], THREE[1]), ValueError, "position"),
        (lambda: place(np.zeros(3), THREE[1]), ValueError, "position"),
        (lambda: place(np.ones(3), np.zeros(3)), ValueError, "velocity"),
        (lambda: place(np.ones(3), 2.0 * np.ones(3)), ValueError, "velocity"),
        (lambda: fly(margins=np.ones(2)), ValueError, "gram"),
        (lambda: fly(events=(np.empty(3), *EVENTS[1:])), ValueError, "length"),
        (lambda: fly(wall=3), ValueError, "wall"),
        (lambda: times().flight_times(np.ones((2, 3))), ValueError, "cross"),
        (lambda: times().flight_times(THREE, 0), ValueError, "n_batches"),
        (lambda: times().flight_times(THREE).standard_error(), ValueError, "batch"),
        (lambda: times().flight_times(THREE).standard_error("start"), ValueError, "by"),
        (lambda: circle(np.ones(3), np.ones(4)), ValueError, "equally"),
        (lambda: circle(np.ones(0), np.ones(0)), ValueError, "empty"),
        (lambda: GibbsChains(CONTRADICTION, 0.0), EmptyVersionSpaceError, "points 0 and 2"),
        (lambda: GibbsChains(INSEPARABLE, 0.0), EmptyVersionSpaceError, "noise"),
        (lambda: GibbsChains(THIN, 0.0), IllConditionedError, "rounding"),
        (
            lambda: GibbsChains(WhitenedPoints.from_gram(FLAT), 0.0, signs=TURNS),
            IllConditionedError,
            "rounding",
        ),
        (narrow, IllConditionedError, "rounding"),
        (lambda: GibbsChains(np.array([[1.0, np.nan]]), 0.1), ValueError, "finite"),
        (lambda: GibbsChains(np.ones(3), 0.1), ValueError, "shape"),
        (lambda: GibbsChains(np.empty((0, 3)), 0.1), ValueError, "empty"),
        (lambda: GibbsChains(np.ones((4, 1)), 0.1), ValueError, "dimension"),
        (lambda: GibbsChains(np.array([[1.0, 0.0], [0.0, 0.0]]), 0.1), ValueError, "point 1"),
        (lambda: GibbsChains(THREE, 0.1, n_chains=0), ValueError, "n_chains"),
        (lambda: GibbsChains(THREE, 0.1, signs=[1.0, 1.0]), ValueError, "signs"),
        (lambda: GibbsChains(THREE, 0.1, signs=[1.0, 1.0, 0.5]), ValueError, "signs"),
        (lambda: GibbsChains(THREE, 0.1, start=[1.0, 1.0]), ValueError, "start"),
        (lambda: GibbsChains(THREE, 0.1, start=np.zeros(3)), ValueError, "start"),
        (lambda: GibbsChains(THREE, 0.0, start=[1.0, -1.0, 1.0]), ValueError, "first position"),
        (lambda: GibbsChains(THREE, 0.1).run(0), ValueError, "n_samples"),
        (lambda: GibbsChains(THREE, 0.1).run(1, thin=0), ValueError, "thin"),
        (lambda: GibbsChains(THREE, 0.1).run(1, burn_in=-1), ValueError, "burn_in"),
        *(
            (lambda q=q: inverse_temperature(q), ValueError, "q")
            for q in (-0.1, 0.51, np.nan, 1.0, "a", [0.1, 0.2])
        ),
        (lambda: RefractingBilliard(THREE, (0.0, 1.0)), ValueError, "q"),
        (lambda: RefractingBilliard(THREE, (1.0,)), ValueError, "q"),
        (lambda: RefractingBilliard(THREE, (1.0, np.inf)), ValueError, "q"),
        (lambda: RefractingBilliard(THREE, 0.1, gram=np.eye(2)), ValueError, "gram"),
        (lambda: WhitenedPoints.from_gram(np.ones((2, 3))), ValueError, "square"),
        (lambda: WhitenedPoints.from_gram(np.ones((0, 0))), ValueError, "empty"),
        (lambda: WhitenedPoints.from_gram(np.full((2, 2), np.nan)), ValueError, "finite"),
        (lambda: WhitenedPoints.from_gram(np.triu(np.ones((2, 2)))), ValueError, "symmetric"),
        (lambda: WhitenedPoints.from_gram(np.diag([1.0, 0.0])), ValueError, "point 1"),
        (lambda: WhitenedPoints.from_gram(INDEFINITE), NotPositiveSemidefiniteError, "ridge"),
        (
            lambda: WhitenedPoints.from_kernel(X, lambda A, B: np.tanh(2.0 * A @ B.T + 1.0), 30),
            NotPositiveSemidefiniteError,
            "kernel",
        ),
        *(
            (lambda bad=bad: FeatureSpan(bad), error, "gram|kernel|points")
            for error, bad in (
                (ValueError, np.ones((2, 3))),
                (ValueError, np.ones(3)),
                (ValueError, np.empty((0, 0))),
                (ValueError, np.full((2, 2), np.nan)),
                (ValueError, np.array([[1.0, 0.5], [0.2, 1.0]])),
                (ValueError, 1e-305 * np.eye(2)),
                (NotPositiveSemidefiniteError, np.zeros((2, 2))),
                (NotPositiveSemidefiniteError, np.array([[1.0, 2.0], [2.0, 1.0]])),
                (NotPositiveSemidefiniteError, np.diag([1.0, -1.0])),
            )
        ),
        (lambda: WhitenedPoints.from_kernel(THREE, lambda A, B: A @ B.T, 0), ValueError, "rank"),
        (lambda: WhitenedPoints.from_kernel(THREE, lambda A, B: A @ B.T, 2), ValueError, "rank"),
        (lambda: WhitenedPoints(THREE).coefficients(np.ones(3)), ValueError, "pivots"),
        (lambda: mixing(np.zeros((4, 100))), ValueError, "shape"),
        (lambda: mixing(np.zeros((4, 3, 1))), ValueError, "shape"),
        (lambda: mixing(np.zeros((1, 7, 1))), ValueError, "shape"),
        (lambda: mixing(np.zeros((4, 100, 0))), ValueError, "shape"),
        *((lambda p=p: binary_entropy(p), ValueError, "p") for p in (-1e-9, 1.1, [0.5, np.nan])),
        (lambda: kick(np.ones(1), np.array([3]), np.ones(1), THREE[0] + 0j), ValueError, "wall"),
        (lambda: kick(np.ones(1), np.array([-1]), np.ones(1), THREE[0] + 0j), ValueError, "wall"),
        (lambda: kick(np.ones(2), np.array([0]), np.ones(1), THREE[0] + 0j), ValueError, "length"),
    ],
)
def test_samplers_and_tools_refuse(call, error, name):
    with pytest.raises(error, match=rf"\b{name}\b"):
        call()
