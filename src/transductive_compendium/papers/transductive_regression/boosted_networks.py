"""AdaBoost (AB) and regularised AdaBoost (AB_R) with radial basis function networks.

The method is that of Raetsch, Onoda and Mueller, Soft Margins for AdaBoost, Machine Learning 42
(2001), whose errors Table 1 of Chapelle, Vapnik and Weston quotes. One reduction: the centres
start from one run of K-means per training set instead of one per round.
"""

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from sklearn.cluster import KMeans

ROUNDS, STEPS, RIDGE = 200, 10, 1e-6
EDGE = 1e-6  # a hypothesis this close to guessing ends the run
LOG_WIDTH = 9.0  # a Gaussian as narrow as this, or as wide, is constant on the data
#: Power of a point's influence in the soft margin of AB_R, by option of "boosting".
POWERS = {"linear_influence": 1, "squared_influence": 2}


def _squared_distances(X, centres):
    norms = np.sum(X**2, axis=1)[:, None] + np.sum(centres**2, axis=1)
    return np.maximum(norms - 2.0 * X @ centres.T, 0.0)


def starting_units(X, n_centres, seed):
    """Rows of centre and log width: K-means, and the distance to the nearest other centre."""
    k = min(n_centres, len(np.unique(X, axis=0)))
    centres = KMeans(k, n_init=1, random_state=seed).fit(X).cluster_centers_
    squares = _squared_distances(centres, centres)
    np.fill_diagonal(squares, np.inf)
    return np.column_stack([centres, 0.5 * np.log(squares.min(axis=1))])


def _hidden(X, units):
    narrowness = np.exp(-2.0 * np.clip(units[:, -1], -LOG_WIDTH, LOG_WIDTH))
    scaled = _squared_distances(X, units[:, :-1]) * narrowness
    return narrowness, scaled, np.exp(-0.5 * scaled)


def _output_weights(hidden, y, weights):
    weighted = hidden * weights[:, None]
    gram = hidden.T @ weighted + RIDGE * np.eye(hidden.shape[1])
    return np.linalg.solve(gram, y @ weighted)


def loss_and_gradient(flat, X, y, weights):
    """Weighted squared error at the best output weights, and its gradient in the flat units.

    The output weights are stationary, so the gradient may treat them as fixed.
    """
    units = flat.reshape(-1, X.shape[1] + 1)
    narrowness, scaled, hidden = _hidden(X, units)
    output = _output_weights(hidden, y, weights)
    residual = hidden @ output - y
    pull = (weights * residual)[:, None] * hidden * output
    to_centres = (pull.T @ X - pull.sum(axis=0)[:, None] * units[:, :-1]) * narrowness[:, None]
    gradient = np.column_stack([to_centres, np.sum(pull * scaled, axis=0)])
    return 0.5 * (weights @ residual**2 + RIDGE * output @ output), gradient.ravel()


def fit_rbf_net(X, y, weights, start):
    """Fit a network to weighted points by conjugate gradients; returns its function to signs."""
    sample, options = (X, y, weights), {"maxiter": STEPS}
    fit = minimize(loss_and_gradient, start.ravel(), sample, "CG", jac=True, options=options)
    units = fit.x.reshape(start.shape)
    output = _output_weights(_hidden(X, units)[2], y, weights)
    return lambda Z: np.where(_hidden(Z, units)[2] @ output >= 0.0, 1, -1)


def _log_sum(exponents):
    top = exponents.max()
    return top + np.log(np.exp(exponents - top).sum())


def boost(learner, X, y, penalty=0.0, rounds=ROUNDS, power=2):
    """Hypotheses and their weights a, by AdaBoost or, with a penalty, AdaBoost with soft margins.

    The influence ``mu = sum(a d) / sum(a)`` of a point is its mean weight d over the rounds; its
    soft margin is the margin plus ``penalty (n mu)^power``: power and scale are left open.
    Each a minimises the sum over points of ``exp(-sum(a) (soft margin) / 2)``, whose terms are the
    next weights; unpenalised, it is ``log((1 - e) / e)`` for an error e. An e of 0 or 1/2 ends the
    run.
    """
    n = len(y)
    weights, margin, influence, total = np.full(n, 1.0 / n), np.zeros(n), np.zeros(n), 0.0
    hypotheses, alphas = [], []

    def exponents(a):
        soft = penalty * (influence + a * n * weights) ** power / (total + a) ** (power - 1)
        return -0.5 * (margin + a * correct + soft)

    for _ in range(rounds):
        hypothesis = learner(X, y, weights)
        correct = y * hypothesis(X)
        error = weights[correct < 0].sum()
        if not 0.0 < error < 0.5 - EDGE:
            return (hypotheses, alphas) if alphas else ([hypothesis], [1.0])
        alpha = np.log((1.0 - error) / error)
        if penalty:
            alpha = minimize_scalar(lambda a: _log_sum(exponents(a)), bounds=(1e-9, 20.0)).x
        margin += alpha * correct
        influence += alpha * n * weights
        total += alpha
        weights = np.exp(exponents(0.0) - _log_sum(exponents(0.0)))
        hypotheses.append(hypothesis)
        alphas.append(alpha)
    return hypotheses, alphas
