"""One view of transduction: the documents' methods side by side, on the same draws."""

from . import gains, methods  # noqa: F401  (they register)
