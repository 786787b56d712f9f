"""Models chosen by the evidence: rows of one unit."""

import numpy as np

from transductive_compendium.papers.kernel_gibbs_sampler.model_selection import (
    NOISE_LEVELS,
    WIDTHS,
    evidence_and_error_over_grid,
)


def test_evidence_knows_flipped_labels_and_absurd_widths():
    """Six of sixty labels flipped: nats for one in ten against one in a hundred or none."""
    key = {"split": 0, "flip_rate": 0.1, "dataset": "crescents"}
    rows = evidence_and_error_over_grid(
        key, {"n_samples": 40, "thin": 10}, {}, np.random.default_rng(0)
    )
    assert len(rows) == len(WIDTHS["crescents"]) * len(NOISE_LEVELS)
    value = {(row["sigma"], row["q"]): row["log_evidence"] for row in rows}
    assert value[1.0, 0.1] > value[1.0, 0.01] + 2
    assert value[1.0, 0.1] > value[1.0, 0.3] + 2
    assert value[1.0, 0.1] > value[8.0, 0.1] + 2
    assert all(0.0 <= row["test_error"] < 0.5 for row in rows)
    # the same flips at whatever the sampler's seed
    good = [row["test_error"] for row in rows if (row["sigma"], row["q"]) == (1.0, 0.1)]
    assert good[0] < 0.12
