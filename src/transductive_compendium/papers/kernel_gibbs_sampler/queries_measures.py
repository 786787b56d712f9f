"""Errors after queries at random minus those after queries by entropy."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure("kernel_gibbs_sampler/queries")
def queries_teach(rows):
    """Error after random queries minus that after queries by S, at each checkpoint, in per cent."""
    random, entropy = (
        100.0 * rows[rows["strategy"] == name].pivot(index="set", columns="queries", values="error")
        for name in ("random", "entropy")
    )
    means = zip(random.columns, entropy.mean(), random.mean(), strict=True)
    shown = "; ".join(f"{n}: {a:.2f} %, random {b:.2f} %" for n, a, b in means)
    return Repeats((random - entropy).dropna().to_numpy(), shown=shown)
