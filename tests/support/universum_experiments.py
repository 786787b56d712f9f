"""Units and verdicts of the room of Inference with the Universum, for its tests."""

import numpy as np
import pandas as pd

from transductive_compendium.runner import get
from transductive_compendium.verdicts.rules import (
    REPRODUCED,
    decide_identity,
    decide_ordering,
    ordering_p,
)


def unit_rows(item, key, data=None, rng_seed=0, **params):
    """Rows of one unit, with the run's seed 0 and the parameters' defaults."""
    experiment = get(f"universum/{item}")
    defaults = {name: p.default for name, p in experiment.parameters.items()}
    rng = np.random.default_rng(rng_seed)
    return pd.DataFrame(experiment.run_unit(key, {"seed": 0} | defaults | params, data or {}, rng))


def ordered(evidence):
    """Outcome of an ordering."""
    return decide_ordering(evidence, ordering_p(evidence)).outcome


def same(evidence, tolerance=1e-6):
    """Whether an identity comes out."""
    return decide_identity(evidence, tolerance).outcome == REPRODUCED


def labelled_and_universum(flat, seed=0):
    """Labelled points, a universum of 30 points (on a plane through no origin), new points."""
    rng = np.random.default_rng(seed)
    X, new = rng.standard_normal((40, 8)), rng.standard_normal((25, 8))
    signs = np.where(X[:, 0] + X[:, 1] + 0.5 * rng.standard_normal(40) > 0, 1.0, -1.0)
    U = 0.3 + 0.7 * rng.standard_normal((30, 8))
    if flat:
        U = 0.3 + rng.standard_normal((30, 2)) @ rng.standard_normal((2, 8))
    return X, signs, U, new
