"""What the tests of all papers' rooms need: the rows of a unit, the outcome of an evidence."""

import numpy as np
import pandas as pd

from transductive_compendium.runner import get
from transductive_compendium.verdicts.rules import decide_repeats


def unit_rows(name, key, data=None, seed=0, **params):
    """Rows of one unit; `seed` is that of its generator, the run's is 0.

    Parameters that are not given are the experiment's defaults; of `data`, it gets its own.
    """
    experiment = get(name)
    params = {"seed": 0} | {n: p.default for n, p in experiment.parameters.items()} | params
    data = {name: data[name] for name in experiment.datasets if name in (data or {})}
    return pd.DataFrame(experiment.run_unit(key, params, data, np.random.default_rng(seed)))


def outcome_of(evidence, m=100, gain=None, margin=None):
    """Outcome of an ordering, or with a margin of an equivalence."""
    return decide_repeats(evidence, m, gain, margin, equivalence=margin is not None).outcome
