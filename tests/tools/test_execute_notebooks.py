"""The tool that runs notebooks: what it keeps, what it repeats, what it says."""

import execute_notebooks as tool
import nbformat
import pytest

v4 = nbformat.v4


def write(path, *sources):
    """A notebook whose first cell holds the parameters."""
    cells = [
        v4.new_code_cell('profile = "none"', metadata={"tags": ["parameters"]}),
        *map(v4.new_code_cell, sources),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The tool, with its folders below a temporary one."""
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "TRANSDUCTIVE_STORE", "PYTHONWARNINGS"):
        monkeypatch.setenv(name, "")  # what the tool sets is undone after the test
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    for name in ("NOTEBOOKS", "EXECUTED", "FAILED"):
        monkeypatch.setattr(tool, name, tmp_path / name.lower())
    return tmp_path


def test_a_notebook_runs_with_the_profile_and_without_traces_of_the_run(folders):
    write(
        folders / "notebooks/doc/item.ipynb",
        "import sys, warnings\nprint(profile)\nprint('50%', file=sys.stderr)\n"
        "warnings.warn('mind the step')\nprint('end')",
    )
    results = []
    for _ in range(2):
        name, error, warned = tool.execute("doc/item", "smoke")
        assert (name, error) == ("doc/item", None)
        assert len(warned) == 1 and "mind the step" in warned[0]
        results.append((folders / "executed/doc/item.ipynb").read_bytes())
    assert results[0] == results[1]
    notebook = nbformat.reads(results[0].decode(), as_version=4)
    injected, last = notebook.cells[1], notebook.cells[-1]
    assert "remove-cell" in injected.metadata.tags
    assert [o.text for o in last.outputs] == ["smoke\nend\n"]
    assert "papermill" not in notebook.metadata
    assert not (folders / "failed/doc/item.ipynb").exists()


def test_a_failed_notebook_is_kept_and_reported(folders):
    write(folders / "notebooks/doc/item.ipynb", "print('so far')\nraise ValueError('too far')")
    _, error, _ = tool.execute("doc/item", "smoke")
    assert "ValueError: too far" in error
    kept = nbformat.read(folders / "failed/doc/item.ipynb", as_version=4)
    assert any("so far" in o.get("text", "") for c in kept.cells for o in c.get("outputs", []))
    assert not (folders / "executed/doc/item.ipynb").exists()


class InProcess:
    """Replaces the pool, so that the functions replaced above stay replaced."""

    def __init__(self, *args, **options):
        self.map = map

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


@pytest.fixture
def counted(folders, monkeypatch):
    """The tool with an `execute` that only notes what it was asked for."""
    ran = []

    def execute(name, profile):
        ran.append(name)
        target = folders / f"executed/{name}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("done")
        return name, ("broken" if name == "doc/bad" else None), []

    monkeypatch.setattr(tool, "execute", execute)
    monkeypatch.setattr(tool, "workers", InProcess)
    monkeypatch.setattr(tool, "data_at_hand", lambda: ["one"])
    for name in ("a", "b"):
        write(folders / f"notebooks/doc/{name}.ipynb", name)
    (folders / "src").mkdir()
    (folders / "src/module.py").write_text("x = 1")
    return ran


def test_only_what_is_stale_runs_again(counted, folders, monkeypatch):
    assert tool.main([]) == 0 and counted == ["doc/a", "doc/b"]
    assert tool.main([]) == 0 and counted == ["doc/a", "doc/b"]
    write(folders / "notebooks/doc/b.ipynb", "other")
    assert tool.main([]) == 0 and counted[2:] == ["doc/b"]
    (folders / "src/module.py").write_text("x = 2")
    assert tool.main([]) == 0 and counted[3:] == ["doc/a", "doc/b"]
    monkeypatch.setattr(tool, "data_at_hand", lambda: [])
    assert tool.main([]) == 0 and counted[5:] == ["doc/a", "doc/b"]
    assert tool.main(["--profile", "paper", "doc/a"]) == 0 and counted[7:] == ["doc/a"]


def test_what_failed_runs_again(counted, folders):
    write(folders / "notebooks/doc/bad.ipynb", "bad")
    assert tool.main([]) == 1
    assert tool.main([]) == 1
    assert counted == ["doc/a", "doc/b", "doc/bad", "doc/bad"]


def test_results_of_removed_notebooks_go(counted, folders):
    tool.main([])
    (folders / "notebooks/doc/a.ipynb").unlink()
    tool.main([])
    assert [p.name for p in sorted((folders / "executed/doc").iterdir())] == ["b.ipynb", "b.key"]
