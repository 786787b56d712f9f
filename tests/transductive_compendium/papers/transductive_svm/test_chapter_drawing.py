"""The chapter's pictures: what they show follows from the definitions; the numbers it prints."""

import re
from pathlib import Path

import numpy as np
import pytest

from transductive.manifold_kernel import STRENGTHS
from transductive_compendium.papers.transductive_svm import chapter_drawing
from transductive_compendium.papers.transductive_svm.reuters_learning_measures import gain
from transductive_compendium.runner.records import load_recorded
from transductive_compendium.verdicts.rules import N_DRAWS_MIN

CHAPTER = Path(__file__).resolve().parents[4] / "book" / "transductive_svm.md"


@pytest.fixture(scope="module")
def chapter():
    """The chapter's text, with one space between words and points for commas in numbers."""
    return " ".join(CHAPTER.read_text(encoding="utf-8").split())


def caption(chapter, name):
    """What stands below a picture."""
    return re.search(rf"figures/{name}\.png(.*?)```", chapter)[1].split(":name:")[1]


def test_the_line_turns_into_the_gap(chapter):
    _, _, costs, _, wrong, switches = chapter_drawing.lines_on_the_way()
    assert (np.diff(switches) >= 0).all()
    assert wrong[-1] < wrong[0]
    text = caption(chapter, "fig-ts-path")
    assert f"to {costs[-1]:.1f}," in text
    first = np.flatnonzero(wrong == wrong[-1])[0]
    assert f"from {costs[first]:.2f} on, after {switches[first]} exchanges" in text
    assert f"{wrong[-1]} dots are on its wrong side instead of {wrong[0]}" in text


def test_a_kernel_that_knows_the_points_errs_less_on_moons(chapter):
    left_out, wrong = (errors.mean(axis=0) for errors in chapter_drawing.manifold_errors())
    assert left_out[-1] < left_out[0]
    text = caption(chapter, "fig-ts-manifold")
    means = []
    for strength in (0.0, 1000.0):
        _, y, _, values = chapter_drawing.tip_values(strength)
        means += [f"{values[y < 0].mean():.2f}", f"{values[y > 0].mean():.2f}".replace("-", "−")]
    assert "average {} on the star's moon and {} on the other".format(*means[:2]) in text
    assert "(middle) {} and {}.".format(*means[2:]) in text
    assert f"from {wrong[0]:.1f} to {wrong[-1]:.1f} %" in text
    assert f"least at {STRENGTHS[left_out.argmin()]:g}" in text


def test_numbers_of_the_recorded_tables(chapter):
    errors = chapter_drawing.few_labels()
    methods = "LabelSpreading", "TransductiveSVC", "its SVM, C_star = 0"
    digits, winmac = (
        [f"{errors[problem, 10, method][0]:.0f}" for method in methods]
        for problem in ("digits, ten classes", "WinMac")
    )
    text = caption(chapter, "fig-ts-few-labels")
    assert "errs on {} %, the transductive SVM on {} %, the SVM on {} %".format(*digits) in text
    assert "err on {}, {} and {} %".format(*winmac) in text
    harm = [errors["diabetis", 10, f"TransductiveSVC{m}"][0] for m in ("", ", manifold 0")]
    words = "errs on {:.1f} %, with `manifold=0`, the kernel itself, on {:.1f} %"
    assert words.format(*harm) in chapter
    # which method the text calls the better one
    for problem in ("MNIST 4 and 9", "MNIST 5 and 8", "digits, ten classes"):
        assert errors[problem, 10, methods[0]] < errors[problem, 10, methods[1]]
    for problem in ("USPS, ten classes", "WinMac", "Reuters acq"):
        assert errors[problem, 10, methods[1]] < errors[problem, 10, methods[0]]
    for problem in ("MNIST 4 and 9", "MNIST 5 and 8"):
        assert errors[problem, 100, methods[2]] < min(errors[problem, 100, m] for m in methods[:2])
    for problem in ("diabetis", "breast cancer (Ljubljana)"):
        bayes = errors[problem, 100, "BayesianTransduction"]
        assert bayes < min(errors[problem, 100, m] for m in methods)


def recorded(item):
    """Rows of an item of this paper."""
    return load_recorded(f"transductive_svm/{item}")[0]


def test_numbers_below_pictures_of_notebooks(chapter):
    wrong = recorded("clouds").query("gap == 0").groupby("method")["wrong"].mean()
    text = caption(chapter, "fig-ts-clouds")
    assert f"errs on {wrong['transductive']:.1f} of 40 points" in text
    assert f"the SVM on {wrong['inductive']:.1f}" in text

    logs = np.log(recorded("greedy").set_index(["working", "C_star"])["machines"])
    logs = logs.groupby(level=[0, 1]).mean().unstack(0)
    factor = np.exp((logs[12] - logs[8]) / 4)
    assert f"by {factor[1.0]:.2f} for $C = C^* = 1$ and by {factor[0.1]:.2f} for" in chapter

    rows = recorded("greedy").query("working == 12")
    excess = rows.assign(excess=rows["objective_greedy"] / rows["objective_count"] - 1)
    excess = excess.groupby(["C", "C_star"])["excess"]
    found = excess.agg(lambda one: 100 * np.mean(one < 1e-4))
    text = caption(chapter, "fig-ts-greedy")
    assert f"{found[1.0, 0.1]:.0f} % of {len(rows) // 3} problems" in text
    assert f"in {found[100.0, 100.0]:.0f} % for" in text
    assert f"is {100 * excess.mean()[100.0, 100.0]:.0f} % too high" in text

    rows = recorded("descent")
    falls = 100 * (1 - rows["objective"] / rows["objective"].shift())[rows["switch"]]
    text = caption(chapter, "fig-ts-descent")
    runs = rows.groupby(["dataset", "draw"])
    assert f"all {len(falls)} switches of {runs.ngroups} runs" in text and falls.min() > 0
    assert f"by {falls.median():.2f} % in the median and {falls.max():.1f} % at most" in text
    assert (
        f"in {runs['switch_possible'].max().sum()} of the {runs.ngroups} recorded runs" in chapter
    )


def test_numbers_of_the_reuters_table(chapter):
    options = recorded("reuters_table_options").query("option == 'programmed'")
    for rows, columns, words in (
        (recorded("reuters_table"), ["tsvm", "svm", "bayes"], "we find {}, {} and {}: no lead, {}"),
        (options, [], "the transductive SVM leads by {}, in {} of the ten categories"),
    ):
        leads = (rows["tsvm"] - rows["svm"]).groupby(rows["category"])
        half = 1.96 * np.sqrt(leads.sem().pow(2).sum()) / 10
        lead = f"{leads.mean().mean():.1f} ± {half:.1f}".replace("-", "−")
        means = rows.groupby("category")[columns].mean().mean().map("{:.1f}".format)
        ahead = {9: "nine"}.get((leads.mean() > 0).sum())
        said = [*means, lead] if columns else [lead, ahead]
        assert words.format(*said) in chapter
    tsvm, svm = options.groupby("category")[["tsvm", "svm"]].mean().mean()
    assert f"where the SVM has {svm:.1f}, the transductive SVM leads" in chapter
    assert f"it averages {tsvm:.1f} %" in caption(chapter, "fig-ts-reuters-table")


def test_numbers_of_the_learning_curves(chapter):
    told = caption(chapter, "fig-ts-reuters-learning")
    options = recorded("reuters_learning_options").query("option == 'programmed'")
    found = []
    for over, number in (("n_train", 17), ("n_train", 1088), ("n_test", 206)):
        lead = gain(options, over)[number].dropna()
        assert len(lead) == N_DRAWS_MIN == 100
        found.append(f"{lead.mean():.1f} ± {1.96 * lead.sem():.1f}")
    words = (
        "falls from {} percentage points at 17 training documents to {} at 1088, "
        "and with 17 it is {} on 206"
    )
    assert words.format(*found) in told
    assert f"({len(lead)} training sets, others than those of the table)" in told
    leads = [gain(recorded("reuters_learning"), over).mean() for over in ("n_train", "n_test")]
    least, most = min(map(min, leads)), max(map(max, leads))
    assert f"between −{-least:.1f} and {most:.1f} percentage points" in told
