"""Which universum helps: predictors from training data, and cross-validation."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import unit_rows
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.svm import SVC
from universum_points import labelled_and_universum

from transductive.kernels import gram_matrix
from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_data, which_universum
from transductive_compendium.papers.universum.universum_axes import UniversumAxes


@pytest.fixture(scope="module")
def data():
    return {"mnist": load("digits")}


def test_cross_validation_is_that_of_scikit_learn():
    X, signs, _, _ = labelled_and_universum(flat=False)
    folds = np.arange(40) % 5
    K = gram_matrix(X, kernel="rbf", gamma=0.2)
    found = which_universum.left_out_errors(
        lambda fold: [K, K], signs, 2.0, folds, fit_intercept=True
    )
    scores = cross_val_score(SVC(C=2.0, gamma=0.2), X, signs, cv=PredefinedSplit(folds))
    assert found == [pytest.approx(1.0 - scores.mean())] * 2 and found[0] > 0


def test_shares_of_scatter():
    X, signs, U, _ = labelled_and_universum(flat=True)
    axes = UniversumAxes(U @ U.T)
    between, within = which_universum.shares(axes, X @ U.T, X @ X.T, signs)
    basis = np.linalg.svd(U - U.mean(axis=0))[2][:2]
    parts = [X[signs < 0], X[signs > 0]]
    difference = parts[1].mean(axis=0) - parts[0].mean(axis=0)
    assert between == pytest.approx(
        (basis @ difference) @ (basis @ difference) / difference.dot(difference)
    )
    scatter = sum((p - p.mean(axis=0)).T @ (p - p.mean(axis=0)) for p in parts)
    assert within == pytest.approx(np.trace(basis @ scatter @ basis.T) / np.trace(scatter))


def test_rows_of_a_split_are_paired(data):
    keys = [{"draw": 0, "n_train": 1000, "universum": kind} for kind in ("Mean", "fives", "3")]
    rows = pd.concat(
        [unit_rows("universum/which_universum", key, data) for key in keys], ignore_index=True
    )
    for column in ("error_svm", "error_unseen_svm", "cv_error_svm", "gamma"):
        assert rows[column].nunique() == 1
    assert (rows["error_oracle"] <= rows["error"]).all()
    for end in ("", "_svm", "_projected"):
        low, high = (rows[[f"error{end}", f"error_unused{end}"]].agg(f, axis=1) for f in (min, max))
        assert rows[f"error_unseen{end}"].between(low, high).all()
    assert rows["between"].between(0, 1).all() and rows["within"].between(0, 1).all()
    made = rows["cv_error_leaking"] != rows["cv_error_all"]
    assert not made[1:].any()  # only a universum that is made is made anew


def _same(part, other):
    return part.X.shape == other.X.shape and (part.X == other.X).all()


@pytest.mark.parametrize("kind", which_universum.MADE_OF_LABELLED)
def test_cross_validation_makes_a_universum_of_the_part_that_is_left(kind, data, monkeypatch):
    seen, made = [], which_universum.universum_points

    def universum_points(name, kind, labelled, seed, rng):
        seen.append(labelled)
        return made(name, kind, labelled, seed, rng)

    monkeypatch.setattr(which_universum, "universum_points", universum_points)
    unit_rows("universum/which_universum", {"draw": 0, "n_train": 1000, "universum": kind}, data)
    train, _ = mnist_data.split("digits", (0, 0), 1000)
    first, *parts = seen
    assert _same(first, train) and len(parts) == which_universum.N_FOLDS
    # every image is left out of the universum of one fold, and is in all others
    held = [set(map(bytes, train.X)) - set(map(bytes, part.X)) for part in parts]
    assert [len(h) + len(p.y) for h, p in zip(held, parts, strict=True)] == [len(train.y)] * 5
    assert set.union(*held) == set(map(bytes, train.X)) and sum(map(len, held)) == len(train.y)
