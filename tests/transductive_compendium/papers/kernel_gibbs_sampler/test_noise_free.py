"""Without label noise: what a smoke run gives."""

from transductive_compendium.runner import run


def test_laws_of_the_angles_without_noise(tmp_path):
    """Where both classes meet at a pole no margin is resolved; elsewhere both methods learn."""
    rows = run("kernel_gibbs_sampler/noise_free", progress=False, store=tmp_path).rows
    polar = rows.angles.isin(["reversed", "full_exchanged"])
    assert (rows.resolved == ~polar).all()
    errors = rows[["bpm_error", "exact_error", "svm_error"]]
    assert errors[polar].isna().all(axis=None)
    assert (errors[~polar] < 0.06).all(axis=None)
