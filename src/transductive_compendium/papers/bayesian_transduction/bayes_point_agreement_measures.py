"""Evidence for the claims on the Bayes point, and on the version spaces of the splits."""

from __future__ import annotations

from ...rejection_curves import TEST_TRAIN
from ...verdicts.claims import measure
from ...verdicts.rules import OrderingEvidence, ShapeEvidence


@measure
def bayes_point_approximates(frames):
    """Labels on which the Bayes point agrees with the vote, less those on which the SVM does."""
    frame = frames["bayesian_transduction/bayes_point"]
    gap = (frame["bayes_point_agrees"] - frame["svm_agrees"]).groupby(frame["split"]).mean()
    return OrderingEvidence(differences=100.0 * gap.to_numpy(), test_train_ratio=TEST_TRAIN)


@measure
def version_space_exists(frames):
    """Whether every training sample leaves room for a ball in version space."""
    frame = frames["bayesian_transduction/bayes_point"]
    smallest = frame.groupby("dataset")["radius"].agg(["size", "min"])
    return ShapeEvidence(
        bool((frame["radius"] > 0).all()),
        "; ".join(
            f"{name}: {row['size']:.0f} splits, smallest radius of the largest ball "
            f"{row['min']:.2g}"
            for name, row in smallest.iterrows()
        ),
    )
