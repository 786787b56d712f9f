import pytest
from joblib.externals.loky import get_reusable_executor


@pytest.fixture(autouse=True)
def fresh_workers(folders):
    """Every test has folders of its own, and no workers that know an earlier test's."""
    get_reusable_executor().shutdown(wait=True)
