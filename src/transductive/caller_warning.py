"""Warnings that point at the line that called the library."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from contextvars import ContextVar

import joblib

__all__ = ["warn_caller", "warnings_of"]

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
# joblib's frames lie between the library's own when it fits several classes
INSIDE = (LIBRARY, os.path.join(os.path.dirname(joblib.__file__), ""))

_part = ContextVar("_part", default="")


@contextmanager
def warnings_of(part):
    """Name a part of the work, such as a class, in all warnings from inside."""
    before = _part.set(f" (of {part})")
    try:
        yield
    finally:
        _part.reset(before)


def warn_caller(message, category):
    """Warn at the nearest caller outside the library, however many of its frames lie between.

    Parameters
    ----------
    message : str
    category : type
        Subclass of Warning.
    """
    frame, stacklevel = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INSIDE):
        frame, stacklevel = frame.f_back, stacklevel + 1
    warnings.warn(message + _part.get(), category, stacklevel=stacklevel)
