"""The limit of a large cost: what the measures make of rows."""

import pandas as pd
from paper_rooms import outcome_of

from transductive_compendium.papers.universum import projection_measures as report
from transductive_compendium.papers.universum.projection import RATIOS
from transductive_compendium.verdicts.rules import (
    NOT_REPRODUCED,
    REPRODUCED,
    decide_identity,
    decide_shape,
)


def projection(early=1e-2, late=1e-7, slope=0.5):
    rows = []
    for draw in range(5):
        for kernel in ("rbf", "linear"):
            for loss in ("epsilon_insensitive", "squared"):
                for ratio in (0.0, *RATIOS):
                    exact = loss == "epsilon_insensitive"
                    rows.append(
                        {"draw": draw, "kernel": kernel, "universum": "fives", "loss": loss}
                        | {"ratio": ratio, "error": 0.012, "error_projected": 0.02 + 1e-3 * draw}
                        | {"distance": late if exact and ratio > 1 else early}
                        | {"largest": slope / (ratio or 1.0)}
                    )
    return {"universum/projection": pd.DataFrame(rows)}


def test_limit():
    frames = projection()
    assert decide_identity(report.limit_reached(frames), 1e-4).outcome == REPRODUCED
    assert decide_shape(report.limit_not_before(frames)).outcome == REPRODUCED
    assert decide_identity(report.squared_limit(frames), 0.02).outcome == REPRODUCED
    assert outcome_of(report.limit_hurts(frames, "rbf", "fives")) == REPRODUCED
    late = projection(late=1e-3)
    assert decide_identity(report.limit_reached(late), 1e-4).outcome == NOT_REPRODUCED
    assert decide_shape(report.limit_not_before(late)).outcome == NOT_REPRODUCED
    steep = projection(slope=0.6)
    assert decide_identity(report.squared_limit(steep), 0.02).outcome == NOT_REPRODUCED
