"""Time of a step against that of two products with the Gram matrix."""

from ...verdicts.claims import measure
from .difference_measures import yes_or_no
from .mixing_time_measures import exponent


@measure
def step_below_products(frames, least):
    """Whether the kernel's whole step takes less than the two Gram products of the paper's."""
    rows = frames["kernel_gibbs_sampler/step_cost"]
    rows = rows[rows["m"] >= least]
    ratio = rows["products"] / rows["kernel"]
    large = rows[rows["m"] >= 800]
    slopes = {name: exponent(large["m"], large[name]) for name in ("kernel", "products")}
    return yes_or_no(
        bool((ratio > 1.0).all()),
        "products over step: "
        + ", ".join(f"{r:.1f} at m = {m}" for m, r in zip(rows["m"], ratio, strict=True))
        + f"; from 800 points on the step grows with the power {slopes['kernel']:.2f} of m, the "
        f"products with {slopes['products']:.2f} (one processor and its caches)",
    )
