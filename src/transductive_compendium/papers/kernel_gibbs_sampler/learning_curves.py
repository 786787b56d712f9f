"""Active learning: test error by the number of labels queried, and by strategy.

Graepel and Herbrich (2001), section 4. Every replication has its own pool, test points, flips and
first labels, the same for all strategies; the seed affects only the sampler.
"""

import numpy as np
from sklearn.base import clone

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space.active_learning import binary_entropy, query_loop

from ...datasets.generators import flip_labels
from ...datasets.recorded_splits import partition, scaled
from ...runner import Parameter, experiment
from .query_learners import N_TEST, PROBLEMS, Committee, SoftMargin, error_rate
from .sphere_points import labelled_points

#: Strategy: queries by the entropy under the prior on all feature space.
WHOLE_SPACE = "entropy in the whole space"
#: Widths of the RBF kernel, those of Graepel et al. (2000).
SIGMA = {"thyroid": 3.0, "heart": 10.0}
REPLICATIONS = {"uniform": 50, "beta": 50, "heart": 36, "thyroid": 36}
N_POOL = 300
# in R^3 the span of the labelled points is the whole space
STRATEGIES = {
    "entropy": "entropy",
    WHOLE_SPACE: "entropy",
    "margin": "margin",
    "SVM margin": "margin",
    "random": "random",
}
#: Numbers of labels at which errors are recorded. Queries are one by one to 20, then in pairs.
SIZES = (4, 6, 8, 10, 12, 16, 20, 24, 30, 40)
_QUERY_SIZES = (*range(4, 20), *range(20, 41, 2))


def kernel_problem(key, data):
    """Kernel values (pool, pool) and (test, pool), labels of the pool, true ones of the test."""
    rng = np.random.default_rng([3, key["replication"]])
    if key["problem"] in data:
        table = data[key["problem"]]
        pool, test = partition(len(table.y), key["replication"])
        X, y = scaled(table.X, "standardised"), table.y
        K = gram_matrix(X, X[pool], gamma=rbf_gamma(SIGMA[key["problem"]]))
    else:
        pool, test = np.split(np.arange(N_POOL + N_TEST), [N_POOL])
        X, y = labelled_points(key["problem"], N_POOL + N_TEST, rng, "middle")
        K = X @ X[pool].T
    return K[pool], K[test], flip_labels(y[pool], key["flip_rate"], rng).astype(float), y[test]


def _replications(params, profile):
    def keys(replications, noise):
        return [
            {"replication": i, "problem": problem, "flip_rate": flip_rate, "q": q}
            for i in range(max(replications.values()))
            for problem, rate in PROBLEMS.items()
            for flip_rate, q in noise(rate)
            if i < replications[problem]
        ]

    recorded = keys(REPLICATIONS, lambda rate: ((0.0, 0.0), (rate, rate)))
    # label noise that is assumed although there is none
    more = keys(REPLICATIONS, lambda rate: ((0.0, rate),))
    return {"smoke": recorded[:4], "paper": recorded, "full": recorded + more}[profile]


@experiment(
    "kernel_gibbs_sampler/active_learning",
    version=1,
    page="queries",
    title="Test error against the number of labels queried, by strategy",
    datasets=("heart", "thyroid"),
    parameters={
        "n_samples": Parameter(200, int, "samples of each of four chains", minimum=2),
        # in favour of the SVM: the best of 0.001, 0.01, 0.1, 1 and 10 on other problems
        "ridge": Parameter(0.1, float, "soft margin of the SVM", exclusive_minimum=0.0),
    },
    units=_replications,
    # seven standard deviations over seeds, of the toy problems that the smoke profile runs
    agreement=dict.fromkeys(("error", "error_vote", "error_svm", "entropy_left"), "chaotic"),
)
def errors_by_strategy(key, params, data, rng):
    """Errors of Bayes point, vote and SVM, a row for each strategy and number of labels."""
    pool, cross, labels, truth = kernel_problem(key, data)
    committee = Committee(key["q"], params["n_samples"], int(rng.integers(2**63)))
    svm = SoftMargin(params["ridge"])
    asked = {"SVM margin": svm, WHOLE_SPACE: clone(committee).set_params(whole_space=True)}
    rows = []
    for strategy, how in STRATEGIES.items():
        if strategy == WHOLE_SPACE and key["problem"] not in data:
            continue
        learner = asked.get(strategy, committee)
        other = committee if learner is svm else svm
        sizes = SIZES if how == "random" else _QUERY_SIZES
        # all strategies begin with the same labels
        steps = query_loop(learner, pool, labels, sizes, how, random_state=key["replication"])
        for known, model in steps:
            if len(known) not in SIZES:
                continue
            other.fit(pool[np.ix_(known, known)], labels[known])
            gibbs, soft_margin = (other, model) if learner is svm else (model, other)
            votes = gibbs.predict_proba(cross[:, known])
            rest = np.delete(pool, known, axis=0)
            rows.append(
                {
                    "strategy": strategy,
                    "labels": len(known),
                    "error": error_rate(gibbs.decision_function(cross[:, known]), truth),
                    "error_vote": error_rate(votes[:, 1] - 0.5, truth),
                    "error_svm": error_rate(soft_margin.decision_function(cross[:, known]), truth),
                    "entropy_left": float(
                        binary_entropy(gibbs.predict_proba(rest[:, known])[:, 1]).mean()
                    ),
                }
            )
    return rows
