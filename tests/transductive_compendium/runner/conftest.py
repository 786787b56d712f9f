import pytest
from joblib.externals.loky import get_reusable_executor


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Every test has a store, a results folder and a log of its own."""
    get_reusable_executor().shutdown(wait=True)  # workers of an earlier test know its folders
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path
