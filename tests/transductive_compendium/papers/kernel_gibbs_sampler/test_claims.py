"""The statements of the paper load, and are decided from the records."""

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
