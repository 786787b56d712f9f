"""The problems, the methods, and the experiments: who sees what, and what they share."""

import numpy as np
import pytest
from paper_rooms import unit_rows

from transductive import KernelGibbsSampler, TransductiveSVC
from transductive_compendium.datasets import load, substitute
from transductive_compendium.papers.comparison import classifiers, problems
from transductive_compendium.papers.comparison.classifiers import METHODS
from transductive_compendium.papers.comparison.problems import CLASS_SIZES, LABELS, n_working
from transductive_compendium.papers.comparison.working_points import AS_DRAWN, N_SHIFTED, shifted


@pytest.fixture(scope="module")
def blobs():
    """Two clouds in the plane, ten labels and sixty working points."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(70) % 2, 1.0, -1.0)
    X = rng.standard_normal((70, 2)) + 0.8 * y[:, None]
    return problems.Sample(X[:10], y[:10], X[10:], y[10:], "rbf")


def with_working_points(sample, X, truth):
    return problems.Sample(sample.X, sample.y, X, truth, sample.kernel)


@pytest.fixture(scope="module")
def data():
    return {name: load(substitute(name)) for name in problems.DATASETS}


@pytest.mark.parametrize("name", problems.PROBLEMS)
def test_splits_share_no_row_and_begin_with_both_classes(name, data):
    found = problems.table(name, data)
    for number in range(3):
        labelled, working = problems.random_split(found, problems.generator(name, number, 0))
        assert len(labelled) == max(LABELS)
        assert len(working) == n_working(len(found.to_work))
        assert not set(labelled) & set(working)
        first = found.y[labelled[: min(LABELS)]]
        assert min((first == 1).sum(), (first == -1).sum()) >= problems.MIN_OF_EACH_CLASS
        again, _ = problems.random_split(found, problems.generator(name, number, 0))
        np.testing.assert_array_equal(labelled, again)


def test_texts_come_from_both_sides_of_the_published_split(data):
    found = problems.table("reuters acq", data)
    labelled, working = problems.random_split(found, problems.generator("reuters acq", 0, 0))
    assert labelled.max() < data["reuters21578"].n_train <= working.min()
    seen = problems.sample("reuters acq", found, labelled, working)
    lengths = np.linalg.norm(seen.X[:, :-1], axis=1)  # words that nobody has are left out
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-6)
    assert (seen.X[:, -1] == 1).all() and (seen.X_working[:, -1] == 1).all()


def test_every_problem_has_its_sizes():
    assert set(CLASS_SIZES) == set(problems.PROBLEMS)
    assert n_working(sum(CLASS_SIZES["banana"])) == 400


def test_the_kernel_is_chosen_without_the_working_points(blobs):
    moved = with_working_points(blobs, 5.0 + 3.0 * blobs.X_working, -blobs.truth)
    assert moved.kernel_options == blobs.kernel_options and moved.ridge == blobs.ridge


@pytest.mark.parametrize("name", METHODS)
def test_who_looks_at_the_working_points(name, blobs):
    """Without half of the working points the rest keep their answers, unless it is transduction."""
    half = with_working_points(blobs, blobs.X_working[:30], blobs.truth[:30])
    all_values = METHODS[name](blobs, np.random.default_rng(0)).value[:30]
    values = METHODS[name](half, np.random.default_rng(0)).value
    same = np.allclose(all_values, values, atol=1e-6)
    assert same is (name not in ("tsvm", "tsvm, true number", "tld"))


@pytest.mark.parametrize("name", METHODS)
def test_no_method_sees_the_labels(name, blobs):
    """Other labels at the working points, as many of each: the same answer."""
    turned = with_working_points(blobs, blobs.X_working, -blobs.truth)
    assert (blobs.truth > 0).sum() == (turned.truth > 0).sum()
    first, second = (METHODS[name](s, np.random.default_rng(0)) for s in (blobs, turned))
    np.testing.assert_array_equal(first.positive, second.positive)
    np.testing.assert_array_equal(first.value, second.value)
    # and it is no nonsense: the clouds have a Bayes error of 13 %
    assert np.mean(first.positive != (blobs.truth > 0)) < 0.3
    if first.probability is not None:
        assert ((first.probability >= 0) & (first.probability <= 1)).all()


def test_transductive_svms_keep_their_number(blobs):
    true = classifiers.tsvm_with_true_number(blobs, None)
    assert true.positive.sum() == (blobs.truth > 0).sum()
    share = classifiers.tsvm(blobs, None)
    assert share.positive.sum() == round(np.mean(blobs.y > 0) * len(blobs.truth))


def test_confidence_is_of_the_label():
    answer = classifiers.Answer(np.array([True, True, False]), np.array([2.0, -0.1, -1.0]))
    np.testing.assert_array_equal(answer.confidence, [2.0, -0.1, 1.0])


@pytest.mark.parametrize("name", ["bpm", "bt", "kgs", "tsvm"])
def test_methods_name_their_choices(name, blobs, monkeypatch):
    """Defaults that the estimators may change are not what the rows depend on."""
    own = METHODS[name](blobs, np.random.default_rng(0))
    chains = ("gamma", "sampler", "q", "n_samples", "n_chains", "burn_in", "thin")
    for estimator, names in ((KernelGibbsSampler, chains), (TransductiveSVC, ("manifold",))):
        for choice in names:
            monkeypatch.setitem(estimator.__init__.__kwdefaults__, choice, "no default")
    answer = METHODS[name](blobs, np.random.default_rng(0))
    np.testing.assert_array_equal(answer.value, own.value)


def test_experiments_share_splits(data):
    key = {"draw": 0, "problem": "heart"}
    methods = unit_rows("comparison/methods", key, data).set_index("method")
    labels = unit_rows("comparison/labels", key, data)
    at_forty = labels[labels["labels"] == 40].set_index("method")
    for method in ("svm", "tsvm", "ridge", "tld"):
        for score in ("error", "error_told"):
            assert methods.at[method, score] == at_forty.at[method, score]
    assert set(methods.index) == set(METHODS)
    assert methods["brier"].notna().sum() == 3  # platt, bt, kgs


def test_shifted_working_sets_have_their_shares():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < 0.3, 1, -1)
    pool = np.arange(100, 2000)
    for share, rows in shifted(y, pool, rng).items():
        assert len(set(rows)) == len(rows) == N_SHIFTED and rows.min() >= 100
        assert np.mean(y[rows] == 1) == pytest.approx(share)
    # a rare class makes all sets smaller
    few = shifted(y, np.r_[pool[y[pool] == 1][:45], pool[y[pool] == -1]], rng)
    assert {len(rows) for rows in few.values()} == {50}


def test_inductive_methods_gain_nothing_from_more_working_points(data):
    rows = unit_rows("comparison/working_points", {"draw": 0, "problem": "banana"}, data)
    drawn = rows[rows["share"] == AS_DRAWN].pivot(index="working", columns="method")["error"]
    assert len(drawn) >= 2
    assert (drawn[["svm", "ridge"]].nunique() == 1).all()
