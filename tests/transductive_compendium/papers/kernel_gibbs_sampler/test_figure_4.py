"""Figure 4: what a smoke run gives."""

from transductive_compendium.papers.kernel_gibbs_sampler.figure_4 import (
    PENALTIES_BEYOND,
    SHARED_VALUES,
)
from transductive_compendium.runner import run


def test_figure_4_rows(tmp_path):
    rows = run("kernel_gibbs_sampler/figure_4", progress=False, store=tmp_path).rows
    assert list(rows.value) == list(SHARED_VALUES + PENALTIES_BEYOND) * 3
    shared = rows[rows.value.isin(SHARED_VALUES)]
    assert rows[~rows.value.isin(SHARED_VALUES)].bpm_error.isna().all()
    assert shared.notna().all(axis=None)
    # what 100 samples lose
    assert (shared.bpm_true_error - shared.exact_true_error).abs().mean() < 0.01
    for name in ("bpm", "exact", "svm"):
        true, noisy = shared[f"{name}_true_error"], shared[f"{name}_error"]
        assert (true < 0.1).all()
        # flips cost at most their share, 5 % of 1000, here within five standard deviations
        assert ((noisy - true).abs() < 0.085).all() and noisy.mean() > true.mean()
