"""Past the published limit of about 100 points: mixing, cost, what the Bayes point is worth.

The Kernel Gibbs Sampler, sections 1 and 6. Rows and toy problems are recorded draws; the seed moves
the chains alone.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from scipy.sparse.linalg import lsqr
from scipy.stats import rankdata
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive.version_space import FeatureSpan, GibbsChains, WhitenedPoints
from transductive.version_space._gibbs_reference import gibbs_step
from transductive.version_space.mixing import mixing

from ...runner.declaration import Experiment, UnitMean, crossed, register

# two chains from the prior, two from a solution that fits: only what has forgotten both has mixed
STARTS = {"prior": slice(0, 2), "regularised": slice(2, 4), "both": slice(0, 4)}
# outputs are followed at this many test points
FOLLOWED = 50


def _seeds(rng):
    return np.random.SeedSequence(rng.integers(2**63))


# ---- real sets of a hundred to ten thousand points -----------------------------------------------

# gamma times the number of features
GAMMA = {"banana": 2.0, "ringnorm": 1.0, "ringnorm drawn": 1.0, "mnist": 16.0}
NOISE = {"banana": 0.1, "ringnorm": 0.02, "ringnorm drawn": 0.02, "mnist": 0.02}
TEST = 1000
KEPT = 512
CHECKPOINTS = (32, 64, 128, 256, 512)
COSTS = (0.1, 1.0, 10.0, 100.0)


def draw_ringnorm(n, rng):
    """Breiman's ringnorm: N(0, 4 I) against N(a, I), a = 2 / sqrt(20), in 20 dimensions."""
    y = np.where(rng.random(n) < 0.5, 1, -1)
    X = rng.standard_normal((n, 20))
    return np.where(y[:, None] > 0, 2.0 * X, X + 2.0 / np.sqrt(20.0)), y


def sample(name, m, data):
    """Training and test part: the first m of the recorded order of the training rows.

    The published test part where there is one, else 1000 rows set aside (of a small set, a
    third). All training rows where there are fewer than m.
    """
    rng = np.random.default_rng(np.random.SeedSequence([2000, 514]))
    if name == "ringnorm drawn":
        X, y = draw_ringnorm(10_000 + 2 * TEST, rng)
        n_train = 10_000
    else:
        X, y, n_train = data[name].X, data[name].y, data[name].n_train
    if n_train is None:
        order = rng.permutation(len(y))
        n_train = len(y) - min(TEST, len(y) // 3)
        train, test = order[:n_train], order[n_train:]
    else:
        train, test = rng.permutation(n_train), np.arange(n_train, len(y))
    if name == "mnist":
        X = X / X.max()
    else:
        X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    train = train[:m]
    return X[train], y[train].astype(float), X[test], y[test]


def _error(outputs, truth):
    return float(np.mean((outputs >= 0) != (truth > 0)))


def _machine(X, y, X_test, truth, gamma):
    """Support vector machine, its cost by cross-validation on at most 1000 rows."""
    begin = perf_counter()
    gram = gram_matrix(X[:1000], gamma=gamma)
    grid = GridSearchCV(SVC(kernel="precomputed"), {"C": COSTS}, cv=5).fit(gram, y[:1000])
    machine = SVC(gamma=gamma, cache_size=500, **grid.best_params_).fit(X, y)
    error = float(np.mean(machine.predict(X_test) != truth))
    return {"error_svm": error, "seconds_svm": perf_counter() - begin}


def _run_limit(key, params, data, rng):
    X, y, X_test, truth = sample(key["dataset"], key["m"], data)
    gamma, thin = GAMMA[key["dataset"]] / X.shape[1], key["thin"]

    def kernel(A, B):
        K = gram_matrix(A, B, gamma=gamma)
        K += 1.0  # a constant feature, so that the classifiers have a bias, as the machine has
        return K

    unit = _machine(X, y, X_test, truth, gamma)
    begin = perf_counter()
    if key["rank"]:
        points = WhitenedPoints.from_kernel(X, kernel, key["rank"])
    else:
        points = WhitenedPoints.from_gram(kernel(X, X), overwrite=True)
    unit["seconds_factor"] = perf_counter() - begin
    coordinates = points.transform(kernel(X_test, X[points.pivots]))

    # least squares of the labels, with a ridge of one
    fit = lsqr(points.coordinates, y, damp=1.0, iter_lim=200)[0]
    first = np.vstack([rng.standard_normal((2, points.rank)), fit, fit])
    chains = GibbsChains(points, key["q"], signs=y, start=first, random_state=_seeds(rng))
    begin = perf_counter()
    samples = chains.run(KEPT, thin=thin)
    step = (perf_counter() - begin) / (4 * KEPT * thin)
    unit |= {
        "n_train": len(y),
        "n_test": len(truth),
        "dimension": points.rank,
        "truncation": points.truncation,
        "errors_start": int(np.sum(y * (points.coordinates @ fit) <= 0)),
        "error_start": _error(coordinates @ fit, truth),
        "microseconds": step * 1e6,
    }
    outputs = samples.outputs(coordinates)
    followed = np.concatenate([samples.errors[..., None], outputs[..., :FOLLOWED]], axis=2)
    rows = []
    for n in CHECKPOINTS:
        late = slice(n // 2, n)  # the first half is burn-in
        for start, group in STARTS.items():
            found = mixing(followed[group, late])
            mean = outputs[group, late].mean(axis=(0, 1))
            vote = (outputs[group, late] > 0).mean(axis=(0, 1)) - 0.5
            n_chains = group.stop - group.start
            ess = float(np.median(found.ess_bulk[1:]))
            rows.append(
                {
                    "start": start,
                    "steps": n * thin,
                    "r_hat_errors": float(found.r_hat[0]),
                    "r_hat_outputs": float(found.r_hat[1:].max()),
                    "ess_errors": float(found.ess_bulk[0]),
                    "ess_outputs": ess,
                    "ess_second": ess / (n_chains * n * thin * step),
                    "mean_errors": float(samples.errors[group, late].mean()),
                    "error_vote": _error(vote, truth),
                    "error_bayes_point": _error(mean, truth),
                    "error_last": float(
                        np.mean([_error(last, truth) for last in outputs[group, n - 1]])
                    ),
                    "agreement": float(np.mean((vote >= 0) == (mean >= 0))),
                    **unit,
                }
            )
    return rows


def _limit_units():
    """Rank 0 is the whole span; as many steps between the samples as a step's cost allows.

    A hundred points at their own q get about the seconds that a thousand get.
    """
    sets, own = ("banana", "ringnorm", "mnist"), None
    for q, thin in ((own, 1600), (0.3, 400), (0.45, 400)):
        yield from ((name, 100, 0, q, thin) for name in sets)
    for rank, q in ((0, own), (0, 0.3), (0, 0.45), (50, own), (200, own)):
        yield from ((name, 1000, rank, q, 100) for name in sets)
    for name, rank, q, thin in (
        ("banana", 0, own, 32),
        ("banana", 0, 0.3, 32),
        ("banana", 0, 0.45, 512),
        ("banana", 50, own, 32),
        ("banana", 200, own, 32),
        ("ringnorm", 0, own, 12),
        ("ringnorm", 0, 0.45, 48),
        ("ringnorm", 50, own, 32),
        ("ringnorm", 200, own, 32),
        ("ringnorm", 500, own, 32),
        ("ringnorm", 500, 0.45, 32),
        ("mnist", 0, own, 6),
        ("mnist", 0, 0.3, 6),
        ("mnist", 50, own, 32),
        ("mnist", 200, own, 32),
        ("mnist", 500, own, 32),
        ("mnist", 500, 0.3, 32),
        ("mnist", 500, 0.45, 32),
        ("ringnorm drawn", 0, own, 6),
        ("ringnorm drawn", 500, own, 32),
        ("ringnorm drawn", 200, 0.45, 384),
    ):
        yield name, 10_000, rank, q, thin


register(
    Experiment(
        name="kernel_gibbs_sampler/limit",
        version=1,
        title="A hundred, a thousand and ten thousand points: has it mixed, and is it any good",
        datasets=("banana", "ringnorm", "mnist"),
        units=lambda params, profile: [
            {"dataset": name, "m": m, "rank": rank, "q": q or NOISE[name], "thin": thin}
            for name, m, rank, q, thin in _limit_units()
        ][: 3 if profile == "smoke" else None],
        run_unit=_run_limit,
        agreement={
            **dict.fromkeys(("seconds_factor", "seconds_svm", "microseconds"), "ignore"),
            **dict.fromkeys(("ess_errors", "ess_outputs", "ess_second"), "ignore"),
            # seven standard deviations of a unit's mean over seeds, as for all tolerances here
            "r_hat_errors": UnitMean(0.1),
            "r_hat_outputs": UnitMean(0.15),
            "mean_errors": UnitMean(0.65),
            "error_vote": UnitMean(0.009),
            "error_bayes_point": UnitMean(0.0075),
            "error_last": UnitMean(0.03),
            "agreement": UnitMean(0.015),
        },
    )
)


# ---- how many steps an independent draw takes ---------------------------------------------------

FLIPPED = 0.05
LONGEST = 2**15
DRAWS = 512


def toy(m, r):
    """Normal points in r dimensions, a teacher's labels with 5 % flipped, test points, teacher."""
    rng = np.random.default_rng(np.random.SeedSequence([2000, m, r]))
    X, teacher = rng.standard_normal((m, r)), rng.standard_normal(r)
    y = np.where(X @ teacher >= 0, 1.0, -1.0) * np.where(rng.random(m) < FLIPPED, -1.0, 1.0)
    return X, y, rng.standard_normal((FOLLOWED, r)), teacher


def _toy_chains(m, r, q, rng):
    """Two chains from the prior and two from the teacher; in version space all from one point."""
    X, y, test, teacher = toy(m, r)
    first = np.vstack([rng.standard_normal((2, r)), teacher, teacher]) if q else None
    return GibbsChains(X, q, signs=y, start=first, random_state=_seeds(rng)), test


def _run_mixing(key, params, data, rng):
    chains, test = _toy_chains(key["m"], key["r"], key["q"], rng)
    length = DRAWS
    while True:
        # the runs before, as long as this one together, are burn-in
        samples = chains.run(DRAWS, thin=length // DRAWS)
        found = mixing(np.concatenate([samples.errors[..., None], samples.outputs(test)], axis=2))
        if found.ok or length >= LONGEST:
            break
        length *= 2
    autocorrelation = 4 * length / found.ess_bulk
    return [
        {
            "mixed": bool(found.ok),
            "steps": 2 * length - DRAWS,
            "r_hat": found.worst_r_hat,
            "time_errors": float(autocorrelation[0]) if key["q"] else np.nan,
            "time_outputs": float(np.median(autocorrelation[1:])),
            "time_worst": float(autocorrelation.max()),
            "mean_errors": float(samples.expected_errors.mean()),
            "errors_prior": float(samples.expected_errors[STARTS["prior"]].mean()),
            "errors_teacher": float(samples.expected_errors[STARTS["regularised"]].mean()),
        }
    ]


def _mixing_units():
    levels = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02)
    for r in (10, 30, 100, 300):  # as many points as dimensions, as in a kernel's whole span
        for q in (*levels, 0.0):
            yield r, r, q
    for r in (3, 10, 30, 100, 300, 1000):
        for q in levels:
            yield 1000, r, q
    yield 1000, 1000, 0.0
    for m in (100, 10_000):
        for q in (0.4, 0.2, 0.05):
            yield m, 10, q


register(
    Experiment(
        name="kernel_gibbs_sampler/mixing",
        version=1,
        title="Steps for an independent draw, against dimension, number of points and noise",
        units=lambda params, profile: [{"m": m, "r": r, "q": q} for m, r, q in _mixing_units()][
            : 6 if profile == "smoke" else None
        ],
        run_unit=_run_mixing,
        agreement={
            **dict.fromkeys(("mixed", "steps", "r_hat"), "ignore"),
            **dict.fromkeys(("time_errors", "time_outputs", "time_worst"), 21.0),
            "mean_errors": 0.25,
            "errors_prior": 0.36,
            "errors_teacher": 0.36,
        },
    )
)

RANK_BINS = 20
EXAMPLES = {"mixed": (1000, 10, 0.2, 50), "not mixed": (1000, 100, 0.1, 50)}


def _run_ranks(key, params, data, rng):
    m, r, q, thin = EXAMPLES[key["example"]]
    chains, test = _toy_chains(m, r, q, rng)
    samples = chains.run(1000, thin=thin, burn_in=1000 * thin)
    rows = []
    for quantity, draws in (
        ("training errors", samples.expected_errors),
        ("output", samples.outputs(test[:1])[..., 0]),
    ):
        found = mixing(draws[..., None])
        ranks = (rankdata(draws) - 0.5) / draws.size
        for chain, own in enumerate(ranks.reshape(draws.shape)):
            counts = np.histogram(own, bins=RANK_BINS, range=(0.0, 1.0))[0]
            rows += [
                {
                    "quantity": quantity,
                    "chain": chain,
                    "start": "prior" if chain < 2 else "teacher",
                    "bin": b,
                    "count": int(count),
                    "r_hat": found.worst_r_hat,
                    "ess": found.least_ess,
                }
                for b, count in enumerate(counts)
            ]
    return rows


register(
    Experiment(
        name="kernel_gibbs_sampler/rank_plots",
        version=1,
        title="Ranks of each chain's draws among all: one that has mixed, one that has not",
        units=crossed(example=EXAMPLES, smoke=1),
        run_unit=_run_ranks,
        agreement={"count": "ignore", "r_hat": 0.005, "ess": "ignore"},
    )
)


# ---- microseconds a step ------------------------------------------------------------------------

LOW_RANK = 100


def _fastest(work, n, rounds):
    """Microseconds for one of the n that `work` does."""
    fastest = np.inf
    for _ in range(rounds):
        begin = perf_counter()
        work()
        fastest = min(fastest, (perf_counter() - begin) / n)
    return float(fastest * 1e6)


def _run_step_cost(key, params, data, rng):
    X = rng.standard_normal((key["m"], 20))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)

    def kernel(A, B):
        return gram_matrix(A, B, gamma=0.1)

    gram = kernel(X, X)
    whole = WhitenedPoints.from_gram(gram)
    low = WhitenedPoints.from_kernel(X, kernel, LOW_RANK)
    chain = GibbsChains(whole, 0.05, signs=y, n_chains=1, random_state=0)
    low_chain = GibbsChains(low, 0.05, signs=y, n_chains=1, random_state=0)
    # the document: step 3 by the Gram matrix, for position and direction
    folded = FeatureSpan(gram * np.outer(y, y))
    w = folded.random_tangent(np.eye(len(y))[0], rng)
    v = folded.random_tangent(w, rng)

    def products():
        for _ in range(10):
            folded.gram @ w
            folded.gram @ v

    def reference():
        for _ in range(3):
            gibbs_step(folded, w, 0.05, rng)

    n = 1024 if key["m"] <= 800 else 256
    return [
        {
            "dimension": whole.rank,
            "kernel": _fastest(lambda: chain.run(1, thin=n), n, 5),
            "low_rank": _fastest(lambda: low_chain.run(1, thin=n), n, 5),
            "products": _fastest(products, 10, 3),
            "reference": _fastest(reference, 3, 2),
        }
    ]


register(
    Experiment(
        name="kernel_gibbs_sampler/step_cost",
        version=1,
        title="Microseconds a step against the number of points",
        units=crossed(m=(50, 100, 200, 400, 800, 1600, 3200), smoke=3),
        run_unit=_run_step_cost,
        # times belong to a machine: nothing to agree with
        agreement=dict.fromkeys(("kernel", "low_rank", "products", "reference"), "ignore"),
    )
)
