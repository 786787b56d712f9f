"""Without label noise: what is left out."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import noise_free_measures as measures


def test_noise_free_leaves_out_what_has_no_margin():
    rows = pd.DataFrame(
        {
            "angles": ["a", "a", "a", "b"],
            "resolved": [1, 0, 1, 1],
            "svm_error": [0.02, np.nan, 0.04, 0.5],
            "bpm_error": [0.01, np.nan, 0.01, 0.1],
        }
    )
    np.testing.assert_allclose(measures.noise_free_gap(rows, "a"), [1.0, 3.0])
