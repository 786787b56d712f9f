"""The record of the room: reruns agree with it, and it decides every claim."""

import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import compare, run
from transductive_compendium.verdicts.claims import UNDECIDED, load_claims, verify

PAPER = "bayesian_transduction"


@pytest.mark.parametrize("item", ["figure_1", "cells", "labellings", "identities", "ergodicity"])
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


def test_every_claim_is_decided_from_the_record():
    verdicts = verify([PAPER], strict=True)
    assert len(verdicts) == len(load_claims([PAPER]))
    assert [v.claim.id for v in verdicts if v.outcome == UNDECIDED] == []
