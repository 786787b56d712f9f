"""Leave-one-out with and without the basis function: distances to test errors."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

ITEM = "transductive_regression/basis_functions"


@measure(ITEM)
def nearer_without_basis(rows, dataset, largest):
    """Additional distance of (15) from the test error, in logarithms, for gamma up to `largest`."""
    rows = rows[(rows["dataset"] == dataset) & (rows["gamma"] <= largest * (1 + 1e-9))]
    logs = np.log(rows[["kept", "dropped"]]).sub(np.log(rows["test"]), axis=0).abs()
    return Repeats((logs["kept"] - logs["dropped"]).groupby(rows["split"]).mean())
