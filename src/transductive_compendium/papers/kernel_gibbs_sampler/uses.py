"""Section 4 on the sets of figure 4: votes, rejection, Bayes point and SVM, with noise and without.

Graepel and Herbrich (2001), sections 1 and 4. The paper publishes no experiment for these
statements. Errors are counted on the classes that w* assigns.
"""

import numpy as np

from ...datasets.generators import flip_labels
from ...runner import crossed, experiment
from ...runner.companions import options
from .first_states import bayes_point
from .flipped_sphere import CHAIN, DECADES, FLIP_RATE, N_SETS, FlippedSphere, angle_between

REJECTED = 0.2
#: Draws of points that double precision does not separate, after which there is no SVM.
ATTEMPTS = 3
_EMPTY = {"level": 0.0, "error": np.nan, "apart": np.nan, "angle": np.nan, "points": 0, "right": 0}


def kept_error(majority, wrong):
    """Expected error when the fifth of smallest majority is rejected, ties at random."""
    order = np.argsort(majority, kind="stable")
    n = round(REJECTED * len(order))
    last = majority[order[n - 1]]
    tied, below = majority == last, majority < last
    rejected = wrong[below].sum() + (n - below.sum()) * wrong[tied].mean()
    return float((wrong.sum() - rejected) / (len(order) - n))


def _separable(angles, rng):
    for _ in range(ATTEMPTS):
        sphere = FlippedSphere(angles, 0.0, rng)
        if sphere.soft_margin(0.0) is not None:
            break
    else:
        return sphere, False
    return sphere, True


@experiment(
    "kernel_gibbs_sampler/uses",
    version=1,
    title="Votes, rejection, Bayes point and SVM on the sets of figure 4, with noise and without",
    parameters=CHAIN,
    open_choices=("angles", "bias", "samples", "start", "direction", "q_zero"),
    units=crossed(set=N_SETS, flip_rate=(FLIP_RATE, 0.0)),
    agreement=dict.fromkeys(("level", "error", "apart", "angle", "points", "right"), "chaotic"),
)
def votes_points_and_svms(key, params, data, rng):
    """Errors and angles, a row for each kind of classifier, and the votes by their majority."""
    q = key["flip_rate"]
    # both rates of flips see the same points
    points_rng = np.random.default_rng([params["seed"], 4, key["set"]])
    sphere, separable = _separable(params["angles"], points_rng)
    if q == 0.0 and not separable:
        return [{"kind": kind} | _EMPTY for kind in ("vote", "kept", "point", "sample", "svm")]
    sphere.y = flip_labels(sphere.truth, q, points_rng)
    samples = sphere.samples(q, params, rng)
    point, other = bayes_point(samples), sphere.bayes_point(q, params, rng)
    positive = (sphere.X_test @ samples.T > 0).mean(axis=1)
    vote = np.where(positive >= 0.5, 1, -1)
    wrong = vote != sphere.truth_test
    majority = np.maximum(positive, 1.0 - positive)

    def row(kind, **values):
        return {"kind": kind} | _EMPTY | values

    by_point = sphere.decisions(point)
    rows = [
        row("vote", error=float(wrong.mean())),
        row("kept", level=REJECTED, error=kept_error(majority, wrong)),
        row(
            "point",
            error=sphere.errors(point)[1],
            apart=float(np.mean(by_point != vote)),
            angle=angle_between(point, other),
        ),
        row("sample", angle=float(np.mean([angle_between(point, w) for w in samples]))),
    ]
    for penalty in DECADES if q else (0.0,):
        w, threshold = sphere.svm(penalty, params)
        rows.append(
            row(
                "svm",
                level=penalty,
                error=sphere.errors(w, threshold)[1],
                apart=float(np.mean(sphere.decisions(w, threshold) != vote)),
                angle=angle_between(point, w),
            )
        )
    levels, index = np.unique(np.round(majority, 4), return_inverse=True)
    counts, right = np.bincount(index), np.bincount(index, ~wrong)
    rows += [
        row("majority", level=float(level), points=int(n), right=int(k))
        for level, n, k in zip(levels, counts, right, strict=True)
    ]
    return rows


options("kernel_gibbs_sampler/uses", keep=lambda key: key["set"] < 100)
