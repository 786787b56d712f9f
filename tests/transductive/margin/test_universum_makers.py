"""Universum points: what each of the five makers draws, from what, and what it refuses."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.estimator_checks import parametrize_with_checks

from transductive.margin import universum_makers
from transductive.margin.universum_makers import (
    MeanOfClosest,
    MeanOfPairs,
    OtherClasses,
    PixelwiseEmpirical,
    UniformNoise,
)

MAKERS = [UniformNoise, PixelwiseEmpirical, MeanOfPairs, MeanOfClosest]


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    return rng.standard_normal((40, 6)) + y[:, None], y


@pytest.fixture
def table():
    """Four classes; the first column is the row's number."""
    rng = np.random.default_rng(1)
    return np.column_stack([np.arange(60.0), rng.standard_normal((60, 3))]), np.arange(60) % 4


# OtherClasses is not among them: its parameter has to name classes of each check's own y
@parametrize_with_checks([maker(random_state=0) for maker in MAKERS])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("maker", [*MAKERS, lambda **kw: OtherClasses([0], **kw)])
def test_random_state_decides(maker, sample):
    X, y = sample
    fitted = maker(random_state=3).fit(X, y)
    np.testing.assert_array_equal(fitted.transform(X), fitted.transform(X))
    other = maker(random_state=4).fit_transform(X, y)
    assert not np.array_equal(fitted.transform(X), other)
    stream = np.random.default_rng(3)
    passed = maker(random_state=stream).fit(X, y)
    np.testing.assert_array_equal(passed.transform(X), fitted.transform(X))
    assert not np.array_equal(passed.transform(X), fitted.transform(X))


# ---- what they draw -----------------------------------------------------------------------------


def test_noise_is_uniform_on_the_range_of_all_features():
    X = np.array([[0.0, 10.0], [1.0, 12.0]])
    maker = UniformNoise(n_points=20_000, random_state=0).fit(X)
    assert (maker.low_, maker.high_) == (0.0, 12.0)
    points = maker.transform(X)
    for feature in points.T:
        shares = np.histogram(feature, bins=4, range=(0.0, 12.0))[0] / len(feature)
        np.testing.assert_allclose(shares, 0.25, atol=0.02)
    assert abs(np.corrcoef(points.T)[0, 1]) < 0.03
    given = UniformNoise(n_points=50, low=-1.0, high=-0.5, random_state=0).fit_transform(X)
    assert -1.0 <= given.min() and given.max() <= -0.5


def test_other_classes_are_rows_of_the_rest(table):
    X, y = table
    drawn = OtherClasses([0, 2], n_points=12, random_state=0).fit_transform(X, y)
    rows = drawn[:, 0].astype(int)
    np.testing.assert_array_equal(X[rows], drawn)
    assert set(y[rows]) == {1, 3} and len(set(rows)) == 12
    everything = OtherClasses([0, 2]).fit_transform(X, y)
    np.testing.assert_array_equal(np.sort(everything[:, 0]), X[y % 2 == 1, 0])
    names = np.array(["five", "six", "seven", "eight"])[y]
    assert set(
        names[OtherClasses(["five", "eight"]).fit_transform(X, names)[:, 0].astype(int)]
    ) == {
        "six",
        "seven",
    }


def test_all_pairs_of_other_rows_are_equally_likely():
    # of 300 uniform draws a share errs by more than 0.07 in 0.1 % of cases; the seeds are fixed
    X, y = np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 1, 0])
    maker = OtherClasses([0], n_points=2, random_state=np.random.default_rng(0)).fit(X, y)
    pairs = [tuple(np.sort(maker.transform(X)[:, 0])) for _ in range(300)]
    drawn, counts = np.unique(pairs, axis=0, return_counts=True)
    assert [tuple(pair) for pair in drawn] == list(combinations([1.0, 2.0, 3.0, 4.0], 2))
    np.testing.assert_allclose(counts / 300, 1 / 6, atol=0.07)


def test_pixels_keep_their_distribution_and_nothing_else():
    # equal columns: drawn on their own they are no longer equal
    column = np.repeat([0.0, 1.0, 5.0], [5, 3, 2])
    points = PixelwiseEmpirical(n_points=20_000, random_state=0).fit_transform(
        np.column_stack([column, column, np.arange(10.0)])
    )
    for feature in points.T[:2]:
        values, counts = np.unique(feature, return_counts=True)
        np.testing.assert_array_equal(values, [0.0, 1.0, 5.0])
        np.testing.assert_allclose(counts / len(points), [0.5, 0.3, 0.2], atol=0.02)
    np.testing.assert_array_equal(np.unique(points[:, 2]), np.arange(10.0))
    assert np.abs(np.corrcoef(points.T)[np.triu_indices(3, 1)]).max() < 0.03


def _middles(X, y):
    """Means of every point of class 0 with every point of class 1, by their pair."""
    zero, one = np.flatnonzero(y == 0), np.flatnonzero(y == 1)
    return (X[zero][:, None] + X[one][None]) / 2


@pytest.mark.parametrize("maker", [MeanOfPairs, MeanOfClosest])
def test_means_are_of_one_point_of_each_class(maker, sample):
    X, y = sample
    points = maker(n_points=200, random_state=0).fit_transform(X, y)
    middles = _middles(X, y).reshape(-1, X.shape[1])
    distance = euclidean_distances(points, middles)
    assert distance.min(axis=1).max() < 1e-7
    assert len(set(distance.argmin(axis=1))) > 10


def test_every_pair_is_as_likely():
    X, y = np.array([[0.0], [2.0], [10.0], [20.0]]), np.array([0, 0, 1, 1])
    points = MeanOfPairs(n_points=8_000, random_state=0).fit_transform(X, y)
    values, counts = np.unique(points, return_counts=True)
    np.testing.assert_array_equal(values, [5.0, 6.0, 10.0, 11.0])
    np.testing.assert_allclose(counts / 8_000, 0.25, atol=0.02)


def test_closest_pair_of_all_candidates(sample, monkeypatch):
    X, y = sample
    monkeypatch.setattr(universum_makers, "N_CANDIDATES", 100)
    pair = np.unravel_index(
        euclidean_distances(X[y == 0], X[y == 1]).argmin(), ((y == 0).sum(), (y == 1).sum())
    )
    points = MeanOfClosest(n_points=5, random_state=0).fit_transform(X, y)
    np.testing.assert_allclose(points, np.tile(_middles(X, y)[pair], (5, 1)))


def test_more_candidates_are_closer_and_one_is_a_random_pair(sample, monkeypatch):
    X, y = sample
    middles = _middles(X, y)
    gap = euclidean_distances(X[y == 0], X[y == 1])

    def mean_gap(n_candidates):
        monkeypatch.setattr(universum_makers, "N_CANDIDATES", n_candidates)
        points = MeanOfClosest(2_000, random_state=0).fit_transform(X, y)
        nearest = euclidean_distances(points, middles.reshape(-1, X.shape[1])).argmin(axis=1)
        return gap.ravel()[nearest].mean()

    one, five, ten = map(mean_gap, (1, 5, 10))
    assert one > five > ten > gap.min()
    assert one == pytest.approx(gap.mean(), rel=0.02)


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
@pytest.mark.parametrize("maker", [MeanOfPairs, MeanOfClosest, OtherClasses])
def test_sparse_stays_sparse(maker, form, sample):
    X, y = sample
    X = np.where(X > 0.5, X, 0.0)
    parameters = {"random_state": 0} | ({"classes": [0]} if maker is OtherClasses else {})
    dense = maker(**parameters).fit_transform(X, y)
    points = maker(**parameters).fit_transform(form(X), y)
    assert sparse.issparse(points) and points.format == "csr"
    np.testing.assert_allclose(points.toarray(), dense, atol=1e-12)


def test_the_closest_pair_of_rows_with_repeated_entries(sample):
    X, y = sample
    once = sparse.csr_array(np.where(X > 0.5, X, 0.0))
    parts = np.repeat(once.data / 2, 2), np.repeat(once.indices, 2), 2 * once.indptr
    twice = sparse.csr_array(parts, shape=once.shape)
    one, two = (MeanOfClosest(random_state=0).fit_transform(A, y) for A in (once, twice))
    np.testing.assert_array_equal(one.toarray(), two.toarray())


# ---- refusals -----------------------------------------------------------------------------------


REFUSED = [
    *[(maker(n_points=bad), {}, "n_points") for maker in MAKERS for bad in (0, True, 2.5, "all")],
    *[(OtherClasses([0], n_points=31), {}, "n_points"), (OtherClasses([0, 1]), {}, "n_points")],
    *[(OtherClasses(bad), {}, "classes") for bad in ([0, 9], ["0"], [])],
    (UniformNoise(low=2.0, high=1.0), {}, "low"),
    (UniformNoise(low=np.nan), {}, "low"),
    (UniformNoise(high="1"), {}, "high"),
    *[(maker, {"y": None}, "y") for maker in (MeanOfPairs(), MeanOfClosest(), OtherClasses([0]))],
    *[(maker(), {"y": np.zeros(40)}, "1 class") for maker in (MeanOfPairs, MeanOfClosest)],
    *[(maker(), {"y": np.arange(40) % 3}, "3 classes") for maker in (MeanOfPairs, MeanOfClosest)],
    *[(maker(), {"X": np.full((40, 6), np.nan)}, "NaN") for maker in MAKERS],
]


@pytest.mark.parametrize("maker, data, named", REFUSED)
def test_refusals(maker, data, named, sample):
    given = dict(zip(("X", "y"), sample, strict=True)) | data
    with pytest.raises(ValueError, match=named):
        maker.fit(**given)


@pytest.mark.filterwarnings("error")
def test_features_near_the_largest_number(sample):
    X, y = sample
    X = np.where(X > np.median(X), 1.5e308, -1.5e308)
    with pytest.raises(ValueError, match="low"):
        UniformNoise().fit(X)
    with pytest.raises(ValueError, match="overflow: scale the features"):
        MeanOfClosest(random_state=0).fit(X, y).transform(X)
    assert np.isfinite(MeanOfPairs(random_state=0).fit(X, y).transform(X)).all()
