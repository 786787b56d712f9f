"""What the tests of several papers' rooms need: rows of a unit, outcome of an ordering."""

import numpy as np
import pandas as pd

from transductive_compendium.runner import get
from transductive_compendium.verdicts.rules import decide_ordering, ordering_p


def unit_rows(name, key, data=None, seed=0, **params):
    """Rows of one unit of an experiment, with its parameters at their defaults."""
    experiment = get(name)
    params = {"seed": 0} | {n: p.default for n, p in experiment.parameters.items()} | params
    return pd.DataFrame(experiment.run_unit(key, params, data, np.random.default_rng(seed)))


def ordered(evidence, tolerance=None):
    """Outcome of an ordering that is judged alone."""
    return decide_ordering(evidence, ordering_p(evidence), tolerance).outcome
