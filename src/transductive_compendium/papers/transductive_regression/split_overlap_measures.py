"""What splits of one table share: for intervals of means over splits."""

from ...verdicts import overlapping_splits
from .regression_setting import N_ROWS, N_TEST, PUBLISHED
from .tuned_transduction import OWN_SIZES, SINE
from .working_sets import N_JUDGED

#: Share of its rows that a shifted split of kin-32fh has in common with another: more than
#: uniform splits do, since rows of large weight come again and again.
SHARED = {"mild": 0.043, "strong": 0.205, "strong, aside": 0.210}


def overlap(dataset, m=None, shift="none"):
    """Overlap that shared rows add to 1/n; 0 for the sine, which is generated for each split.

    If a split has all rows it is the ratio of test to training rows (Nadeau and Bengio).

    Parameters
    ----------
    dataset : str
    m : int, optional
        Size of the working sets; by default that of the data set's test parts.
    shift : str
        Shift of the working sets; the overlap is that of 256 working points, and about right for
        fewer.
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
    used, n_rows = n_train + n_test, N_ROWS[dataset]
    return overlapping_splits.overlap(used, n_rows) if used < n_rows else n_test / n_train
