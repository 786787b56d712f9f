"""What chapters and the page on notation promise: recipes run, code that they name exists."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from transductive_compendium.rooms import chapter_pictures

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
SOURCES = ROOT / "src" / "transductive"
ROOMS = ROOT / "src" / "transductive_compendium" / "papers"
EXACT = ROOMS.with_name("exact")
CHAPTERS = {
    "bayesian_transduction": "version_space",
    "kernel_gibbs_sampler": "version_space",
    "transductive_regression": "leave_one_out",
    "transductive_svm": "margin",
    "universum": "margin",
}
PAGES_WITH_EXAMPLES = (*CHAPTERS, "comparison")


def names_in(cell):
    """Identifiers of a table's cell, without formulas, values in quotes and the file's name."""
    return re.findall(r"[A-Za-z_]\w*", re.sub(r'\$[^$]*\$|".*?"|, in \S+|\band\b', "", cell))


def source(*folders, name="*.py*"):
    paths = [p for f in folders for p in f.rglob(name) if p.suffix in (".py", ".pyx")]
    assert paths, f"there is no {name} in {[folder.name for folder in folders]}"
    return "".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_first_table_of_a_chapter_names_code_and_pages_that_exist(chapter):
    table = (BOOK / f"{chapter}.md").read_text(encoding="utf-8").split("\n| symbol |")[1]
    rows = [line.split(" | ") for line in table.split("\n\n")[0].splitlines()[2:]]
    assert len(rows) >= 7
    for _, _, code, page in rows:
        file = re.search(r", in (\S+)$", code)
        folders = (SOURCES / CHAPTERS[chapter], EXACT, ROOMS / chapter)
        text = source(*folders, name=file[1] if file else "*.py*")
        assert names_in(code), code
        assert [name for name in names_in(code) if not re.search(rf"\b{name}\b", text)] == []
        notebook = re.search(r"<\.\./(notebooks/.*)>", page)
        assert not notebook or (ROOT / f"{notebook[1]}.ipynb").is_file()


@pytest.mark.parametrize("page", sorted(BOOK.rglob("*.md")), ids=lambda p: p.stem)
def test_files_that_a_page_names_exist(page):
    roots = ROOT, SOURCES, SOURCES.with_name("transductive_compendium")
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([\w./]+/\w+\.(?:py|pyx|h|yml|cff))`", text)
    patterns = [name for name in named if name.endswith(("/x.py", "/test_x.py"))]
    there = [name for name in named if any((root / name).exists() for root in roots)]
    assert set(named) == {*patterns, *there}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_tests_that_a_chapter_names_exist(chapter):
    text = (BOOK / f"{chapter}.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\btest_\w+\.py\b", text)) - {"test_x.py"}
    tests = ROOT / "tests" / "transductive"
    folders = tests / CHAPTERS[chapter], ROOT / "tests" / "transductive_compendium" / "exact"
    there = {path.name for folder in folders for path in folder.glob("test_*.py")}
    assert named or "test_x.py" in text
    assert named <= there


def test_pictures_that_belong_to_no_notebook_stand_in_one_chapter():
    pages = "".join((BOOK / f"{page}.md").read_text("utf-8") for page in PAGES_WITH_EXAMPLES)
    assert {name for name in chapter_pictures() if pages.count(f"/{name}.png") != 1} == set()


def test_a_picture_is_drawn_with_its_numbers(tmp_path):  # the build of the book draws them all
    name = "fig-kgs-flight"
    chapter_pictures()[name](tmp_path / name)
    drawn = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(drawn) == {f"{name}.png", f"{name}.csv", f"{name}-stacked.png"}
    assert drawn[f"{name}.png"] > 1000


def test_the_caption_of_the_live_page_has_the_last_numbers_that_it_saved():
    last = (BOOK / "assets/live_orthant.csv").read_text("utf-8").splitlines()[-1].split(",")
    n, *values = map(float, last)
    a, b, c, d, chain, exact = (f"{value:.2f}" for value in values)
    said = f"after {n:,.0f} bounces they say {a}, {b}, {c} and {d}. The chain says {chain}, "
    caption = " ".join((BOOK / "live.md").read_text("utf-8").split())
    assert said + f"the exact value is {exact}." in caption


def test_two_rooms_draw_no_picture_of_one_name(monkeypatch):
    flights = [draw for name, draw in chapter_pictures().items() if name.endswith("-flight")]
    one, other = (import_module(draw.__module__) for draw in flights)
    assert one is not other
    monkeypatch.setattr(other, "PREFIX", one.PREFIX)
    with pytest.raises(ValueError, match="another room draws"):
        chapter_pictures()


def test_code_on_the_page_on_notation_exists():
    page = (BOOK / "notation.md").read_text(encoding="utf-8")
    text = source(SOURCES, EXACT) + "predict_proba n_features_in_ error"  # what scikit-learn adds
    for code in re.findall(r"`([^`{]+)`", page.replace("{prf:ref}`tr-perturbation`", "")):
        assert [name for name in names_in(code) if not re.search(rf"\b{name}\b", text)] == [], code


def run_recipes(chapter, shorten=("", ""), **names):
    text = (BOOK / f"{chapter}.md").read_text(encoding="utf-8").replace(*shorten)
    for code in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
        exec(compile(code, chapter, "exec"), names)
    return names


def two_classes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2)) + np.repeat([[2.0, 0.0], [-2.0, 0.0]], 30, axis=0)
    y = np.repeat(["b", "a"], 30)
    rows = rng.permutation(60)
    return X[rows], y[rows]


def test_recipe_of_bayesian_transduction_runs_on_the_readers_data():
    X, y = two_classes()
    names = run_recipes("bayesian_transduction", X=X[:30], y=y[:30], X_working=X[30:], X_later=X)
    model = names["model"]
    assert set(model.transduction_) <= {"a", "b"} and len(model.transduction_) == 30
    assert np.mean(model.transduction_ == y[30:]) > 0.8
    assert model.transduction_error_.max() <= 0.02


def test_recipes_of_the_gibbs_sampler_run_on_the_readers_data(capsys):
    X, y = two_classes()
    fewer = ("range(4, 21)", "range(4, 7)")  # questions, each of which is a chain
    data = {"X": X[:20], "y": y[:20], "X_working": X[20:], "y_working": y[20:]}
    names = run_recipes("kernel_gibbs_sampler", fewer, **data)
    assert names["model"].score(X[20:], y[20:]) > 0.8
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_recipe_of_transductive_regression_runs_on_the_readers_data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (90, 2))
    target = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(90)
    names = run_recipes(
        "transductive_regression", X=X[:60], y=target[:60] - target[:60].mean(), X_working=X[60:]
    )
    model = names["model"]
    error = np.mean((model.transduction_ + target[:60].mean() - target[60:]) ** 2)
    assert error < 0.2 * target.var()
    assert model.alpha_star_ in np.geomspace(0.01, 100, 9)


@pytest.mark.parametrize("page", (*PAGES_WITH_EXAMPLES, "live"))
def test_worked_examples_print_what_they_say(page):
    text = (BOOK / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^`{3,}pycon\n(.*?)^`{3,}", text, re.M | re.S)
    assert blocks, "there is a worked example"
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    said = []
    doctest.DocTestRunner(optionflags=flags).run(example, out=said.append)
    assert not said, "".join(said)


#: Numbered equations of the papers. Slides and poster number none.
EQUATIONS = {"bayesian_transduction": 8, "kernel_gibbs_sampler": 5, "transductive_regression": 34}
#: Equations that a chapter does not display, with the reason.
LEFT_OUT = {}


@pytest.mark.parametrize("chapter", EQUATIONS)
def test_every_equation_of_a_paper_is_displayed_once_under_its_number(chapter):
    text = (BOOK / f"{chapter}.md").read_text(encoding="utf-8")
    tags = sorted(map(int, re.findall(r"\\tag\{(\d+)\}", text)))
    assert tags == [n for n in range(1, EQUATIONS[chapter] + 1) if (chapter, n) not in LEFT_OUT]
