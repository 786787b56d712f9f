"""Pictures show every method on every problem, and what the chapter's text says of them."""

import numpy as np

from transductive_compendium.papers.comparison import chapter_drawing as drawing
from transductive_compendium.papers.comparison.classifiers import METHODS
from transductive_compendium.papers.comparison.scores_measures import scores
from transductive_compendium.runner import load_recorded


def test_a_wrong_number_of_positives_costs_the_errors_that_it_forces():
    given, errors, true, svm = drawing.numbers()
    least = np.abs(given - true)
    assert true in given and (errors >= least).all() and (errors <= least + 5).all()
    assert errors[given == true] < svm < errors[-1] / 2


def test_in_the_plane_the_samples_number_forces_all_errors():
    sample = drawing.bands()
    wrong = {
        name: (METHODS[name](sample, None).positive != (sample.truth > 0)).sum()
        for name in ("svm", "tsvm", "tsvm, true number")
    }
    # five eighths of 200 are 125, of which 100 are positive
    assert wrong == {"svm": 4, "tsvm": 25, "tsvm, true number": 0}


def test_given_the_number_the_tsvm_is_ahead_on_every_split_of_mnist():
    rows = load_recorded("comparison/labels")[0]
    rows = rows[(rows["problem"] == "mnist 5 / 8") & (rows["labels"] == 20)]
    errors = scores(rows, "error_told")
    assert len(errors) == 100 and (errors["tsvm, true number"] < errors["svm"]).all()
    assert round(errors["svm"].min()) == 6 and round(errors["svm"].max()) in (24, 25)
