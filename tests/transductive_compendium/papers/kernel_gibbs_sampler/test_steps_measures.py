"""Error counts of the steps: what the measures make of rows."""

import pandas as pd
from paper_rooms import identity_holds

from transductive_compendium.papers.kernel_gibbs_sampler import steps_measures as measures


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
        return identity_holds(measures.errors_by_increments(frames(rows)), 1e-9)

    assert identity(rows)
    assert not identity(rows.assign(largest_difference=[0, 1, 0]))
    assert measures.step_6_as_printed(frames(rows)).estimate[0] > 0
    assert (
        measures.step_6_as_printed(frames(rows.assign(printed_wrong=[0, 0, 0.01]))).estimate[0] < 0
    )
