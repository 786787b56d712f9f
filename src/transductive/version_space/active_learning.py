"""Active learning: choose the next label to ask for, and loop over queries.

The Kernel Gibbs Sampler, section 4: a point on which the posterior is evenly divided is most
informative about the weight vector. Not only the sampler can choose the queries, but any
classifier of scikit-learn that has the method a strategy needs, for any number of classes.
"""

from __future__ import annotations

from numbers import Integral

import numpy as np
from scipy.sparse import issparse
from scipy.special import entr
from sklearn.base import clone
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import _safe_split

from ..kernel_estimator import refuse_masked
from ..unlabelled_rows import count_missing

__all__ = ["binary_entropy", "query_loop", "query_points"]

METHODS = {"entropy": "predict_proba", "margin": "decision_function", "random": None}
REMEDIES = {
    "entropy": "query by strategy='margin', or wrap it in sklearn.calibration."
    "CalibratedClassifierCV",
    "margin": "query by strategy='entropy'",
}


def binary_entropy(p):
    """Entropy of a binary event, ``S = -(p log2 p + (1 - p) log2 (1 - p))``.

    Parameters
    ----------
    p : array_like
        Probabilities, in [0, 1].

    Returns
    -------
    S : ndarray of the shape of `p`
        In bits: 0 for p = 0 and p = 1, 1 for p = 1/2.

    Raises
    ------
    ValueError
        For NaN, or values outside [0, 1].

    References
    ----------
    Graepel, Herbrich, "The Kernel Gibbs Sampler", section 4, where the minus sign is missing.
    """
    p = np.asarray(p, dtype=np.float64)
    if not np.all((p >= 0.0) & (p <= 1.0)):
        raise ValueError("p must be probabilities in [0, 1], without NaN")
    return (entr(p) + entr(1.0 - p)) / np.log(2.0)


def query_points(estimator, X_pool, strategy="entropy", *, n_queries=1, random_state=None):
    """Choose the points whose labels to ask for next.

    Parameters
    ----------
    estimator : object
        Fitted classifier of any number of classes.
    X_pool : array of shape (n, d)
        Candidates, without the points whose labels are already known.
    strategy : {"entropy", "margin", "random"}, default="entropy"
        "entropy": largest entropy of `predict_proba`. For a `KernelGibbsSampler` that is
        the fraction of the sampled weight vectors: section 4 of the paper, a committee drawn
        from the posterior.
        "margin": smallest ``|decision_function|``, of more than two classes the smallest difference
        of its two largest columns; for a `BayesPointMachine` of two classes the distance from the
        Bayes point's hyperplane. (For a `KernelGibbsSampler` it is the mean vote, which chooses
        the same points as the entropy.)
        "random": random points; the estimator is not used.
    n_queries : int, default=1
        Number of points. The best ones are taken, even if they are close to each other.
    random_state : int, Generator, SeedSequence or None, default=None
        Breaks ties. A sampled posterior often has ties, at all points on which it is unanimous.

    Returns
    -------
    indices : ndarray of int of shape (n_queries,)
        Rows of `X_pool`, the best first.

    Raises
    ------
    TypeError
        If the estimator lacks the method that the strategy looks at.
    ValueError
        For an unknown strategy, too small a pool, or an estimator that gives NaN or not one column
        for each class.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> model = SVC(kernel="linear").fit([[-1.0], [3.0]], [0, 1])
    >>> query_points(model, [[-2.0], [0.5], [4.0]], "margin")
    array([1])

    References
    ----------
    Freund, Seung, Shamir, Tishby, "Selective sampling using the query by committee algorithm",
    Machine Learning 28 (1997); cited as [2] in The Kernel Gibbs Sampler.
    """
    _check_strategy(estimator, strategy)
    n = X_pool.shape[0] if hasattr(X_pool, "shape") else len(X_pool)
    if not isinstance(n_queries, Integral) or not 1 <= n_queries <= n:
        raise ValueError(
            f"n_queries must be a whole number from 1 to {n}, the number of points in the pool; "
            f"got {n_queries!r}"
        )
    order = _generator(random_state).permutation(n)
    if strategy == "random":
        return order[:n_queries]
    values = np.asarray(getattr(estimator, METHODS[strategy])(X_pool), dtype=np.float64)
    binary = strategy == "margin" and values.shape == (n,)
    n_classes = len(getattr(estimator, "classes_", values.T))
    if not binary and not (n_classes >= 2 and values.shape == (n, n_classes)):
        raise ValueError(
            f"{type(estimator).__name__}.{METHODS[strategy]} gave shape {values.shape} for {n} "
            f"points: queries need a column for each of {n_classes} classes"
        )
    if not np.all(np.isfinite(values)):
        raise ValueError(
            f"{type(estimator).__name__}.{METHODS[strategy]} gave values that are not finite; "
            "scale the features"
        )
    if strategy == "entropy":
        p = np.clip(values, 0.0, 1.0)
        entropy = binary_entropy(p[:, 1]) if n_classes == 2 else entr(p).sum(axis=1) / np.log(2.0)
        # p and 1 - p tie up to rounding, which must not break the tie
        dullness = -np.round(entropy, 12)
    else:
        best = np.abs(values) if binary else np.diff(np.sort(values, axis=1)[:, -2:]).ravel()
        dullness = np.round(best, 12)
    return order[np.argsort(dullness[order], kind="stable")[:n_queries]]


def query_loop(estimator, X, y, sizes, strategy="entropy", *, random_state=None):
    """Learn from a pool by asking for one label after the other.

    The first points are random. If a class has none of them, its first point in the random order
    replaces the last of those whose class has several. With the same `random_state` all strategies
    start from the same points.

    Parameters
    ----------
    estimator : object
        Classifier of scikit-learn, of any number of classes. A clone is fitted each time, also for
        a random query.
    X : array of shape (n, d)
        The pool; for an estimator of precomputed kernels, its kernel matrix (n, n).
    y : array of shape (n,)
        The oracle's answers, noisy or not. The loop reads a label only when it asks for it, except
        in the choice of the first points.
    sizes : sequence of int
        Numbers of labels, ascending, at which to fit: the first is the size of the initial sample,
        the differences are the numbers of labels asked for at a time. ``range(4, 61)`` asks for
        one label at a time.
    strategy : {"entropy", "margin", "random"}, default="entropy"
        See `query_points`.
    random_state : int, Generator, SeedSequence or None, default=None
        For the initial sample and the queries, not for the estimator.

    Yields
    ------
    labelled : ndarray of int
        Rows of the pool whose labels are known, in the order in which they were asked for.
    model : object
        The estimator, fitted on them.

    Raises
    ------
    TypeError
        If the estimator lacks the method that the strategy looks at.
    ValueError
        For sizes that do not ascend from at least the number of classes to at most n, for labels of
        one class, and for missing ones (None, NaN).

    Examples
    --------
    A learning curve, and the order of the queries:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), LogisticRegression())
    >>> loop = query_loop(model, X[:300], y[:300], range(4, 21), random_state=0)
    >>> steps = [(labelled, fitted.score(X[300:], y[300:])) for labelled, fitted in loop]
    >>> order, curve = steps[-1][0], [score for _, score in steps]
    """
    refuse_masked("y", y)
    if missing := count_missing(y):
        raise ValueError(
            f"y is missing in {missing} of {len(y)} rows: leave them out of the pool, since the "
            "loop may ask for any label"
        )
    y, X = np.asarray(y), X.tocsr() if issparse(X) else X
    check_consistent_length(X, y)
    try:
        classes = np.unique(y)
    except TypeError:
        raise ValueError("y must have labels of one type, and one for each point") from None
    if len(classes) < 2:
        raise ValueError(f"y must have two classes or more, got {len(classes)}: {classes.tolist()}")
    sizes = np.asarray(sizes)
    if (
        sizes.ndim != 1
        or not sizes.size
        or sizes.dtype.kind not in "iu"
        or np.any(sizes[1:] <= sizes[:-1])
        or sizes[0] < len(classes)
        or sizes[-1] > len(y)
    ):
        raise ValueError(
            f"sizes must be whole numbers, ascending, from at least {len(classes)} (one point of "
            f"each class) to at most {len(y)}, the size of the pool; got {sizes.tolist()}"
        )
    _check_strategy(estimator, strategy)
    codes = np.searchsorted(classes, y)
    return _steps(estimator, X, y, codes, sizes, strategy, _generator(random_state))


def _steps(estimator, X, y, codes, sizes, strategy, rng):
    order = rng.permutation(len(y))
    labelled = order[: sizes[0]].copy()
    for code in np.setdiff1d(codes, codes[labelled]):
        several = np.bincount(codes[labelled])[codes[labelled]] > 1
        labelled[np.flatnonzero(several)[-1]] = order[np.argmax(codes[order] == code)]
    for n_queries in (*np.diff(sizes.astype(np.int64)), 0):
        model = clone(estimator).fit(*_safe_split(estimator, X, y, labelled))
        yield labelled.copy(), model
        if n_queries:
            rest = np.setdiff1d(np.arange(len(y)), labelled)
            # rows of the rest; for a precomputed kernel, their columns for the labelled points
            candidates, _ = _safe_split(estimator, X, None, rest, labelled)
            asked = query_points(model, candidates, strategy, n_queries=n_queries, random_state=rng)
            labelled = np.append(labelled, rest[asked])


def _generator(random_state):
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise type(error)(
            "random_state must be a whole number, not negative, a Generator, a SeedSequence or "
            f"None; got {random_state!r}"
        ) from None


def _check_strategy(estimator, strategy):
    if not isinstance(strategy, str) or strategy not in METHODS:
        raise ValueError(f"strategy must be one of {', '.join(METHODS)}; got {strategy!r}")
    method = METHODS[strategy]
    if method is not None and not hasattr(estimator, method):
        raise TypeError(
            f"strategy={strategy!r} needs {method}, which {type(estimator).__name__} lacks with "
            f"these parameters; {REMEDIES[strategy]}"
        )
