"""The law of the chains compared with the exact posterior."""

from ...verdicts.claims import measure
from .difference_measures import yes_or_no


@measure("kernel_gibbs_sampler/law")
def law_is_posterior(rows, rule, false_alarms):
    """Whether no chain's frequencies of cells contradict the posterior.

    The smallest p-value, times the number of tests, decides, so that a correct sampler fails with
    a probability of at most `false_alarms`.
    """
    rows = rows[rows["rule"] == rule]
    smallest = rows["p_value"].min()
    by_q = rows.groupby("q")[["total_variation", "total_variation_of_draws"]].mean()
    return yes_or_no(
        bool(smallest * len(rows) >= false_alarms),
        f"{len(rows)} chains against exact cells: smallest p = {smallest:.2g} (a sampler without "
        f"fault falls below {false_alarms / len(rows):.2g} with probability {false_alarms:g} at "
        f"most); distance in total variation "
        + ", ".join(
            f"{chains:.3f} at q = {q:g} (independent draws {independent:.3f})"
            for q, chains, independent in by_q.itertuples()
        ),
    )
