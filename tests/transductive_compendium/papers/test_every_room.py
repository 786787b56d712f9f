"""Every experiment of every room: each tier goes on from the one before, data have substitutes."""

import pytest

from transductive_compendium.datasets import substitute
from transductive_compendium.datasets.registry import SUBSTITUTES
from transductive_compendium.runner import PROFILES, all_experiments

EXPERIMENTS = all_experiments()
#: Pictures, which are the same in the smoke tier.
SHOWN_WHOLE = {
    "bayesian_transduction/figure_1",
    "kernel_gibbs_sampler/figure_1",
    "kernel_gibbs_sampler/figure_2",
    "universum/sample_images",
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_smoke_is_the_beginning_of_paper_and_paper_of_full(name):
    experiment = EXPERIMENTS[name]
    params = {key: parameter.default for key, parameter in experiment.parameters.items()}
    smoke, paper, full = (experiment.unit_keys(params, profile) for profile in PROFILES)
    assert paper[: len(smoke)] == smoke and full[: len(paper)] == paper
    assert 0 < len(smoke) <= len(paper) <= len(full)
    assert len(smoke) < len(paper) or name in SHOWN_WHOLE


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_data_that_may_be_missing_have_a_substitute(name):
    asked = EXPERIMENTS[name].datasets
    assert all(substitute(data) for data in asked if data not in SUBSTITUTES)
