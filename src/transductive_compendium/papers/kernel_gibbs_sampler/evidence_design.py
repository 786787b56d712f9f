"""Constants that the experiments on the evidence share with their measures."""

import math

#: Sizes of the training samples: for the choice of a model, and for margins and volumes.
N_SELECTION, N_MARGIN = 60, 30
#: Rows of each data set; crescents are generated anew for each sample.
N_ROWS = {"crescents": math.inf, "thyroid": 215, "heart": 270}


def splits_ratio(dataset):
    """Ratio of test to training points, for tests on all remaining points."""
    n = N_ROWS[dataset]
    return 0.0 if math.isinf(n) else (n - N_SELECTION) / N_SELECTION


def samples_ratio(dataset, size):
    """The same for quantities that depend only on training samples of a given size.

    Two samples share on average the fraction size / n of their points, as two test parts share
    n_test / n in the correction for splits.
    """
    return size / (N_ROWS[dataset] - size)
