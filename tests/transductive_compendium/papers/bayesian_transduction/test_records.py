"""The record of the room: reruns agree with it, and it decides every claim."""

import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import compare, run
from transductive_compendium.verdicts.claims import load_statements
from transductive_compendium.verdicts.rules import UNDECIDED
from transductive_compendium.verdicts.verification import verify

PAPER = "bayesian_transduction"


@pytest.mark.parametrize(
    "item", ["figure_1", "cells", "labellings", "identities", "ergodicity", "steps"]
)
def test_generated_experiments_agree_with_the_record(item, tmp_path):
    agreement = compare(run(f"{PAPER}/{item}", progress=False, store=tmp_path))
    assert not agreement.reason
    assert agreement.ok, agreement.describe()


@pytest.mark.skipif(not available("thyroid"), reason="the thyroid data are not at hand")
def test_figure_2a_agrees_with_the_record(tmp_path):
    agreement = compare(run(f"{PAPER}/figure_2a", progress=False, store=tmp_path))
    assert not agreement.reason
    assert agreement.ok, agreement.describe()


def test_other_parameters_are_not_compared(tmp_path):
    done = run(f"{PAPER}/figure_1", params={"n_train": 4}, progress=False, store=tmp_path)
    assert "n_train=4" in compare(done).reason


def test_every_claim_and_check_is_decided_from_the_record():
    found = load_statements([PAPER])[PAPER]
    for checks, entries in ((False, found.claims), (True, found.checks)):
        verdicts = verify([PAPER], checks=checks)
        assert [v.claim.id for v in verdicts] == [entry.id for entry in entries]
        assert [v.claim.id for v in verdicts if v.outcome == UNDECIDED] == []
