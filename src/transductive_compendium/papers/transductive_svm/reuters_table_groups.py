"""The table of Reuters without groups of its test documents: does it hold for new documents?

Joachims (1999), as taught in LING 572, the table; for a jackknife.
"""

from ...datasets.reuters_corpus import CATEGORIES, corpus
from ...runner import experiment, get
from ...runner.companions import N_GROUPS, SMOKE_UNITS, case_groups
from .reuters_problem import FEATURES, Problem, training_set
from .reuters_table import AGREEMENT, ITEM, N_TRAIN, breakevens_by_method

#: Random training sets, each judged without each group.
N_GROUP_DRAWS = 5


def _units(params, profile):
    draws = 2 * N_GROUP_DRAWS if profile == "full" else N_GROUP_DRAWS
    keys = [{"condition": condition, "number": i} for i in range(draws) for condition in CATEGORIES]
    return keys[: SMOKE_UNITS if profile == "smoke" else None]


@experiment(
    f"{ITEM}_groups",
    version=3,
    title="Reuters-21578, 17 training documents: without groups of test documents",
    datasets=("reuters21578",),
    page="reuters_table",
    units=_units,
    agreement={name: AGREEMENT[name] for name in ("svm", "tsvm", "tsvm_switches")},
)
def breakevens_without_group(key, params, data, rng):
    """Breakevens of each method without each group of the test documents, a row for each.

    Its units are not those of `groups`: the groups are of test documents, not of rows of a table.
    """
    defaults = get(ITEM).defaults
    text = corpus(data["reuters21578"], **FEATURES[defaults["features"]])
    category = key["condition"]
    train, _ = training_set(category, text.positive[: text.n_train], N_TRAIN, rng)
    whole = Problem(text, train, category)
    groups, rows = case_groups(len(whole.positive), N_GROUPS), []
    for group in range(N_GROUPS):
        breakevens, found = breakevens_by_method(whole.without(groups == group), defaults)
        row = {"left_out": group, "category": category} | breakevens
        rows.append(row | {"tsvm_switches": found.switches})
    return rows
