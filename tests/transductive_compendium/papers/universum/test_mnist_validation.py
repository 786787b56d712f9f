"""Images of 5 and 8: SVMs and U-SVMs chosen by validation."""

import numpy as np
import pytest
from sklearn.svm import SVC

from transductive.margin import UniversumSVC
from transductive_compendium.papers.universum import mnist_data, mnist_validation
from transductive_compendium.papers.universum.mnist_data import ALL_IMAGES

NAME = "digits"  # the substitute, 25 times smaller
SEED = (0, 0)  # the first split of seed 0
PROTOCOL = mnist_validation.Protocol()


def _wrong(classifier, part):
    return np.where(classifier.decision_function(part.X) > 0, 1, -1) != part.y


@pytest.mark.parametrize("seed", [(0, 0), (0, 1), (1, 0)])
def test_the_svm_is_the_best_of_its_grid_at_validation(seed):
    train, validation = mnist_data.split(NAME, seed, 1000)
    test = mnist_data.classes(NAME)[1]
    found, least = mnist_validation.choose_svm(NAME, seed, 1000, PROTOCOL), []
    for gamma in mnist_validation.GAMMAS:
        for C in mnist_validation.COSTS:
            classifier = SVC(C=C, gamma=gamma).fit(train.X, train.y)
            least.append((_wrong(classifier, validation).mean(), _wrong(classifier, test).mean()))
            if (gamma, C) == (found.gamma, found.C):
                np.testing.assert_array_equal(_wrong(classifier, test), found.wrong)
    assert found.validation == min(least)[0]
    assert found.oracle == min(error for _, error in least)


@pytest.mark.parametrize("n_train", [1000, ALL_IMAGES])
def test_the_u_svm_is_fitted_with_what_was_chosen(n_train):
    """With all training images, chosen on a part and fitted again on the whole."""
    points = mnist_data.universum(NAME, "3", None, None, SEED)
    svm = mnist_validation.choose_svm(NAME, SEED, n_train, PROTOCOL)
    found = mnist_validation.choose_u_svm(NAME, SEED, n_train, points, PROTOCOL)
    assert (found.gamma, found.C) == (svm.gamma, svm.C)
    train, validation = mnist_data.split(NAME, SEED, n_train)
    whole, test = mnist_data.classes(NAME)
    classifier = UniversumSVC(
        found.C, found.C_universum, epsilon=found.epsilon, gamma=found.gamma, tol=1e-5
    )
    classifier.fit(train.X, train.y, points)
    assert _wrong(classifier, validation).mean() == pytest.approx(found.validation, abs=1 / 79)
    if n_train == ALL_IMAGES:
        classifier.fit(whole.X, whole.y, points)
    assert (_wrong(classifier, test) != found.wrong).sum() <= 1
    assert found.oracle <= found.wrong.mean()


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_other_kernels_have_costs_over_their_size(kernel):
    protocol = mnist_validation.Protocol(kernel=kernel)
    train, _ = mnist_data.split(NAME, SEED, 1000)
    test = mnist_data.classes(NAME)[1]
    found = mnist_validation.choose_svm(NAME, SEED, 1000, protocol)
    classifier = SVC(C=found.C, kernel=kernel, gamma=found.gamma, coef0=1.0)
    classifier.fit(train.X, train.y)
    assert (_wrong(classifier, test) != found.wrong).sum() <= 1
    squares = (train.X**2).sum(axis=1)
    size = squares if kernel == "linear" else (found.gamma * squares + 1.0) ** 3
    assert np.min(np.abs(found.C * size.mean() - np.array(mnist_validation.COSTS))) < 1e-6
