"""Ranks of each chain's samples among all: one example that mixed, and one that did not.

Graepel and Herbrich (2001), section 1.
"""

import numpy as np
from scipy.stats import rankdata

from transductive.version_space.mixing import mixing

from ...runner import crossed, experiment
from .teacher_chains import FROM_PRIOR, teacher_chains

N_BINS = 20
#: Number of points, dimension, assumed noise, steps from sample to sample.
EXAMPLES = {"mixed": (1000, 10, 0.2, 50), "not mixed": (1000, 100, 0.1, 50)}


@experiment(
    "kernel_gibbs_sampler/rank_plots",
    version=1,
    title="Ranks of each chain's samples among all: one that has mixed, one that has not",
    units=crossed(example=EXAMPLES, smoke=1),
    agreement=dict.fromkeys(("count", "r_hat", "ess"), "chaotic"),
)
def histograms_of_ranks(key, params, data, rng):
    """Counts of ranks, a row for each quantity, chain and bin."""
    m, r, q, thin = EXAMPLES[key["example"]]
    chains, test = teacher_chains(m, r, q, rng)
    samples = chains.run(1000, thin=thin, burn_in=1000 * thin)
    rows = []
    for quantity, values in (
        ("training errors", samples.expected_errors),
        ("output", samples.outputs(test[:1])[..., 0]),
    ):
        found = mixing(values[..., None])
        ranks = (rankdata(values) - 0.5) / values.size
        for chain, own in enumerate(ranks.reshape(values.shape)):
            counts = np.histogram(own, bins=N_BINS, range=(0.0, 1.0))[0]
            rows += [
                {
                    "quantity": quantity,
                    "chain": chain,
                    "start": "prior" if chain < FROM_PRIOR.stop else "teacher",
                    "bin": b,
                    "count": int(count),
                    "r_hat": found.worst_r_hat,
                    "ess": found.least_ess,
                }
                for b, count in enumerate(counts)
            ]
    return rows
