"""BibTeX entries of runs."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from toy_experiments import toy

from transductive_compendium.book.citation_of_run import TITLE, bibtex
from transductive_compendium.cli import main
from transductive_compendium.runner import register, run


@pytest.fixture(autouse=True)
def walk(room):
    return register(toy())


def test_a_changed_run_is_cited_with_what_was_changed():
    done = run("toy/walk", params={"scale": 3.0}, seed=5, progress=False)
    entry = bibtex(done)
    assert entry.startswith("@misc{rerun-toy-walk-") and entry.count("{") == entry.count("}")
    assert "rerun with profile smoke, scale=3.0, seed=5" in entry and TITLE in entry
    words = ["run", "toy/walk", "-p", "scale=3", "--seed", "5", "--cite"]
    assert entry in CliRunner().invoke(main, words).output
    assert bibtex(run("toy/walk", progress=False)).startswith("@misc{rerun-toy-walk,\n")


def test_a_run_on_other_data_says_so():
    done = run("toy/walk", progress=False)
    done = replace(done, substitute="digits replaces usps, which is not available (missing)")
    entry = bibtex(done)
    assert "rerun with profile smoke, digits replaces usps}" in entry
    assert entry.startswith("@misc{rerun-toy-walk-")
