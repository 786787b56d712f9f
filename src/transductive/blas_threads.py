"""Limit BLAS to one thread inside a context; the last context to end restores the limit."""

from __future__ import annotations

from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

__all__ = ["one_blas_thread"]


class _OneBlasThread:
    """Count the contexts inside: overlapping limits would restore one another's settings."""

    def __init__(self):
        self._lock, self._inside = Lock(), 0

    def __enter__(self):
        with self._lock:
            if self._inside == 0:
                self._limits = _blas().limit(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, *exception):
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limits.restore_original_limits()


_ONE = _OneBlasThread()


def one_blas_thread():
    """Context in which BLAS uses one thread, so that results do not depend on the thread count.

    Returns
    -------
    context manager
        One shared object, which several threads may enter at once.
    """
    return _ONE


@cache
def _blas():
    # a search for the libraries takes milliseconds, too long for a short run
    return ThreadpoolController()
