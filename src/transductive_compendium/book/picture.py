"""The reproduction in one picture: the documents' own claims by document and outcome.

The picture's alternative text and its table are made of the same counts, so that neither can say
anything else than the picture.
"""

import csv
import io
import json
import textwrap

from ..verdicts.claims import UNDECIDED
from ..verdicts.rules import IN_DIRECTION, INCONCLUSIVE, NOT_REPRODUCED, NOT_TESTABLE, REPRODUCED
from .documents import Counts, document_title, total
from .figure_style import COLOURS, SETTINGS

#: Fill and hatch of an outcome: told apart without colour, and each segment carries its number.
_LOOK = {
    REPRODUCED: (COLOURS["blue"], ""),
    IN_DIRECTION: ("#9ccbe8", "///"),
    INCONCLUSIVE: ("#d9d9d9", ".."),
    NOT_TESTABLE: ("#ffffff", ""),
    NOT_REPRODUCED: (COLOURS["orange"], "xxx"),
    UNDECIDED: (COLOURS["black"], ""),
}
#: Share of the axis, in per cent, that a number of one or more digits needs.
_NEEDED = (0, 4, 5.5, 7)


def _rows(counts: Counts) -> Counts:
    """A row per bar, by what it is called; the last is all of them, if there are several."""
    named = {document_title(document): row for document, row in counts.items()}
    return named | {"All documents": total(counts)} if len(counts) > 1 else named


def picture_svg(counts: Counts) -> str:
    """Stacked bars, a document each, of the shares of the outcomes; the same bytes every time."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    rows = _rows(counts)
    shown = [o for o, n in total(counts).items() if n]
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS | {"hatch.linewidth": 0.6, "hatch.color": "#333333"})
        figure = Figure(figsize=(6.8, 0.9 + 0.7 * len(rows)), layout="constrained")
        axes = figure.add_subplot()
        for place, (name, row) in enumerate(rows.items()):
            # all documents together stand a little apart
            place += 0.3 * (len(rows) > 1 and place == len(rows) - 1)
            claims, left = sum(row.values()), 0.0
            for outcome in shown:
                share = 100 * row[outcome] / claims
                if not share:
                    continue
                colour, hatch = _LOOK[outcome]
                axes.barh(
                    place,
                    share,
                    0.6,
                    left,
                    facecolor=colour,
                    hatch=hatch,
                    edgecolor="#333333",
                    linewidth=0.8,
                )
                number = str(row[outcome])
                inside = share >= _NEEDED[min(len(number), 3)]
                axes.text(
                    left + share / 2,
                    place if inside else place - 0.32,
                    number,
                    ha="center",
                    va="center" if inside else "bottom",
                    fontsize=10,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                    if inside
                    else None,
                )
                left += share
            label = textwrap.fill(name, 30)
            axes.text(-1.5, place, f"{label}\n{claims} claims", ha="right", va="center")
        axes.set_xlim(0, 100)
        axes.set_ylim(len(rows) - 1 + 0.8, -0.6)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(False)
        axes.set_xlabel("share of the claims (%), and their number")
        handles = [
            Patch(facecolor=_LOOK[o][0], hatch=_LOOK[o][1], edgecolor="#333333", label=o)
            for o in shown
        ]
        figure.legend(handles=handles, loc="outside upper center", ncols=3, handlelength=2.5)
        made = io.StringIO()
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    return made.getvalue()


def picture_csv(counts: Counts) -> str:
    """Numbers of the picture: a row per document and outcome."""
    made = io.StringIO()
    lines = csv.writer(made, lineterminator="\n")
    lines.writerow(["document", "outcome", "claims"])
    for document, row in counts.items():
        lines.writerows([document, outcome, n] for outcome, n in row.items())
    return made.getvalue()


def counted(row: dict[str, int]) -> str:
    """``22 reproduced, 5 inconclusive, 5 not reproduced``."""
    return ", ".join(f"{n} {outcome}" for outcome, n in row.items() if n)


def picture_alt(counts: Counts) -> str:
    """Alternative text: the finding, then the numbers of every bar."""
    whole = total(counts)
    claims = sum(whole.values())
    if not claims:
        return "There are no claims."
    text = f"Bars of {claims} claims by outcome: {counted(whole)}."
    if len(counts) > 1:

        def share(document: str) -> float:
            return counts[document][REPRODUCED] / sum(counts[document].values())

        most, least = max(counts, key=share), min(counts, key=share)
        text += (
            f" The largest share is reproduced of {document_title(most)}, "
            f"the smallest of {document_title(least)}."
        )
        for document, row in counts.items():
            text += f" {document_title(document)}: {counted(row)}."
    return text


def picture_figure(counts: Counts, name: str) -> str:
    """The figure as MyST, with the anchor `name`."""
    whole = total(counts)
    return "\n".join(
        [
            "```{figure} /generated/claims.svg",
            f":alt: {json.dumps(picture_alt(counts), ensure_ascii=False)}",
            f":name: {name}",
            "",
            f"Of {sum(whole.values())} claims: {counted(whole)}. Each is decided by a stated rule. "
            "Numbers: {download}`claims.csv </generated/claims.csv>`.",
            "```",
            "",
        ]
    )
