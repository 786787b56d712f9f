"""All methods side by side: draws, scores, and who sees what."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from transductive_compendium.datasets import load
from transductive_compendium.papers.comparison import gains, machines, problems, scores
from transductive_compendium.runner import get

EXPERIMENTS = [f"comparison/{item}" for item in ("methods", "labels", "working_points")]


@pytest.fixture(scope="module")
def data():
    return {name: load(other) for name, other in problems.DATASETS.items()}


@pytest.fixture(scope="module")
def blobs():
    """Two clouds in the plane, ten labels and sixty working points."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(70) % 2, 1.0, -1.0)
    X = rng.standard_normal((70, 2)) + 0.8 * y[:, None]
    return problems.Sample(X[:10], y[:10], X[10:], y[10:], "rbf")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_smoke_is_the_beginning_of_paper(name):
    smoke, paper, full = (get(name).unit_keys({}, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) < len(full)


# ---- draws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", problems.PROBLEMS)
def test_draws_share_no_row_and_begin_with_both_classes(name, data):
    found = problems.table(name, data)
    for number in range(3):
        labelled, working = problems.draw(found, problems.generator(name, number, 0))
        assert len(labelled) == max(problems.LABELS)
        assert len(working) == problems.n_working(len(found.to_work))
        assert not set(labelled) & set(working)
        first = found.y[labelled[: min(problems.LABELS)]]
        assert min((first == 1).sum(), (first == -1).sum()) >= problems.LEAST
        again, _ = problems.draw(found, problems.generator(name, number, 0))
        np.testing.assert_array_equal(labelled, again)


def test_texts_come_from_both_sides_of_the_published_split(data):
    found = problems.table("reuters acq", data)
    labelled, working = problems.draw(found, problems.generator("reuters acq", 0, 0))
    n_train = data["reuters21578"].n_train
    assert labelled.max() < n_train <= working.min()
    seen = problems.sample("reuters acq", found, labelled, working)
    lengths = np.linalg.norm(seen.X[:, :-1], axis=1)  # words that nobody has are left out
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-6)
    assert (seen.X[:, -1] == 1).all() and (seen.X_working[:, -1] == 1).all()


def test_the_kernel_is_chosen_without_the_working_points(blobs):
    moved = problems.Sample(
        blobs.X, blobs.y, 5.0 + 3.0 * blobs.X_working, -blobs.truth, blobs.kernel
    )
    assert moved.kernel_options == blobs.kernel_options and moved.ridge == blobs.ridge


def test_shifted_working_sets_have_their_shares():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(2000) < 0.3, 1, -1)
    pool = np.arange(100, 2000)
    sets = gains.shifted(y, pool, rng)
    for share, rows in sets.items():
        assert len(set(rows)) == len(rows) == gains.N_SHIFTED and rows.min() >= 100
        assert np.mean(y[rows] == 1) == pytest.approx(share)
    # a rare class makes all sets smaller
    few = gains.shifted(y, np.r_[pool[y[pool] == 1][:45], pool[y[pool] == -1]], rng)
    assert {len(rows) for rows in few.values()} == {50}


# ---- scores --------------------------------------------------------------------------------------


def test_hits_are_expected_over_orders_of_ties():
    values, hit = np.array([2.0, 1.0, 1.0, 1.0, 0.0]), np.array([0, 1, 0, 0, 1], dtype=bool)
    np.testing.assert_allclose(scores.expected_hits(values, hit), [0, 1 / 3, 2 / 3, 1, 2])
    # against the mean over random orders
    rng = np.random.default_rng(1)
    orders = [np.lexsort((rng.random(5), -values)) for _ in range(20_000)]
    np.testing.assert_allclose(
        scores.expected_hits(values, hit), np.mean([hit[o].cumsum() for o in orders], 0), atol=0.02
    )


def test_error_told_the_number():
    truth = np.array([True, True, False, False, False])
    assert scores.error_told(np.array([5.0, 4, 3, 2, 1]), truth) == 0.0
    assert scores.error_told(-np.array([5.0, 4, 3, 2, 1]), truth) == pytest.approx(0.8)
    assert scores.error_told(np.zeros(5), truth) == pytest.approx(2 * 2 * 3 / 5 / 5)
    # whatever the threshold
    values = np.random.default_rng(0).standard_normal(40)
    truth = values + np.random.default_rng(1).standard_normal(40) > 0
    assert scores.error_told(values, truth) == scores.error_told(values - 7.0, truth)
    labels = values > np.sort(values)[-truth.sum() - 1]
    assert scores.error_told(values, truth) == pytest.approx(np.mean(labels != truth))


def test_rejection():
    wrong = np.array([False, False, False, True, True])
    good = scores.rejection(np.arange(5.0)[::-1], wrong)
    assert good["error_kept"] == pytest.approx(1 / 4)
    assert good["risk_area"] == pytest.approx(np.mean([0, 0, 0, 1 / 4, 2 / 5]))
    none = scores.rejection(np.ones(5), wrong)
    assert none["error_kept"] == none["risk_area"] == pytest.approx(wrong.mean())


def test_calibration_scores_are_the_usual_ones():
    rng = np.random.default_rng(0)
    p = rng.uniform(0.01, 0.99, 500)
    truth = rng.random(500) < p
    found = scores.calibration(p, truth)
    assert found["brier"] == pytest.approx(brier_score_loss(truth, p))
    assert found["log_loss"] == pytest.approx(log_loss(truth, p))
    assert sum(found[f"points_{e}"] for e in (60, 70, 80, 90, 100)) == 500
    right = np.mean((p >= 0.5) == truth)
    assert sum(found[f"right_{e}"] for e in (60, 70, 80, 90, 100)) == pytest.approx(500 * right)
    # drawn from p itself: what is claimed is kept, within four standard deviations
    assert found["claimed"] == pytest.approx(right, abs=4 * 0.5 / np.sqrt(500))
    sure = scores.calibration(np.array([1.0, 0.0]), np.array([True, True]))
    assert sure["points_100"] == 2 and sure["right_100"] == 1
    assert sure["log_loss"] == pytest.approx(-0.5 * np.log(0.005 * 0.995))
    assert set(scores.calibration(None, truth)) == set(found)


# ---- methods -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", machines.METHODS)
def test_who_looks_at_the_working_points(name, blobs):
    """Without half of the working points the rest keep their answers, unless it is transduction."""
    half = problems.Sample(blobs.X, blobs.y, blobs.X_working[:30], blobs.truth[:30], blobs.kernel)
    all_values = machines.METHODS[name](blobs, np.random.default_rng(0)).value[:30]
    values = machines.METHODS[name](half, np.random.default_rng(0)).value
    same = np.allclose(all_values, values, atol=1e-6)
    assert same is (name not in ("tsvm", "tsvm, true number", "tld"))


@pytest.mark.parametrize("name", machines.METHODS)
def test_no_method_is_told_labels(name, blobs):
    """Other labels at the working points, as many of each: the same answer."""
    turned = problems.Sample(blobs.X, blobs.y, blobs.X_working, -blobs.truth, blobs.kernel)
    assert (blobs.truth > 0).sum() == (turned.truth > 0).sum()
    first, second = (machines.METHODS[name](s, np.random.default_rng(0)) for s in (blobs, turned))
    np.testing.assert_array_equal(first.positive, second.positive)
    np.testing.assert_array_equal(first.value, second.value)
    # and it is no nonsense: the clouds have a Bayes error of 13 %
    assert np.mean(first.positive != (blobs.truth > 0)) < 0.3
    if first.probability is not None:
        assert ((first.probability >= 0) & (first.probability <= 1)).all()


def test_transductive_svms_keep_their_number(blobs):
    told = machines.tsvm_told(blobs, None)
    assert told.positive.sum() == (blobs.truth > 0).sum()
    share = machines.tsvm(blobs, None)
    assert share.positive.sum() == round(np.mean(blobs.y > 0) * len(blobs.truth))


def test_confidence_is_of_the_label():
    answer = machines.Answer(np.array([True, True, False]), np.array([2.0, -0.1, -1.0]))
    np.testing.assert_array_equal(answer.confidence, [2.0, -0.1, 1.0])


# ---- rows ----------------------------------------------------------------------------------------


def _rows(name, key, data, seed=0):
    rows = get(name).run_unit(key, {"seed": 0}, data, np.random.default_rng(seed))
    return pd.DataFrame(rows)


def test_experiments_share_draws(data):
    key = {"draw": 0, "problem": "heart"}
    methods = _rows("comparison/methods", key, data).set_index("method")
    labels = _rows("comparison/labels", key, data)
    at_forty = labels[labels["labels"] == 40].set_index("method")
    for method in ("svm", "tsvm", "ridge", "tld"):
        for score in ("error", "error_told"):
            assert methods.at[method, score] == at_forty.at[method, score]
    assert set(methods.index) == set(machines.METHODS)
    assert methods["brier"].notna().sum() == 3  # platt, bt, kgs


def test_inductive_methods_gain_nothing_from_more_working_points(data):
    rows = _rows("comparison/working_points", {"draw": 0, "problem": "banana"}, data)
    drawn = rows[rows["share"] == gains.DRAWN].pivot(index="working", columns="method")["error"]
    assert len(drawn) >= 2
    assert (drawn[["svm", "ridge"]].nunique() == 1).all()
