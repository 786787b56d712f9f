"""The rules on simulated draws: what is true mostly comes out, what is false mostly does not."""

import re

import pandas as pd
import pytest
import try_rules

from transductive_compendium.verdicts import rules

N_TRIALS = 12


@pytest.fixture(scope="module")
def trial():
    return try_rules.trial(N_TRIALS)


def shares(trial, rule, truth):
    """Share of each outcome, over all cases of this rule, or of those that begin so."""
    named = trial["rule"] == rule
    named = named if named.any() else trial["rule"].str.startswith(rule)
    rows = trial[named & (trial["truth"] == truth)]
    cases = rows["rule"].nunique()
    assert cases, (rule, truth)
    return (rows.groupby("outcome")["share"].sum() / cases).to_dict()


def test_shares_of_a_case_sum_to_one_and_outcomes_are_those_of_the_rules(trial):
    sums = trial.groupby(["rule", "truth"])["share"].sum()
    assert sums.to_numpy() == pytest.approx(1.0) and len(sums) > 80
    marks = {rules.CARRIES, rules.NOT_SHOWN, rules.REVERSED}
    assert set(trial["outcome"]) <= {*rules.OUTCOMES, *marks}


@pytest.mark.parametrize("law", try_rules.LAWS)
def test_orderings(trial, law):
    rule = f"ordering, {law}"
    assert shares(trial, rule, "true")[rules.REPRODUCED] > 0.85
    assert rules.REPRODUCED not in shares(trial, rule, "false")
    assert shares(trial, rule, "false")[rules.NOT_REPRODUCED] > 0.85
    assert rules.NOT_REPRODUCED not in shares(trial, rule, "true")
    # a coin is decided neither way but by chance
    half = shares(trial, rule, "half true")
    assert half.get(rules.REPRODUCED, 0) < 0.15
    # what is almost sure comes and goes about as often as it comes out
    nearly = shares(trial, f"{rule}, 1 gap, n = 400", "nearly true")
    assert 0 < nearly.get(rules.REPRODUCED, 0) < 1 and rules.NOT_REPRODUCED not in nearly


def test_too_few_draws_leave_open_what_is_nearly_true(trial):
    few = trial[trial["rule"].str.contains("n = 22") & (trial["truth"] == "nearly true")]
    assert set(few["outcome"]) <= {rules.UNDECIDED, rules.REPRODUCED}
    assert few[few["outcome"] == rules.UNDECIDED]["share"].max() > 0.5


def test_gains(trial):
    rule = "printed gain 1"
    assert shares(trial, rule, "gain 1")[rules.REPRODUCED] > 0.85
    assert shares(trial, rule, "gain 0.25").get(rules.REPRODUCED, 0) < 0.85
    assert rules.REPRODUCED not in shares(trial, rule, "gain -0.5")


def test_equivalences(trial):
    assert shares(trial, "equivalence", "difference 0")[rules.REPRODUCED] > 0.85
    assert shares(trial, "equivalence", "difference 2") == {rules.NOT_REPRODUCED: 1.0}


def test_values_and_columns(trial):
    right = shares(trial, "value 10.0 %, spread 2, n = 200, m = 100", "off by 0")
    assert rules.DIFFERENT not in right and right[rules.SAME] > 0.7
    wrong = shares(trial, "value 10.0 %, spread 2, n = 200, m = 100", "off by 2")
    assert wrong == {rules.DIFFERENT: 1.0}
    one = shares(trial, "value 10.0 %, spread 2, n = 200, m = 1", "off by 0")
    assert one.get(rules.COMPATIBLE, 0) > 0.7  # one draw says little
    assert rules.DIFFERENT not in shares(trial, "column of 7", "0 cells off by 2")
    for truth in ("1 cells off by 2", "7 cells off by 2"):
        assert shares(trial, "column of 7", truth) == {rules.DIFFERENT: 1.0}


def test_second_mark(trial):
    rule = "second mark"
    assert shares(trial, rule, "effect 4 standard errors")[rules.CARRIES] > 0.7
    assert shares(trial, rule, "effect -4 standard errors")[rules.REVERSED] > 0.7
    assert shares(trial, rule, "effect 0 standard errors")[rules.NOT_SHOWN] > 0.6


def test_the_same_seed_gives_the_same_table():
    cases = list(try_rules._values())[:2]
    one, two = (try_rules.tried(cases, 5, seed=1).reset_index(drop=True) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)


def test_it_prints_a_line_a_case_and_records_where_it_is_told(monkeypatch, capsys, tmp_path, trial):
    monkeypatch.setattr(try_rules, "trial", lambda n: trial)
    monkeypatch.setattr(try_rules, "RECORD", tmp_path / "rules_trial.csv")
    try_rules.main(["--trials", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(trial.groupby(["rule", "truth"]))
    assert re.fullmatch(r"ordering, normal, 1 gap, n = 100, m = 100; true: reprod.*", lines[0])
    assert not (tmp_path / "rules_trial.csv").exists()
    try_rules.main(["--record"])
    pd.testing.assert_frame_equal(
        pd.read_csv(tmp_path / "rules_trial.csv"), trial.reset_index(drop=True)
    )
