"""Votes, Bayes point and SVM, with flips and without: what must hold in smoke rows."""

from transductive_compendium.runner import run


def test_both_rates_of_flips_see_the_same_points(tmp_path):
    """The rise by noise is one of the same sets; there are no flips where there is no noise."""
    rows = run("kernel_gibbs_sampler/uses", progress=False, store=tmp_path).rows
    svm = rows[rows["kind"] == "svm"]
    assert set(svm.loc[svm["flip_rate"] == 0.0, "level"]) == {0.0}
    assert svm.loc[svm["flip_rate"] > 0.0, "level"].nunique() == 9
    points = rows[rows["kind"] == "majority"].groupby(["set", "flip_rate"])["points"].sum()
    assert (points == 1000).all()
