"""Parts of the experiments on formulas."""

import pytest

from transductive_compendium.runner import get


@pytest.mark.parametrize("item", ["losses", "regularisers", "contradictions"])
def test_every_part_is_in_the_smoke_tier_and_with_it_every_column(item):
    smoke, full = (get(f"universum/{item}").unit_keys({}, tier) for tier in ("smoke", "full"))
    assert {key["part"] for key in smoke} == {key["part"] for key in full}
