"""The objective along the two loops of the greedy algorithm.

Joachims (1999), as taught in LING 572: Algorithm TSVM, Loop 1 and Loop 2.
"""

from transductive.margin import TransductiveSVC

from ...runner import Parameter, crossed, experiment
from .small_samples import N_TRAIN, SETS, random_sample
from .widest_margin import KKT_TOLERANCE

N_WORKING = 200


@experiment(
    "transductive_svm/descent",
    version=2,
    title="The objective along Loop 1 and Loop 2 of Algorithm TSVM",
    datasets=SETS,
    parameters={"C_star": Parameter(1.0, float, "C of the working points", exclusive_minimum=0)},
    units=crossed("dataset", "draw", draw={"smoke": 1, "paper": 20, "full": 100}, dataset=SETS),
    agreement={"switched_objective": 1e-3, "objective": 1e-3},
)
def run_unit(key, params, data, rng):
    """Costs and objective of each solution."""
    l = N_TRAIN
    gram, labels = random_sample(key["dataset"], l + N_WORKING, data, rng)
    as_printed = {"C_star": params["C_star"], "first_costs": "slides"}
    svm = TransductiveSVC(**as_printed, kernel="precomputed", tol=KKT_TOLERANCE)
    svm.fit(gram[:l], labels[:l], gram[l:])
    columns = ("C_minus", "C_plus", "switch", "switched_objective", "objective")
    positive, found = svm.n_positive_, int((svm.transduction_ > 0).sum())
    return [
        {
            "solution": i,
            "switch_possible": int(svm.switch_possible_),
            "num_plus": positive,
            "positive": found,
        }
        | {name: step[name] for name in columns}
        for i, step in enumerate(svm.history_)
    ]
