"""MNIST, size of the universum: what the measures make of rows."""

import numpy as np
from mnist_rows import sizes
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import mnist_size_measures as report
from transductive_compendium.papers.universum.mnist_universa_measures import overlap
from transductive_compendium.verdicts.rules import REPRODUCED


def test_more_points_help_where_they_do():
    assert outcome_of(report.more_universum_helps(sizes(), "Mean")) == REPRODUCED
    rest = report.more_universum_helps(sizes(), "Rest")
    np.testing.assert_allclose(rest.differences, 0.0, atol=1e-12)
    assert rest.test_train_ratio == overlap(3000)
