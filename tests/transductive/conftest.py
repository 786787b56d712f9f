"""Tests of the library alone: TRANSDUCTIVE_LIBRARY_ONLY=1 hides what only the compendium needs."""

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

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] in COMPENDIUM_ONLY:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


if os.environ.get("TRANSDUCTIVE_LIBRARY_ONLY") == "1":
    # plugins of pytest may have found them already
    for module in [name for name in sys.modules if name.partition(".")[0] in COMPENDIUM_ONLY]:
        del sys.modules[module]
    sys.meta_path.insert(0, Blocker())
