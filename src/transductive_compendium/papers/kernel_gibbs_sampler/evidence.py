"""Evidence: is the estimate right, does it choose kernel and noise, does the margin measure it?

The Kernel Gibbs Sampler, section 4 (evidence estimation for model selection). Samples and flips
belong to the unit's key; the seed moves the sampler alone.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from transductive._exact.arrangement import Arrangement
from transductive._exact.volumes import cone_volume
from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import (
    EmptyVersionSpaceError,
    FeatureSpan,
    GibbsChains,
    IllConditionedError,
    WhitenedPoints,
)
from transductive.version_space.evidence import estimate_evidence
from transductive.version_space.start import max_margin_point

from ...datasets.generators import separable_sphere
from ...datasets.recorded_splits import partition, scaled
from ...runner.declaration import Experiment, UnitMean, crossed, register
from ...runner.parameters import Parameter
from .votes import crescents

# Tolerances of smoke runs are seven standard deviations of a unit's mean over seeds, as measured.
_N_SAMPLES = {"n_samples": Parameter(150, int, "samples of each chain at each rung", minimum=8)}
_THIN = {"thin": Parameter(20, int, "steps from sample to sample", minimum=1)}


def _evidence(points, q, rng, **options):
    """Estimate; R-hat is recorded beside the result, not warned of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimate_evidence(points, q, random_state=_seed(rng), **options)


def _seed(rng):
    return np.random.SeedSequence(rng.integers(2**63))


def _flipped(y, count, draw):
    """The labels, `count` of them flipped."""
    y = np.array(y, dtype=np.float64)
    y[draw.permutation(len(y))[:count]] *= -1.0
    return y


# ---- the estimate against exact values ----------------------------------------------------------

EXACT_LEVELS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4)


def _run_exact(key, params, data, rng):
    draw = np.random.default_rng([3, key["sample"]])
    problem = separable_sphere(key["n_train"], 3, seed=draw)
    y = _flipped(problem.y, round(key["flip_rate"] * key["n_train"]), draw)
    points = problem.X * y[:, None]
    exact = Arrangement(points)
    found = _evidence(points, EXACT_LEVELS, rng, n_samples=params["n_samples"], thin=params["thin"])
    rows = []
    for i, q in enumerate(EXACT_LEVELS):
        truth, estimate = exact.log_evidence(q), found.log_evidence[i]
        # where version space is empty, both are minus infinity
        z = (estimate - truth) / found.error[i] if np.isfinite(truth) else np.nan
        rows.append(
            {
                "q": q,
                "empty": bool(truth == -np.inf),
                "exact": truth,
                "log_evidence": estimate,
                "error": found.error[i],
                "discretisation": found.discretisation[i],
                "z": z,
                "r_hat": found.r_hat[i],
                "rungs": len(found.ladder.beta),
            }
        )
    return rows


register(
    Experiment(
        name="kernel_gibbs_sampler/evidence_exact",
        version=1,
        title="Estimated log evidence against the exact one in R^3",
        parameters=_N_SAMPLES | {"thin": Parameter(5, int, _THIN["thin"].doc, minimum=1)},
        units=crossed(
            sample={"smoke": 1, "paper": 25, "full": 200}, n_train=(20, 60), flip_rate=(0.0, 0.1)
        ),
        run_unit=_run_exact,
        agreement={
            "log_evidence": UnitMean(0.25),
            "error": UnitMean(0.02),
            "discretisation": UnitMean(0.02),
            "z": "ignore",
            "r_hat": "ignore",
            "rungs": "ignore",
        },
    )
)


# ---- model selection ----------------------------------------------------------------------------

N_TRAIN = 60
WIDTHS = {
    "crescents": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "thyroid": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    "heart": (1.0, 2.0, 4.0, 8.0, 16.0, 32.0),
}
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
FLIP_RATES = (0.0, 0.05, 0.1, 0.2)


def _sample(dataset, number, n_train, data, draw):
    """Training points, their labels, and all other points and theirs."""
    if dataset == "crescents":
        X, y = crescents(n_train + 1000, draw)
        order = np.arange(len(y))
    else:
        X, y = data[dataset].X, data[dataset].y
        order = np.concatenate(partition(len(y), number))
        X = scaled(X, "standardised", order)
    train, test = order[:n_train], order[n_train:]
    return X[train], y[train].astype(np.float64), X[test], y[test]


def _run_selection(key, params, data, rng):
    draw = np.random.default_rng([3, key["split"]])
    X, y, X_test, y_test = _sample(key["dataset"], key["split"], N_TRAIN, data, draw)
    y = _flipped(y, round(key["flip_rate"] * N_TRAIN), draw)
    rows = []
    for sigma in WIDTHS[key["dataset"]]:
        gamma = rbf_gamma(sigma)
        points = WhitenedPoints.from_gram(gram_matrix(X, gamma=gamma))
        new = points.transform(gram_matrix(X_test, X[points.pivots], gamma=gamma))
        found = _evidence(
            points, LEVELS, rng, signs=y, n_samples=params["n_samples"], thin=params["thin"]
        )
        for i, q in enumerate(LEVELS):
            chains = GibbsChains(points, q, signs=y, random_state=_seed(rng))
            centre = chains.run(250, thin=params["thin"], burn_in=100 * params["thin"]).mean
            rows.append(
                {
                    "sigma": sigma,
                    "q": q,
                    "log_evidence": found.log_evidence[i],
                    "error": found.error[i],
                    "r_hat": found.r_hat[i],
                    "test_error": float(np.mean((new @ centre > 0) != (y_test > 0))),
                }
            )
    return rows


register(
    Experiment(
        name="kernel_gibbs_sampler/model_selection",
        version=1,
        title="Kernel width and label noise chosen by the evidence",
        datasets=("thyroid", "heart"),
        parameters=_N_SAMPLES | _THIN,
        units=crossed(
            split={"smoke": 1, "paper": 8, "full": 30},
            flip_rate=FLIP_RATES,
            dataset=WIDTHS,
            smoke=1,
        ),
        run_unit=_run_selection,
        agreement={
            "log_evidence": UnitMean(0.6),
            "error": UnitMean(0.15),
            "r_hat": "ignore",
            "test_error": UnitMean(0.015),
        },
    )
)


# ---- margin and evidence ------------------------------------------------------------------------

N_MARGIN = 30
# On the first samples the volumes are estimated by the sampler too.
N_SAMPLED = 2
KERNELS = [("rbf", float(width)) for width in (0.25, 0.5, 1, 2, 4, 8, 16)]
KERNELS += [("poly", float(degree)) for degree in (1, 2, 3, 4, 6, 8)]


def _unit_length_gram(X, kernel, value):
    """Cosines in feature space: version space knows directions only."""
    if kernel == "rbf":
        return gram_matrix(X, gamma=rbf_gamma(value))
    gram = gram_matrix(X, kernel="poly", degree=int(value), gamma=1.0 / X.shape[1])
    lengths = np.sqrt(np.diag(gram))
    return gram / lengths / lengths[:, None]


def _run_margin(key, params, data, rng):
    draw = np.random.default_rng([3, key["sample"]])
    X, y, _, _ = _sample(key["dataset"], key["sample"], N_MARGIN, data, draw)
    rows = []
    for kernel, value in KERNELS:
        gram = _unit_length_gram(X, kernel, value)
        row = {"kernel": kernel, "value": value, "separable": False, "rank": 0}
        names = ("margin", "log_volume", "log_volume_error", "log_evidence", "error", "r_hat")
        row |= dict.fromkeys(names, np.nan)
        rows.append(row)
        try:
            span = FeatureSpan(gram * np.outer(y, y))
            margin = 1.0 / span.norm(max_margin_point(span, N_MARGIN))
        except (EmptyVersionSpaceError, IllConditionedError):
            continue
        volume = cone_volume(gram=span.gram, tol=0.05)
        row |= {"separable": True, "rank": span.rank, "margin": margin}
        row |= {"log_volume": float(np.log(volume.value))}
        row |= {"log_volume_error": float(volume.error / volume.value)}
        if key["sample"] < N_SAMPLED:
            found = _evidence(
                WhitenedPoints.from_gram(gram), 0.0, rng,
                signs=y, n_samples=params["n_samples"], thin=params["thin"],
            )  # fmt: skip
            row |= {name: getattr(found, name) for name in ("log_evidence", "error", "r_hat")}
    return rows


register(
    Experiment(
        name="kernel_gibbs_sampler/margin_evidence",
        version=1,
        title="Does the margin measure the evidence? Margin and volume of version space",
        datasets=("thyroid", "heart"),
        parameters=_N_SAMPLES | _THIN,
        units=crossed(sample={"smoke": 1, "paper": 20, "full": 100}, dataset=WIDTHS, smoke=1),
        run_unit=_run_margin,
        agreement={
            # where a wide kernel's spectrum is cut off is up to rounding
            "rank": 1,
            "margin": 1e-5,
            "log_volume": UnitMean(0.1),
            "log_volume_error": UnitMean(0.1),
            "log_evidence": UnitMean(0.3),
            "error": UnitMean(0.4),
            "r_hat": "ignore",
        },
    )
)
