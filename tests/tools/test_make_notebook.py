"""The tool that makes a notebook of a text."""

import make_notebook as tool
import nbformat
import pytest


def test_no_line_is_lost_whether_or_not_the_last_one_ends(tmp_path):
    text = '# %% [markdown]\n# Title\n# %% {"tags": ["x"]}\na = 1\nprint(a)'
    for end in ("", "\n", "\n\n"):
        (tmp_path / "a.py").write_text(text + end)
        tool.main([str(tmp_path / "a.py"), str(tmp_path / "new/a.ipynb")])
        title, cell = nbformat.read(tmp_path / "new/a.ipynb", as_version=4).cells
        assert (title.cell_type, title.source) == ("markdown", "# Title")
        assert cell.source == "a = 1\nprint(a)" and cell.metadata == {"tags": ["x"]}


@pytest.mark.parametrize("head", ["Plot", "3", "[markdown", "{tags}"])
def test_a_head_that_is_neither_is_named_with_its_line(tmp_path, capsys, head):
    source = tmp_path / "a.py"
    source.write_text(f"# %%\na = 1\n\n# %% {head}\nb = 2\n")
    with pytest.raises(SystemExit):
        tool.main([str(source), "a.ipynb"])
    told = f"{source}: line 4: behind `# %%` stands [markdown] or JSON, not {head!r}"
    assert told in capsys.readouterr().err
