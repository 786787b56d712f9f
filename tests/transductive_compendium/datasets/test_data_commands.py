import pytest
from click.testing import CliRunner

from transductive_compendium.data_commands import data
from transductive_compendium.datasets.registry import registry


@pytest.fixture
def call(thyroid, monkeypatch):
    for name in set(registry()) - {"thyroid"}:
        monkeypatch.delitem(registry(), name)
    return lambda *arguments: CliRunner().invoke(data, list(map(str, arguments)))


def test_list_tells_where_each_is(call, put, text, tmp_path):
    line = {row.split()[0]: row for row in call("list").output.splitlines()}
    assert "not here" in line["thyroid"] and "CC BY 4.0" in line["thyroid"]
    assert "bundled" in line["digits"]
    put(tmp_path / "cache", text)
    assert call("list").output.splitlines()[1].endswith("cache")
    put(tmp_path / "own", text[:99])
    assert (
        call("list", "--folder", tmp_path / "own")
        .output.splitlines()[1]
        .endswith("folder, DAMAGED")
    )


def test_verify_has_an_exit_code_for_each_state(call, put, text, tmp_path):
    missing = call("verify")
    assert missing.exit_code == 1 and missing.output.startswith("missing  thyroid")
    assert "transductive data fetch thyroid" in missing.output
    put(tmp_path / "cache", text)
    sound = call("verify", "thyroid", "digits")
    assert sound.exit_code == 0 and "same bytes" in sound.output
    assert "ok       digits" in sound.output
    put(tmp_path / "cache", text.replace("1,", "2,", 1))
    damaged = call("verify")
    assert damaged.exit_code == 1 and damaged.output.startswith("damaged  thyroid")
    assert "rows per class code" in damaged.output
    unknown = call("verify", "thyriod")
    assert unknown.exit_code == 1 and "Did you mean 'thyroid'" in unknown.stderr


def test_fetch_says_what_came_of_it(call, server, sources, text, tmp_path):
    sources(server.url + "/x")
    failed = call("fetch")
    assert failed.exit_code == 1 and "404" in failed.stderr and failed.stderr.startswith("error: ")
    assert "Traceback" not in failed.output
    server.answers["/x"] = text.encode()
    fetched = call("fetch", "thyroid", "breast_cancer", "--folder", tmp_path / "own")
    assert fetched.exit_code == 0
    assert fetched.output.splitlines() == [
        f"thyroid: {tmp_path / 'own' / 'uci' / 'new-thyroid.data'}",
        "breast_cancer: bundled with scikit-learn",
    ]


def test_what_is_nowhere_to_be_had_fails_only_by_name(call, sources):
    sources()
    everything, named = call("fetch"), call("fetch", "thyroid")
    assert everything.exit_code == 0 and named.exit_code == 1
    assert everything.stderr == named.stderr != ""
