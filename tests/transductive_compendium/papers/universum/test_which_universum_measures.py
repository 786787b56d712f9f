"""Which universum helps: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import which_universum_measures as report
from transductive_compendium.papers.universum.which_universum import CANDIDATES
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, UNDECIDED

N_SPLITS = 20
# the SVM's error is 0.02 at both sets, and so is the other's but for the gain
GAIN = dict(zip(CANDIDATES, np.linspace(0.005, -0.001, len(CANDIDATES)), strict=True))


def which():
    """Gains of `GAIN`: `f_sd` predicts them, `between` the reverse, `rho` nothing."""
    rng = np.random.default_rng(0)
    rows = []
    for draw in range(N_SPLITS):
        for n in (200, 1000):
            for kind, gain in GAIN.items():
                noise = 1e-4 * rng.standard_normal(9)
                row = {"draw": draw, "n_train": n, "universum": kind}
                for k, at in enumerate(("error", "error_unused", "error_unseen")):
                    row[f"{at}_svm"], row[at] = 0.02, 0.02 - gain + noise[k]
                row |= {"error_validation_svm": 0.02, "error_validation": 0.02 - gain + noise[3]}
                row["error_unseen_projected"] = 0.02 - 2.0 * gain + noise[8]
                row |= {"rho_5": rng.random(), "rho_8": rng.random()}
                row |= {"f_sd": 0.5 + gain + noise[4], "f_mean": 0.1}
                row |= {"between": 0.5 - gain + noise[5], "within": 0.2}
                row |= {"cv_error_10": 0.02, "cv_error_100": 0.02 - gain, "cv_error_all": 0.03}
                row |= {"cv_error_leaking": 0.03 + noise[6] - 0.02 * (kind == "Mean")}
                rows.append(row | {"cv_error_svm": 0.02})
    return {"universum/which_universum": pd.DataFrame(rows)}


def test_gain_is_foretold_or_not():
    frames = which()
    found = {name: report.gain_foretold(frames, name, 1000) for name in report.PREDICTORS}
    assert {name for name, evidence in found.items() if outcome_of(evidence, 0) == REPRODUCED} == {
        "spread of f",
        "spread over offset of f",
        "axes within, not between",
        "100 axes projected out",
        "validation gain",
    }
    # a predictor that is the same for all universa predicts nothing
    assert found["10 axes projected out"].shown.endswith(
        "0.00; permutations of the universa: p = 1"
    )


def test_one_predictor_against_another():
    better = {"better": "spread of f", "worse": "axes between classes", "n_train": 200}
    assert outcome_of(report.gain_foretold_better(which(), **better), 0) == REPRODUCED
    turned = {"worse": "spread of f", "better": "axes between classes", "n_train": 200}
    assert outcome_of(report.gain_foretold_better(which(), **turned), 0) == NOT_REPRODUCED


def test_summary_has_means_intervals_and_the_correlation_of_means():
    rows = which()["universum/which_universum"]
    table = report.summary(rows, 1000)
    assert list(table.index) == list(report.PREDICTORS)
    assert table.at["spread of f", "of_means"] > 0.95 > 0.9 > table.at["correlation", "of_means"]
    assert table.at["correlation", "half"] > 0.1 > table.at["spread of f", "half"]
    assert table.at["10 axes projected out", "half"] == 0.0
    single = report.summary(rows[rows["draw"] == 0], 1000)
    assert single["half"].isna().all() and single["mean"].notna().all()
    assert report.reliability(rows, 1000).mean() > 0.9


def test_gains_are_in_percentage_points():
    rows = which()["universum/which_universum"]
    for at in ("unseen", "test", "unused"):
        found = report.gains(rows, at).groupby(rows["universum"]).mean()
        assert found["Mean"] == pytest.approx(0.5, abs=0.02)


def test_leak_and_projection_are_compared_split_by_split():
    frames = which()
    assert outcome_of(report.leak_flatters(frames, ["Mean"], 1000)) == REPRODUCED
    assert outcome_of(report.leak_flatters(frames, ["Gen"], 1000)) == UNDECIDED
    first, last = CANDIDATES[0], CANDIDATES[-1]
    assert outcome_of(report.projected_gains(frames, [first], 1000)) == REPRODUCED
    assert outcome_of(report.projected_gains(frames, [last], 1000)) == NOT_REPRODUCED
    found = report.projected_beats_chosen(frames, [first, last], 200)
    assert np.mean(found.gaps) == pytest.approx(0.2, abs=0.02)
