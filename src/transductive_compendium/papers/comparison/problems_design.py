"""Sizes and names that the units and the measures of the comparison share."""

#: Numbers of labels; a split's smaller training sets are the beginnings of its larger ones.
LABELS = (10, 20, 40, 80)
#: Numbers of labels where all methods are compared, and where the working points vary.
N_LABELS_OF_METHODS = 40
N_LABELS_OF_WORKING_POINTS = 20
#: The share of positives of working points that are as the split has them.
AS_DRAWN = "drawn"
#: Positive and negative rows that working points are drawn from.
CLASS_SIZES = {
    "thyroid": (150, 65),
    "heart": (120, 150),
    "banana": (2376, 2924),
    "mnist 5 / 8": (6825, 6313),
    "reuters earn": (1087, 2212),
    "reuters acq": (719, 2580),
}
#: Rows that the labelled documents are drawn from; elsewhere they are those of the working points.
REUTERS_TRAINING_ROWS = 9603


def n_working(n):
    """Size of the working set: 400, or at most a quarter of the rows of a small table."""
    return min(400, n // 4)
