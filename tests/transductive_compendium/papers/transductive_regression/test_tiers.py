"""Every item of the room: its tiers, and substitutes of its data."""

import pytest

from transductive_compendium.datasets import substitute
from transductive_compendium.runner import get

ITEMS = (
    "identities",
    "small_ridge",
    "low_rank",
    "basis_functions",
    "parameter_search",
    "figure_1a",
    "figure_1b",
    "figure_1c",
    "figure_1d",
    "working_sets",
    "alpha_star",
    "inductive",
    "table_1",
    "table_1_choice",
    "boosting",
    "boosting_choice",
)


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(f"transductive_regression/{item}")
    params = {name: parameter.default for name, parameter in experiment.parameters.items()}
    smoke, paper, full = (experiment.unit_keys(params, t) for t in ("smoke", "paper", "full"))
    assert 0 < len(smoke) < len(paper) <= len(full)


@pytest.mark.parametrize("item", ITEMS)
def test_data_that_may_be_missing_have_a_substitute(item):
    experiment = get(f"transductive_regression/{item}")
    assert all(substitute(name) for name in experiment.datasets if name != "diabetes")
