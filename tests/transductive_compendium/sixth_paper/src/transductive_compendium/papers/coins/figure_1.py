"""The share of heads over the number of tosses (Example and Example, 2026, figure 1)."""

from ...runner import Parameter, crossed, experiment
from ...runner.companions import options


@experiment(
    "coins/figure_1",
    version=1,
    title="Share of heads over the number of tosses",
    open_choices=("fairness",),
    parameters={"p": Parameter(0.5, float, "probability of heads", minimum=0, maximum=1)},
    units=crossed(coin={"smoke": 5, "paper": 100, "full": 1000}, tosses=(10, 100)),
)
def toss(key, params, data, rng):
    return [{"heads": rng.binomial(key["tosses"], params["p"]) / key["tosses"]}]


options("coins/figure_1")
