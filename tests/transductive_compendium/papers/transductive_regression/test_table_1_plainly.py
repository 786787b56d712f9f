"""TLD of Table 1 and its choice again: (20) to (34) by refits and least squares, no closed form."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

from transductive_compendium.datasets import available, load
from transductive_compendium.papers.transductive_regression.table_1_chosen import CHOSEN
from transductive_compendium.runner import RecordMissingError, get, load_recorded


def gram(A, B, sigma):
    return np.exp(-((A[:, None] - B) ** 2).sum(axis=2) / (2.0 * sigma**2))


def fitted(K, gamma):
    """What turns targets into coefficients: a minimum of |K a - y|^2 + gamma |a|^2."""
    return np.linalg.solve(K.T @ K + gamma * np.eye(K.shape[1]), K.T)


def transduced(X, y, X_test, sigma, gamma, gamma_star):
    """Y* of least |leave-one-out residuals|^2 + gamma* |Y* - Y0|^2, all points in one sample."""
    y0 = gram(X_test, X, sigma) @ fitted(gram(X, X, sigma), gamma) @ y
    everything = np.vstack([X, X_test])
    K = gram(everything, everything, sigma)
    residuals = np.eye(len(K))  # as a matrix on the targets: each pair left out and predicted
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        residuals[i, rest] -= K[i] @ fitted(K[rest], gamma)
    known, free = residuals[:, : len(y)], residuals[:, len(y) :]
    root = np.sqrt(gamma_star)
    system = np.vstack([free, root * np.eye(len(y0))])
    return np.linalg.lstsq(system, np.r_[-known @ y, root * y0], rcond=None)[0]


def wrong(values, labels):
    return np.sum(values * labels < -1e-9) + 0.5 * np.sum(np.abs(values) <= 1e-9)


def recorded(item):
    """Rows, if the data are at hand and the record is of the present parameters."""
    name = f"transductive_regression/{item}"
    try:
        rows, facts = load_recorded(name)
    except RecordMissingError as error:
        pytest.skip(str(error))
    if facts["version"] != get(name).version:
        pytest.skip(f"{name} is recorded in an earlier version")
    return rows


def published(name):
    """Features, labels, and training and test rows of the published partitions."""
    if not available(name):
        pytest.skip(f"the {name} data are not at hand")
    table = load(name)
    rows = np.arange(len(table.y))
    return table.X, table.y, [(train, np.setdiff1d(rows, train)) for train in table.partitions]


@pytest.mark.parametrize("name", ["ida_heart", "ida_thyroid"])
def test_errors_of_the_transductive_discriminant(name):
    X, y, partitions = published(name)
    rows = recorded("table_1")
    rows = rows[rows["dataset"] == name].set_index("split")
    for split, (train, test) in enumerate(partitions[:3]):
        values = transduced(X[train], y[train], X[test], *CHOSEN["least_mean"][name]["TLD"])
        error = 100.0 * wrong(values, y[test]) / len(test)
        assert rows.loc[split, "tld_error"] == pytest.approx(error)


def test_validation_errors_that_choose_on_heart():
    """The candidate chosen and one beside it, on the first training set."""
    X, y, partitions = published("ida_heart")
    rows = recorded("table_1_choice")
    chosen = rows["dataset"].eq("ida_heart") & rows["method"].eq("TLD") & rows["working"].eq("fold")
    names = ["sigma", "gamma", "gamma_star"]
    rows = rows[chosen & (rows["training_set"] == 0)].set_index(names)["wrong"]
    train = partitions[0][0]
    folds = list(KFold(5, shuffle=True, random_state=0).split(train))
    for candidate in (CHOSEN["least_mean"]["ida_heart"]["TLD"], (1.8, 0.01, 1.0)):
        count = sum(
            wrong(transduced(X[train[a]], y[train[a]], X[train[b]], *candidate), y[train[b]])
            for a, b in folds
        )
        assert rows[candidate] == count
