"""Error of a tuned perceptron of the function class on heart, beside that at maximal rejection.

Graepel et al. (2000), section 4, on the recorded splits of figure 2.
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import FeatureSpan
from transductive.version_space.start import max_margin_point

from ...datasets.recorded_splits import partition, scaled
from ...runner import crossed, experiment
from ...runner.companions import options
from .splits import N_SPLITS, SIGMA

RIDGES = tuple(float(r) for r in 10.0 ** np.arange(-3, 3))


def _tuned_perceptron(K, y, train, test):
    """Soft-margin SVM without bias, ridge by five-fold cross-validation: a member of the class.

    The quadratic soft margin is the hard margin on ``K + ridge I``.
    """

    def outputs(rows, columns, ridge):
        signs = y[rows].astype(float)
        gram = K[np.ix_(rows, rows)] * np.outer(signs, signs) + ridge * np.eye(len(rows))
        a = max_margin_point(FeatureSpan(gram), len(rows))
        return K[np.ix_(columns, rows)] @ (a * signs)

    folds = list(StratifiedKFold(5).split(train, y[train]))
    errors = [
        np.mean(
            [
                np.mean((outputs(train[fit], train[held], ridge) >= 0) != (y[train[held]] > 0))
                for fit, held in folds
            ]
        )
        for ridge in RIDGES
    ]
    best = RIDGES[int(np.argmin(errors))]
    return (outputs(train, test, best) >= 0) != (y[test] > 0)


def _perceptron_errors(table, split, scaling):
    """Test points that the tuned perceptron misclassifies on a split."""
    train, test = partition(len(table.y), split)
    K = gram_matrix(scaled(table.X, scaling), gamma=rbf_gamma(SIGMA["heart"]))
    return _tuned_perceptron(K, table.y, train, test)


@experiment(
    "bayesian_transduction/class_error",
    version=1,
    title="Error of a tuned perceptron of the class on heart",
    page="figure_2",
    datasets=("heart",),
    open_choices=("scaling",),
    units=crossed(split={"smoke": 2, "paper": 4 * N_SPLITS, "full": 4 * N_SPLITS}),
    agreement={"error": "chaotic"},
)
def error_of_the_tuned_perceptron(key, params, data, rng):
    """One row: the error on the test points of a split."""
    wrong = _perceptron_errors(data["heart"], key["split"], params["scaling"])
    return [{"error": float(np.mean(wrong))}]


options("bayesian_transduction/class_error", keep=lambda key: key["split"] < N_SPLITS)
