"""The verdicts from the project's own records, which several modules look at."""

import pytest

from transductive_compendium.verdicts import verify


@pytest.fixture(scope="session")
def verdicts():
    """Verdicts on all claims (False) and on all checks (True)."""
    return {checks: verify(checks=checks) for checks in (False, True)}
