"""Evidence for the claim on the cost of a bounce."""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics


@measure
def cost_of_a_bounce(frames):
    """Log-log slopes of the counted multiplications: 2 in l, 1 in m, 1 in n, within 0.1."""
    frame = frames["bayesian_transduction/cost"]
    training = frame[(frame["m"] == 0) & (frame["l"] >= 400)]
    working = frame[frame["m"] >= 100 * frame["l"]]

    def slope(rows, size):
        return float(np.polyfit(np.log(rows[size]), np.log(rows["multiplications"]), 1)[0])

    in_n = np.log2(frame["multiplications_20"] / (10.0 * frame["multiplications"])) - 1.0
    slopes = {
        "l": slope(training, "l") - 2.0,
        "m": slope(working, "m") - 1.0,
        "n": float(in_n.iloc[in_n.abs().argmax()]),
    }
    return Mathematics(
        true=sum(abs(off) <= 0.1 for off in slopes.values()),
        cases=3,
        shown=f"slopes {slopes['l'] + 2:.2f} in l, {slopes['m'] + 1:.2f} in m, "
        f"{slopes['n'] + 1:.2f} in n",
    )
