"""Units of the room: each tier is the beginning of the next, which the runner checks."""

import pytest

from transductive_compendium.runner import PROFILES, all_experiments, get

ITEMS = [name for name in all_experiments() if name.startswith("universum/")]


@pytest.mark.parametrize("item", ITEMS)
def test_smoke_is_the_beginning_of_paper(item):
    experiment = get(item)
    smoke, paper, full = (experiment.unit_keys({}, profile) for profile in PROFILES)
    assert 0 < len(smoke) <= len(paper) <= len(full)
    # only the images that are shown are the same in all tiers
    assert len(smoke) < len(paper) < len(full) or item == "universum/sample_images"


@pytest.mark.parametrize("item", ["losses", "regularisers", "contradictions"])
def test_every_part_is_in_the_smoke_tier_and_with_it_every_column(item):
    smoke, full = (get(f"universum/{item}").unit_keys({}, tier) for tier in ("smoke", "full"))
    assert {key["part"] for key in smoke} == {key["part"] for key in full}
