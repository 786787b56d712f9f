"""Past the published limit of about 100 points, on small sizes."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.datasets import available, load, substitute
from transductive_compendium.papers.kernel_gibbs_sampler import limit as limit
from transductive_compendium.runner import get

SUBSTITUTES = {"banana": "breast_cancer", "ringnorm": "breast_cancer", "mnist": "digits"}


@pytest.fixture(scope="module")
def substitutes():
    return {name: load(other) for name, other in SUBSTITUTES.items()}


@pytest.fixture(scope="module", autouse=True)
def _follow_few_outputs():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limit, "N_FOLLOWED", 8)
        yield


def _rows(key, data):
    return pd.DataFrame(limit.mixing_and_errors(key, {}, data, np.random.default_rng(0)))


def test_limit_goes_to_ten_thousand_in_the_whole_span_and_at_low_rank():
    keys = pd.DataFrame(get("kernel_gibbs_sampler/limit").unit_keys({}, "paper"))
    for name in ("banana", "ringnorm", "mnist"):
        own = keys[(keys.dataset == name) & (keys.q == limit.OWN_NOISE[name])]
        assert set(own[own["rank"] == 0].m) == {100, 1000, 10_000}
        assert {50, 200} <= set(own[own.m == 10_000]["rank"])
    datasets = get("kernel_gibbs_sampler/limit").datasets
    assert {name: substitute(name) for name in datasets} == SUBSTITUTES


def test_ringnorm_has_its_two_laws():
    X, y = limit.draw_ringnorm(20_000, np.random.default_rng(0))
    wide, narrow = X[y > 0], X[y < 0]
    # means and variances of 10,000 values each, at six standard errors
    np.testing.assert_allclose(wide.mean(axis=0), 0.0, atol=6 * 2.0 / 100)
    np.testing.assert_allclose(narrow.mean(axis=0), 2.0 / np.sqrt(20.0), atol=6 / 100)
    np.testing.assert_allclose(wide.var(axis=0), 4.0, rtol=0.09)
    np.testing.assert_allclose(narrow.var(axis=0), 1.0, rtol=0.09)


def test_samples_are_nested_and_leave_the_test_part_alone(substitutes):
    few, many = (limit.training_and_test("banana", m, substitutes) for m in (100, 10_000))
    assert len(few[0]) == 100 and len(many[0]) == 569 - 569 // 3
    np.testing.assert_array_equal(few[0], many[0][:100])
    np.testing.assert_array_equal(few[2], many[2])
    both = np.vstack([many[0], many[2]])
    assert len(np.unique(both, axis=0)) == len(np.unique(substitutes["banana"].X, axis=0))
    np.testing.assert_allclose(many[0].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(many[0].std(axis=0), 1.0)


def test_a_published_test_part_is_kept():
    X = np.arange(40.0).reshape(20, 2)
    table = SimpleNamespace(X=X, y=np.where(np.arange(20) % 2, 1, -1), n_train=14)
    train, _, test, truth = limit.training_and_test("mnist", 10, {"mnist": table})
    np.testing.assert_array_equal(test, X[14:] / 39.0)
    np.testing.assert_array_equal(truth, table.y[14:])
    assert len(train) == 10 and train.max() < test.min()


def test_drawn_ringnorm_needs_no_data():
    X, y, X_test, _ = limit.training_and_test("ringnorm drawn", 10_000, {})
    assert X.shape == (10_000, 20) and len(X_test) == 2000
    assert set(y) == {-1.0, 1.0}


@pytest.mark.parametrize(
    ("name", "n_train", "n_test"),
    [("banana", 4300, 1000), ("ringnorm", 6400, 1000), ("mnist", 10_000, 1866)],
)
def test_sizes_of_the_real_sets(name, n_train, n_test):
    if not available(name):
        pytest.skip(f"the {name} data are not at hand")
    X, y, X_test, truth = limit.training_and_test(name, 10_000, {name: load(name)})
    assert (len(X), len(y), len(X_test), len(truth)) == (n_train, n_train, n_test, n_test)


@pytest.fixture(scope="module")
def limit_rows(substitutes):
    key = {"dataset": "mnist", "m": 100, "rank": 30, "q": 0.05, "thin": 20}
    return _rows(key, substitutes), key


def test_limit_rows(limit_rows, substitutes):
    rows, key = limit_rows
    assert list(rows.start.unique()) == ["prior", "regularised", "both"]
    assert list(rows.steps.unique()) == [20 * n for n in limit.CHECKPOINTS]
    assert np.isfinite(rows.select_dtypes("number").to_numpy()).all()
    assert (rows.dimension == 30).all() and (rows.n_train == 100).all()
    wide = rows.pivot(index="steps", columns="start", values="mean_errors")
    np.testing.assert_allclose(wide.both, (wide.prior + wide.regularised) / 2)
    errors = rows[["error_vote", "error_bayes_point", "error_last", "error_svm", "error_start"]]
    assert ((errors >= 0) & (errors < 0.5)).all(axis=None)
    # where vote and Bayes point agree they err together
    apart = (rows.error_vote - rows.error_bayes_point).abs()
    assert (apart <= 1 - rows.agreement + 1e-12).all()
    clock = ["seconds_factor", "seconds_svm", "microseconds", "ess_second"]
    again = _rows(key, substitutes)
    pd.testing.assert_frame_equal(rows.drop(columns=clock), again.drop(columns=clock))


def test_without_a_likelihood_both_starts_are_forgotten(substitutes):
    key = {"dataset": "banana", "m": 100, "rank": 0, "q": 0.5, "thin": 4}
    last = _rows(key, substitutes).tail(3)
    # half of the labels are wrong on average; the mean of 1024 draws knows it to a few per cent
    np.testing.assert_allclose(last.mean_errors, 50.0, atol=5.0)
    assert (last.r_hat_errors < 1.05).all()
