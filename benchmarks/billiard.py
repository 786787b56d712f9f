"""What is measured of the kernel billiard, and the bars that it has to reach."""

from collections.abc import Iterator
from time import process_time

import billiard_in_numpy
import numpy as np
from measuring import least_seconds, table_row

from transductive.kernels import gram_matrix
from transductive.version_space import KernelBilliard
from transductive_compendium.datasets import DataError, load
from transductive_compendium.papers.bayesian_transduction.splits import N_SPLITS
from transductive_compendium.runner import get

SIZES = ((100, 0), (100, 67), (1000, 0), (1000, 670))
# Ratios to reach: seconds of the contender over seconds of the kernel.
BARS = {
    "recomputing": {100: 15.0, 1000: 300.0},
    "keeping": {1000: 6.0},
}
SECONDS_PER_DATA_SET = 20.0
N_BOUNCES = 20_000  # of the kernel, in one go; nothing is counted that happens once a chain
TITLE = "The kernel billiard against plain NumPy"
GROUPS = {
    "bounce": "A bounce",
    "experiment": "All splits of a data set",
}


class Problem:
    """Random points of two classes, and where the ball sets out.

    Attributes
    ----------
    gram, cross : ndarrays of shape (l, l) and (l, m)
        Inner products of the label-folded walls with each other and with further points.
    position, velocity : ndarrays of shape (l,)
        Coefficients at the start of the kernel's ball.
    """

    def __init__(self, l, m):
        rng = np.random.default_rng([l, m])
        X = rng.standard_normal((l + m, 10))
        y = np.where(X[:l, 0] > 0, 1.0, -1.0)
        self.gram = gram_matrix(X[:l], gamma=0.05) * np.outer(y, y)
        self.cross = gram_matrix(X[:l], X[l:], gamma=0.05) * y[:, None] if m else np.empty((l, 0))
        first = self.billiard().run(1)
        self.position, self.velocity = first.positions[0], first.velocities[0]

    def billiard(self, **options):
        """A new billiard in this version space."""
        return KernelBilliard(self.gram, random_state=0, **options)


def check_contenders(problem, n_bounces=20):
    """Raise unless kernel and contenders agree: walls, arcs, arcs on the positive sides.

    Raises
    ------
    AssertionError
    """
    flown = problem.billiard().run(n_bounces)
    times = flown.flight_times(problem.cross).positive[0]
    for play in (billiard_in_numpy.recomputing, billiard_in_numpy.keeping):
        walls, arcs, positive = play(
            problem.gram, problem.cross, problem.position, problem.velocity, n_bounces
        )
        np.testing.assert_array_equal(walls, flown.walls, err_msg=play.__name__)
        np.testing.assert_allclose(arcs, flown.arcs, rtol=1e-5, atol=1e-9, err_msg=play.__name__)
        np.testing.assert_allclose(positive, times, atol=1e-8, err_msg=play.__name__)


def bounces(l, m) -> Iterator[dict]:
    """Microseconds a bounce of the kernel and of both loops, and their ratios."""
    problem = Problem(l, m)
    check_contenders(problem)
    billiard = problem.billiard()
    slow, quick = max(40, 4 * 10**7 // (l * (l + m))), 2000

    def kernel():
        flown = billiard.run(N_BOUNCES)
        if m:
            flown.flight_times(problem.cross)

    def loop(play, n):
        return lambda: play(problem.gram, problem.cross, problem.position, problem.velocity, n)

    counts = {"kernel": N_BOUNCES, "recomputing": slow, "keeping": quick}
    least = least_seconds(
        {
            "kernel": kernel,
            "recomputing": loop(billiard_in_numpy.recomputing, slow),
            "keeping": loop(billiard_in_numpy.keeping, quick),
        }
    )
    per_bounce = {name: least[name] / n * 1e6 for name, n in counts.items()}
    place = "bounce", f"l = {l}, m = {m}", {"l": l, "m": m}
    for name, value in per_bounce.items():
        yield table_row(*place, name, "microseconds", value)
    for name, bars in BARS.items():
        ratio = per_bounce[name] / per_bounce["kernel"]
        yield table_row(*place, f"{name} / kernel", "times", ratio, bars.get(l, np.nan))


def splits(figure) -> Iterator[dict]:
    """Seconds for all splits of figure 2a or 2b: 1000 bounces and the support vector machine."""
    experiment = get(f"bayesian_transduction/{figure}")
    (name,) = experiment.datasets
    try:
        table = load(name)
    except DataError as error:
        print(f"{name} is left out: {error}")
        return
    params = {key: parameter.default for key, parameter in experiment.parameters.items()}
    rng = np.random.default_rng(0)
    begin = process_time()
    for number in range(N_SPLITS):
        rows = experiment.run_unit({"split": number}, params, {name: table}, rng)
    seconds, m = process_time() - begin, len(rows)
    yield table_row(
        "experiment", f"{name}, {N_SPLITS} splits", {"l": len(table.y) - m, "m": m},
        "billiard of 1000 bounces and SVM", "seconds", seconds, at_most=SECONDS_PER_DATA_SET,
    )  # fmt: skip


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for l, m in SIZES:
        yield from bounces(l, m)
    for figure in ("figure_2a", "figure_2b"):
        yield from splits(figure)
