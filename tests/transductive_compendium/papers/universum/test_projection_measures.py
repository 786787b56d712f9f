"""The limit of a large cost: what the measures make of rows."""

import pandas as pd
from paper_rooms import identity_holds, outcome_of

from transductive_compendium.papers.universum import projection_measures as report
from transductive_compendium.papers.universum.projection import RATIOS
from transductive_compendium.verdicts.rules import REPRODUCED


def projection(early=1e-2, late=1e-7, slope=0.5):
    rows = []
    for draw in range(20):
        for kernel in ("rbf", "linear"):
            for loss in ("epsilon_insensitive", "squared"):
                for ratio in (0.0, *RATIOS):
                    exact = loss == "epsilon_insensitive"
                    rows.append(
                        {"draw": draw, "kernel": kernel, "universum": "fives", "loss": loss}
                        | {"ratio": ratio, "error": 0.012}
                        | {"error_projected": 0.02 + 1e-3 * (draw % 5)}
                        | {"distance": late if exact and ratio > 1 else early}
                        | {"largest": slope / (ratio or 1.0)}
                    )
    return {"universum/projection": pd.DataFrame(rows)}


def test_limit():
    frames = projection()
    assert identity_holds(report.limit_reached(frames), 1e-4)
    assert identity_holds(report.limit_not_before(frames))
    assert identity_holds(report.squared_limit(frames), 0.02)
    assert outcome_of(report.limit_hurts(frames, "rbf", "fives")) == REPRODUCED
    late = projection(late=1e-3)
    assert not identity_holds(report.limit_reached(late), 1e-4)
    assert not identity_holds(report.limit_not_before(late))
    steep = projection(slope=0.6)
    assert not identity_holds(report.squared_limit(steep), 0.02)
