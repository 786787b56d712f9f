"""What changes a fingerprint: lines changed in a copy of the packages, and files of readers."""

import json
import os
import time

import pytest
from loose_tree import copy_packages, python
from toy_experiments import toy

from transductive_compendium.runner import ExperimentError, all_experiments
from transductive_compendium.runner.fingerprint import fingerprint, source_hash

CODE = (
    "import json; from transductive_compendium.runner import get;"
    "from transductive_compendium.runner.fingerprint import fingerprint;"
    "print(json.dumps({name: fingerprint(get(name)) for name in sys.argv[1:]}))"
)
NAMES = ("bayesian_transduction/figure_2a", "bayesian_transduction/figure_2b", "universum/winmac")
ALL = set(NAMES)
PAPERS = "transductive_compendium/papers"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return copy_packages(tmp_path_factory.mktemp("tree"), kernels=True)


def fingerprints(tree):
    return json.loads(python(tree, CODE, *NAMES))


@pytest.fixture(scope="module")
def before(tree):
    return fingerprints(tree)


@pytest.mark.parametrize(
    ("names", "stale"),
    [
        (["transductive/margin/_smo_rows.h"], ALL),
        (["transductive/margin/_smo.pyx"], ALL),
        (["transductive/kernels.py"], ALL),
        (["transductive_compendium/datasets/recorded_splits.py"], ALL),
        (["transductive_compendium/exact/volumes.py"], ALL),
        ([f"{PAPERS}/universum/winmac.py"], {"universum/winmac"}),
        (
            [
                f"{PAPERS}/universum/winmac_measures.py",
                "transductive_compendium/runner/execution.py",
                "transductive_compendium/book/colours.py",
            ],
            set(),
        ),
    ],
)
def test_an_edit_changes_the_fingerprints_of_units_that_may_run_it(tree, before, names, stale):
    kept = {tree / name: (tree / name).read_text() for name in names}
    for path, text in kept.items():
        path.write_text(text + "\n")
    try:
        after = fingerprints(tree)
    finally:
        for path, text in kept.items():
            path.write_text(text)
    assert {name for name in NAMES if after[name] != before[name]} == stale


def test_experiments_of_a_room_share_a_fingerprint_if_their_data_sets_are_equal():
    found = {}
    for experiment in all_experiments().values():
        found.setdefault((experiment.paper, experiment.datasets), set()).add(
            fingerprint(experiment)
        )
    assert all(len(made) == 1 for made in found.values())
    assert len({made for one in found.values() for made in one}) == len(found)


def test_an_experiment_declared_elsewhere_has_the_hash_of_its_file(tmp_path):
    def declared(text):
        path = tmp_path / f"own{len(list(tmp_path.iterdir()))}.py"
        path.write_text(text)
        os.utime(path, (0, 0))  # older than this process
        space = {}
        exec(compile(text, path, "exec"), space)
        return fingerprint(toy(run_unit=space["run_unit"]))

    text = "def run_unit(key, params, data, rng):\n    return []\n"
    assert declared(text) != declared(text + "# a comment\n")


def test_a_file_that_changed_since_the_process_started_is_an_error(tmp_path):
    path = tmp_path / "own.py"
    path.write_text("")
    later = time.time() + 60
    os.utime(path, (later, later))
    with pytest.raises(ExperimentError, match="restart the process, or the notebook's kernel"):
        source_hash(path)
