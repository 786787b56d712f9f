"""Figure 4 under every interpretation of the angles: what the measure makes of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import angles_measures as measures


def rows(interpretation, svm, bpm, positive=0.1):
    """Sets on which both methods have these errors, whatever q or lambda."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {
                "set": i,
                "value": value,
                "reading": interpretation,
                "positive": positive,
                "svm_true_error": svm + 0.002 * rng.standard_normal(),
                "bpm_true_error": bpm + 0.002 * rng.standard_normal() if value < 0.5 else np.nan,
            }
            for i in range(40)
            for value in (0.01, 0.05, 0.45, 10.0)
        ]
    )


def test_each_interpretation_with_two_classes_counts():
    name = "kernel_gibbs_sampler/angles"
    good, bad = rows("good", 0.07, 0.06), rows("bad", 0.06, 0.07)
    single = rows("single", 0.06, 0.07, positive=0.0)
    evidence = measures.angles_below({name: pd.concat([good, single])})
    assert evidence.holds and "single: one class" in evidence.detail
    assert not measures.angles_below({name: pd.concat([good, bad])}).holds
    assert not measures.angles_below({name: single}).holds  # nothing was compared
