"""Beyond the published limit of about 100 points: mixing, and the error of the Bayes point.

Graepel and Herbrich (2001), section 1. Training rows are fixed; the seed affects only the chains.
"""

from time import perf_counter

import numpy as np
from scipy.sparse.linalg import lsqr
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from transductive.kernels import gram_matrix
from transductive.version_space import GibbsChains, WhitenedPoints
from transductive.version_space.mixing import mixing

from ...runner import experiment
from .chains import chain_seed
from .teacher_chains import N_FOLLOWED

#: Label noise assumed for each data set.
OWN_NOISE = {"banana": 0.1, "ringnorm": 0.02, "ringnorm drawn": 0.02, "mnist": 0.02}
# Two chains start from the prior, two from a solution that fits the labels: R-hat is near one only
# when both starts are forgotten.
STARTS = {"prior": slice(0, 2), "regularised": slice(2, 4), "both": slice(0, 4)}
# gamma times the number of features
GAMMA = {"banana": 2.0, "ringnorm": 1.0, "ringnorm drawn": 1.0, "mnist": 16.0}
N_TEST = 1000
N_KEPT = 512
CHECKPOINTS = (32, 64, 128, 256, 512)
C_GRID = (0.1, 1.0, 10.0, 100.0)


def draw_ringnorm(n, rng):
    """Breiman's ringnorm: N(0, 4 I) against N(a, I), a = 2 / sqrt(20), in 20 dimensions."""
    y = np.where(rng.random(n) < 0.5, 1, -1)
    X = rng.standard_normal((n, 20))
    return np.where(y[:, None] > 0, 2.0 * X, X + 2.0 / np.sqrt(20.0)), y


def training_and_test(name, m, data):
    """Training and test part: the first m of the recorded order of the training rows.

    The test part is the published one, or else 1000 rows (a third of a small set). If there are
    fewer than m training rows, all are used.
    """
    rng = np.random.default_rng(np.random.SeedSequence([2000, 514]))
    if name == "ringnorm drawn":
        X, y = draw_ringnorm(10_000 + 2 * N_TEST, rng)
        n_train = 10_000
    else:
        X, y, n_train = data[name].X, data[name].y, data[name].n_train
    if n_train is None:
        order = rng.permutation(len(y))
        n_train = len(y) - min(N_TEST, len(y) // 3)
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


def _svm(X, y, X_test, truth, gamma):
    """Error and seconds of an SVM, its C by cross-validation on at most 1000 rows."""
    begin = perf_counter()
    gram = gram_matrix(X[:1000], gamma=gamma)
    grid = GridSearchCV(SVC(kernel="precomputed"), {"C": C_GRID}, cv=5, n_jobs=1)
    grid.fit(gram, y[:1000])
    svm = SVC(gamma=gamma, cache_size=500, **grid.best_params_).fit(X, y)
    error = float(np.mean(svm.predict(X_test) != truth))
    return {"error_svm": error, "seconds_svm": perf_counter() - begin}


def _settings():
    """Settings of the chains. Rank 0 is the whole span; cheaper steps allow more between samples.

    A hundred points at their own q get about as many seconds as a thousand.
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


@experiment(
    "kernel_gibbs_sampler/limit",
    version=1,
    title="A hundred, a thousand and ten thousand points: mixing, and test errors",
    datasets=("banana", "ringnorm", "mnist"),
    units=lambda params, profile: [
        {"dataset": name, "m": m, "rank": rank, "q": q or OWN_NOISE[name], "thin": thin}
        for name, m, rank, q, thin in _settings()
    ][: 3 if profile == "smoke" else None],
    agreement={
        **dict.fromkeys(("seconds_factor", "seconds_svm", "microseconds", "ess_second"), "ignore"),
        **dict.fromkeys(("ess_errors", "ess_outputs", "r_hat_errors", "r_hat_outputs"), "chaotic"),
        **dict.fromkeys(("mean_errors", "error_vote", "error_bayes_point"), "chaotic"),
        **dict.fromkeys(("error_last", "agreement"), "chaotic"),
    },
)
def mixing_and_errors(key, params, data, rng):
    """Mixing and test errors, a row for each number of steps and start of the chains."""
    X, y, X_test, truth = training_and_test(key["dataset"], key["m"], data)
    gamma, thin = GAMMA[key["dataset"]] / X.shape[1], key["thin"]

    def kernel(A, B):
        K = gram_matrix(A, B, gamma=gamma)
        K += 1.0  # a constant feature, so that the classifiers have a bias, as the SVM has
        return K

    unit = _svm(X, y, X_test, truth, gamma)
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
    chains = GibbsChains(points, key["q"], signs=y, start=first, random_state=chain_seed(rng))
    begin = perf_counter()
    samples = chains.run(N_KEPT, thin=thin)
    step = (perf_counter() - begin) / (4 * N_KEPT * thin)
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
    followed = np.concatenate([samples.errors[..., None], outputs[..., :N_FOLLOWED]], axis=2)
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
