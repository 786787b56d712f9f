"""Growth of the steps for an independent sample, and the largest size at which chains mix."""

import numpy as np

from ...verdicts.claims import measure
from .difference_measures import yes_or_no


def exponent(x, y):
    """Least-squares slope of ln y on ln x."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _as_many_dimensions(frames):
    frame = frames["kernel_gibbs_sampler/mixing"]
    return frame[frame["m"] == frame["r"]]


def largest_mixed(frame):
    """For each q, from the noisiest down, the largest m up to which every chain mixed (else 0)."""
    return {
        q: int(rows.sort_values("m")["m"].where(rows["mixed"].astype(bool).cummin(), 0).max())
        for q, rows in sorted(frame.sort_values("m").groupby("q"), reverse=True)
    }


@measure
def limit_falls_with_noise(frames):
    """Whether the largest number of points that mixes falls as the assumed noise falls."""
    frame = _as_many_dimensions(frames)
    limits = largest_mixed(frame[frame["q"] < 0.5])
    found = list(limits.values())
    return yes_or_no(
        found == sorted(found, reverse=True) and found[0] > found[-1],
        "largest number of points, as many dimensions, up to which the chains mixed: "
        + ", ".join(f"{m} at q = {q:g}" for q, m in limits.items())
        + f" (of {', '.join(map(str, sorted(frame['m'].unique())))})",
    )
