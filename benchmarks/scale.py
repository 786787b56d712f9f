"""Time and memory of each estimator over the number of points, and where it leaves off."""

import warnings
from collections.abc import Iterator
from functools import partial
from time import process_time

import numpy as np
from measuring import alone, peak_memory, table_row
from threadpoolctl import threadpool_limits

from transductive import (
    BayesianTransduction,
    BayesPointMachine,
    KernelGibbsSampler,
    MeanOfPairs,
    RidgeLOO,
    TransductiveLinearDiscriminant,
    TransductiveRidge,
    TransductiveSVC,
    UniversumSVC,
)

TITLE = "Time and memory over the number of points"
METHOD = "one thread; processor time of one fit, in a process of its own"
N_FEATURES = 5
DENSE = (250, 500, 1000, 2000, 4000, 8000)
LOW_RANK = (3125, 6250, 12_500, 25_000, 50_000)
MODEST = (250, 500, 1000, 2000, 5000, 8000)
HELD, IN_BLOCKS = (1500, 3000, 6000, 12_000), (25_000, 50_000, 100_000)
DEFORMED = (625, 1250, 2500, 5000)
SMALL = (125, 250, 500, 1000, 2000, 5000)
# A size is not begun that would take longer, if time grows like n^3 from the one before.
MOST_SECONDS = 900.0
# What a user may have: a minute, and memory in MiB.
PATIENCE, MEMORY = 60.0, 4096.0
# Less than this is the noise of a process, and no part of a power law: seconds, MiB.
LEAST_SECONDS, LEAST_MEMORY = 0.05, 20.0
# How many times the largest size measured a power law is followed.
FARTHEST = 4


def draw(n, share):
    """Normal points, their values and classes; how many come first, as training points.

    Returns
    -------
    X, values, labels : ndarrays of shape (n, 5), (n,) and (n,)
    l : int
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, N_FEATURES))
    values = np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.standard_normal(n)
    return X, values, np.where(values > 0, 1, -1), max(2, round(share * n))


def fit_values(estimator, n, share=1.0):
    """Ridge estimators: values for a share of the points, the others are working points."""
    X, values, _, l = draw(n, share)
    estimator.fit(X[:l], values[:l], *([X[l:]] if l < n else []))


def fit_classes(estimator, n, share=1.0):
    """Classifiers, likewise."""
    X, _, labels, l = draw(n, share)
    estimator.fit(X[:l], labels[:l], *([X[l:]] if l < n else []))


def fit_universum(n):
    """The U-SVM: half of the points are means of pairs of the others."""
    X, _, labels, l = draw(n, 0.5)
    UniversumSVC(universum=MeanOfPairs(n - l, random_state=0)).fit(X[:l], labels[:l])


QUARTER = {"share": 0.25}
#: Name, what fits it to n points, the sizes.
CASES = {
    "RidgeLOO": (partial(fit_values, RidgeLOO()), DENSE),
    "TransductiveRidge, whole Gram matrix": (
        partial(fit_values, TransductiveRidge(rank=None), **QUARTER), DENSE,
    ),
    "TransductiveRidge, rank 500": (
        partial(fit_values, TransductiveRidge(rank=500), **QUARTER), LOW_RANK,
    ),
    "TransductiveRidge, as it chooses": (
        partial(fit_values, TransductiveRidge(), **QUARTER), LOW_RANK,
    ),
    "TransductiveLinearDiscriminant, whole Gram matrix": (
        partial(fit_classes, TransductiveLinearDiscriminant(rank=None), **QUARTER), DENSE,
    ),
    "BayesianTransduction, noise inferred": (
        partial(fit_classes, BayesianTransduction(random_state=0), share=0.6), SMALL,
    ),
    "BayesianTransduction, q=0": (
        partial(fit_classes, BayesianTransduction(q=0, ridge=0.1, random_state=0), share=0.6),
        MODEST,
    ),
    "BayesPointMachine, q=0": (
        partial(fit_classes, BayesPointMachine(q=0, ridge=0.1, random_state=0)), MODEST,
    ),
    "KernelGibbsSampler, hit_and_run": (
        partial(
            fit_classes, KernelGibbsSampler(sampler="hit_and_run", q=0.05, random_state=0)
        ),
        SMALL,
    ),
    "TransductiveSVC, Gaussian kernel, manifold chosen": (
        partial(fit_classes, TransductiveSVC(), share=0.05), DEFORMED,
    ),
    "TransductiveSVC, Gaussian kernel": (
        partial(fit_classes, TransductiveSVC(manifold=0.0), share=0.05), HELD,
    ),
    "TransductiveSVC, Gaussian kernel in blocks": (
        partial(fit_classes, TransductiveSVC(), share=0.05), IN_BLOCKS,
    ),
    "TransductiveSVC, linear": (
        partial(fit_classes, TransductiveSVC(kernel="linear"), share=0.05), LOW_RANK,
    ),
    "UniversumSVC, half of the points universum": (fit_universum, DENSE),
}  # fmt: skip
GROUPS = {name: name for name in CASES}


def memory(peak=True):
    """Peak or present memory of this process in MiB."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            lines = dict(line.split(":", 1) for line in status)
        return int(lines["VmHWM" if peak else "VmRSS"].split()[0]) / 2**10
    except OSError:
        # the peak only, which begins as that of the process that started this one
        return peak_memory() * 2**10


def fit_once(name, n):
    """Seconds of a fit, and MiB that it took at most."""
    fit, _ = CASES[name]
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # of convergence, and of a rank that is too low: the time is asked for
        warnings.simplefilter("ignore")
        before, begin = memory(peak=False), process_time()
        fit(n)
        return process_time() - begin, memory() - before


def in_a_process(name, n):
    """`fit_once` in a process of its own."""
    return alone(fit_once, name, n)


def power_law(sizes, values, least):
    """Exponent and factor of ``value = factor n^exponent`` through the larger sizes.

    Parameters
    ----------
    sizes, values : sequences of floats
    least : float
        Smaller values are left out.

    Returns
    -------
    exponent, factor : float
        Not a number with fewer than two values; of more than three the last three count.
    """
    points = [(n, v) for n, v in zip(sizes, values, strict=True) if v >= least][-3:]
    if len(points) < 2:
        return np.nan, np.nan
    exponent, constant = np.polyfit(*np.log(np.transpose(points)), 1)
    return float(exponent), float(np.exp(constant))


def reaches(limit, exponent, factor):
    """The n at which a power law reaches `limit`; infinite where it does not grow."""
    return (limit / factor) ** (1.0 / exponent) if exponent > 0.05 else np.inf


def one(name, sizes=None, measured=in_a_process) -> Iterator[dict]:
    """All rows of an estimator."""
    tried, seconds, sizes_of = [], [], []
    for n in CASES[name][1] if sizes is None else sizes:
        if seconds and seconds[-1] * (n / tried[-1]) ** 3 > MOST_SECONDS:
            break
        time, size = measured(name, n)
        tried, seconds, sizes_of = [*tried, n], [*seconds, time], [*sizes_of, size]
        yield table_row(name, f"n = {n}", {"n": n}, "fit", "seconds", time)
        yield table_row(name, f"n = {n}", {"n": n}, "memory", "MiB", size)
    laws = {
        "time": (power_law(tried, seconds, LEAST_SECONDS), PATIENCE, "a minute"),
        "memory": (power_law(tried, sizes_of, LEAST_MEMORY), MEMORY, "4 GiB"),
    }
    for what, (law, limit, words) in laws.items():
        yield table_row(name, "all", {"n": 0}, f"exponent of {what}", "-", law[0])
        yield table_row(name, "all", {"n": 0}, f"{words} at n", "points", reaches(limit, *law))


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for name in CASES:
        yield from one(name)


def page(rows, number):
    """The recorded rows as Markdown: a summary, and the times and memory of every size.

    Parameters
    ----------
    rows : pandas.DataFrame
    number : callable
        Writes a number.
    """
    whole = rows[rows["case"] == "all"].pivot(index="group", columns="quantity", values="value")
    lines = [
        "| estimator | time grows like | a minute at n | memory grows like | 4 GiB at n |",
        "|---|---|--:|---|--:|",
    ]

    def power(exponent):
        return f"$n^{{{exponent:.1f}}}$" if np.isfinite(exponent) else "-"

    def size(n, largest):
        if n > FARTHEST * largest:
            return f"beyond {FARTHEST * largest}" if np.isfinite(n) else "-"
        return f"{float(f'{n:.2g}'):.0f}"

    each = rows[rows["case"] != "all"]
    for name in [name for name in CASES if name in whole.index]:
        law, largest = whole.loc[name], each.loc[each["group"] == name, "n"].max()
        lines.append(
            f"| {name} | {power(law['exponent of time'])} | {size(law['a minute at n'], largest)} "
            f"| {power(law['exponent of memory'])} | {size(law['4 GiB at n'], largest)} |"
        )
    lines += ["", "| estimator | n | seconds | MiB |", "|---|--:|--:|--:|"]
    for name in [name for name in CASES if name in whole.index]:
        here = each[each["group"] == name].pivot(index="n", columns="quantity", values="value")
        lines += [
            f"| {name} | {n} | {number(row['fit'])} | {number(max(row['memory'], 0.0))} |"
            for n, row in here.iterrows()
        ]
    return lines + [""]
