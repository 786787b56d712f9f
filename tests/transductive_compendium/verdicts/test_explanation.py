"""What is shown of one claim."""

import pytest

from transductive_compendium.verdicts import claims
from transductive_compendium.verdicts.claims import ClaimError, papers_of
from transductive_compendium.verdicts.explanation import explain


@pytest.fixture(scope="module")
def verdicts():
    return {v.claim.id: v for v in claims.verify(["bayesian_transduction"])}


def test_every_claim_of_a_paper_can_be_explained(verdicts):
    for name, verdict in verdicts.items():
        text = explain(verdict)
        assert text.startswith(f"{verdict.outcome.upper()}  {name}\n")
        for label in (
            "claim",
            "source",
            "published",
            "reproduced",
            "rule",
            "decided by",
            "measure",
        ):
            assert text.count(f"\n  {label:<11}") == 1
        for result in verdict.claim.results:
            assert f"\n  read       notebooks/{result}.ipynb" in text


def test_the_rule_is_the_one_that_decides_and_has_its_tolerance(verdicts):
    text = " ".join(explain(verdicts["bt-fig2a-error-at-20"]).split())
    assert "value: |reproduced - published| <= t s sqrt(1/n_reproduced + 1/n_published)" in text
    assert f"Tolerance {verdicts['bt-fig2a-error-at-20'].claim.tolerance:g}." in text
    assert "rerun transductive run bayesian_transduction/figure_2a --profile paper" in text


def test_names_are_papers_or_claims():
    assert papers_of([]) == ([], [])
    assert papers_of(["universum"]) == (["universum"], [])
    assert papers_of(["bt-fig2a-variance", "universum", "bt-fig2a-error-at-20"]) == (
        ["bayesian_transduction", "universum"],
        ["bt-fig2a-variance", "bt-fig2a-error-at-20"],
    )
    with pytest.raises(ClaimError, match="did you mean 'bt-fig2a-variance'") as raised:
        papers_of(["bt-fig2a-varianse"])
    assert len(str(raised.value)) < 500
