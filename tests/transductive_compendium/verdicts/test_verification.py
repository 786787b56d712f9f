"""From recorded rows to verdicts: a toy paper that has a claim of every kind."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from transductive_compendium.runner import (
    Experiment,
    load_recorded,
    record,
    register,
    results_folder,
    run,
)
from transductive_compendium.verdicts import measure, verify
from transductive_compendium.verdicts.rules import NotTestable, Repeats, Value


def decided(papers=None, checks=False):
    return {v.claim.id: v for v in verify(papers, checks)}


def record_rows(name, keys, rows_of):
    """Record a result whose units have these keys."""

    def run_unit(key, params, data, rng):
        return rows_of(key)

    register(Experiment(name, 1, "made", lambda params, profile: keys, run_unit))
    record(run(name, "paper", progress=False, fresh=True))


def noise(n=120):
    """As the toy experiment makes it: mean 0, standard deviation 1."""
    x = np.random.default_rng(0).normal(size=n)
    return (x - x.mean()) / x.std()


def test_every_kind_is_decided_by_its_rule(recorded):
    found = decided()
    assert {name: v.outcome for name, v in found.items()} == {
        "toy-gain": "reproduced",
        "toy-theta": "same",
        "toy-loss": "not reproduced",
        "toy-open": "depends on the number of draws",
        "toy-same": "reproduced",
        "toy-column": "same",
        "toy-identity": "holds",
        "toy-count": "reproduced",
        "toy-mail": "not testable here",
        "toy-zip": "not testable here",
        "toy-later": "undecided",
    }
    assert found["toy-gain"].share == 1.0 and found["toy-loss"].share == 0.0
    assert found["toy-mail"].detail == "The mail is private."
    assert found["toy-zip"].detail.endswith("In its stead: digits, under its own name")
    assert found["toy-later"].detail == "no measure decides it yet"
    assert "nothing is drawn anew" in found["toy-count"].detail
    # tau 0.5 of the claim, not a tenth of two; in per cent a tenth of 4
    assert "tolerance 0.5" in found["toy-theta"].detail
    assert "(tolerance 0.41)" in found["toy-column"].detail
    assert [v.comes_out for v in found.values()][:4] == ["yes", "yes", "no", "in part"]


def test_published_numbers_in_words(recorded):
    found = {name: v.published for name, v in decided().items()}
    assert found["toy-gain"] == "gain 2 points"
    assert found["toy-theta"] == "2.0 margin |f|"
    assert found["toy-column"] == "10 2.0, 20 4.1 %"
    assert found["toy-loss"] == "in words"
    recorded.edit("toy-loss", published={"text": "B < A"})
    assert decided()["toy-loss"].published == "B < A"


def test_verdicts_are_json(recorded):
    for verdict in verify():
        facts = json.loads(json.dumps(verdict.as_dict()))
        assert facts["id"] == verdict.claim.id and facts["outcome"] == verdict.outcome
    facts = decided()["toy-gain"].as_dict()
    assert (facts["finding"], facts["role"], facts["setting"]) == ("better", "headline", "patients")
    assert "item" in decided(checks=True)["toy-check"].as_dict()


def test_checks_are_decided_in_the_place_of_claims_with_their_own_m(recorded):
    found = decided(checks=True)
    assert list(found) == ["toy-check"] and found["toy-check"].outcome == "reproduced"
    assert "nothing is drawn anew" in found["toy-check"].detail
    text = (recorded.folder / "checks.yml").read_text()
    recorded.write(checks=text.replace("  m: 0\n", ""))
    assert "100 repetitions of 100 draws" in decided(checks=True)["toy-check"].detail


def test_a_check_never_resamples_few_draws_to_many(recorded):
    text = (recorded.folder / "checks.yml").read_text()
    recorded.write(checks=text.replace("  m: 0\n", "  m: 500\n"))
    assert (
        "repetitions of 120 draws, resampled from 120" in decided(checks=True)["toy-check"].detail
    )


def test_missing_results_leave_claims_undecided_with_the_remedy(room):
    found = decided()
    assert {v.outcome for v in found.values()} == {"undecided", "not testable here"}
    remedy = "transductive run toy/draws --profile paper --record"
    assert remedy in found["toy-gain"].detail and found["toy-gain"].reproduced == "-"


def test_one_missing_result_stops_no_other_claim(recorded):
    recorded.edit("toy-gain", results=["toy/draws", "toy/none"])
    found = decided()
    assert found["toy-gain"].outcome == "undecided" and "toy/none" in found["toy-gain"].detail
    assert found["toy-theta"].outcome == "same"


def test_a_damaged_result_leaves_claims_undecided(recorded):
    (results_folder() / "toy/draws.csv").write_text("block\n1\n")
    assert "damaged" in decided()["toy-gain"].detail


@measure
def toy_late_failure(frames):
    """Fails when the rule asks for a repetition, not before."""
    return Repeats(lambda pick: frames["toy/draws"]["theta_min"][pick].mean(), n=120)


def test_a_measure_that_fails_leaves_only_its_claim_undecided(recorded):
    recorded.edit("toy-theta", measure="toy_broken")
    recorded.edit("toy-same", measure="toy_late_failure")
    recorded.edit("toy-identity", measure="toy_theta")
    found = decided()
    for name, words in {
        "toy-theta": "measure toy_broken failed: KeyError",
        "toy-same": "measure toy_late_failure failed: KeyError",
        "toy-identity": "decided by Mathematics, not Value",
    }.items():
        assert found[name].outcome == "undecided" and words in found[name].detail
    assert found["toy-gain"].outcome == "reproduced"


@measure
def toy_vandal(frames):
    frames["toy/draws"]["noise"] *= 0
    del frames["toy/draws"]["theta"]
    return Value(estimate=0.0)


def test_a_measure_cannot_change_the_rows_for_the_next_one(recorded):
    before = decided()
    recorded.edit("toy-gain", measure="toy_vandal", arguments={}, kind="mathematics")
    after = decided()
    assert after["toy-gain"].outcome == "undecided"
    assert after["toy-theta"] == before["toy-theta"] and after["toy-same"] == before["toy-same"]


def options_recorded(**shifts):
    """Other options of the toy experiment, by how they shift its gaps."""
    keys = [{"choice": c, "option": o} for c, o in (("start", "far"), ("law", "uniform"))]

    def rows_of(key):
        return [{"theta": 2.0, "noise": x + shifts[key["option"]]} for x in noise()]

    record_rows("toy/draws_options", keys, rows_of)


def test_under_how_many_options_it_comes_out(recorded):
    assert decided()["toy-gain"].options == {}
    assert decided()["toy-gain"].options_not_run == ("start: far", "start: near", "law: uniform")
    options_recorded(far=-5.0, uniform=0.1)
    gain = decided()["toy-gain"]
    assert gain.options == {"start: far": "not reproduced", "law: uniform": "reproduced"}
    assert gain.options_not_run == ("start: near",)
    assert gain.held_under == (2, 3) and gain.outcome == "reproduced"
    loss = decided()["toy-loss"]
    assert loss.held_under == (0, 3)
    # what has no setting is touched by none
    assert decided()["toy-identity"].options == {}
    assert decided(checks=True)["toy-check"].options == {}


@measure
def toy_first(frames):
    (rows,) = frames.values()
    return Value(rows["theta"])


def test_an_option_touches_the_claims_of_an_experiment_whose_parameter_it_sets(recorded):
    options_recorded(far=-5.0, uniform=0.1)
    record_rows("toy/more", [{"block": 0}], lambda key: [{"theta": 2.0 + x} for x in noise()])
    recorded.edit("toy-theta", measure="toy_first")
    before = decided()["toy-theta"]
    assert set(before.options) == {"start: far", "law: uniform"}
    recorded.edit("toy-theta", results=["toy/more"])
    after = decided()["toy-theta"]
    assert after.options == {} and after.options_not_run == ()


JUDGED = """\
offset:
  question: From where is the gap measured?
  words: '"from"'
  default: none
  options:
    none: {source: print}
    five: {source: nothing, judge: {by: -5.0}}
"""


def test_an_option_of_the_measure_alone_is_judged_on_the_same_rows(recorded):
    recorded.write(open_choices=JUDGED)
    same = decided()["toy-same"]  # an equivalence: moved by five, it is none
    assert same.options == {"offset: five": "not reproduced"} and same.options_not_run == ()
    # a claim that fixes the argument, or whose measure has none such, is not touched
    assert decided()["toy-gain"].options == {} == decided()["toy-theta"].options


def test_an_option_that_cannot_be_judged_is_undecided_alone(recorded):
    options_recorded(far=float("nan"), uniform=0.1)
    gain = decided()["toy-gain"]
    assert gain.options == {"start: far": "undecided", "law: uniform": "reproduced"}
    # what could not be decided neither holds nor fails
    assert gain.outcome == "reproduced" and gain.held_under == (2, 2)


def groups_recorded(effect):
    """Without each of twenty groups of cases; a group adds its effect to the gaps."""

    def rows_of(key):
        return [{"theta": 2.0, "noise": x + effect(key["left_out"])} for x in noise(30)]

    record_rows("toy/draws_groups", [{"left_out": g} for g in range(20)], rows_of)


def test_second_mark_is_that_of_the_groups_left_out(recorded):
    found = decided()
    assert (found["toy-gain"].carries, found["toy-gain"].carries_detail) == (
        "not run",
        "to new patients",
    )
    groups_recorded(lambda g: 0.0)
    found = decided()
    # whole: 2 +- 1 / sqrt(120); Student's t(0.95, 19) = 1.729: limit 1.842
    assert found["toy-gain"].carries == "carries over"
    assert "to new patients: jackknife over 20 groups" in found["toy-gain"].carries_detail
    assert "lower limit 1.84" in found["toy-gain"].carries_detail
    assert found["toy-loss"].carries == "reversed on new cases"
    assert found["toy-same"].carries == "carries over"  # within its margin
    groups_recorded(lambda g: 3.0 * (g % 2))
    assert decided()["toy-gain"].carries == "not shown to carry over"


def test_groups_of_test_cases_are_of_disjoint_training_sets(recorded):
    def rows_of(key):
        return [{"theta": 2.0, "noise": x} for x in noise(30) + 0.1 * key["test_group"]]

    record_rows("toy/draws_groups", [{"test_group": g} for g in range(20)], rows_of)
    gain = decided()["toy-gain"]
    assert gain.carries == "carries over"
    assert "to new patients: 30 disjoint training sets, 20 groups" in gain.carries_detail


def test_second_mark_where_cases_are_no_sample_or_known(recorded):
    found = decided()
    assert found["toy-open"].carries == "no"
    assert found["toy-open"].carries_detail == "the town is the population"
    assert found["toy-count"].carries == "by construction"
    assert found["toy-theta"].carries == found["toy-column"].carries == ""  # values have none
    assert found["toy-mail"].carries == found["toy-identity"].carries == ""
    text = (recorded.folder / "claims.yml").read_text()
    recorded.write(claims=text.replace("carries_over: patients", "carries_over: northern towns"))
    assert decided()["toy-gain"].carries_detail == "to new northern towns"


@measure
def toy_whole_only(frames):
    """Not made for rows without some of the cases."""
    if "left_out" in frames["toy/draws"] or len(frames["toy/draws"]) < 100:
        return NotTestable("too few")
    return Repeats(2.0 + frames["toy/draws"]["noise"])


def test_a_second_mark_that_fails_leaves_the_first(recorded):
    groups_recorded(lambda g: 0.0)
    recorded.edit("toy-gain", measure="toy_whole_only", arguments={})
    gain = decided()["toy-gain"]
    assert gain.outcome == "reproduced" and gain.carries == "not run"
    assert "needs Repeats" in gain.carries_detail


VERIFY = """
import importlib.util, sys
from pathlib import Path
from click.testing import CliRunner
from transductive_compendium.cli import main
from transductive_compendium.verdicts import claims
folder, conftest = sys.argv[1:]
found = importlib.util.spec_from_file_location("toy", conftest)
found.loader.exec_module(importlib.util.module_from_spec(found))
claims.statement_folders = lambda: {"toy": Path(folder)}
done = CliRunner().invoke(main, ["verify"])
assert done.exit_code == 0, done.output
heavy = "sklearn", "matplotlib", "joblib", "transductive.kernels", "transductive.margin"
print(done.output.splitlines()[2].strip())
print([name for name in heavy if name in sys.modules])
"""


def test_verifying_loads_neither_scikit_learn_nor_the_library(recorded):
    """`transductive verify` as it is typed."""
    recorded.edit("toy-later", kind="untestable", why="no clock")
    conftest = Path(__file__).parents[1] / "conftest.py"
    command = [sys.executable, "-c", VERIFY, str(recorded.folder), str(conftest)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    claims, loaded = done.stdout.splitlines()
    assert claims.startswith("claims: 3 reproduced, 2 same, 1 not reproduced")
    assert loaded == "[]"


def test_papers_are_verified_apart(recorded):
    (recorded.folder.parent / "other").mkdir()
    text = (recorded.folder / "checks.yml").read_text()
    (recorded.folder.parent / "other" / "checks.yml").write_text(text.replace("toy-", "other-"))
    assert list(decided(["other"], checks=True)) == ["other-check"]
    assert list(decided(checks=True)) == ["other-check", "toy-check"]
    assert {v.paper for v in verify()} == {"toy"}
    assert isinstance(load_recorded("toy/draws")[0], pd.DataFrame)
