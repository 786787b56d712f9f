"""Labellings of transductive SVMs: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.transductive_svm import labellings_measures as report
from transductive_compendium.verdicts.rules import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    REPRODUCED,
    decide_equivalence,
    decide_identity,
    decide_ordering,
    ordering_p,
)

NOISE = 0.02 * np.random.default_rng(0).standard_normal((6, 40))


def frames(item, rows):
    return {f"transductive_svm/{item}": pd.DataFrame(rows)}


def ordered(evidence):
    return decide_ordering(evidence, ordering_p(evidence)).outcome


# ---- equivalence classes ------------------------------------------------------------------------


def classes(**changes):
    row = {
        "classes": 22,
        "cover": 22,
        "drawn": 20,
        "labellings": 32,
        "left": 2,
        "left_mean": 22 / 14,
        "left_cover": 22 / 14,
        "separable": 2,
        "margin": 0.5,
        "margin_exhaustive": 0.5,
    }
    return frames("equivalence_classes", [row, row | {"margin": np.nan}, row | changes])


@pytest.mark.parametrize(
    ("measure", "change"),
    [
        (report.classes_by_cover, {"classes": 21}),
        (report.classes_left_by_cover, {"left_mean": 1.5}),
        (report.classes_left_by_cover, {"separable": 3}),
        (report.widest_class, {"margin_exhaustive": 0.51}),
    ],
)
def test_counts_and_margins_are_identities(measure, change):
    assert decide_identity(measure(classes()), 1e-4).outcome == REPRODUCED
    assert decide_identity(measure(classes(**change)), 1e-4).outcome == NOT_REPRODUCED


def test_no_more_classes_are_drawn_than_were_counted():
    assert report.classes_drawn(classes()).holds
    assert not report.classes_drawn(classes(drawn=23)).holds


# ---- the toy picture ----------------------------------------------------------------------------


def toy(transductive=(0.0, 1.0), inductive=(1.0, 1.0)):
    """Test points at (0, +-1) and (2, +-1), labelled by the second coordinate."""
    points = [(x, y) for x in (0.0, 2.0) for y in (-1.0, 1.0)]
    rows = [("test", x, y, np.nan, int(y)) for x, y in points]
    rows += [("training", 9.0, 1.0, np.nan, 1)]
    rows += [("transductive", *transductive, 0.0, 0), ("inductive", *inductive, 0.0, 0)]
    columns = ["kind", "x1", "x2", "offset", "label"]
    frame = pd.DataFrame(rows, columns=columns).assign(gap=1.0)
    other = frame.assign(gap=0.0, label=-frame["label"])
    return {"transductive_svm/toy": pd.concat([frame, other], ignore_index=True)}


def test_distances_from_a_line():
    frame = toy()["transductive_svm/toy"]
    found = report.lines(frame[frame["gap"] == 1.0])
    np.testing.assert_allclose(found["transductive"], 1.0)
    np.testing.assert_allclose(found["inductive"], np.array([1, 1, -1, 3]) / np.sqrt(2))


def test_one_line_between_the_clouds_the_other_through_them():
    assert report.toy_lines(toy(), 1.0).holds
    assert not report.toy_lines(toy(transductive=(1.0, 1.0)), 1.0).holds
    assert not report.toy_lines(toy(inductive=(0.0, 2.0)), 1.0).holds
    assert not report.toy_lines(toy(), 0.0).holds


def clouds(wrong, margins):
    rows = [
        {"gap": gap, "draw": draw, "method": method, "margin_joint": margins[method]}
        | {"wrong": wrong[method] + (draw % 2) + 5 * (gap == 0.0)}
        for gap in (0.0, 1.0)
        for draw in range(40)
        for method in wrong
    ]
    return frames("clouds", rows)


def test_fewer_wrong_points_and_no_wider_margin():
    margins = {"inductive": 0.1, "transductive": 0.5, "greedy": 0.5}
    found = clouds({"inductive": 3, "transductive": 1, "greedy": 1}, margins)
    assert report.widest_of_all(found).holds
    better = report.fewer_wrong(found, 1.0, "transductive", "inductive")
    assert len(better.differences) == 40 and ordered(better) == REPRODUCED
    assert ordered(report.fewer_wrong(found, 1.0, "inductive", "transductive")) == NOT_REPRODUCED
    assert ordered(report.fewer_wrong(found, 0.0, "greedy", "transductive")) == NOT_REPRODUCED
    wider = clouds({"inductive": 3, "transductive": 1}, margins | {"inductive": 0.51})
    assert not report.widest_of_all(wider).holds


# ---- greedy -------------------------------------------------------------------------------------


def descent(objectives, switched, possible=0):
    rows = [
        {"dataset": name, "draw": 0, "switch": not np.isnan(s), "switched_objective": s}
        | {"objective": o, "switch_possible": possible}
        for name in ("a", "b")
        for o, s in zip(objectives, switched, strict=True)
    ]
    return frames("descent", rows)


def test_objective_falls_with_each_switch_only():
    # it rises from the second solution to the third, where the costs double
    falling = descent([5.0, 4.0, 7.0, 6.0], [np.nan, 4.5, np.nan, 6.0])
    assert report.objective_falls(falling).holds
    assert not report.objective_falls(descent([5.0, 4.0], [np.nan, 5.5])).holds
    assert not report.objective_falls(descent([5.0, 4.0], [np.nan, 3.5])).holds
    assert not report.objective_falls(descent([5.0, 4.0], [np.nan, np.nan])).holds
    assert not report.switch_left(falling).holds
    assert report.switch_left(descent([5.0], [np.nan], possible=1)).holds


def greedy(**levels):
    """Objectives relative to 1 at C = C* = 1, and twice the excess at 100."""
    levels = {"start": 1.3, "greedy": 1.2, "count": 1.15, "any": 1.0, "balanced": 1.2} | levels
    rows = []
    for draw in range(40):
        for name in ("heart", "digits"):
            for C in (1.0, 100.0):
                row = {"dataset": name, "working": 10, "draw": draw, "C": C, "C_star": C}
                for i, (method, level) in enumerate(levels.items()):
                    gap = (level - 1.0) * (1.0 if C == 1.0 else 2.0)
                    row[f"objective_{method}"] = 1.0 + gap + 0.2 * NOISE[i, draw]
                    row[f"wrong_{method}"] = 3 + (draw % 2) * (method == "greedy")
                row |= {"wrong_inductive": 3, "switch_possible": 0}
                rows.append(row)
    return frames("greedy", rows)


def test_objectives_are_compared_draw_by_draw():
    at = {"C": 1.0, "C_star": 1.0}
    above = report.objective_above(greedy(), "start", "greedy", **at)
    assert len(above.differences) == 40 and above.test_train_ratio == report.OVERLAP
    assert np.mean(above.differences) == pytest.approx(100 * (1.3 / 1.2 - 1), abs=0.5)
    assert ordered(above) == REPRODUCED
    assert ordered(report.objective_above(greedy(), "count", "greedy", **at)) == NOT_REPRODUCED

    def close(**levels):
        found = report.objective_excess(greedy(**levels), "greedy", "count", **at)
        return decide_equivalence(found, 5.0).outcome

    assert close() == REPRODUCED and close(greedy=1.3) == NOT_REPRODUCED


def test_stiff_costs_and_the_count():
    pairs = {"more": [100.0, 100.0], "less": [1.0, 1.0]}
    assert ordered(report.missed_by_more(greedy(), **pairs)) == REPRODUCED
    pairs = {"more": pairs["less"], "less": pairs["more"]}
    assert ordered(report.missed_by_more(greedy(), **pairs)) == NOT_REPRODUCED
    assert ordered(report.count_costs_more(greedy(), 1.0, 1.0)) == REPRODUCED
    assert ordered(report.count_costs_more(greedy(any=1.14), 1.0, 1.0)) == NOT_REPRODUCED


def test_accuracy_is_in_per_cent_of_the_points():
    found = report.same_accuracy(greedy(), "greedy", "count", 1.0, 1.0)
    assert np.mean(found.differences) == pytest.approx(5.0)
    assert decide_equivalence(found, 2.0).outcome != REPRODUCED
    assert ordered(report.fewer_wrong_labels(greedy(), "count", "greedy", 1.0, 1.0)) == REPRODUCED
    turned = report.fewer_wrong_labels(greedy(), "greedy", "count", 1.0, 1.0)
    assert ordered(turned) == NOT_REPRODUCED
    found = report.same_accuracy(greedy(), "any", "count", 1.0, 1.0)
    assert decide_equivalence(found, 2.0).outcome == REPRODUCED


def test_the_search_grows_but_not_with_the_labellings():
    def holds(few, many):
        rows = [{"working": m, "machines": n} for m, n in ((4, few), (4, few), (12, many))]
        return report.machines_grow(frames("greedy", rows), 4.0, 0.1).holds

    assert holds(10, 40) and not holds(10, 39)
    assert holds(10, 409) and not holds(10, 410)


def test_summary_of_the_greedy_algorithm():
    frame = greedy()["transductive_svm/greedy"]
    frame["objective_start"] = frame["objective_count"]
    table = report.greedy_summary(frame, ["C"])
    assert table.loc[1.0, "start_optimal"] == 100.0 and table.loc[1.0, "optimal"] < 20.0
    assert table.loc[1.0, "excess"] == pytest.approx(100 * (1.2 / 1.15 - 1), abs=0.5)
    assert table.loc[1.0, "excess_95"] > table.loc[1.0, "excess"]
    assert table.loc[1.0, "wrong_greedy"] == pytest.approx(35.0)


# ---- joint or label-wise ------------------------------------------------------------------------


def joint(counts, dimension=3, method="exhaustive"):
    """Problems with as many labels other than the joint and the label-wise optimum's."""
    rows = [
        {"dimension": d, "points": "unit", "method": name, "differ": int(differ)}
        | {"wrong_joint": j, "wrong_marginal": m, "probability": 0.4, "probability_joint": 0.5}
        | {"risk": 0.3, "risk_marginal": 0.2}
        for (j, m), n in counts.items()
        for d, name, differ in ((dimension, method, True), (dimension, "other", True))
        for _ in range(n)
    ]
    rows += [rows[0] | {"differ": 0, "wrong_joint": 3, "wrong_marginal": 3}]
    return frames("joint_or_marginal", rows)


def test_joint_rather_than_label_wise():
    at = {"method": "exhaustive", "dimension": 3, "points": "unit"}
    found = report.joint_rather(joint({(0, 1): 30, (1, 0): 6, (2, 2): 9}), **at)
    assert (found.wins, found.losses) == (30, 6) and ordered(found) == REPRODUCED
    turned = report.marginal_rather(joint({(0, 1): 30, (1, 0): 6}), **at)
    assert ordered(turned) == NOT_REPRODUCED
    assert ordered(report.joint_rather(joint({(0, 1): 5, (1, 0): 5}), **at)) == INCONCLUSIVE
    nearer = report.joint_nearer(joint({(1, 2): 30, (1, 0): 6}), **at)
    assert len(nearer.differences) == 36 and ordered(nearer) == REPRODUCED


def test_in_the_plane_both_are_exact():
    def frame(transductive, inductive):
        both = [
            joint({pair: 2}, 2, method)["transductive_svm/joint_or_marginal"].query("differ == 1")
            for pair, method in ((transductive, "exhaustive"), (inductive, "inductive"))
        ]
        return {"transductive_svm/joint_or_marginal": pd.concat(both)}

    assert report.exact_in_the_plane(frame((0, 1), (1, 0))).error == 0.0
    assert report.exact_in_the_plane(frame((1, 1), (1, 0))).error == 1.0
    assert report.exact_in_the_plane(frame((0, 1), (1, 2))).error == 2.0


def test_summary_of_methods():
    frame = joint({(0, 1): 30, (1, 0): 10})["transductive_svm/joint_or_marginal"]
    row = report.joint_summary(frame).loc[(3, "unit", "exhaustive")]
    assert row["problems"] == 40 and row["is_joint"] == 75.0 and row["is_marginal"] == 25.0
    assert row["probability"] == pytest.approx(80.0) and row["risk"] == pytest.approx(150.0)
