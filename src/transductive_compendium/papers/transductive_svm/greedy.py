"""The greedy algorithm compared with the best of all labellings.

Joachims (1999), as taught in LING 572: both forms of the optimisation problem, Algorithm TSVM.
"""

from itertools import product

import numpy as np

from transductive.margin import TransductiveSVC, minimise

from ...runner import experiment
from .small_samples import CLOUDS, N_TRAIN, SETS, random_sample
from .widest_margin import KKT_TOLERANCE

#: Numbers of working points.
SIZES = (4, 6, 8, 10, 12)
#: C and C*.
COSTS = ((1.0, 0.1), (1.0, 1.0), (100.0, 100.0))
#: Number of random samples in which every labelling is trained, at the second costs.
N_TRIED = 4


def objective(gram, labels, costs):
    """Soft-margin objective of a labelling of all points.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
    labels, costs : ndarray of shape (n,)
        Labels -1 and +1; C of each point.

    Returns
    -------
    float
    """
    box = labels * costs
    found = minimise(gram, labels, np.minimum(box, 0.0), np.maximum(box, 0.0), tol=KKT_TOLERANCE)
    return -found.objective


def try_all(gram, y, m, costs):
    """The smallest objective of all labellings of the last m points, and how many were trained."""
    found = [objective(gram, np.r_[y, labels], costs) for labels in product((-1.0, 1.0), repeat=m)]
    return min(found), len(found)


def _units(params, profile):
    sizes = SIZES[:2] if profile == "smoke" else SIZES
    draws = {"smoke": range(1), "paper": range(120), "full": range(200)}[profile]
    return [
        {"dataset": name, "working": m, "draw": i}
        for i in draws
        for m in sizes
        for name in (*SETS, CLOUDS)
    ]


@experiment(
    "transductive_svm/greedy",
    version=3,
    title="The greedy algorithm against the best of all labellings",
    datasets=SETS,
    units=_units,
    # which branches are cut depends on the last digits
    agreement={"machines": "chaotic"},
)
def objectives_by_labelling(key, params, data, rng):
    """Objectives and wrong labels of each labelling, a row for each pair of C and C*."""
    l, m = N_TRAIN, key["working"]
    gram, labels = random_sample(key["dataset"], l + m, data, rng)
    y, truth = labels[:l], labels[l:]
    rows = []
    for C, C_star in COSTS:

        def fit(C=C, C_star=C_star, n_positive="sample", first_costs="slides", **parameters):
            parameters |= {"first_costs": first_costs, "kernel": "precomputed"}
            parameters["n_positive"] = n_positive
            svm = TransductiveSVC(C, C_star, tol=KKT_TOLERANCE, **parameters)
            return svm.fit(gram[:l], y, gram[l:])

        greedy, best = fit(), fit(exhaustive=True, n_positive="any")
        # where the greedy algorithm starts: the inductive SVM's ranking
        inductive = TransductiveSVC(C, kernel="precomputed", tol=KKT_TOLERANCE)
        values = inductive.fit(gram[:l, :l], y).decision_function(gram[l:, :l])
        start = np.full(m, -1.0)
        start[np.argsort(-values, kind="stable")[: greedy.n_positive_]] = 1.0
        row = {
            "C": C,
            "C_star": C_star,
            "positive": greedy.n_positive_,
            "positive_true": int((truth > 0).sum()),
            "positive_any": best.n_positive_,
            "switches": greedy.n_switches_,
            "switch_possible": int(greedy.switch_possible_),
            "machines": best.n_machines_,
        }
        costs = np.r_[np.full(l, C), np.full(m, C_star)]
        for name, found in (
            ("inductive", np.where(values > 0, 1.0, -1.0)),
            ("start", start),
            ("greedy", greedy.transduction_),
            ("balanced", fit(first_costs="balanced").transduction_),
            ("count", fit(exhaustive=True).transduction_),
            ("any", best.transduction_),
        ):
            row[f"objective_{name}"] = objective(gram, np.r_[y, found], costs)
            row[f"wrong_{name}"] = int((found != truth).sum())
        if key["draw"] < N_TRIED and (C, C_star) == COSTS[1]:
            row["objective_tried"], row["tried"] = try_all(gram, y, m, costs)
        rows.append(row)
    return rows
