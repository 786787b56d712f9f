"""Made-up rows of the experiment on WinMac, by which the measures of text are tested."""

import numpy as np
import pandas as pd

from transductive_compendium.papers.universum.text_design import CONDITIONS

NOISE = 0.002 * np.random.default_rng(0).standard_normal((3, 25))
ERROR = {"svm": 0.2, "vectors": 0.2, "unit length": 0.1}


def frames():
    """Errors of `ERROR`, all 0.2 in balanced splits; by chance on the test set 0.05 less."""
    rows = [
        {"features": features, "drawn": drawn, "n_train": n, "draw": draw, "method": method}
        | {"error": error, "error_oracle": error - 0.05, "error_cv": error, "error_default": error}
        | {"n_pool": 1946, "moved": moved, "off_margin": 0.5 if n == 50 else 5e-5}
        for features, drawn in CONDITIONS
        for n in (10, 50)
        for draw in range(25)
        for i, method in enumerate(ERROR)
        for error in [(0.2 if drawn == "balanced" else ERROR[method]) + NOISE[i, draw]]
        for moved in [0.7 if n == 50 or method == "unit length" else 1e-5]
    ]
    return {"universum/winmac": pd.DataFrame(rows)}
