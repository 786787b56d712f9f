"""Gain from knowing the working points, by the number of labels."""

from ...runner import crossed, experiment
from .classifiers import compared
from .problems import DATASETS, LABELS, PROBLEMS, generator, random_split, sample, table


@experiment(
    "comparison/labels",
    version=1,
    page="methods",
    title="What the working points are worth against the number of labels",
    datasets=DATASETS,
    units=crossed(draw={"smoke": 1, "paper": 100, "full": 200}, problem=tuple(PROBLEMS)),
    # one switch more or less, by rounding, may lead elsewhere
    agreement=dict.fromkeys(("error", "error_told"), "chaotic"),
)
def errors_by_labels(key, params, data, rng):
    """Errors, a row for each number of labels and method."""
    name = key["problem"]
    found = table(name, data)
    labelled, working = random_split(found, generator(name, key["draw"], params["seed"]))
    return [
        {"labels": n} | row
        for n in LABELS
        for row in compared(sample(name, found, labelled[:n], working), rng)
    ]
