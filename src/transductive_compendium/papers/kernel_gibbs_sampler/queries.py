"""Queries by the entropy S against random ones, on the points and flips of figure 4.

Graepel and Herbrich (2001), section 4 (active learning). The paper publishes no experiment for it.
"""

import numpy as np

from transductive.version_space.active_learning import binary_entropy

from ...datasets.generators import flip_labels, points_on_sphere
from ...runner import crossed, experiment
from ...runner.companions import options
from .first_states import AS_PRINTED, bayes_point, starts_at_svm, states
from .flipped_sphere import CHAIN, FLIP_RATE, soft_margin_dual

N_POOL, N_TEST, N_FIRST = 300, 1000, 4
#: Queries after which the Bayes point is tested.
CHECKPOINTS = (10, 20, 40)
#: Slack of the SVM at which the option's chain starts.
START_PENALTY = FLIP_RATE


def _start(X, y):
    """Unit weight vector of the quadratic soft-margin SVM without threshold."""
    w = (y[:, None] * X).T @ soft_margin_dual(X, y, START_PENALTY)
    return w / np.linalg.norm(w)


@experiment(
    "kernel_gibbs_sampler/queries",
    version=1,
    page="uses",
    title="Test error of the Bayes point after queries by entropy and random ones",
    parameters=CHAIN,
    open_choices=("angles", "samples", "start", "direction"),
    units=crossed(set={"smoke": 2, "paper": 500, "full": 500}, strategy=("entropy", "random")),
    agreement={"error": "chaotic"},
)
def error_after_queries(key, params, data, rng):
    """Test error of the Bayes point, a row for each number of queries that is tested."""
    # both strategies see the same pool, labels, test points and first labels
    set_rng = np.random.default_rng([params["seed"], 5, key["set"]])
    X, teacher = points_on_sphere(N_POOL + N_TEST, set_rng, params["angles"])
    truth = np.where(X @ teacher > 0, 1, -1)
    (pool, test), truth_test = np.split(X, [N_POOL]), truth[N_POOL:]
    labels = flip_labels(truth[:N_POOL], FLIP_RATE, set_rng)
    order = set_rng.permutation(N_POOL)
    known, rest = list(order[:N_FIRST]), list(order[N_FIRST:])
    by_entropy = key["strategy"] == "entropy"
    chain = AS_PRINTED | params

    def samples():
        svm = None
        if starts_at_svm(FLIP_RATE, chain):
            svm = _start(pool[known], labels[known])
        n = params["n_samples"]
        return states(pool[known], labels[known], FLIP_RATE, n, rng, chain, svm)

    rows = []
    for query in range(1, CHECKPOINTS[-1] + 1):
        at = 0
        if by_entropy:
            positive = (pool[rest] @ samples().T > 0).mean(axis=1)
            at = int(np.argmax(binary_entropy(np.clip(positive, 0.0, 1.0))))
        known.append(rest.pop(at))
        if query in CHECKPOINTS:
            decided = np.where(test @ bayes_point(samples()) > 0, 1, -1)
            rows.append({"queries": query, "error": float(np.mean(decided != truth_test))})
    return rows


options("kernel_gibbs_sampler/queries", keep=lambda key: key["set"] < 100)
