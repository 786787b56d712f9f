"""Options beside each experiment, and the new experiments: smoke rows agree with the record."""

import numpy as np
import pytest

from transductive_compendium.runner import compare, run
from transductive_compendium.runner.records import RecordMissingError, load_recorded

OPENED = ("uses", "estimates", "queries", "models", "kernel_widths", "growth", "chain_law")
ITEMS = (*OPENED, "identities")
COMPANIONS = ("figure_4", *OPENED, "modes", "diversity")


@pytest.mark.parametrize("item", [*ITEMS, *(f"{item}_options" for item in COMPANIONS)])
def test_smoke_rows_agree_with_the_record(item, tmp_path):
    name = f"kernel_gibbs_sampler/{item}"
    try:
        load_recorded(name)
    except RecordMissingError:
        pytest.skip("not recorded yet")
    found = compare(run(name, progress=False, store=tmp_path))
    assert found.ok, found


def test_both_rates_of_flips_see_the_same_points(tmp_path):
    """The rise by noise is one of the same sets; there are no flips where there is no noise."""
    rows = run("kernel_gibbs_sampler/uses", progress=False, store=tmp_path).rows
    svm = rows[rows["kind"] == "svm"]
    assert set(svm.loc[svm["flip_rate"] == 0.0, "level"]) == {0.0}
    assert svm.loc[svm["flip_rate"] > 0.0, "level"].nunique() == 9
    points = rows[rows["kind"] == "majority"].groupby(["set", "flip_rate"])["points"].sum()
    assert (points == 1000).all()


def test_identities_are_no_more_than_rounding(tmp_path):
    rows = run("kernel_gibbs_sampler/identities", progress=False, store=tmp_path).rows
    columns = ["stationary", "likelihood", "span", "hits", "draw", "kernel_only"]
    assert rows[columns].to_numpy().max() < 1e-9
    assert (rows["turn_left"] > 0).all() and not np.any(rows["four_classes"])
