"""Entropy of a label, and what it then tells: what the measures make of rows."""

import numpy as np
import pandas as pd
import pytest
from paper_rooms import identity_holds

from transductive_compendium.papers.kernel_gibbs_sampler import information_measures as measures


def information(follow=1.0, n=25):
    """Rows in which the gain follows the entropy by so much, and the margin half of it."""
    rng = np.random.default_rng(1)
    rows = []
    for law in ("uniform", "beta"):
        for flip_rate in (0.0, 0.05):
            for i in range(n):
                p = rng.uniform(0.01, 0.5, 20)
                entropy = measures.as_expected(p, 0.0)
                noise = rng.standard_normal((3, 20))
                part = pd.DataFrame(
                    {
                        "p_plus": p,
                        "entropy": entropy,
                        "entropy_sampled": entropy + 0.02 * np.sin(noise[0]),
                        "margin": 1 - entropy + noise[1],
                        "gain": follow * entropy + 0.1 * noise[2],
                        "gain_expected": measures.as_expected(p, flip_rate),
                    }
                )
                rows.append(part.assign(law=law, flip_rate=flip_rate, m=10, replication=i))
    return pd.concat(rows, ignore_index=True)


def test_what_a_label_is_expected_to_tell():
    assert measures.as_expected(0.5, 0.0) == pytest.approx(1.0)
    assert measures.as_expected(0.0, 0.1) == pytest.approx(0.0)
    assert measures.as_expected([0.3], 0.5) == pytest.approx(0.0)
    assert np.all(np.diff(measures.as_expected(np.linspace(0, 0.5, 9), 0.05)) > 0)


def test_rank_correlations_sample_by_sample():
    frame = information()
    rho = measures.rank_correlations(frame, "entropy", "gain")
    assert rho.shape == (25, 4)
    one = frame[
        (frame["law"] == "beta") & (frame["flip_rate"] == 0.05) & (frame["replication"] == 3)
    ]
    assert rho.loc[3, ("beta", 0.05, 10)] == pytest.approx(
        one["entropy"].rank().corr(one["gain"].rank())
    )
    # the margin indicates by being small
    assert (measures.rank_correlations(frame, "margin", "entropy").mean() > 0.1).all()
    # an outcome that never moves is not indicated, and a few candidates say nothing
    frame.loc[one.index, "gain"] = 0.0
    assert measures.rank_correlations(frame, "entropy", "gain").loc[3, ("beta", 0.05, 10)] == 0.0
    fewer = measures.rank_correlations(frame.drop(one.index[3:]), "entropy", "gain")
    assert np.isnan(fewer.loc[3, ("beta", 0.05, 10)])


def test_the_largest_deviation_counts():
    frame = information()
    assert identity_holds(measures.information_expected(frame), 1e-9)
    frame.loc[7, "gain_expected"] += 0.05
    assert not identity_holds(measures.information_expected(frame), 0.02)
