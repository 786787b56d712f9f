"""Error counts of the steps: what the measures make of rows."""

import pandas as pd

from transductive_compendium.papers.kernel_gibbs_sampler import steps_measures as measures
from transductive_compendium.verdicts.rules import NOT_REPRODUCED, REPRODUCED, decide_identity


def frames(rows):
    return {"kernel_gibbs_sampler/steps": rows}


def test_one_wrong_count_is_found_and_a_printed_formula_must_be_right_everywhere():
    rows = pd.DataFrame(
        {
            "m": [10, 10, 100],
            "largest_difference": [0, 0, 0],
            "printed_wrong": [0.0, 0.0, 0.0],
            "printed_difference": [0.0, 0.0, 0.0],
            "printed_turns": [0.9, 1.0, 0.99],
        }
    )

    def identity(rows):
        return decide_identity(measures.errors_by_increments(frames(rows)), 1e-9).outcome

    assert identity(rows) == REPRODUCED
    assert identity(rows.assign(largest_difference=[0, 1, 0])) == NOT_REPRODUCED
    assert measures.step_6_as_printed(frames(rows)).holds
    assert not measures.step_6_as_printed(frames(rows.assign(printed_wrong=[0, 0, 0.01]))).holds
    assert measures.step_4_as_printed(frames(rows)).holds
    assert not measures.step_4_as_printed(frames(rows.assign(printed_turns=[0.9, 0.9, 1.4]))).holds
