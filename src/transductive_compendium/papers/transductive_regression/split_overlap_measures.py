"""How much the variance of a mean over splits grows, as they share rows."""

from ...verdicts import overlapping_splits
from .regression_setting import N_ROWS, N_TEST, PUBLISHED
from .tuned_transduction_design import OWN_SIZES, SINE
from .working_sets_design import N_JUDGED

#: Share of its rows that a shifted split of kin-32fh has in common with another: more than
#: uniform splits have, since rows of large weight come again and again.
SHARED = {"mild": 0.043, "strong": 0.205, "strong, aside": 0.210}


def splits_overlap(n_train, n_test, n_rows):
    """Test over training rows where a split has all rows (Nadeau and Bengio), else by its share."""
    used = n_train + n_test
    return overlapping_splits.overlap(used, n_rows) if used < n_rows else n_test / n_train


def overlap(dataset, m=None, shift="none"):
    """What the splits add to 1/n as they share rows; nothing for the sine, which is drawn anew.

    Parameters
    ----------
    dataset : str
    m : int, optional
        Size of the working sets, if it is not that of the data set's test parts.
    shift : str
        Which shift of the working sets; of 256 working points, and about right for fewer.
    """
    if dataset in SINE:
        return 0.0
    if shift in SHARED:
        return overlapping_splits.overlap(SHARED[shift], 1.0)
    if dataset in OWN_SIZES:
        n_train, n_test = OWN_SIZES[dataset]
    else:
        n_train, n_test = PUBLISHED[dataset][0], N_TEST[dataset]
    n_test = n_test if m is None else max(m, N_JUDGED)
    return splits_overlap(n_train, n_test, N_ROWS[dataset])
