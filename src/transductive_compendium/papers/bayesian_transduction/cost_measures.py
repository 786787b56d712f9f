"""Evidence for the claim on the cost of a bounce."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence


@measure
def cost_of_a_bounce(frames):
    """Whether the multiplications of the paper's algorithm are in proportion to l (l + m)."""
    frame = frames["bayesian_transduction/cost"]
    share = frame["multiplications"] / (frame["l"] * (frame["l"] + frame["m"]))
    large = frame[frame["l"] >= 400]

    def slope(column, size):
        return float(np.polyfit(np.log(size), np.log(large[column]), 1)[0])

    recomputing = slope("products", large["l"] * (large["l"] + large["m"]))
    kernel = slope("kernel", large["l"] + large["m"])
    return ShapeEvidence(
        bool(share.max() <= 1.6 * share.min()),
        f"counted: {share.min():.2f} to {share.max():.2f} times l (l + m) multiplications a bounce "
        f"over all {len(frame)} sizes. In time, through the caches of one processor, recomputing "
        f"grows with the power {recomputing:.2f} of l (l + m) for l of 400 and more, and the "
        f"kernel, which keeps its sums, with the power {kernel:.2f} of l + m",
    )
