"""Shares of a long chain's steps against the exact posterior."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure("kernel_gibbs_sampler/chain_law")
def shares_of_cells(rows):
    """Largest difference of a cell's share from its posterior, for each q."""
    largest = rows.pivot(index="draw", columns="q", values="largest")
    shown = f"share of steps off by {largest.max(axis=1).mean():.4f} on average, in the worst cell"
    return Repeats(largest.to_numpy(), shown=shown)
