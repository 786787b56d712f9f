"""The claims of the paper load, and are decided from the records."""

import pytest

from transductive_compendium.papers.kernel_gibbs_sampler.figure_4 import DEFAULT_INTERPRETATION
from transductive_compendium.runner import get, results_folder
from transductive_compendium.verdicts.claims import UNDECIDED, load_claims, verify

PAPER = "kernel_gibbs_sampler"


def test_the_claims_load_and_say_what_their_ids_say():
    claims = {c.id: c for c in load_claims([PAPER])}
    assert all(name.startswith("kgs-") for name in claims)
    assert claims["kgs-fig4-below"].role == "claim"
    assert claims["kgs-sec4-noise-free"].arguments == {"reading": DEFAULT_INTERPRETATION}
    # else a win of the Bayes point machine over the SVM would count as no difference
    assert claims["kgs-fig4-robust-strict"].tolerance == claims["kgs-fig4-robust"].tolerance / 2


def test_every_claim_of_the_paper_is_decided_from_the_record():
    results = {name for claim in load_claims([PAPER]) for name in claim.results}
    if missing := [n for n in sorted(results) if not (results_folder() / f"{n}.csv").is_file()]:
        pytest.skip(f"not recorded yet: {', '.join(missing)}")
    assert [v.claim.id for v in verify([PAPER], strict=True) if v.outcome == UNDECIDED] == []


@pytest.mark.parametrize("item", ["limit", "mixing", "rank_plots", "step_cost"])
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"{PAPER}/{item}")
    smoke, paper = (experiment.unit_keys({}, tier) for tier in ("smoke", "paper"))
    assert 0 < len(smoke) < len(paper)
