"""Figures 2a and 2b: p+ and the SVM's output at every test point of the recorded splits.

Graepel et al. (2000), section 4.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ...companions import groups, options
from ...runner import Parameter, crossed, experiment
from .split_comparison import N_SPLITS, SIGMA, Interpretation, compare_on_split

PARAMETERS = {
    "sigma": Parameter(3.0, float, "width of the RBF kernel, in scaled features", minimum=1e-6),
    "scaling": Parameter(
        "standardised",
        str,
        "feature scaling",
        choices=(
            "standardised",
            "standardised on the training part",
            "range 0 to 1",
            "range -1 to 1",
            "none",
        ),
    ),
    "start": Parameter(
        "max_margin",
        str,
        "first point of the ball",
        choices=("max_margin", "unit_margins", "perceptron"),
    ),
    "svm": Parameter(
        "hard margin, no bias",
        str,
        "the support vector machine compared with",
        choices=(
            "hard margin, no bias",
            "hard margin",
            "no bias, C = 1000",
            "C = 100",
            "C = 10",
            "C = 1",
        ),
    ),
    "n_bounces": Parameter(1000, int, "bounces of the ball", minimum=1),
    "velocity": Parameter(
        "uniform coefficients",
        str,
        "law of the first direction, and of those after escapes",
        choices=("uniform coefficients", "coefficients", "isotropic"),
    ),
    "flight": Parameter(
        "as printed",
        str,
        "direction kept straight, transported along great circles, or the library's billiard",
        choices=("as printed", "great circles", "geodesic"),
    ),
    "estimator": Parameter(
        "time ratio", str, "estimator of p+", choices=("time ratio", "mean of fractions")
    ),
    "refresh": Parameter(
        0.0, float, "mean arc between refreshes of the velocity; 0: never", minimum=0.0
    ),
    "positive_class": Parameter("", str, "class of label +1; empty: that of the data set"),
}


def _run_figure_2(dataset, key, params, data, rng):
    table = data[dataset]
    if params["positive_class"]:
        table = table.with_positive_class(params["positive_class"])
    interpretation = Interpretation(**{name: params[name] for name in PARAMETERS})
    c = compare_on_split(table.X, table.y, key["split"], interpretation, rng)
    return [
        {
            "point": int(i),
            "label": int(table.y[i]),
            "p_plus": float(p),
            "f": float(o),
            "bayes_point": int(np.where(b >= 0, 1, -1)),
        }
        for i, p, o, b in zip(c.test, c.p_plus, c.f, c.bayes_point, strict=True)
    ]


OPTIONS = {
    "scaling": {"raw": {"scaling": "none"}},
    "thyroid_class": {"hyper": {"positive_class": "hyper"}, "hypo": {"positive_class": "hypo"}},
    "svm": {"hard_bias": {"svm": "hard margin"}, "soft_1000": {"svm": "no bias, C = 1000"}},
    "start": {"perceptron": {"start": "perceptron"}},
    "direction": {"isotropic": {"velocity": "isotropic"}},
    "flight": {"great_circles": {"flight": "great circles"}},
    "n_bounces": {"n922": {"n_bounces": 922}},
    "estimator": {"mean_of_fractions": {"estimator": "mean of fractions"}},
}


for _item, _dataset in (("figure_2a", "thyroid"), ("figure_2b", "heart")):
    experiment(
        f"bayesian_transduction/{_item}",
        version=2,
        title=f"Generalisation error against rejection rate on {_dataset}",
        datasets=(_dataset,),
        parameters=PARAMETERS | {"sigma": replace(PARAMETERS["sigma"], default=SIGMA[_dataset])},
        units=crossed(split={"smoke": 4, "paper": 4 * N_SPLITS, "full": 1000}),
        agreement={"p_plus": "chaotic", "f": 1e-5, "bayes_point": "chaotic"},
    )(partial(_run_figure_2, _dataset))
    options(
        f"bayesian_transduction/{_item}",
        {k: o for k, o in OPTIONS.items() if _dataset == "thyroid" or k != "thyroid_class"},
        keep=lambda key: key["split"] < N_SPLITS,
    )
    groups(f"bayesian_transduction/{_item}", keep=lambda key: key["split"] < 50)
