"""What the digits of a printed mean of counts say about how many draws it is a mean of."""

from __future__ import annotations

from math import ceil, floor

from ..claims import load_claims, measure
from ..verdicts import ShapeEvidence

__all__ = ["fewest_draws"]

DOCUMENT = "universum"
# Errors are printed to hundredths of a per cent.
_HALF = 0.005
_ROUNDING = 1e-9


def fewest_draws(errors, n_test):
    """The least number of draws whose mean error rates can be what is printed.

    A mean over n draws is a multiple of ``100 / (n n_test)`` per cent; with few draws most numbers
    of two decimals lie too far from any.

    Parameters
    ----------
    errors : sequence of float
        Printed errors in per cent, rounded to two decimals, all means of as many draws.
    n_test : int
        Test points of each draw.

    Returns
    -------
    int
    """
    n = 1
    while not all(_is_mean(error, n * n_test) for error in errors):
        n += 1
    return n


def _is_mean(error, n_tested):
    least, most = ((error + s * (_HALF + _ROUNDING)) / 100 * n_tested for s in (-1, 1))
    return ceil(least) <= floor(most)


@measure
def printed_by_fewest_draws(frames, item, n_test, draws, sizes=None):
    """Whether the printed errors of an item need `draws` draws, which its claims take for n.

    `sizes` are those of the training subset to look at; by default all.
    """
    claims = [
        c
        for c in load_claims([DOCUMENT])
        if c.item == item
        and c.measure == "image_error"
        and (sizes is None or c.arguments["n"] in sizes)
    ]
    found = fewest_draws([c.published["value"] for c in claims], n_test)
    taken = {c.published["n"] for c in claims}
    return ShapeEvidence(
        found == draws and taken == {draws},
        f"{len(claims)} printed errors need at least {found} draws of {n_test} test images",
    )
