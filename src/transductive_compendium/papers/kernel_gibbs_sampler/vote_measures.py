"""How often vote and Bayes point decide differently, and which errs more often."""

import numpy as np

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


def overlap(dataset):
    """Test over training points of splits of one data set; 0 for crescents, generated anew."""
    return 0.0 if dataset == "crescents" else TEST_TRAIN


def vote_table(frame, dataset, value):
    """A value of each split in per cent: a column for each flip rate and q.

    Parameters
    ----------
    frame : DataFrame
        Rows of the vote.
    dataset : str
    value : str
        "apart" (share of test points where vote and Bayes point differ) or "gain" (error of the
        vote minus that of the Bayes point).
    """
    rows = frame[(frame["dataset"] == dataset) & ~frame["empty"]]
    if value == "apart":
        rows = rows.assign(apart=1.0 - rows["agreement"])
    else:
        rows = rows.assign(gain=rows["vote_error"] - rows["point_error"])
    return 100.0 * rows.pivot(index="split", columns=["flip_rate", "q"], values=value)


@measure
def vote_as_bayes_point(frames):
    """Share of differing decisions, at every data set, flip rate and q that all splits have."""
    frame = frames["kernel_gibbs_sampler/vote"]
    tables = [vote_table(frame, dataset, "apart") for dataset in frame["dataset"].unique()]
    apart = np.column_stack([table.dropna(axis=1).to_numpy() for table in tables])
    return Repeats(apart, shown=f"apart on {apart.mean(axis=0).max():.2f} % at most")
