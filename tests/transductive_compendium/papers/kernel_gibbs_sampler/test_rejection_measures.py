"""Rejection of the closest votes: what the measures make of rows."""

from functools import partial

import numpy as np
import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.kernel_gibbs_sampler import rejection_measures as measures
from transductive_compendium.rejection_curves import TEST_TRAIN
from transductive_compendium.verdicts.rules import NOT_REPRODUCED

concat = partial(pd.concat, ignore_index=True)


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


def test_rejection_reduces_only_if_the_closest_votes_err():
    def evidence(closest):
        return measures.rejection_reduces(frames(rejection(closest)), "heart", 0.3)

    good = evidence(True)
    np.testing.assert_allclose(good.differences, 100.0)  # the split without errors is left out
    assert len(good.differences) == 5
    assert good.test_train_ratio == TEST_TRAIN
    bad = evidence(False)
    np.testing.assert_allclose(bad.differences, 100 * (1 - 1 / 0.7))
    assert outcome_of(bad) == NOT_REPRODUCED


def test_rejection_takes_the_rows_of_its_q_and_data():
    rows = rejection(True)
    other = concat([rows, rejection(False).assign(q=0.2), rejection(False).assign(dataset="x")])
    evidence = measures.rejection_reduces(frames(other), "heart", 0.3)
    np.testing.assert_allclose(evidence.differences, 100.0)


def test_a_single_version_space_is_noticed():
    rows = rejection(True)
    assert measures.no_version_space(frames(rows)).holds
    rows.loc[rows["split"] == 2, "empty"] = False
    assert not measures.no_version_space(frames(rows)).holds


def test_svm_is_compared_at_equal_rejection():
    many = measures.votes_against_margins(frames(rejection(True, svm_errors=12)), "heart")
    assert (np.asarray(many.differences) > 0).all()
    none = measures.votes_against_margins(frames(rejection(False, svm_errors=-3)), "heart")
    assert np.mean(none.differences) < 0


def test_bayes_point_outcomes_are_its_own():
    o = measures.bayes_point_outcomes(rejection(True))
    np.testing.assert_array_equal(o.wrong, o.wrong_svm)
    np.testing.assert_allclose(o.margin, 0.1)
