"""Rejection of the closest votes: what the measures make of rows."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import rejection_measures as measures


def frames(rows):
    return {"kernel_gibbs_sampler/rejection": rows}


def rejection(closest_are_wrong, svm_errors=2, n=20, splits=6, errors=4):
    """Splits with `errors` wrong votes, the closest or the clearest; the last split has none."""
    rows = []
    for split in range(splits):
        confidence = np.linspace(0.1, 0.9, n)
        wrong = np.zeros(n, dtype=bool)
        if split < splits - 1:
            few = errors - split % 2
            wrong[:few] = True
            if not closest_are_wrong:
                wrong = wrong[::-1]
        label = np.where(np.arange(n) % 2, -1, 1)
        svm = np.where(np.arange(n) < svm_errors + split % 3, -1.0, 1.0) * label
        for i in range(n):
            vote = label[i] * (-1 if wrong[i] else 1)
            rows.append(
                {
                    "dataset": "heart",
                    "split": split,
                    "q": 0.1,
                    "empty": True,
                    "label": label[i],
                    "p_plus": 0.5 + 0.5 * vote * confidence[i],
                    "f": svm[i] * (1.0 + 0.01 * i),
                    "bayes_point": vote * 0.1,
                }
            )
    return pd.DataFrame(rows)


def test_svm_is_compared_at_equal_rejection():
    many = measures.votes_against_margins(frames(rejection(True, svm_errors=12)), "heart")
    assert (many.gaps > 0).all()
    none = measures.votes_against_margins(frames(rejection(False, svm_errors=-3)), "heart")
    assert none.estimate[0] < 0


def test_bayes_point_outcomes_are_its_own():
    o = measures.bayes_point_outcomes(rejection(True))
    np.testing.assert_array_equal(o.wrong, o.wrong_svm)
    np.testing.assert_allclose(o.margin, 0.1)
