"""The picture of the slides: the inductive and the transductive line, computed.

Joachims (1999), as taught in LING 572: the picture of + and - and dots.
"""

import numpy as np

from ...runner import Parameter, experiment
from .two_clouds import GAPS, N_LABELLED, lines_by_method, two_clouds


@experiment(
    "transductive_svm/toy",
    version=1,
    title="The toy picture: the inductive and the transductive line, computed",
    parameters={"problem": Parameter(3, int, "number of the toy problem", minimum=0)},
    units=lambda params, profile: [
        {"gap": gap} for gap in (GAPS[:1] if profile == "smoke" else GAPS)
    ],
    agreement={"x1": 1e-3, "x2": 1e-3, "offset": 1e-3},
)
def points_and_lines(key, params, data, rng):
    """A row for each point, and for each line, with label 0."""
    rng = np.random.default_rng(params["problem"])
    Z, truth = two_clouds(key["gap"], rng)
    l = 2 * N_LABELLED
    lines, _ = lines_by_method(Z[:l], truth[:l], Z[l:])
    rows = [
        {"kind": kind, "x1": x1, "x2": x2, "offset": np.nan, "label": int(label)}
        for kind, part in (("training", slice(0, l)), ("test", slice(l, None)))
        for (x1, x2), label in zip(Z[part], truth[part], strict=True)
    ]
    rows += [
        {"kind": method, "x1": line.w[0], "x2": line.w[1], "offset": line.b, "label": 0}
        for method, (_, line) in lines.items()
    ]
    return rows
