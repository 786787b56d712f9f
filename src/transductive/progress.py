"""A progress bar that appears by itself on a terminal, after two seconds."""

from __future__ import annotations

from tqdm import tqdm

__all__ = ["progress_bar"]

#: Seconds of work after which a bar appears.
DELAY = 2.0


def progress_bar(what, total, wanted=True):
    """Bar on standard error, if that is a terminal and the work takes more than two seconds.

    Parameters
    ----------
    what : str
        What it counts.
    total : int or None
    wanted : bool, default=True
        Whether it may appear at all.

    Returns
    -------
    tqdm
        A context manager with ``update``.
    """
    return tqdm(total=total, desc=what, delay=DELAY, leave=False, disable=None if wanted else True)
