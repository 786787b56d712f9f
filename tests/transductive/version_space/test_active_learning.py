"""Which label to ask for next: entropy, strategies, and the loop."""

import doctest
from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC

from transductive.version_space import KernelGibbsSampler, active_learning
from transductive.version_space.active_learning import binary_entropy, query_loop, query_points
from transductive_compendium.exact.arrangement import Arrangement


class Says(BaseEstimator):
    """Gives prescribed answers."""

    def __init__(self, proba=None, margins=None):
        self.proba = proba
        self.margins = margins

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        if np.ndim(self.proba) == 2:
            return self.proba
        return np.column_stack([1.0 - np.asarray(self.proba), self.proba])

    def decision_function(self, X):
        return np.asarray(self.margins)


def two_classes(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    return X, np.where(X[:, 0] > 0, "spam", "ham")


def test_docstring_examples_run():
    assert doctest.testmod(active_learning).failed == 0


# ---- entropy ------------------------------------------------------------------------------------


def test_entropy_at_known_probabilities():
    S = binary_entropy([0.0, 1.0, 0.5, 0.25])
    assert S.tolist()[:3] == [0.0, 0.0, 1.0]
    assert not np.signbit(S[:2]).any()
    assert S[3] == pytest.approx(2.0 - 0.75 * np.log2(3.0), abs=1e-15)


def test_entropy_is_symmetric_concave_and_largest_at_one_half():
    p = np.linspace(0.0, 1.0, 1001)
    S = binary_entropy(p)
    np.testing.assert_allclose(S, S[::-1], atol=1e-13)
    assert np.all(np.diff(S, 2) < 0)
    assert np.argmax(S) == 500
    assert binary_entropy(1e-300) > 0


# ---- query --------------------------------------------------------------------------------------

POOL = np.zeros((5, 1))


def test_entropy_queries_where_votes_are_divided():
    model = Says(proba=[0.9, 0.45, 1.0, 0.2, 0.6])
    assert query_points(model, POOL).tolist() == [1]
    assert query_points(model, POOL, n_queries=5).tolist() == [1, 4, 3, 0, 2]


def test_margin_queries_next_to_the_boundary():
    model = Says(margins=[3.0, -0.5, 0.1, -2.0, 4.0])
    assert query_points(model, POOL, "margin", n_queries=3).tolist() == [2, 1, 3]


def test_random_queries_need_no_classifier_and_do_not_repeat():
    picks = [query_points(object(), POOL, "random", random_state=i)[0] for i in range(50)]
    assert set(picks) == set(range(5))
    assert sorted(query_points(None, POOL, "random", n_queries=5, random_state=0)) == list(range(5))


def test_the_seed_breaks_ties():
    # 0.3 and 0.7 are equally divided, though not to the last bit
    model = Says(proba=[0.3, 0.7, 0.1, 0.7, 0.3])
    picks = [query_points(model, POOL, random_state=i)[0] for i in range(60)]
    assert set(picks) == {0, 1, 3, 4}
    assert picks == [query_points(model, POOL, random_state=i)[0] for i in range(60)]
    assert len({query_points(Says(margins=[1.0, -1, 2, 3, 4]), POOL, "margin", random_state=i)[0]
                for i in range(20)}) == 2  # fmt: skip


def test_entropy_and_margin_of_many_classes():
    proba = np.array([[0.5, 0.5, 0.0], [0.4, 0.3, 0.3], [1.0, 0.0, 0.0], [0.1, 0.2, 0.7]])
    model = Says(proba=proba)
    assert query_points(model, POOL[:4], n_queries=4).tolist() == [1, 3, 0, 2]
    # the entropies are 1, 1.571, 0 and 1.157 bits
    margins = np.array([[2.0, -1.0, 1.5], [3.0, 2.9, 2.9], [-1.0, -3.0, -9.0], [0.0, 0.3, -2.0]])
    asked = query_points(Says(margins=margins), POOL[:4], "margin", n_queries=4)
    assert asked.tolist() == [1, 3, 0, 2]


# ---- the loop -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["entropy", "margin", "random"])
def test_no_point_is_queried_twice_and_labelled_ones_stay(strategy):
    X, y = two_classes()
    before = np.empty(0, dtype=int)
    sizes = [4, 5, 6, 10, 40, 80]
    steps = query_loop(LogisticRegression(), X, y, sizes, strategy, random_state=0)
    for size, (known, model) in zip(sizes, steps, strict=True):
        assert len(set(known)) == len(known) == size
        np.testing.assert_array_equal(known[: len(before)], before)
        again = LogisticRegression().fit(X[known], y[known])
        np.testing.assert_array_equal(model.coef_, again.coef_)
        before = known


def test_each_query_is_that_of_the_model_before_it():
    X, y = two_classes()
    steps = list(query_loop(LogisticRegression(), X, y, range(4, 12), "margin", random_state=1))
    for (known, model), (later, _) in pairwise(steps):
        rest = np.setdiff1d(np.arange(len(X)), known)
        assert later[-1] == rest[np.argmin(np.abs(model.decision_function(X[rest])))]


def test_the_seed_fixes_the_first_points_of_all_strategies():
    X, y = two_classes()

    def order(strategy, seed):
        return [*query_loop(GaussianNB(), X, y, range(6, 12), strategy, random_state=seed)][-1][0]

    np.testing.assert_array_equal(order("entropy", 3), order("entropy", 3))
    assert order("random", 3).tolist() != order("random", 4).tolist()
    np.testing.assert_array_equal(order("entropy", 3)[:6], order("random", 3)[:6])


def test_the_first_points_have_all_classes_and_queries_find_their_borders():
    rng = np.random.default_rng(0)
    y = np.r_[np.repeat([0, 1], 95), np.repeat([2, 3], 5)]
    X = rng.standard_normal((200, 2)) + 4.0 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[y]
    for seed in range(8):
        known, _ = next(query_loop(GaussianNB(), X, y, [4, 5], random_state=seed))
        assert sorted(y[known]) == [0, 1, 2, 3]
        known, _ = next(query_loop(GaussianNB(), X, y, [9, 10], random_state=seed))
        assert len(set(known)) == 9 and set(y[known]) == {0, 1, 2, 3}
    model, scores = LogisticRegression(), {}
    for strategy in ("entropy", "margin", "random"):
        loops = (query_loop(model, X, y, [6, *range(7, 25)], strategy, random_state=i)
                 for i in range(5))  # fmt: skip
        scores[strategy] = np.mean([[*loop][-1][1].score(X, y) for loop in loops])
    assert min(scores["entropy"], scores["margin"]) > scores["random"]


def test_frames_sparse_pools_and_precomputed_kernels():
    pd = pytest.importorskip("pandas")
    X, y = two_classes(40)
    gram = X @ X.T

    def order(model, pool, y=y):
        return [*query_loop(model, pool, y, range(4, 12), "margin", random_state=0)][-1][0]

    plain = order(SVC(kernel="linear"), X)
    np.testing.assert_array_equal(
        order(SVC(kernel="linear"), pd.DataFrame(X, columns=["a", "b"]), pd.Series(y)), plain
    )
    np.testing.assert_array_equal(order(SVC(kernel="linear"), csr_array(X)), plain)
    np.testing.assert_array_equal(order(SVC(kernel="precomputed"), gram), plain)


# ---- with the sampler ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_sampler_queries_where_its_samples_disagree():
    X, y = two_classes(40)
    kgs = KernelGibbsSampler(
        "linear", q=0.05, n_samples=200, burn_in=50, thin=2, random_state=0, sampler="hit_and_run"
    ).fit(X[:8], y[:8])
    (asked,) = query_points(kgs, X[8:], random_state=0)
    entropy = kgs.entropy(X[8:])
    assert entropy[asked] == entropy.max()
    # its decision function is the mean vote, whose order is that of the entropy
    assert entropy[query_points(kgs, X[8:], "margin")] == pytest.approx(entropy.max(), abs=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_version_space_halves_with_each_query():
    """Without noise, an entropy near one bit means that either answer halves version space."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = np.where(X @ [1.0, 2.0, -1.0] > 0, 1, -1)
    model = KernelGibbsSampler(
        "linear", q=0.0, n_samples=200, burn_in=100, thin=3, random_state=0, sampler="hit_and_run"
    )
    *_, (known, fitted) = query_loop(model, X, y, range(4, 13), random_state=0)
    folded = y[known, None] * X[known]
    volumes = [np.exp(Arrangement(folded[:m]).log_evidence(0.0)) for m in range(4, 13)]
    shares = np.divide(volumes[1:], volumes[:-1])
    assert np.all((shares > 0.3) & (shares < 0.7))
    assert fitted.score(X, y) > 0.95


# ---- refusals -----------------------------------------------------------------------------------

Y = np.arange(5) % 2
HALF = Says(proba=[0.5] * 5)
PAIRS = SVC(decision_function_shape="ovo").fit(np.arange(20.0)[:, None], np.arange(20) % 4)


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: query_points(LinearSVC(), POOL), TypeError, "predict_proba"),
        (lambda: query_points(SVC(), POOL), TypeError, "predict_proba"),
        (lambda: query_points(object(), POOL, "margin"), TypeError, "decision_function"),
        (lambda: query_loop(SVC(), POOL, Y, [2, 3]), TypeError, "predict_proba"),
        (lambda: query_points(HALF, POOL, "enthropy"), ValueError, "strategy"),
        (lambda: query_points(HALF, POOL, ["entropy"]), ValueError, "strategy"),
        *(
            (lambda n=n: query_points(HALF, POOL, n_queries=n), ValueError, "n_queries")
            for n in (0, 6, 2.5, "3", None)
        ),
        (lambda: query_points(PAIRS, POOL, "margin"), ValueError, "decision_function"),
        (lambda: query_points(Says(margins=[np.nan] * 5), POOL, "margin"), ValueError, "finite"),
        (lambda: query_points(Says(proba=[np.nan] * 5), POOL), ValueError, "finite"),
        *(
            (lambda sizes=sizes: query_loop(HALF, POOL, Y, sizes), ValueError, "sizes")
            for sizes in ([], [1, 5], [4, 4], [5, 4], [4, 6], [3.0, 4.0], 3, [[3, 4]], ["3", "4"])
        ),
        (lambda: query_loop(HALF, POOL, np.arange(5), [4, 5]), ValueError, "sizes"),
        (lambda: query_loop(HALF, POOL, np.zeros(5), [2, 3]), ValueError, "y"),
        (lambda: query_loop(HALF, POOL, Y[:-1], [2, 3]), ValueError, "inconsistent"),
        (lambda: query_loop(HALF, POOL, [0, None, 1, 0, 1], [2, 3]), ValueError, "missing in 1"),
        (lambda: query_loop(HALF, POOL, [0, np.nan, 1, 0, 1], [2, 3]), ValueError, "missing in 1"),
        (lambda: query_loop(HALF, POOL, np.ma.masked_equal(Y, 1), [2, 3]), ValueError, "y"),
        *(
            (lambda ask=ask, seed=seed: ask(seed), error, "random_state")
            for seed, error in ((-1, ValueError), ("a", TypeError))
            for ask in (
                lambda seed: query_loop(HALF, POOL, Y, [2, 3], random_state=seed),
                lambda seed: query_points(HALF, POOL, "random", random_state=seed),
            )
        ),
    ],
)
def test_queries_refuse(call, error, name):
    with pytest.raises(error, match=rf"\b{name}\b"):
        call()
