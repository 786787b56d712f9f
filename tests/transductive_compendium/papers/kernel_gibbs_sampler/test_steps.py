"""Error counts of the steps: what a smoke run gives."""

from transductive_compendium.runner import run


def test_error_counts_of_steps(tmp_path):
    rows = run(
        "kernel_gibbs_sampler/steps", params={"n_steps": 20}, progress=False, store=tmp_path
    ).rows
    assert (rows.largest_difference == 0).all()
    assert (rows.largest_angle_difference < 1e-12).all()
    assert (rows.printed_wrong > 0.5).all()
