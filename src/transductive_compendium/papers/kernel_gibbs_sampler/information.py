"""Entropy of a candidate's label, and the information that the label gives.

Graepel and Herbrich (2001), section 4 (active learning). Every replication has its own training
set, candidates and test points; the seed affects only the sampler.
"""

import numpy as np

from transductive.version_space import GibbsChains
from transductive.version_space.active_learning import binary_entropy

from ...datasets.generators import flip_labels
from ...exact.arrangement import Arrangement
from ...runner import Parameter, experiment
from .chains import chain_seed
from .query_learners import N_TEST, PROBLEMS, error_rate
from .sphere_points import labelled_points

N_CANDIDATES, N_BINS, N_PER_BIN = 100, 10, 3


def _differential_entropy(cells, q):
    """Entropy of w in bits, relative to the uniform law: the log volume if q = 0."""
    posterior = cells.posterior(q)
    inside = posterior > 0
    return float(posterior[inside] @ np.log2(cells.areas[inside] / posterior[inside]))


def _risk(votes, weights):
    """Expected error of the samples' weighted vote; votes (n, points), weights (..., n)."""
    positive = weights @ votes
    total = weights.sum(axis=-1, keepdims=True)
    return np.minimum(positive, total - positive).mean(axis=-1)


def _replications(params, profile):
    def keys(sizes, replications):
        return [
            {"replication": i, "m": m, "law": law, "flip_rate": flip_rate}
            for m in sizes
            for i in range(replications)
            for law in ("uniform", "beta")
            for flip_rate in (0.0, PROBLEMS[law])
        ]

    recorded = keys((10,), 60)
    return {"smoke": recorded[:8], "paper": recorded, "full": recorded + keys((5, 20, 40), 60)}[
        profile
    ]


@experiment(
    "kernel_gibbs_sampler/information",
    version=1,
    page="queries",
    title="Entropy of a candidate's label, and what the label then tells",
    parameters={"n_samples": Parameter(500, int, "samples of each of four chains", minimum=50)},
    units=_replications,
    agreement=dict.fromkeys(("entropy_sampled", "risk_drop"), "chaotic"),
)
def entropy_and_information(key, params, data, rng):
    """Entropy of the label and what the label tells, a row for each chosen candidate."""
    m, q = key["m"], key["flip_rate"]
    data_rng = np.random.default_rng([3, key["replication"]])
    X, truth = labelled_points(key["law"], m + N_CANDIDATES + N_TEST, data_rng, "middle")
    signed = flip_labels(truth[:m], q, data_rng)[:, None] * X[:m]
    pool, test = np.split(X[m:], [N_CANDIDATES])
    truth, truth_test = np.split(truth[m:], [N_CANDIDATES])

    # entropies are mostly near zero: a few candidates of each tenth of a bit
    cells = Arrangement(signed)
    p_plus = cells.probability_positive(q, pool)
    entropy = binary_entropy(np.clip(p_plus, 0.0, 1.0))
    order = data_rng.permutation(np.flatnonzero(entropy > 1e-6))
    tenth = np.minimum((entropy[order] * N_BINS).astype(int), N_BINS - 1)
    chosen = np.concatenate([order[tenth == b][:N_PER_BIN] for b in range(N_BINS)])

    chains = GibbsChains(signed, q, random_state=chain_seed(rng))
    samples = chains.run(params["n_samples"], thin=3, burn_in=150)
    outputs = samples.outputs(np.concatenate([pool[chosen], test]))
    votes = (outputs > 0).reshape(-1, len(chosen) + N_TEST).astype(float)
    on_chosen, on_test = np.split(votes, [len(chosen)], axis=1)
    # jointly with each label: samples that it contradicts count q, the others 1 - q
    agrees = np.stack([on_chosen.T == 0, on_chosen.T == 1], axis=1)
    risk_after = _risk(on_test, np.where(agrees, 1.0 - q, q) / len(votes)).sum(axis=1)
    risk_before = _risk(on_test, np.full(len(votes), 1.0 / len(votes)))

    before = _differential_entropy(cells, q)
    point = cells.bayes_point(q)
    error_before = error_rate(test @ point, truth_test)
    rows = []
    for j, i in enumerate(chosen):
        gain, error = np.empty(2), np.empty(2)
        for label in (0, 1):
            finer = Arrangement(np.vstack([signed, (2 * label - 1) * pool[i]]))
            gain[label] = before - _differential_entropy(finer, q)
            error[label] = error_rate(test @ finer.bayes_point(q), truth_test)
        # probabilities of the label: as the posterior expects it, and given the truth
        expected = q + (1.0 - 2.0 * q) * np.array([1.0 - p_plus[i], p_plus[i]])
        given_truth = np.where(np.array([-1, 1]) == truth[i], 1.0 - q, q)
        rows.append(
            {
                "p_plus": float(p_plus[i]),
                "entropy": float(entropy[i]),
                "entropy_sampled": float(binary_entropy(on_chosen[:, j].mean())),
                "margin": float(abs(pool[i] @ point)),
                "gain_expected": float(expected @ gain),
                "gain": float(given_truth @ gain),
                "risk_drop": float(risk_before - risk_after[j]),
                "error_drop": float(error_before - given_truth @ error),
            }
        )
    return rows
