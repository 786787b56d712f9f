"""Figures 2a and 2b: p+ and the SVM's output at every test point of the recorded splits.

Graepel et al. (2000), section 4. p+ is `Flown.time_ratio` in printed_billiard.py, steps 1 to 3 as
printed; converged, it is that of the library's refreshed billiard.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import lsq_linear
from sklearn.svm import SVC

from transductive.version_space import FeatureSpan
from transductive.version_space.start import max_margin_point

from ...runner import Parameter, crossed, experiment
from ...runner.companions import options
from .printed_billiard import Flown, play
from .splits import N_SPLITS, SIGMA, converged_p_plus, split_of

#: Costs of the soft margins without a threshold, by option of the open choice `svm`.
COSTS = {"soft_1000": 1000.0, "soft_10": 10.0, "soft_1": 1.0}
#: p+ of a run of the billiard, by option of the open choice `estimator`.
ESTIMATORS = {"time_ratio": Flown.time_ratio, "mean_of_fractions": Flown.mean_of_fractions}


def svm_outputs(split, svm):
    """Outputs f at the test points, of the SVM that is compared with."""
    gram, cross = split.gram, split.cross
    if svm == "hard":
        return cross.T @ max_margin_point(FeatureSpan(gram), len(gram))
    if svm == "hard_bias":
        unsigned = gram * np.outer(split.signs, split.signs)
        classifier = SVC(kernel="precomputed", C=1e6, tol=1e-6).fit(unsigned, split.signs)
        return classifier.decision_function((cross * split.signs[:, None]).T)
    # min a'Ka / 2 - sum a over 0 <= a <= C, as least squares
    lower = np.linalg.cholesky(gram + 1e-12 * np.eye(len(gram)))
    aim = solve_triangular(lower, np.ones(len(gram)), lower=True)
    found = lsq_linear(lower.T, aim, bounds=(0.0, COSTS[svm]), method="bvls", max_iter=5000)
    return cross.T @ found.x


def printed_p_plus(split, params, rng):
    """p+ of the test points by steps 1 to 3."""
    names = ("start", "n_bounces", "flight", "direction")
    flown = play(split.gram, split.cross, rng, **{name: params[name] for name in names})
    return np.clip(ESTIMATORS[params["estimator"]](flown), 0.0, 1.0)


#: p+ of the test points, by option of the open choice `convergence`.
P_PLUS = {
    "printed": printed_p_plus,
    "converged": lambda split, params, rng: converged_p_plus(split, rng),
}


def both_methods_on_a_split(dataset, key, params, data, rng):
    """A row for each test point: label, p+, output of the SVM."""
    of_data = {name: params[name] for name in OPEN_OF_DATA[dataset]}
    split = split_of(data[dataset], key["split"], params["sigma"], **of_data)
    p_plus = P_PLUS[params["convergence"]](split, params, rng)
    outputs = svm_outputs(split, params["svm"])
    return [
        {"point": int(i), "label": int(y), "p_plus": float(p), "f": float(f)}
        for i, y, p, f in zip(split.test, split.truth, p_plus, outputs, strict=True)
    ]


OPEN_OF_DATA = {
    "thyroid": ("scaling", "statistics", "thyroid_class"),
    "heart": ("scaling", "statistics", "categories"),
}
#: Choices that came after the records of the others.
APART = {"thyroid": ("statistics",), "heart": ("statistics", "categories")}
OPEN_OF_METHODS = ("svm", "start", "direction", "flight", "n_bounces", "estimator", "convergence")

for _item, _dataset in (("figure_2a", "thyroid"), ("figure_2b", "heart")):
    experiment(
        f"bayesian_transduction/{_item}",
        version=3,
        title=f"Generalisation error against rejection rate on {_dataset}",
        page="figure_2",
        datasets=(_dataset,),
        open_choices=(*OPEN_OF_DATA[_dataset], *OPEN_OF_METHODS),
        parameters={
            "sigma": Parameter(
                SIGMA[_dataset], float, "width of the RBF kernel, in scaled features", minimum=1e-6
            ),
            "n_bounces": Parameter(1000, int, "bounces of the ball", minimum=1),
        },
        units=crossed(split={"smoke": 4, "paper": 4 * N_SPLITS, "full": 1000}),
        agreement={"p_plus": "chaotic", "f": 1e-5},
    )(partial(both_methods_on_a_split, _dataset))
    options(
        f"bayesian_transduction/{_item}",
        keep=lambda key: key["choice"] == "convergence" or key["split"] < N_SPLITS,
        apart=APART[_dataset],
    )
