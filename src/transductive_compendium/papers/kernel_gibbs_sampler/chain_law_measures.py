"""Shares of a long chain's steps against the exact posterior."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure
def shares_of_cells(frames):
    """Largest difference of a cell's share from its posterior, for each q."""
    rows = frames["kernel_gibbs_sampler/chain_law"]
    largest = rows.pivot(index="draw", columns="q", values="largest")
    shown = f"share of steps off by {largest.max(axis=1).mean():.4f} on average, in the worst cell"
    return Repeats(largest.to_numpy(), shown=shown)
