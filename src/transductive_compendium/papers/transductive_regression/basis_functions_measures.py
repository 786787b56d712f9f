"""Leave-one-out with and without the basis function: choices, and distances to test errors."""

import numpy as np
import pandas as pd

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats

ITEM = "transductive_regression/basis_functions"


def choices(rows):
    """Choice of each leave-one-out error, and the test error there.

    Parameters
    ----------
    rows : DataFrame
        Rows of ``basis_functions``.

    Returns
    -------
    DataFrame
        A row for each data set, split and `estimate` ("kept", "dropped", "norm", and "test", which
        chooses in hindsight), with the chosen gamma and log sigma, the estimate there and the test
        error.
    """
    found = []
    for (dataset, split), part in rows.groupby(["dataset", "split"], sort=False):
        for estimate in ("kept", "dropped", "norm", "test"):
            best = part.loc[part[estimate].idxmin()]
            test = "test_norm" if estimate == "norm" else "test"
            found.append(
                {
                    "dataset": dataset,
                    "split": split,
                    "estimate": estimate,
                    "gamma": best["gamma"],
                    "log_sigma": best["log_sigma"],
                    "loo_error": best[estimate],
                    "test_error": best[test],
                }
            )
    return pd.DataFrame(found)


@measure
def nearer_without_basis(frames, dataset, largest):
    """Additional distance of (15) from the test error, in logarithms, for gamma up to `largest`."""
    rows = frames[ITEM]
    rows = rows[(rows["dataset"] == dataset) & (rows["gamma"] <= largest * (1 + 1e-9))]
    logs = np.log(rows[["kept", "dropped"]]).sub(np.log(rows["test"]), axis=0).abs()
    return Repeats((logs["kept"] - logs["dropped"]).groupby(rows["split"]).mean())
