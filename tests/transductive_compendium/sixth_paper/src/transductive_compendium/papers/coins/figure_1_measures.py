"""What became of figure 1."""

from ...verdicts import measure
from ...verdicts.rules import Repeats, Value


def _heads(rows, tosses):
    return rows["heads"][rows["tosses"] == tosses].to_numpy()


@measure("coins/figure_1")
def coins_share_of_heads(rows, tosses):
    """Share of heads among so many tosses, coin by coin."""
    return Value(_heads(rows, tosses))


@measure("coins/figure_1")
def coins_nearer_to_half(rows, few, many):
    """By how much the share is farther from one half after few tosses than after many."""
    return Repeats(abs(_heads(rows, few) - 0.5) - abs(_heads(rows, many) - 0.5))
