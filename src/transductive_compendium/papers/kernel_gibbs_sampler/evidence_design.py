"""What the experiments on the evidence share with their measures."""

import math

#: Sizes of the training samples: for the choice of a model, and for margins and volumes.
N_SELECTION, N_MARGIN = 60, 30
#: Rows of each data set; crescents are generated anew for each sample.
N_ROWS = {"crescents": math.inf, "thyroid": 215, "heart": 270}


def splits_ratio(dataset):
    """Test part over training part: for what is tested on all points left over."""
    n = N_ROWS[dataset]
    return 0.0 if math.isinf(n) else (n - N_SELECTION) / N_SELECTION


def samples_ratio(dataset, size):
    """The same for what depends on training samples of a given size alone.

    Two samples have the part size / n of their points in common, as two test parts have n_test / n
    in the correction for splits.
    """
    return size / (N_ROWS[dataset] - size)
