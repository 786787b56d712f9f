"""Algorithm TSVM with scikit-learn's SVC: what the SMO solver is timed against."""

import numpy as np
from sklearn.svm import SVC


class Refitted:
    """Algorithm TSVM of the slides, with a new SVC for each solution.

    Parameters
    ----------
    K : ndarray of shape (l + m, l + m), or sparse matrix of points
        With kernel "precomputed" or "linear".
    signs : ndarray of shape (l,)
    n_positive : int
    kernel : {"precomputed", "linear"}
    C_star : float
        C is 1.
    tol : float
    """

    def __init__(self, K, signs, n_positive, kernel, C_star=1.0, tol=1e-3):
        self.K, self.l = K, len(signs)
        self.C_star, self.n_positive = C_star, n_positive
        self.labels = np.r_[signs, np.zeros(K.shape[0] - self.l)]
        self.kernel, self.tol, self.n_fits, self.n_switches = kernel, tol, 0, 0

    def fit(self, costs):
        """Decision values of all points, where costs of 0 leave a point out."""
        self.n_fits += 1
        rows = np.flatnonzero(costs)
        svm = SVC(kernel=self.kernel, C=1.0, tol=self.tol)
        part = self.K[np.ix_(rows, rows)] if self.kernel == "precomputed" else self.K[rows]
        svm.fit(part, self.labels[rows], sample_weight=costs[rows])
        every = self.K[:, rows] if self.kernel == "precomputed" else self.K
        return svm.decision_function(every), svm

    def costs(self, minus, plus):
        """Of training points 1, of working points by their labels."""
        return np.r_[np.ones(self.l), np.where(self.labels[self.l :] > 0, plus, minus)]

    def run(self):
        """Labels of the working points, of shape (m,)."""
        l, m = self.l, len(self.labels) - self.l
        values, _ = self.fit(np.r_[np.ones(l), np.zeros(m)])
        order = np.argsort(-values[l:], kind="stable")
        self.labels[l:] = -1.0
        self.labels[l + order[: self.n_positive]] = 1.0
        minus, plus = 1e-5, 1e-5 * self.n_positive / (m - self.n_positive)
        while minus < self.C_star or plus < self.C_star:
            values, _ = self.fit(self.costs(minus, plus))
            while (pair := self.pair(values)) is not None:
                self.labels[pair] *= -1.0
                self.n_switches += 1
                values, _ = self.fit(self.costs(minus, plus))
            minus, plus = min(2 * minus, self.C_star), min(2 * plus, self.C_star)
        return self.labels[l:]

    def pair(self, values):
        """The positive and the negative point with the largest slacks, if they may switch."""
        slacks = np.maximum(0.0, 1.0 - self.labels * values)[self.l :]
        positive = np.argmax(np.where(self.labels[self.l :] > 0, slacks, -1.0))
        negative = np.argmax(np.where(self.labels[self.l :] < 0, slacks, -1.0))
        worst = slacks[[positive, negative]]
        may = worst.min() > 0.0 and worst.sum() > 2.0
        return self.l + np.array([positive, negative]) if may else None


def intel_svc(**parameters):
    """SVC of scikit-learn-intelex on one thread; None where it is not installed."""
    try:
        from daal4py import daalinit
        from sklearnex.svm import SVC as IntelSVC
    except ImportError:
        return None
    daalinit(1)
    return IntelSVC(**parameters)


def primal(gram, labels, costs, coefficients, intercept):
    """``1/2 |w|^2`` and the costs of the slacks; signed duals of shape (n,)."""
    values = gram @ coefficients
    slacks = np.maximum(0.0, 1.0 - labels * (values + intercept))
    return 0.5 * coefficients @ values + costs @ slacks


def dual(gram, labels, coefficients):
    """The dual objective, to be maximised."""
    return labels @ coefficients - 0.5 * coefficients @ (gram @ coefficients)


def expanded(svm, n):
    """Signed duals of a fitted SVC, of shape (n,)."""
    coefficients = np.zeros(n)
    coefficients[svm.support_] = np.ravel(
        svm.dual_coef_.toarray() if hasattr(svm.dual_coef_, "toarray")
        else svm.dual_coef_
    )  # fmt: skip
    return coefficients
