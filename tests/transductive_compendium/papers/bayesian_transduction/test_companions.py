"""Under other options and without groups of cases: reruns agree with the records."""

import pytest

from transductive_compendium.datasets import available
from transductive_compendium.runner import compare, load_recorded, run
from transductive_compendium.runner.records import RecordMissingError

PAPER = "bayesian_transduction"
NEED_DATA = [
    "figure_2a_options",
    "figure_2b_options",
    "figure_2a_groups",
    "figure_2b_groups",
    "class_error_options",
    "class_error_groups",
    "class_error",
    "thousand_bounces",
    "thousand_bounces_options",
    "thousand_bounces_groups",
    "long_runs",
    "long_runs_options",
    "long_runs_groups",
]


@pytest.mark.skipif(
    not (available("thyroid") and available("heart")), reason="the data are not at hand"
)
@pytest.mark.parametrize("item", NEED_DATA)
def test_companions_agree_with_the_record(item, tmp_path):
    try:
        load_recorded(f"{PAPER}/{item}")
    except RecordMissingError:
        pytest.skip("not recorded")
    agreement = compare(run(f"{PAPER}/{item}", progress=False, store=tmp_path))
    assert not agreement.reason
    assert agreement.ok, agreement.describe()
