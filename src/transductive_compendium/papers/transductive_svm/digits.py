"""Digits with few labels: where transduction helps, and where it hurts.

Joachims (1999), as taught in LING 572: soft margin, Algorithm TSVM; the summary's "small number of
training instances and a large number of test instances".
"""

import numpy as np

from transductive.kernels import gram_matrix
from transductive.margin import TransductiveSVC

from ...datasets.digit_tasks import task_rows
from ...runner import experiment

#: Data set and task (a key of `datasets.digit_tasks.TASKS`), and how many rows it has. All ten
#: digits of MNIST at once would need gigabytes.
TASK_SIZES = {
    ("usps", "0-4 / 5-9"): 9298,
    ("usps", "even / odd"): 9298,
    ("usps", "3 / 8"): 1532,
    ("usps", "4 / 9"): 1673,
    ("usps", "5 / 8"): 1424,
    ("usps", "1 / 7"): 2061,
    ("mnist", "3 / 8"): 13966,
    ("mnist", "4 / 9"): 13782,
    ("mnist", "5 / 8"): 13138,
    ("mnist", "1 / 7"): 15170,
}
N_LABELS = (10, 100)
KERNELS = ("linear", "rbf")
#: C and C* over the mean of k(x, x): the same softness for both kernels.
COST = 10.0


def n_working(n):
    """Size of the working set: 1000, or at most a quarter of the rows of a small table."""
    return min(1000, n // 4)


def random_rows(y, rng):
    """Rows of 100 labelled points and of the working set.

    Chosen without stratification, and again until the first ten have points of both classes.
    """
    n = max(N_LABELS) + n_working(len(y))
    order = rng.permutation(len(y))[:n]
    while len(np.unique(y[order[: min(N_LABELS)]])) < 2:
        order = rng.permutation(len(y))[:n]
    return order


def highest_positive(values, number):
    """+1 for the given number of largest values, -1 for the others."""
    labels = np.full(len(values), -1)
    labels[np.argsort(-values, kind="stable")[:number]] = 1
    return labels


def _units(params, profile):
    tasks = list(TASK_SIZES)
    return [
        {"dataset": name, "task": task, "draw": i}
        for i in range({"smoke": 1, "paper": 30, "full": 100}[profile])
        for name, task in (tasks[:3] if profile == "smoke" else tasks)
    ]


@experiment(
    "transductive_svm/digits",
    version=1,
    title="USPS and MNIST with 10 and 100 labels: where transduction helps and where it hurts",
    datasets=("usps", "mnist"),
    units=_units,
    # one switch more or less, by rounding, may lead elsewhere
    agreement=dict.fromkeys(("error", "positive", "switches", "switch_possible"), "chaotic"),
)
def errors_by_method(key, params, data, rng):
    """Errors and switches, a row for each kernel, number of labels and method."""
    X, y = task_rows(key["dataset"], key["task"], data)
    order = random_rows(y, rng)
    points, labels = X[order], y[order]
    n = max(N_LABELS)
    truth, rows = labels[n:], []
    for kernel in KERNELS:
        gram = gram_matrix(points, kernel=kernel, gamma=1.0 / (X.shape[1] * points.var()))
        cost = COST / np.trace(gram) * len(gram)
        for l in N_LABELS:
            pick = np.r_[:l, n : len(order)]
            K, y_train = gram[np.ix_(pick, pick)], labels[:l]
            inductive = TransductiveSVC(cost, kernel="precomputed").fit(K[:l, :l], y_train)
            values = inductive.decision_function(K[l:, :l])
            # the sample's share of positives, and the working set's own, unknown in practice
            counts = {"sample": "sample", "true": int((truth > 0).sum())}
            found = {"svm": (np.where(values > 0, 1, -1), None)}
            for known, count in counts.items():
                as_printed = {"n_positive": count, "first_costs": "slides"}
                svm = TransductiveSVC(cost, cost, kernel="precomputed", **as_printed)
                svm.fit(K[:l], y_train, K[l:])
                found[f"tsvm, {known} number"] = svm.transduction_, svm
                found[f"svm, {known} number"] = highest_positive(values, svm.n_positive_), None
            rows += [
                {
                    "kernel": kernel,
                    "labels": l,
                    "method": method,
                    "error": np.mean(chosen != truth),
                    "positive": int((chosen > 0).sum()),
                    "positive_true": counts["true"],
                    "switches": svm.n_switches_ if svm else 0,
                    "switch_possible": int(svm.switch_possible_) if svm else 0,
                }
                for method, (chosen, svm) in found.items()
            ]
    return rows
