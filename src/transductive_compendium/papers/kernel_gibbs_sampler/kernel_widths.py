"""Margin and volume of version space over RBF widths, on substitutes of figure 3.

Graepel and Herbrich (2001), section 4 (evidence estimation). The paper publishes no experiment for
this.
"""

import numpy as np

from transductive.kernels import gram_matrix, rbf_gamma
from transductive.version_space import EmptyVersionSpaceError, FeatureSpan, IllConditionedError
from transductive.version_space.start import max_margin_point

from ...exact.volumes import cone_volume
from ...runner import crossed, experiment
from ...runner.companions import options
from .surrogates import substitute

N_TRAIN = 30
#: Relative error of a volume; volumes differ by factors of thousands.
TOL = 0.3
WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@experiment(
    "kernel_gibbs_sampler/kernel_widths",
    version=1,
    page="uses",
    title="Margin and log volume of version space by kernel width",
    open_choices=("surrogate",),
    units=crossed(draw={"smoke": 2, "paper": 200, "full": 200}),
    agreement={"margin": 1e-5, "log_volume": "chaotic"},
)
def margin_and_volume(key, params, data, rng):
    """Margin and log volume of version space, a row for each width."""
    X, y = substitute(params["surrogate"], N_TRAIN, rng)
    rows = []
    for sigma in WIDTHS:
        row = {"sigma": sigma, "margin": np.nan, "log_volume": np.nan}
        rows.append(row)
        signed_gram = gram_matrix(X, gamma=rbf_gamma(sigma)) * np.outer(y, y)
        try:
            span = FeatureSpan(signed_gram)
            margin = 1.0 / span.norm(max_margin_point(span, N_TRAIN))
        except (EmptyVersionSpaceError, IllConditionedError):
            continue  # rounding hides whether this wide kernel separates the points
        volume = cone_volume(gram=span.gram, tol=TOL)
        row |= {"margin": float(margin), "log_volume": float(np.log(volume.value))}
    return rows


options("kernel_gibbs_sampler/kernel_widths", keep=lambda key: key["draw"] < 100)
