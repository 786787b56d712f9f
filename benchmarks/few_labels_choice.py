"""How the defaults of `TransductiveSVC` were chosen: few labels, on data outside the papers.

The protocol, fixed before its first row. The problems are outside the papers and outside published
collections of few-label problems (`noisy_problems`, without flips); features are standardised over
all points, of three problems once more as their units have them. Ten or a hundred labelled points
(at most half of all) are drawn at random, six times, as for the peers (`few_labels`). The kernel is
RBF.

Candidates are the costs (1, 10, 100; a working slack costs as much as a training slack, or a
tenth) and the width: "scale" of the training points, "median" (the median distance between all
points), or "loo" (`gamma_by_loo`). The default has the least mean error over problems and numbers
of labels; of those within one standard error of it (over the problems; of the differences, pair by
pair) the one that comes first: smaller costs, then working slacks as dear as training slacks, then
"scale" before "median" before "loo". Then, at this setting, `manifold` 0 or "auto", by the same
rule: 0 before "auto".
"""

import warnings
from collections.abc import Iterator
from functools import cache
from time import process_time

import few_labels
import noisy_problems
import numpy as np
from few_labels import DRAWS, LABELS, draw
from measuring import stored, table_row
from record_tables import Record, folded, table
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.preprocessing import scale

from transductive import TransductiveSVC
from transductive.kernel_width import gamma_by_loo
from transductive.kernels import gram_matrix

TITLE = "Defaults of the transductive SVM, on data outside the papers"
METHOD = few_labels.METHOD
COSTS, SHARES_OF_COST, WIDTHS = (1.0, 10.0, 100.0), (1.0, 0.1), ("scale", "median", "loo")
MANIFOLDS = (0.0, "auto")
IN_UNITS = ("wine 1 and 2", "iris 1 and 2", "breast cancer")
PROBLEMS = (*noisy_problems.PROBLEMS, *(f"{name}, in units" for name in IN_UNITS))
#: Candidates in the order in which the rule prefers them: C, C_star, width.
SETTINGS = [
    (C, C * share, width) for C in COSTS for share in SHARES_OF_COST for width in WIDTHS
]  # fmt: skip


@cache
def points(name):
    """All points of a problem, and their classes, 0 and 1."""
    X, y, _ = noisy_problems.problem(name.removesuffix(", in units"))
    return (X, y) if name.endswith(", in units") else (scale(X), y)


def gamma(width, X, y, working):
    """Kernel coefficient of a width."""
    around = 1.0 / (X.shape[1] * X.var())
    if width == "loo":
        return gamma_by_loo(X, 2.0 * y - 1.0, lambda X, gamma: gram_matrix(X, gamma=gamma), around)
    if width == "median":
        both = np.r_[X, working]
        distances = euclidean_distances(both)[np.triu_indices(len(both), 1)]
        return 0.5 / np.median(distances) ** 2
    return around


@stored("few_labels_choice", __file__, few_labels.__file__, noisy_problems.__file__)
def judged(name, n_labels, seed, setting, manifold):
    """Error of a candidate, and seconds of its fit."""
    (C, C_star, width), (X, y) = setting, points(name)
    X, y, working, truth = draw(X, y, min(n_labels, len(y) // 2), seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = process_time()
        model = TransductiveSVC(C, C_star, gamma=gamma(width, X, y, working), manifold=manifold)
        given = model.fit(X, y, working).transduction_
    return {"error": float(np.mean(given != truth)), "seconds": process_time() - begin}


def described(setting, manifold):
    """A candidate in words."""
    C, C_star, width = setting
    return f"C = {C:g}, C_star = {C_star:g}, width {width}, manifold {manifold}"


def choice(group, candidates) -> Iterator[dict]:
    """Rows of a choice; returns the candidate, a pair of a setting and a manifold."""
    errors = {}
    for candidate in candidates:
        place = group, described(*candidate), {}
        found = [
            [[judged(name, n, seed, *candidate) for seed in DRAWS] for name in PROBLEMS]
            for n in LABELS
        ]
        error, seconds = (
            np.mean([[[one[key] for one in draws] for draws in each] for each in found], axis=2)
            for key in ("error", "seconds")
        )
        for n, *means in zip(LABELS, error.mean(axis=1), seconds.mean(axis=1), strict=True):
            yield table_row(*place, f"error, {n} labels", "%", 100 * means[0])
            yield table_row(*place, f"a fit, {n} labels", "seconds", means[1])
        errors[candidate] = error.mean(axis=0)
    best, chosen = min(errors, key=lambda one: errors[one].mean()), None
    for candidate, error in errors.items():
        place, above = (group, described(*candidate), {}), error - errors[best]
        uncertain = np.std(above, ddof=1) / np.sqrt(len(above))
        yield table_row(*place, "error", "%", 100 * error.mean())
        yield table_row(*place, "above the least", "percentage points", 100 * above.mean())
        yield table_row(*place, "standard error", "percentage points", 100 * uncertain)
        if chosen is None and above.mean() <= uncertain:
            chosen = candidate
            yield table_row(*place, "chosen", "-", 1.0)
    return chosen


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    setting, _ = yield from choice("settings", [(setting, 0.0) for setting in SETTINGS])
    yield from choice("manifold", [(setting, manifold) for manifold in MANIFOLDS])


def page(rows, number):
    """The recorded rows as Markdown; see `few_labels.page`."""
    record = Record(rows)
    names = [f"{what}, {n} labels" for what in ("error", "a fit") for n in LABELS]
    names += ["error", "above the least", "standard error"]
    lines = [
        ((row.case,), record.values(row.group, row.case, names))
        for row in rows[rows["quantity"] == "above the least"].itertuples()
    ]
    chosen = rows.loc[rows["quantity"] == "chosen", "case"]
    return [
        f"Chosen on {len(PROBLEMS)} problems outside the papers: *{', then '.join(chosen)}*.",
        "",
        *folded("All candidates", table(("candidate",), names, lines, number)),
    ]
