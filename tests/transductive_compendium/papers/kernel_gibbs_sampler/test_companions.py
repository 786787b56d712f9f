"""Smoke rows of experiments that serve several claims: what must hold in them."""

import numpy as np

from transductive_compendium.runner import run


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
