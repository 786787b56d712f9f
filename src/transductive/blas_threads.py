"""One thread of BLAS while any context asks for it, all of them back after the last."""

from __future__ import annotations

from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController

__all__ = ["one_blas_thread"]


class _OneBlasThread:
    """Limits of overlapping contexts would restore each other's: this one counts who is inside."""

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
    """Context in which BLAS uses one thread, so that results do not depend on how many there are.

    Returns
    -------
    context manager
        The same for all; it may be entered from several threads at once.
    """
    return _ONE


@cache
def _blas():
    # looking for the libraries takes milliseconds, which a short run would notice
    return ThreadpoolController()
