"""The page of scale against its record."""

import re
from pathlib import Path

import numpy as np
import pytest

from transductive_compendium.runner import load_recorded

PAGE = Path(__file__).resolve().parents[2] / "book" / "scale.md"


@pytest.mark.parametrize(
    "row, counted",
    [
        ("`RidgeLOO`", {"RidgeLOO": 1.0}),
        (
            "`TransductiveRidge`, ",
            {
                "TransductiveRidge, whole Gram matrix": 1.0,
                "TransductiveLinearDiscriminant, whole Gram matrix": 1.0,
            },
        ),
        ("the same at rank", {"TransductiveRidge, rank 500": 1.0}),
        ("the same at rank", {"TransductiveRidge, as it chooses": 1.0}),
        (r".*`BayesPointMachine` at `q=0`", {"BayesPointMachine, q=0": 1.0}),
        # three fifths of the points are training points
        (r".*`BayesPointMachine` at `q=0`", {"BayesianTransduction, q=0": 0.6}),
        ("`TransductiveSVC` with a", {"TransductiveSVC, Gaussian kernel in blocks": 1.0}),
        ("`UniversumSVC`", {"UniversumSVC, half of the points universum": 1.0}),
    ],
)
def test_where_to_turn_away_is_where_a_minute_or_memory_ends(row, counted):
    (cells,) = (
        re.split(r"(?<!\\)\|", line)
        for line in PAGE.read_text().splitlines()
        if re.match(rf"\| {row}", line)
    )
    typed = [float(n.replace(",", "")) for n in re.findall(r"\d+,000", cells[3])]
    rows = load_recorded("benchmarks/scale")[0]
    for group, share in counted.items():
        ends = rows.value[
            (rows.group == group) & rows.quantity.isin(["a minute at n", "4 GiB at n"])
        ]
        # a row with two numbers has that of the rank it chooses last
        number = typed[-1 if group.endswith("chooses") else 0]
        assert abs(np.log(number / (share * ends.min()))) < np.log(1.2)
