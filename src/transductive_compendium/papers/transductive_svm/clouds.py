"""Random versions of the slides' picture, with and without a gap between the clouds.

Joachims (1999), as taught in LING 572: "Advantage of transductive learning".
"""

import numpy as np

from ...runner import crossed, experiment
from .two_clouds import GAPS, N_LABELLED, lines_by_method, two_clouds


@experiment(
    "transductive_svm/clouds",
    version=1,
    page="toy",
    title="Random toy pictures, with and without a gap between the clouds",
    units=crossed("gap", "draw", draw={"smoke": 1, "paper": 100, "full": 500}, gap=GAPS),
    agreement={"margin_training": 1e-4, "margin_joint": 1e-4},
)
def wrong_points_by_method(key, params, data, rng):
    """Margins and wrong labels, a row for each method."""
    Z, truth = two_clouds(key["gap"], rng)
    l = 2 * N_LABELLED
    X, y, X_working = Z[:l], truth[:l], Z[l:]
    lines, n_classes = lines_by_method(X, y, X_working)
    rows = []
    for method, (labels, line) in lines.items():
        own = np.concatenate([y, labels]) * line.values(Z) / np.linalg.norm(line.w)
        rows.append(
            {
                "method": method,
                "margin_training": own[:l].min(),
                "margin_joint": own.min(),
                "separates": int(own.min() > 0),
                "wrong": int((labels != truth[l:]).sum()),
                "positive": int((labels > 0).sum()),
                "classes": n_classes,
            }
        )
    return rows
