"""The room's records and marked tests decide every claim."""

from transductive_compendium.runner import compare, run
from transductive_compendium.verdicts.claims import load_statements
from transductive_compendium.verdicts.rules import UNDECIDED

PAPER = "bayesian_transduction"


def test_other_parameters_are_not_compared(tmp_path):
    done = run(f"{PAPER}/figure_1", params={"n_train": 4}, progress=False, store=tmp_path)
    assert "n_train=4" in compare(done).reason


def test_every_claim_is_decided(verdicts):
    own = [v for v in verdicts if v.paper == PAPER]
    assert [v.claim.id for v in own] == [c.id for c in load_statements([PAPER])[PAPER].testable]
    details = {v.claim.id: v.decision.detail for v in own if v.outcome == UNDECIDED}
    assert [name for name, why in details.items() if "would decide" not in why] == []
