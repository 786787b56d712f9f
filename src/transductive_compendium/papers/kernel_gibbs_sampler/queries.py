"""Active learning: what queries by the entropy of the posterior are worth, and what they tell.

The Kernel Gibbs Sampler, section 4. Every replication has its own draw of pool, test points, flips
and first labels, the same for all strategies; the seed moves the sampler alone.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from transductive._exact.arrangement import Arrangement
from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import FeatureSpan, GibbsChains, WhitenedPoints
from transductive.version_space.active_learning import binary_entropy, query_loop
from transductive.version_space.start import max_margin_point

from ...datasets.generators import flip_labels, points_on_sphere
from ...datasets.recorded_splits import partition, scaled
from ...runner.declaration import Experiment, UnitMean, register
from ...runner.parameters import Parameter

# Points that share a great circle to rounding, as many Beta angles do, are moved by so much.
_JITTER = 1e-6


class _Pairwise(ClassifierMixin, BaseEstimator):
    """Classifier of precomputed kernel values, without a bias."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags


class Committee(_Pairwise):
    """Samples of the posterior, every r-th step of four chains of dimension r.

    `KernelGibbsSampler` without its diagnostics, which would take longer than the chains; its
    decision function is that of the Bayes point. Points have unit length in feature space.

    With `whole_space` the prior is uniform on the unit sphere of all feature space, not of the
    span of the labelled points, as the document's expansion (1) has it. That changes neither the
    posterior in the span, but for lengths, nor the Bayes point, but the votes on points outside:
    with x = s + z in and orthogonal to the span, ``|g| <w, s> + |z| t`` for w of the span, g
    normal in r dimensions and t in one. Its sign is positive with Student's probability.
    """

    def __init__(self, q, n_samples=200, seed=0, whole_space=False):
        self.q = q
        self.n_samples = n_samples
        self.seed = seed
        self.whole_space = whole_space

    def fit(self, K, y):
        self.points_ = WhitenedPoints.from_gram(K)
        r = self.points_.rank
        chains = GibbsChains(self.points_, self.q, signs=y, random_state=self.seed)
        self.samples_ = chains.run(self.n_samples, thin=r, burn_in=50 * r)
        return self

    def _coordinates(self, cross):
        return self.points_.transform(cross[:, self.points_.pivots])

    def predict_proba(self, cross):
        coordinates = self._coordinates(cross)
        if self.whole_space:
            outside = np.sqrt(np.maximum(1.0 - np.sum(coordinates**2, axis=1), 1e-12))
            r = self.points_.rank
            # smooth: fewer samples do
            outputs = self.samples_.outputs(coordinates)[:, :: max(1, self.n_samples // 50)]
            p = stdtr(r, np.sqrt(r) * outputs / outside).mean(axis=(0, 1))
        else:
            p = self.samples_.votes(coordinates)
        return np.column_stack([1.0 - p, p])

    def decision_function(self, cross):
        mean = self.samples_.mean
        return self._coordinates(cross) @ (mean / np.linalg.norm(mean))


class SoftMargin(_Pairwise):
    """Quadratic soft-margin support vector machine of section 5, ``k + ridge 1[x = x']``."""

    def __init__(self, ridge):
        self.ridge = ridge

    def fit(self, K, y):
        gram = (K + self.ridge * np.eye(len(K))) * np.outer(y, y)
        self.dual_coef_ = y * max_margin_point(FeatureSpan(gram), len(K))
        return self

    def decision_function(self, cross):
        return cross @ self.dual_coef_


def points_of(law, n, rng):
    """Points of the sphere in R^3 under figure 4's law ("beta") or uniform, and true labels."""
    X, teacher = points_on_sphere(n, rng)
    noise = rng.standard_normal(X.shape)
    X = noise if law == "uniform" else X + _JITTER * noise
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X, np.where(X @ teacher > 0, 1, -1)


def _wrong(outputs, truth):
    return float(np.mean((outputs >= 0) != (truth > 0)))


# ---- learning curves ----------------------------------------------------------------------------

#: Problem -> rate of flipped labels, where there are any.
#: Widths of the RBF kernel, those of Graepel et al. (2000).
SIGMA = {"thyroid": 3.0, "heart": 10.0}
PROBLEMS = {"uniform": 0.05, "beta": 0.05, "heart": 0.1, "thyroid": 0.1}
REPLICATIONS = {"uniform": 50, "beta": 50, "heart": 36, "thyroid": 36}
N_POOL, N_TEST = 300, 1000
# in R^3 the span of the labelled points is the whole space
WHOLE = "entropy in the whole space"
STRATEGIES = {
    "entropy": "entropy",
    WHOLE: "entropy",
    "margin": "margin",
    "SVM margin": "margin",
    "random": "random",
}
#: Numbers of labels at which errors are recorded. Queries are one by one to 20, then in pairs.
SIZES = (4, 6, 8, 10, 12, 16, 20, 24, 30, 40)
_ONE_BY_ONE = (*range(4, 20), *range(20, 41, 2))


def kernel_problem(key, data):
    """Kernel values (pool, pool) and (test, pool), labels of the pool, true ones of the test."""
    rng = np.random.default_rng([3, key["replication"]])
    if key["problem"] in data:
        table = data[key["problem"]]
        pool, test = partition(len(table.y), key["replication"])
        X, y = scaled(table.X, "standardised", pool), table.y
        K = gram_matrix(X, X[pool], gamma=rbf_gamma(SIGMA[key["problem"]]))
    else:
        pool, test = np.split(np.arange(N_POOL + N_TEST), [N_POOL])
        X, y = points_of(key["problem"], N_POOL + N_TEST, rng)
        K = X @ X[pool].T
    return K[pool], K[test], flip_labels(y[pool], key["flip_rate"], rng).astype(float), y[test]


def _run_curves(key, params, data, rng):
    pool, cross, labels, truth = kernel_problem(key, data)
    committee = Committee(key["q"], params["n_samples"], int(rng.integers(2**63)))
    svm = SoftMargin(params["ridge"])
    asked = {"SVM margin": svm, WHOLE: clone(committee).set_params(whole_space=True)}
    rows = []
    for strategy, how in STRATEGIES.items():
        if strategy == WHOLE and key["problem"] not in data:
            continue
        learner = asked.get(strategy, committee)
        other = committee if learner is svm else svm
        sizes = SIZES if how == "random" else _ONE_BY_ONE
        # all strategies begin with the same labels
        steps = query_loop(learner, pool, labels, sizes, how, random_state=key["replication"])
        for known, model in steps:
            if len(known) not in SIZES:
                continue
            other.fit(pool[np.ix_(known, known)], labels[known])
            gibbs, machine = (other, model) if learner is svm else (model, other)
            rest = np.delete(pool, known, axis=0)
            rows.append(
                {
                    "strategy": strategy,
                    "labels": len(known),
                    "error": _wrong(gibbs.decision_function(cross[:, known]), truth),
                    "error_vote": _wrong(gibbs.predict_proba(cross[:, known])[:, 1] - 0.5, truth),
                    "error_svm": _wrong(machine.decision_function(cross[:, known]), truth),
                    "entropy_left": float(
                        binary_entropy(gibbs.predict_proba(rest[:, known])[:, 1]).mean()
                    ),
                }
            )
    return rows


def _curve_units(params, profile):
    def keys(replications, noise):
        return [
            {"replication": i, "problem": problem, "flip_rate": flip_rate, "q": q}
            for i in range(max(replications.values()))
            for problem, rate in PROBLEMS.items()
            for flip_rate, q in noise(rate)
            if i < replications[problem]
        ]

    recorded = keys(REPLICATIONS, lambda rate: ((0.0, 0.0), (rate, rate)))
    # label noise assumed where there is none
    more = keys(REPLICATIONS, lambda rate: ((0.0, rate),))
    return {"smoke": recorded[:4], "paper": recorded, "full": recorded + more}[profile]


register(
    Experiment(
        name="kernel_gibbs_sampler/active_learning",
        version=1,
        title="Test error against the number of labels asked for, by strategy of query",
        datasets=("heart", "thyroid"),
        parameters={
            "n_samples": Parameter(200, int, "samples of each of four chains", minimum=2),
            # in favour of the SVM: the best of 0.001, 0.01, 0.1, 1 and 10 on other draws
            "ridge": Parameter(0.1, float, "soft margin of the SVM", exclusive_minimum=0.0),
        },
        units=_curve_units,
        run_unit=_run_curves,
        # seven standard deviations over seeds, of the toy problems that the smoke profile runs
        agreement={
            "error": UnitMean(0.03),
            "error_vote": UnitMean(0.03),
            "error_svm": UnitMean(0.03),
            "entropy_left": UnitMean(0.02),
        },
    )
)


# ---- information --------------------------------------------------------------------------------

N_CANDIDATES, N_BINS, N_PER_BIN = 100, 10, 3


def _differential_entropy(cells, q):
    """Entropy of w in bits, relative to the uniform law: the log volume if q = 0."""
    posterior = cells.posterior(q)
    inside = posterior > 0
    return float(posterior[inside] @ np.log2(cells.areas[inside] / posterior[inside]))


def _risk(votes, weights):
    """Error that samples expect of their weighted vote; votes (n, points), weights (..., n)."""
    positive = weights @ votes
    total = weights.sum(axis=-1, keepdims=True)
    return np.minimum(positive, total - positive).mean(axis=-1)


def _run_information(key, params, data, rng):
    m, q = key["m"], key["flip_rate"]
    draw = np.random.default_rng([3, key["replication"]])
    X, truth = points_of(key["law"], m + N_CANDIDATES + N_TEST, draw)
    folded = flip_labels(truth[:m], q, draw)[:, None] * X[:m]
    pool, test = np.split(X[m:], [N_CANDIDATES])
    truth, truth_test = np.split(truth[m:], [N_CANDIDATES])

    # entropies are mostly near zero: a few candidates of each tenth of a bit
    cells = Arrangement(folded)
    p_plus = cells.probability_positive(q, pool)
    entropy = binary_entropy(np.clip(p_plus, 0.0, 1.0))
    order = draw.permutation(np.flatnonzero(entropy > 1e-6))
    tenth = np.minimum((entropy[order] * N_BINS).astype(int), N_BINS - 1)
    chosen = np.concatenate([order[tenth == b][:N_PER_BIN] for b in range(N_BINS)])

    chains = GibbsChains(folded, q, random_state=np.random.SeedSequence(rng.integers(2**63)))
    samples = chains.run(params["n_samples"], thin=3, burn_in=150)
    outputs = samples.outputs(np.concatenate([pool[chosen], test]))
    votes = (outputs > 0).reshape(-1, len(chosen) + N_TEST).astype(float)
    on_chosen, on_test = np.split(votes, [len(chosen)], axis=1)
    # jointly with each label: samples that it contradicts count q, the others 1 - q
    agrees = np.stack([on_chosen.T == 0, on_chosen.T == 1], axis=1)
    risk_after = _risk(on_test, np.where(agrees, 1.0 - q, q) / len(votes)).sum(axis=1)
    risk_before = _risk(on_test, np.full(len(votes), 1.0 / len(votes)))

    before = _differential_entropy(cells, q)
    point = cells.bayes_point(q)
    error_before = _wrong(test @ point, truth_test)
    rows = []
    for j, i in enumerate(chosen):
        gain, error = np.empty(2), np.empty(2)
        for label in (0, 1):
            finer = Arrangement(np.vstack([folded, (2 * label - 1) * pool[i]]))
            gain[label] = before - _differential_entropy(finer, q)
            error[label] = _wrong(test @ finer.bayes_point(q), truth_test)
        # law of the label: as the posterior expects it, and given the truth
        expected = q + (1.0 - 2.0 * q) * np.array([1.0 - p_plus[i], p_plus[i]])
        given_truth = np.where(np.array([-1, 1]) == truth[i], 1.0 - q, q)
        rows.append(
            {
                "p_plus": float(p_plus[i]),
                "entropy": float(entropy[i]),
                "entropy_sampled": float(binary_entropy(on_chosen[:, j].mean())),
                "margin": float(abs(pool[i] @ point)),
                "gain_expected": float(expected @ gain),
                "gain": float(given_truth @ gain),
                "risk_drop": float(risk_before - risk_after[j]),
                "error_drop": float(error_before - given_truth @ error),
            }
        )
    return rows


def _information_units(params, profile):
    def keys(sizes, replications):
        return [
            {"replication": i, "m": m, "law": law, "flip_rate": flip_rate}
            for m in sizes
            for i in range(replications)
            for law in ("uniform", "beta")
            for flip_rate in (0.0, PROBLEMS[law])
        ]

    recorded = keys((10,), 60)
    return {"smoke": recorded[:8], "paper": recorded, "full": recorded + keys((5, 20, 40), 60)}[
        profile
    ]


register(
    Experiment(
        name="kernel_gibbs_sampler/information",
        version=1,
        title="Entropy of a candidate's label, and what the label then tells",
        parameters={"n_samples": Parameter(500, int, "samples of each of four chains", minimum=50)},
        units=_information_units,
        run_unit=_run_information,
        agreement={"entropy_sampled": UnitMean(0.055), "risk_drop": UnitMean(0.007)},
    )
)
