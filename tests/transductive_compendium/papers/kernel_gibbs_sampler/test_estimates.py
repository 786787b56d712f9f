"""The evidence from errors of samples."""

import numpy as np
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler.estimates import log_evidence

M, Q = 10, 0.1
LIKELIHOOD = {k: Q**k * (1 - Q) ** (M - k) for k in (0, 2, 10)}


def test_the_first_tenth_counts_for_the_prior_only():
    errors = np.array([10, 0, 0, 2, 2, 2, 2, 2, 2, 2])
    mean_inverse = (2 / LIKELIHOOD[0] + 7 / LIKELIHOOD[2]) / 9
    assert log_evidence(errors, M, Q, "posterior") == pytest.approx(-np.log(mean_inverse))
    mean = (LIKELIHOOD[10] + 2 * LIKELIHOOD[0] + 7 * LIKELIHOOD[2]) / 10
    assert log_evidence(errors, M, Q, "prior") == pytest.approx(np.log(mean))
