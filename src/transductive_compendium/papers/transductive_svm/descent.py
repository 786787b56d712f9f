"""The objective along the two loops of the greedy algorithm.

Joachims (1999), as taught in LING 572: Algorithm TSVM, Loop 1 and Loop 2.
"""

import numpy as np

from transductive.margin.label_switching import JointSVM, switch_labels

from ...runner import Parameter, crossed, experiment
from .small_samples import N_TRAIN, SETS, random_sample
from .widest_margin import KKT_TOLERANCE

N_WORKING = 200


class CountingSVM(JointSVM):
    """`JointSVM` that counts the pairs that may switch; Loop 2 undoes switches without a gain."""

    n_found = 0

    def pairs_to_switch(self, slacks=None):
        """As in `JointSVM`."""
        pairs = super().pairs_to_switch(slacks)
        self.n_found += bool(pairs.size)
        return pairs


def positives(signs, history):
    """Number of positive labels at each solution, from the last labels back through the switches.

    Parameters
    ----------
    signs : ndarray of shape (m,)
        The labels that are returned.
    history : structured ndarray
        Of `SwitchedLabels`.

    Returns
    -------
    list of int
    """
    signs, found = signs.copy(), []
    for step in history[::-1]:
        found.append(int((signs > 0).sum()))
        if step["switch"]:
            signs[step["positive"]], signs[step["negative"]] = 1.0, -1.0
    return found[::-1]


@experiment(
    "transductive_svm/descent",
    version=3,
    page="greedy",
    title="The objective along Loop 1 and Loop 2 of Algorithm TSVM",
    datasets=SETS,
    parameters={"C_star": Parameter(1.0, float, "C of the working points", exclusive_minimum=0)},
    units=crossed("dataset", "draw", draw={"smoke": 1, "paper": 20, "full": 100}, dataset=SETS),
    agreement={"switched_objective": 1e-3, "objective": 1e-3},
)
def solutions_of_the_loops(key, params, data, rng):
    """Costs and objective, a row for each solution along the loops."""
    gram, labels = random_sample(key["dataset"], N_TRAIN + N_WORKING, data, rng)
    y = labels[:N_TRAIN]
    num_plus = int(np.floor(N_WORKING * np.mean(y > 0) + 0.5))
    svm = CountingSVM(gram, gram.diagonal().copy(), y, 1.0, True, KKT_TOLERANCE)
    found = switch_labels(svm, params["C_star"], num_plus, "slides")
    history = found.history
    fit = {
        "switch_possible": int(svm.pair_to_switch() is not None),
        "num_plus": num_plus,
        "taken_back": svm.n_found - int(history["switch"].sum()),
    }
    columns = ("C_minus", "C_plus", "switch", "switched_objective", "objective")
    return [
        {"solution": i} | fit | {"positive": positive} | {name: step[name] for name in columns}
        for i, (step, positive) in enumerate(
            zip(history, positives(found.signs, history), strict=True)
        )
    ]
