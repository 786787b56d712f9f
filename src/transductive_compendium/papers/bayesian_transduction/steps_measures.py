"""Evidence for the steps of the algorithm, its cost, and the centre of the largest ball."""

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics
from .steps import DIRECTIONS


@measure("bayesian_transduction/steps")
def steps_largest_error(rows, column):
    """Largest error of an identity over all samples."""
    return Mathematics(float(rows[column].abs().max()))


@measure("bayesian_transduction/steps")
def steps_always_true(rows, column, below=None):
    """Number of cases in which a proposition is true, or a deviation is below a bound."""
    found = rows[column]
    if below is not None:
        # missing: a sample with too few draws to compare
        found = found.dropna()
    true = found == 1 if below is None else found.abs() <= below
    if column == "votes_of_no_function":
        return Mathematics(true=int(true.all()), cases=1, shown="one example, three points")
    each = DIRECTIONS if column == "sorted_alike" else 1
    return Mathematics(true=each * int(true.sum()), cases=each * len(found))


@measure("bayesian_transduction/identities")
def largest_ball(frame):
    """Largest excess of another ball's radius over the SVM's, and of the optimality conditions."""
    excess = (frame["best_rival"] - frame["radius"]).clip(lower=0.0).max()
    return Mathematics(float(max(excess, frame["certificate"].max(), 0.0)))


@measure("bayesian_transduction/cost")
def cost_of_a_bounce(frame):
    """Log-log slopes of the counted multiplications: 2 in l, 1 in m, 1 in n, within 0.1."""
    training = frame[(frame["m"] == 0) & (frame["l"] >= 400)]
    working = frame[frame["m"] >= 100 * frame["l"]]

    def slope(rows, size):
        return float(np.polyfit(np.log(rows[size]), np.log(rows["multiplications"]), 1)[0])

    in_n = np.log2(frame["multiplications_20"] / (10.0 * frame["multiplications"])) - 1.0
    slopes = {
        "l": slope(training, "l") - 2.0,
        "m": slope(working, "m") - 1.0,
        "n": float(in_n.iloc[in_n.abs().argmax()]),
    }
    return Mathematics(
        true=sum(abs(off) <= 0.1 for off in slopes.values()),
        cases=3,
        shown=f"slopes {slopes['l'] + 2:.2f} in l, {slopes['m'] + 1:.2f} in m, "
        f"{slopes['n'] + 1:.2f} in n",
    )
