"""The verdicts from the project's own records, which several modules look at."""

import pickle

import pytest

from transductive_compendium.verdicts import verify


@pytest.fixture(scope="session")
def verdicts(once):
    """Verdicts on all claims (False) and on all checks (True)."""

    def decide(folder):
        found = {checks: verify(checks=checks) for checks in (False, True)}
        (folder / "verdicts").write_bytes(pickle.dumps(found))

    return pickle.loads((once("verdicts", decide) / "verdicts").read_bytes())
