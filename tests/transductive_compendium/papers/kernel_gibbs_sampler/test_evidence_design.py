"""What the splits of one data set share, as the measures correct for it."""

import pytest

from transductive_compendium.papers.kernel_gibbs_sampler.evidence_design import (
    N_SELECTION,
    samples_ratio,
    splits_ratio,
)


def test_what_samples_and_test_parts_share():
    assert splits_ratio("crescents") == 0.0
    assert samples_ratio("crescents", N_SELECTION) == 0.0
    assert splits_ratio("heart") == (270 - N_SELECTION) / N_SELECTION
    assert samples_ratio("heart", N_SELECTION) == pytest.approx(1 / splits_ratio("heart"))
