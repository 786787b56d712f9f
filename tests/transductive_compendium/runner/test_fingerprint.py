"""What changes a record's fingerprint, and what does not: lines changed in a copy of the tree."""

import ast
import re
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock

import pytest
from loose_tree import copy_packages

from transductive_compendium.runner import ExperimentError, all_experiments
from transductive_compendium.runner.fingerprint import (
    SEEDING,
    Sources,
    _statements,
    _text_hash,
    fingerprint,
    installed,
    python_hash,
)
from transductive_compendium.runner.kernel_sources import kernel_hash

PAPERS = "transductive_compendium/papers"


def fingerprints(folder):
    sources = Sources(folder)
    return {name: fingerprint(e, sources) for name, e in all_experiments().items()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return copy_packages(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def before(tree):
    return fingerprints(tree)


def test_threads_that_ask_at_once_parse_one_after_another(tree, before, monkeypatch):
    """Python 3.11 fails where two threads parse, as in a Dask worker that has several."""
    for cached in (_statements, _text_hash):
        cached.cache_clear()
    parse, busy = ast.parse, Lock()

    def alone(text):
        assert busy.acquire(blocking=False), "two threads parse"
        try:
            time.sleep(1e-3)  # long enough for the others to come
            return parse(text)
        finally:
            busy.release()

    names, sources = list(all_experiments())[:4], Sources(tree)
    with monkeypatch.context() as patch, ThreadPoolExecutor(4) as threads:
        patch.setattr(ast, "parse", alone)
        found = list(threads.map(lambda name: fingerprint(all_experiments()[name], sources), names))
    assert found == [before[name] for name in names]


@pytest.fixture
def edit(tree):
    """Replace a text in a file of the copy, once; undone after the test."""
    kept = {}

    def replace(name, old, new, count=1):
        path = tree / name
        text = path.read_text()
        kept.setdefault(path, text)
        assert re.search(old, text), f"{name} has no {old!r}"
        path.write_text(re.sub(old, new, text, count=count))

    yield replace
    for path, text in kept.items():
        path.write_text(text)


def changed(tree, before):
    after = fingerprints(tree)
    assert set(after) == set(before)
    return {name for name in after if after[name] != before[name]}


def test_the_copy_has_the_fingerprints_of_the_checkout(before):
    assert before == {name: fingerprint(e) for name, e in all_experiments().items()}


def test_a_line_of_a_module_that_units_import_changes_those_and_no_others(tree, before, edit):
    edit("transductive_compendium/datasets/recorded_splits.py", r"0\.6 \* n", "0.5 * n")
    stale = changed(tree, before)
    assert {"bayesian_transduction/figure_2a", "bayesian_transduction/calibration"} <= stale
    assert {"kernel_gibbs_sampler/rejection", "kernel_gibbs_sampler/active_learning"} <= stale
    assert not any(name.startswith(("universum/", "transductive_svm/")) for name in stale)
    assert "bayesian_transduction/cells" not in stale


def test_experiments_made_with_partial_depend_on_their_function(tree, before, edit):
    edit(f"{PAPERS}/transductive_regression/figure_1.py", r"(?m)^(def .*:\n)", r"\1    _ = 0\n")
    assert {f"transductive_regression/figure_1{x}" for x in "abcd"} <= changed(tree, before)


def test_a_kernel_and_its_headers_count(tree, before, edit):
    edit("transductive/margin/_smo_rows.h", r"\*/\n", "*/\n#define NOTHING 0\n")
    stale = changed(tree, before)
    assert {"transductive_svm/toy", "universum/losses"} <= stale
    assert not any(name.startswith("bayesian_transduction/") for name in stale)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("transductive/margin/_smo.pyx", r'"""', '"""Another text. '),
        ("transductive/margin/_smo_rows.h", r"\*/\n", "*/\n// a comment\n"),
        ("transductive/kernels.py", r'"""', '"""Another text. '),
        ("transductive/kernels.py", r"(?m)^(import|from) ", r"# a comment\n\1 "),
        ("transductive/kernels.py", r"raise ValueError\(", 'raise ValueError("other words: " '),
    ],
)
def test_docstrings_comments_and_messages_do_not_count(tree, before, edit, name, old, new):
    edit(name, old, new)
    assert changed(tree, before) == set()


def test_titles_and_tolerances_of_agreement_do_not_count(tree, before, edit):
    edit(f"{PAPERS}/bayesian_transduction/cost.py", r'title="', 'title="Other words. ')
    edit(f"{PAPERS}/bayesian_transduction/cost.py", r'"kernel": "ignore"', '"kernel": 1e9')
    assert changed(tree, before) == set()


def test_what_judges_shows_or_runs_does_not_count(tree, before, edit):
    for name in ("verdicts/rules.py", "book/notebook.py", "runner/records.py", "cli.py"):
        edit(f"transductive_compendium/{name}", r"(?m)^import ", "_EXTRA = 1\nimport ")
    (tree / PAPERS / "universum/other_measures.py").write_text("x = 1\n")
    try:
        assert changed(tree, before) == set()
    finally:
        (tree / PAPERS / "universum/other_measures.py").unlink()


def test_the_seeding_counts_for_all(tree, before, edit):
    edit("transductive_compendium/runner/seeding.py", r"(?m)^import json", "import json\nX = 1")
    assert changed(tree, before) == set(before)


def test_a_loader_counts_for_its_data_sets_alone(tree, before):
    from transductive_compendium.datasets import loader_module

    path = tree.joinpath(*loader_module("reuters21578").split(".")).with_suffix(".py")
    text = path.read_text()
    path.write_text(text + "\nX = 1\n")
    try:
        stale = changed(tree, before)
    finally:
        path.write_text(text)
    assert {"transductive_svm/reuters_table", "comparison/methods"} <= stale
    assert "bayesian_transduction/figure_2a" not in stale
    assert "transductive_regression/figure_1a" not in stale


def test_what_the_registry_says_of_a_data_set_counts_and_what_it_tells_does_not(tree, monkeypatch):
    from transductive_compendium.datasets import registry as module

    before, entry = fingerprints(tree), module.registry()["thyroid"]
    switched = {name: replace(c, codes=(2,)) for name, c in entry.positive_classes.items()}
    told = ({"title": "Other"}, {"redistribution": "use only"})
    for fields, stale in (({"positive_classes": switched}, True), *((f, False) for f in told)):
        entries = {**module.registry(), "thyroid": replace(entry, **fields)}
        with monkeypatch.context() as patch:
            patch.setattr(module, "registry", lambda entries=entries: entries)
            found = changed(tree, before)
        assert ("bayesian_transduction/figure_2a" in found) is stale
        assert "universum/losses" not in found


def test_a_file_that_changed_under_a_running_process_stops_it(tree):
    experiment = all_experiments()["bayesian_transduction/cells"]
    newest = max(path.stat().st_mtime_ns for path in tree.rglob("*.py"))
    assert fingerprint(experiment, Sources(tree, loaded=newest))
    with pytest.raises(ExperimentError, match=r"has changed since this process started.*restart"):
        fingerprint(experiment, Sources(tree, loaded=newest - 10**15))


def test_a_package_used_as_an_object_stands_for_all_its_names(tree):
    path = tree / "readers_own.py"
    path.write_text("import transductive\n")
    sources = Sources(tree)
    assert "transductive.margin.transductive_svc" in sources.closure(sources.imports(path))


def test_a_wheel_has_the_fingerprints_of_the_checkout(wheel, tmp_path, before):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    assert not list(tmp_path.rglob("*.pyx"))
    assert fingerprints(tmp_path) == before


def test_the_closure_ends_at_what_changes_no_row():
    modules = installed().closure(e.module for e in all_experiments().values())
    assert "transductive.margin._smo" in modules and "transductive.kernels" in modules
    outside = {m for m in modules if ".runner." in m or ".verdicts" in m or ".book" in m}
    assert outside <= {SEEDING}
    assert not any(module.endswith("_measures") for module in modules)


def test_every_name_that_units_import_from_a_package_is_found_in_its_module():
    """Else a module could slip out of the fingerprint behind a package's face."""
    modules = installed().closure(e.module for e in all_experiments().values())
    assert [module for module in modules if installed().is_package(module)] == []


def test_python_texts_that_compute_the_same_have_one_hash(tmp_path):
    one, two, other = (tmp_path / f"{name}.py" for name in ("one", "two", "other"))
    one.write_text('"""A."""\ndef f(x):\n    """B."""\n    raise ValueError(f"no {x}")\n')
    two.write_text('def f(x):\n    # why\n    raise ValueError(f"not {x}")\n')
    other.write_text('def f(x):\n    raise TypeError(f"not {x}")\n')
    assert python_hash(one) == python_hash(two) != python_hash(other)


def test_fields_that_are_declared_as_told_do_not_count(tmp_path):
    def digest(fields):
        path = tmp_path / "module.py"
        path.write_text(f"class A:\n    a: int\n{fields}")
        return python_hash(path)

    before = digest("")
    assert digest('    b: Annotated[str, "told"]\n') == before
    assert digest('    b: Annotated[Literal["x"] | None, "told"] = None\n') == before
    for counts in ("b: str", 'b: Annotated[str, "other"]', 'b: Literal["told", "x"]', "b = 'told'"):
        assert digest(f"    {counts}\n") != before
    path = tmp_path / "outside.py"
    path.write_text('b: Annotated[str, "told"] = f()\n')
    empty = tmp_path / "empty.py"
    empty.write_text("")
    assert python_hash(path) != python_hash(empty)  # only a class has fields


def test_kernels_are_hashed_with_the_headers_of_their_headers(tmp_path):
    def write(deep):
        folder = tmp_path / str(deep)
        folder.mkdir()
        (folder / "k.pyx").write_text('cdef extern from "a.h":\n    void f()\n')
        (folder / "a.h").write_text('#include "b.h"\n')
        (folder / "b.h").write_text(f"/* words {deep} */ int n = {deep // 2};\n")
        return kernel_hash(folder / "k.pyx")

    assert write(2) == write(3) != write(4)
