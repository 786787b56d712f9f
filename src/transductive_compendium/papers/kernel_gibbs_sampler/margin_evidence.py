"""Does the margin measure the evidence? Margin and volume of version space by kernel and sample.

Graepel and Herbrich (2001), section 4 (evidence estimation).
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import (
    EmptyVersionSpaceError,
    FeatureSpan,
    IllConditionedError,
    WhitenedPoints,
)
from transductive.version_space.start import max_margin_point

from ...exact.volumes import cone_volume
from ...runner import crossed, experiment
from .evidence_estimates import (
    N_MARGIN,
    N_ROWS,
    N_SAMPLES,
    THIN,
    evidence_of,
    training_sample,
)

# On the first samples the volumes are estimated by the sampler too.
N_ESTIMATED = 2
KERNELS = [("rbf", float(width)) for width in (0.25, 0.5, 1, 2, 4, 8, 16)]
KERNELS += [("poly", float(degree)) for degree in (1, 2, 3, 4, 6, 8)]


def _unit_length_gram(X, kernel, value):
    """Cosines in feature space: version space depends only on directions."""
    if kernel == "rbf":
        return gram_matrix(X, gamma=rbf_gamma(value))
    gram = gram_matrix(X, kernel="poly", degree=int(value), gamma=1.0 / X.shape[1])
    lengths = np.sqrt(np.diag(gram))
    return gram / lengths / lengths[:, None]


@experiment(
    "kernel_gibbs_sampler/margin_evidence",
    version=1,
    page="model_selection",
    title="Does the margin measure the evidence? Margin and volume of version space",
    datasets=("thyroid", "heart"),
    parameters={"n_samples": N_SAMPLES, "thin": THIN},
    units=crossed(sample={"smoke": 1, "paper": 20, "full": 100}, dataset=N_ROWS, smoke=1),
    agreement={
        "margin": 1e-5,
        # where a wide kernel's spectrum is cut off is up to rounding
        **dict.fromkeys(("rank", "log_volume", "log_volume_error"), "chaotic"),
        **dict.fromkeys(("log_evidence", "error", "r_hat"), "chaotic"),
    },
)
def margins_and_volumes(key, params, data, rng):
    """Margin, volume and, on the first samples, estimated evidence, a row for each kernel."""
    data_rng = np.random.default_rng([3, key["sample"]])
    X, y, _, _ = training_sample(key["dataset"], key["sample"], N_MARGIN, data, data_rng)
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
        if key["sample"] < N_ESTIMATED:
            found = evidence_of(
                WhitenedPoints.from_gram(gram), 0.0, rng,
                signs=y, n_samples=params["n_samples"], thin=params["thin"],
            )  # fmt: skip
            row |= {name: getattr(found, name) for name in ("log_evidence", "error", "r_hat")}
    return rows
