"""How often vote and Bayes point decide differently, and which of them errs more often."""

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import EquivalenceEvidence, half_width


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
        vote less that of the Bayes point).
    """
    rows = frame[(frame["dataset"] == dataset) & ~frame["empty"]]
    if value == "apart":
        rows = rows.assign(apart=1.0 - rows["agreement"])
    else:
        rows = rows.assign(gain=rows["vote_error"] - rows["point_error"])
    return 100.0 * rows.pivot(index="split", columns=["flip_rate", "q"], values=value)


@measure
def vote_as_bayes_point(frames, every_q):
    """Share of differing decisions, where its interval reaches furthest.

    Over the data sets and flip rates, and over all q or only the true one.
    """
    frame = frames["kernel_gibbs_sampler/vote"]
    if not every_q:
        frame = frame[frame["q"] == frame["flip_rate"]]
    found = []
    for dataset in frame["dataset"].unique():
        ratio = overlap(dataset)
        for _, apart in vote_table(frame, dataset, "apart").items():
            found.append((apart.mean() + half_width(apart, ratio), apart, ratio))
    _, apart, ratio = max(found, key=lambda it: it[0])
    return EquivalenceEvidence(apart, ratio)
