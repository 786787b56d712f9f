"""Evidence for identities and propositions, on made-up rows: one wrong row is seen."""

import numpy as np
import pandas as pd
import pytest

from transductive_compendium.papers.bayesian_transduction.bayes_error_measures import (
    bayes_error_reached,
    ridge_allows_errors,
)
from transductive_compendium.papers.bayesian_transduction.bayes_point_agreement_measures import (
    version_space_exists,
)
from transductive_compendium.papers.bayesian_transduction.labelling_risks_measures import (
    exact_loss_gains,
    exact_risk_closed_form,
    labellings_bounded,
    labelwise_gains_nothing,
    labelwise_risk_by_marginals,
    margin_picks_joint,
)
from transductive_compendium.papers.bayesian_transduction.long_runs_measures import (
    billiard_in_general,
)
from transductive_compendium.papers.bayesian_transduction.steps_measures import (
    cost_of_a_bounce,
    largest_ball,
    steps_always_true,
    steps_largest_error,
)


def rows(**columns):
    return pd.DataFrame(columns)


def test_steps():
    made = rows(error=[1e-15, -0.5], sorted=[1, 0], z=[-3.0, 5.0])
    assert steps_largest_error(made, "error").error == 0.5
    always = steps_always_true(made, "sorted")
    assert (always.true, always.cases) == (1, 2)
    assert steps_always_true(made, "z", below=4.0).true == 1


def test_steps_count_what_was_tried():
    made = rows(volume=[-3.0, np.nan], sorted_alike=[1, 0], votes_of_no_function=[1, 0])
    volume = steps_always_true(made, "volume", below=4.0)
    assert (volume.true, volume.cases) == (1, 1)
    order = steps_always_true(made, "sorted_alike")
    assert (order.true, order.cases) == (5, 10)
    example = steps_always_true(made, "votes_of_no_function")
    assert (example.true, example.cases) == (0, 1)


def test_labelling_risks():
    made = rows(
        working=[2, 3],
        differ=[1, 1],
        labelwise_risk_alone=[0.1, 0.2],
        labelwise_risk_best=[0.1, 0.15],
        labelwise_risk_marginal=[0.1, 0.25],
        exact_risk_marginal=[0.5, 0.5],
        exact_risk_joint=[0.4, 0.5],
        exact_risk_identity=[0.0, 0.3],
    )
    assert labelwise_gains_nothing(made).error == pytest.approx(0.05)
    assert labelwise_risk_by_marginals(made).error == pytest.approx(0.1)
    assert exact_risk_closed_form(made).error == 0.3
    assert (exact_loss_gains(made).true, exact_loss_gains(made).cases) == (1, 2)


def test_ridge_needs_none_without_and_one_with():
    made = rows(
        ridge=[0.0, 0.1, 0.0, 0.1],
        contradiction=[True, True, True, False],
        version_space=[0, 1, 1, 0],
    )
    assert (ridge_allows_errors(made).true, ridge_allows_errors(made).cases) == (2, 3)


def test_cells():
    made = rows(
        labellings_in_version_space=[3, 9],
        growth_function=[8, 8],
        all_labellings=[8, 16],
    )
    assert (labellings_bounded(made).true, labellings_bounded(made).cases) == (1, 2)


def test_cost_by_its_slopes():
    l, m = np.array([400, 800, 1600, 20, 20]), np.array([0, 0, 0, 4000, 8000])
    count = 2.0 * l * (l + m)
    made = rows(l=l, m=m, multiplications=count, multiplications_20=20 * count)
    assert (cost_of_a_bounce(made).true, cost_of_a_bounce(made).cases) == (3, 3)
    cubic = rows(l=l, m=m, multiplications=count * l, multiplications_20=40 * count * l)
    assert cost_of_a_bounce(cubic).true == 1
    constant = rows(l=l, m=m, multiplications=count, multiplications_20=10 * count)
    assert cost_of_a_bounce(constant).true == 2


def test_largest_ball_is_beaten_by_a_rival():
    made = rows(best_rival=[0.1, 0.4], radius=[0.2, 0.3], certificate=[0.0, 0.0])
    assert largest_ball(made).error == pytest.approx(0.1)


def test_version_space_has_room():
    splits = np.arange(100)
    made = {"dataset": ["heart"] * 100, "split": splits}
    radius = np.where(splits < 1, 0.0, 0.1)
    assert version_space_exists(rows(radius=radius, **made)).true == 99
    # a pair that was never trained on together may be contradictory
    few = {"dataset": ["heart"] * 3, "split": [0, 1, 2]}
    found = version_space_exists(rows(radius=[0.1] * 3, **few))
    assert (found.true, found.cases) == (0, 3)


def test_runs_in_general_are_held_to_their_own_errors():
    made = rows(
        rule=["a", "a", "b"],
        geometry=["t", "t", "t"],
        exact=[0.5, 0.5, 0.5],
        time_ratio=[0.53, 0.55, 0.9],
        error=[0.01, 0.01, 0.01],
    )
    found = billiard_in_general(made, "a")
    assert (found.true, found.cases) == (1, 2)


def test_margin_counts_where_the_two_differ():
    made = rows(differ=[1, 1, 1, 0], is_joint=[1, 1, 0, 0], is_marginal=[0, 0, 1, 1])
    evidence = margin_picks_joint(made)
    assert evidence.n == 3
    assert evidence.estimate[0] == pytest.approx(1 / 3)


def test_floor_is_later_less_sooner():
    made = rows(
        split=[0, 0, 1, 1],
        method=["theta = 1 after 600 bounces", "theta = 1 after 9 bounces"] * 2,
        error=[0.16, 0.10, 0.2, np.nan],
    )
    assert bayes_error_reached(made, few=600, many=9).estimate[0] == pytest.approx(-6.0)
