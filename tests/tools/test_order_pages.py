"""Pages of notebooks: what was found comes before how it was run."""

import nbformat
import order_pages
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

PIXEL = "iVBORw0KGgo="


def code(source, *outputs, tags=(), figure=None):
    cell = new_code_cell(source, outputs=list(outputs))
    if tags:
        cell.metadata["tags"] = list(tags)
    if figure:
        cell.metadata["mystnb"] = {"figure": {"caption": "What to see", "name": figure}}
    return cell


def printed(text):
    return new_output("stream", name="stdout", text=text)


def shown(**data):
    return new_output("display_data", {key.replace("_", "/"): x for key, x in data.items()})


def glued(name):
    about = {"scrapbook": {"name": name, "mime_prefix": "application/papermill.record/"}}
    return new_output(
        "display_data", {"application/papermill.record/text/plain": "1"}, metadata=about
    )


NOTEBOOK = new_notebook(
    cells=[
        new_markdown_cell(
            "# A title\n\nWhat we found.\nIn two lines.\n\n**Rules.** The rest.\n\nMore."
        ),
        code("profile = 'smoke'", tags=["parameters"]),
        code("profile = 'paper'", tags=["injected-parameters", "remove-cell"]),
        code('session = notebook.begin("toy/curve", globals())'),
        new_markdown_cell("The small version of the experiment runs here, live; its rows agree."),
        code("run = session.run()\nsession.check(run)", printed("3 rows agree\n")),
        code("table = rows.mean()", glued("hidden")),
        code("table", shown(text_html="<table><tr></tr></table>", text_plain="table")),
        new_markdown_cell("## Another section"),
        code("draw()", shown(image_png=PIXEL), tags=["hide-input"], figure="fig-first"),
        code("print(1)", printed("1\n")),
        code("draw_again()", shown(image_png=PIXEL), figure="fig-second"),
        code(
            "long_table",
            shown(text_html="<table>" + "<tr></tr>" * 40 + "</table>", text_plain="long"),
        ),
        code(
            "session.provenance_note()",
            shown(text_html='<p class="provenance">Seed 0</p>', text_plain="note"),
            tags=["remove-input"],
        ),
        new_markdown_cell("Data behind this page: {download}`curve.csv <../../curve.csv>`."),
        new_markdown_cell("Next: {doc}`another`, because it goes on."),
    ]
)


def page(notebook=NOTEBOOK, verdicts="| What is claimed |"):
    return order_pages.page_of(notebook, verdicts)


def sources(cells):
    return [cell.source.split("\n")[0] for cell in cells]


def test_finding_figure_verdicts_then_the_rest_in_its_order():
    assert sources(page().cells) == [
        "# A title",
        "draw()",
        "| What is claimed |",
        "**Rules.** The rest.",
        "table",
        "## Another section",
        "print(1)",
        "draw_again()",
        "long_table",
        "table = rows.mean()",
        "::::::{admonition} Parameters, run, code, provenance and data",
        "Next: {doc}`another`, because it goes on.",
    ]
    assert page().cells[0].source == "# A title\n\nWhat we found.\nIn two lines."
    assert "| What" not in "".join(sources(page(verdicts="").cells))


def test_what_only_ran_is_folded_at_the_end_and_nothing_is_lost():
    foot = page().cells[-2].source
    for text in ("profile = 'smoke'", "notebook.begin", "session.check(run)", "3 rows agree"):
        assert text in foot
    assert '<p class="provenance">Seed 0</p>' in foot and "curve.csv" in foot
    assert ":class: dropdown" in foot
    everything = "\n".join(cell.source for cell in page().cells)
    for cell in NOTEBOOK.cells:
        if cell.source != "session.provenance_note()":
            assert cell.source.split("\n")[-1] in everything


def test_code_is_folded_and_long_tables_are_too():
    tags = {cell.source: cell.metadata.get("tags", []) for cell in page().cells}
    assert tags["draw()"] == tags["draw_again()"] == tags["table"] == ["hide-input"]
    assert tags["long_table"] == ["hide-input", "hide-output"]


def test_glued_values_stay_on_a_cell_that_is_not_shown():
    (kept,) = [cell for cell in page().cells if "remove-cell" in cell.metadata.get("tags", [])]
    assert kept.outputs[0].metadata["scrapbook"]["name"] == "hidden"
    assert "table = rows.mean()" in page().cells[-2].source


def test_pages_are_written_beside_the_verdicts_on_their_items(tmp_path):
    (tmp_path / "executed/toy").mkdir(parents=True)
    (tmp_path / "verdicts/toy").mkdir(parents=True)
    nbformat.write(NOTEBOOK, tmp_path / "executed/toy/curve.ipynb")
    (tmp_path / "verdicts/toy/curve.md").write_text("| A verdict |\n")
    for _ in range(2):
        order_pages.write_pages(tmp_path / "executed", tmp_path / "verdicts", tmp_path / "pages")
        made = (tmp_path / "pages/toy/curve.ipynb").read_bytes()
        assert b"| A verdict |" in made
    nbformat.validate(nbformat.read(tmp_path / "pages/toy/curve.ipynb", as_version=4))
