"""The finitely many classes of functions on training and test points, counted.

Joachims (1999), as taught in LING 572: "Advantage of transductive learning", the equivalence
classes of the functions.
"""

from itertools import product

import numpy as np

from transductive.margin import TransductiveSVC

from ...exact.labellings import cells, cover_number
from ...exact.volumes import is_empty, unit_rows
from ...runner import experiment
from .widest_margin import KKT_TOLERANCE, classes_left, homogeneous, widest

N_TRAIN = 4
#: Random functions, which find classes one by one.
N_FUNCTIONS = 20_000


@experiment(
    "transductive_svm/equivalence_classes",
    version=1,
    title="The finitely many classes of functions on training and test points, counted",
    units=lambda params, profile: [
        {"dimension": d, "working": m, "draw": i}
        for i in range({"smoke": 1, "paper": 10, "full": 50}[profile])
        for m in ((1, 2, 4) if profile == "smoke" else (1, 2, 4, 6, 8))
        for d in (1, 2, 3)
    ],
    agreement={"margin": 1e-4, "margin_exhaustive": 1e-4},
)
def numbers_of_classes(key, params, data, rng):
    """Numbers of classes on a random problem and the margin of the widest, in one row."""
    l, m, d = N_TRAIN, key["working"], key["dimension"]
    y = np.ones(l)
    while abs(y.sum()) == l:
        Z, teacher = rng.standard_normal((l + m, d)), rng.standard_normal(d + 1)
        y = np.where(homogeneous(Z[:l]) @ teacher > 0, 1.0, -1.0)
    X, X_working = Z[:l], Z[l:]
    signs = cells(homogeneous(Z))
    _, per_training = np.unique(signs[:, :l], axis=0, return_counts=True)
    functions = rng.standard_normal((d + 1, N_FUNCTIONS))
    drawn = np.unique((homogeneous(Z) @ functions > 0).T, axis=0)
    # three counts of what the training labels leave: from the cells, one linear programme for
    # each labelling, and one of both that the transductive SVM has to choose from
    left = classes_left(X, y, X_working)
    rows = unit_rows(homogeneous(Z))
    separable = sum(
        not is_empty(rows * np.array([*y, *labels])[:, None])
        for labels in product((-1.0, 1.0), repeat=m)
    )
    exhaustive = TransductiveSVC(
        np.inf, np.inf, kernel="linear", n_positive="any", exhaustive=True, tol=KKT_TOLERANCE
    ).fit(X, y, X_working)
    labels, line = widest(X, y, X_working, left) if d < 3 else (exhaustive.transduction_, None)
    return [
        {
            "classes": len(signs),
            "cover": cover_number(l + m, d + 1),
            "drawn": len(drawn),
            "labellings": 2 ** (l + m),
            "left": len(left),
            "left_mean": per_training.mean(),
            "left_cover": cover_number(l + m, d + 1) / cover_number(l, d + 1),
            "separable": int(separable),
            "margin": line.margin if line else np.nan,
            "margin_exhaustive": 1.0 / np.sqrt(2.0 * exhaustive.objective_),
            "same_labels": int((labels == exhaustive.transduction_).all()),
        }
    ]
