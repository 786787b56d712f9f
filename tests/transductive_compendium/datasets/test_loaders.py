"""From the name of a data set to its loader."""

import subprocess
import sys
from importlib import import_module
from typing import get_args

import pytest

import transductive_compendium.datasets as datasets
from transductive_compendium.datasets import substitute
from transductive_compendium.datasets.loaders import _LOADERS, _LOADERS_OF_FORMATS
from transductive_compendium.datasets.registry import SUBSTITUTES, Format, registry

FORMATS = f"{datasets.__name__}.formats."


def test_each_set_has_a_loader_and_each_format_a_reader():
    for name in (*registry(), *SUBSTITUTES, "rcv1"):
        place = _LOADERS.get(name) or _LOADERS_OF_FORMATS[registry()[name].format]
        module, function = place.split(":")
        assert callable(getattr(import_module(f"{datasets.__name__}.{module}"), function))
    for name in get_args(Format):
        assert callable(import_module(FORMATS + name).check)


def test_substitutes_are_those_of_the_registry():
    assert substitute("boston") == "diabetes" and substitute("digits") is None
    assert all(substitute(name) in SUBSTITUTES for name in registry())


def test_the_package_has_what_it_lists():
    assert all(getattr(datasets, name).__module__ for name in datasets.__all__ if name[0].islower())
    assert set(datasets.__all__) <= set(dir(datasets))
    with pytest.raises(AttributeError, match="load_iris"):
        datasets.load_iris  # noqa: B018


def test_a_loader_brings_no_other_with_it():
    code = (
        "import sys; from transductive_compendium.datasets import load; load('generated_text'); "
        f"print(*sorted(m for m in sys.modules if m.startswith({FORMATS[:-8]!r})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix(FORMATS[:-8]) for name in done.stdout.split()}
    assert "generated_texts" in loaded and not loaded & {"bundled", "images", "formats"}
