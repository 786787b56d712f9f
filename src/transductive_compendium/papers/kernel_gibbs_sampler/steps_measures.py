"""Error counts of the sampler's steps: by increments, and by the steps as printed."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics
from .difference_measures import yes_or_no


@measure
def errors_by_increments(frames):
    """Largest difference of the kernel's error counts from a recount, over all arcs."""
    return Mathematics(float(frames["kernel_gibbs_sampler/steps"]["largest_difference"].max()))


@measure
def step_6_as_printed(frames):
    """Whether half the difference of two neighbouring angles gives the errors of their arc."""
    wrong = (
        frames["kernel_gibbs_sampler/steps"]
        .groupby("m")[["printed_wrong", "printed_difference"]]
        .mean()
    )
    return yes_or_no(
        bool((wrong["printed_wrong"] == 0).all()),
        "arcs with a wrong count: "
        + "; ".join(
            f"{100 * share:.1f} % at m = {m}, off by {off:.1f} on average"
            for m, share, off in wrong.itertuples()
        ),
    )
