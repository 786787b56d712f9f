"""Tests of the library alone: TRANSDUCTIVE_LIBRARY_ONLY=1 hides what only the compendium needs.

Of the compendium itself, `exact` stays: it has the answers that tests compare with.
"""

import importlib.abc
import os
import sys

COMPENDIUM_ONLY = {
    "click",
    "h5py",
    "jinja2",
    "matplotlib",
    "openpyxl",
    "pandas",
    "pooch",
    "pydantic",
    "transductive_compendium",
    "yaml",
}


class Blocker(importlib.abc.MetaPathFinder):
    """Finds nothing in these packages, as if they were not installed."""

    KEPT = ("", "exact")

    def find_spec(self, fullname, path=None, target=None):
        package, _, inner = fullname.partition(".")
        kept = package == "transductive_compendium" and inner.partition(".")[0] in self.KEPT
        if package in COMPENDIUM_ONLY and not kept:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


if os.environ.get("TRANSDUCTIVE_LIBRARY_ONLY") == "1":
    # plugins of pytest may have found them already
    for module in [name for name in sys.modules if name.partition(".")[0] in COMPENDIUM_ONLY]:
        del sys.modules[module]
    sys.meta_path.insert(0, Blocker())
