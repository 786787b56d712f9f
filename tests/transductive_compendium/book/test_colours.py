"""One colour a method and one an outcome, named in one place."""

import json
import re
from pathlib import Path

from transductive_compendium.book.colours import COLOURS, METHODS, OUTCOMES

ROOT = Path(__file__).resolve().parents[3]
HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})\b")


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(part, 16) / 255 for part in HEX.fullmatch(colour).groups()]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_methods_differ_and_all_can_be_seen_on_white():
    assert METHODS["Bayes point"] == METHODS["Gibbs"]
    others = [colour for method, colour in METHODS.items() if method != "Gibbs"]
    assert len(set(others)) == len(others)
    for name, colour in COLOURS.items():
        assert 1.05 / (luminance(colour) + 0.05) >= 2.7, name


def test_an_outcome_has_one_colour_in_pictures_and_boxes():
    style = "".join(p.read_text("utf-8") for p in sorted(ROOT.glob("book/assets/*.css")))
    for names, outcome in (
        (("claim-yes", "finding-holds"), "comes out"),
        (("claim-in-part", "finding-in-part"), "in part"),
        (("claim-no", "finding-does-not-hold"), "does not come out"),
        (("claim-open",), "undecided"),
    ):
        for name in names:
            colours = re.findall(rf"\.{name} {{ border-(?:left-)?color: (#\w+)", style)
            assert set(colours) == {OUTCOMES[outcome]}, name


def test_figures_name_no_colour_of_their_own():
    drawings = {p: p.read_text("utf-8") for p in ROOT.glob("src/**/papers/*/*.py")}
    for path in ROOT.glob("notebooks/*/*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        drawings[path] = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    for path, text in drawings.items():
        # greys say nothing
        named = [m[0] for m in HEX.finditer(text) if len(set(m.groups())) > 1]
        named += re.findall(r'color="(?!black|white|none|k)([a-z:]+)"', text)
        assert not named, path.relative_to(ROOT)
