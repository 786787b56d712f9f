"""The statements of the paper load, and are decided from the records."""

import pytest

from transductive_compendium.runner import get
from transductive_compendium.verdicts.claims import load_statements
from transductive_compendium.verdicts.rules import UNDECIDED

PAPER = "kernel_gibbs_sampler"


def test_claims_and_checks_have_the_papers_prefix_and_a_measure():
    found = load_statements([PAPER])[PAPER]
    assert all(judged.id.startswith("kgs-") for judged in (*found.claims, *found.checks))
    assert all(claim.measure or claim.kind == "untestable" for claim in found.claims)
    assert found.findings[0].id == "bayes-point-below-svm"


def test_every_claim_is_decided_from_the_record(verdicts):
    own = [v for v in verdicts[False] if v.paper == PAPER]
    assert own and [v.claim.id for v in own if v.outcome == UNDECIDED] == []


@pytest.mark.parametrize("item", ["limit", "mixing", "rank_plots", "step_cost"])
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"{PAPER}/{item}")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert 0 < len(smoke) < len(paper)
