"""The book's builder: it sees when nothing was touched."""

import json
import os
import re

import build_book
import nbformat
import pytest

ROOT = build_book.ROOT


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for name in ("book", "notebooks", "results"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one").write_text(name)
    monkeypatch.setattr(build_book, "ROOT", tmp_path)
    monkeypatch.setattr(build_book.notebooks, "data_at_hand", lambda: ["thyroid"])
    return tmp_path


def test_a_touched_a_new_and_a_removed_input_are_seen(checkout, monkeypatch):
    seen = [build_book.looks()]
    assert build_book.looks() == seen[0]
    os.utime(checkout / "book/one", ns=(1, 1))
    seen.append(build_book.looks())
    (checkout / "notebooks/two").write_text("new")
    seen.append(build_book.looks())
    (checkout / "results/one").unlink()
    seen.append(build_book.looks())
    monkeypatch.setattr(build_book.notebooks, "data_at_hand", lambda: [])
    seen.append(build_book.looks())
    monkeypatch.setattr(build_book, "links", lambda: "another commit")
    seen.append(build_book.looks())
    assert len(set(seen)) == 6


def test_a_book_of_untouched_inputs_is_not_looked_at_again(checkout, monkeypatch, capsys):
    html = checkout / "_build/html"
    html.mkdir(parents=True)
    (html / "index.html").write_text("book")
    monkeypatch.setattr(build_book, "HTML", html)
    monkeypatch.setattr(build_book, "LOOKS", html.with_suffix(".looks"))
    build_book.LOOKS.write_text(build_book.looks())
    ran = []
    monkeypatch.setattr(build_book.notebooks, "main", lambda given: ran.append(given) or 7)
    assert build_book.main([]) == 0 and not ran
    assert capsys.readouterr().out == "book: up to date, _build/html/index.html\n"
    os.utime(checkout / "book/one", ns=(1, 1))
    assert build_book.main([]) == 7 and ran


def test_the_code_of_a_chapter_is_a_notebook_that_runs(monkeypatch, tmp_path):
    monkeypatch.setattr(build_book, "GENERATED", tmp_path)
    build_book.write_listings()
    code = {}
    for page in (build_book.ROOT / "book").glob("*.md"):
        linked = re.findall(r"generated/listings/(\w+)\.ipynb", page.read_text("utf-8"))
        assert linked in ([], [page.stem])
        for name in linked:
            notebook = nbformat.read(tmp_path / "listings" / f"{name}.ipynb", as_version=4)
            nbformat.validate(notebook)
            code[name] = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) == 6 and all(code.values())
    names = {}  # what the chapters print is tested elsewhere
    for source in code["transductive_regression"]:
        exec(compile(source, "transductive_regression", "exec"), names)
    assert "Y_star" in names


def test_the_costs_are_those_of_the_records(monkeypatch, tmp_path):
    monkeypatch.setattr(build_book, "GENERATED", tmp_path)
    monkeypatch.setattr(build_book, "results_folder", lambda: tmp_path)
    names = "comparison/short", "comparison/long", "universum/one", "universum/unrecorded"
    monkeypatch.setattr(build_book, "all_experiments", lambda: names)
    monkeypatch.setattr(build_book, "notebook_of", lambda name: None)
    for name, seconds, memory in zip(names, (20.0, 7200.0, 0.2), (3e8, 5e9, None), strict=False):
        facts = {"seconds": seconds, "data": {"heart": {}}}
        facts |= {"peak_memory_bytes": memory} if memory else {}
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.json").write_text(json.dumps(facts))
    build_book.write_costs()
    text = (tmp_path / "costs.md").read_text()
    assert "| 2 | 2.0 h | `long`, 2.0 h | 5000 MB |" in text
    assert "| **all** | 3 | 2.0 h |" in text
    assert "| `short` | 20 s | 300 MB | `heart` |" in text
    assert "| `one` | 1 s | · | `heart` |" in text and "unrecorded" not in text
