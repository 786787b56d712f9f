"""The rules on simulated draws: what is true mostly comes out, what is false mostly does not."""

import pandas as pd
import pytest
import try_rules

from transductive_compendium.verdicts import findings, rules

N_TRIALS = 20
#: A word that comes in at most one of a thousand trials may come once in twenty by bad luck only.
SELDOM = 0.1


@pytest.fixture(scope="module")
def trial():
    return try_rules.trial(N_TRIALS)


def shares(trial, rule, truth):
    """Share of each word, over all cases whose rule begins so."""
    rows = trial[trial["rule"].str.startswith(rule) & (trial["truth"] == truth)]
    cases = rows["rule"].nunique()
    assert cases, (rule, truth)
    return (rows.groupby("outcome")["share"].sum() / cases).to_dict()


def test_shares_of_a_case_sum_to_one_and_words_are_those_of_the_rules(trial):
    sums = trial.groupby(["rule", "truth"])["share"].sum()
    assert sums.to_numpy() == pytest.approx(1.0) and len(sums) > 80
    for what, words in {
        "claim": set(rules.OUTCOMES),
        "finding": set(findings.FINDING_OUTCOMES),
    }.items():
        rows = trial[trial["rule"].str.startswith(what)]
        assert len(rows) and set(rows["outcome"]) <= words


@pytest.mark.parametrize("law", try_rules.LAWS)
def test_claims_with_a_printed_gain(trial, law):
    for sizes in ("1 gap, 100", "5 gaps, 400"):
        rule = f"claim with a printed gain, {law}, {sizes} draws"
        true, false = shares(trial, rule, "true"), shares(trial, rule, "false")
        # of five gaps, each must be above zero
        assert true[rules.REPRODUCED] > 0.85 and rules.NOT_REPRODUCED not in true
        assert false.get(rules.REPRODUCED, 0) + false.get(rules.SMALLER, 0) <= SELDOM
        assert shares(trial, rule, "reversed").get(rules.NOT_REPRODUCED, 0) > 0.5


def test_more_draws_decide_more(trial):
    rule = "claim with a printed gain, normal, 1 gap, {} draws"
    truths = [truth for truth in try_rules.GAINS if truth != "half true"]  # the border itself
    open_at = {
        n: sum(shares(trial, rule.format(n), truth).get(rules.UNDECIDED, 0) for truth in truths)
        for n in (60, 100, 400, 1600)
    }
    assert open_at[60] == len(truths)  # fewer than a hundred decide nothing
    assert open_at[60] > open_at[100] > open_at[400] > open_at[1600]
    assert shares(trial, rule.format(1600), "a quarter true") == {rules.SMALLER: 1.0}


@pytest.mark.parametrize("default", ["right", "wrong; one change is right"])
def test_words_of_findings_are_those_of_the_right_setting_whether_it_is_the_default(trial, default):
    rule = f"finding, the default is {default}; others are off by half"
    true, false = shares(trial, rule, "true"), shares(trial, rule, "false")
    assert true[findings.HOLDS] > 0.85 and findings.FAILS not in true
    assert false.get(findings.HOLDS, 0) + false.get(findings.IN_PART, 0) <= SELDOM
    assert set(shares(trial, rule, "reversed")) <= {findings.FAILS, findings.OPEN}


def test_the_same_seed_gives_the_same_table():
    cases = list(try_rules._numbers())[:2]
    one, two = (try_rules.tried(cases, 5, seed=1).reset_index(drop=True) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
