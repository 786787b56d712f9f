from dataclasses import replace

import pytest
from click.testing import CliRunner

from transductive_compendium.data_commands import data
from transductive_compendium.datasets.registry import Source, registry


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


def test_a_wrong_variable_is_named(call, monkeypatch, tmp_path):
    monkeypatch.setenv("TRANSDUCTIVE_DATA", str(tmp_path / "typo"))
    for command in ("list", "fetch", "verify"):
        result = call(command)
        assert result.exit_code == 1 and "unset TRANSDUCTIVE_DATA" in result.stderr


def test_check_names_dead_addresses_and_fails_if_no_source_is_left(call, server, sources):
    def with_page():  # the fixture `thyroid` takes it back
        registry()["thyroid"] = replace(registry()["thyroid"], page=server.url + "/page")

    server.answers.update({"/page": b"x", "/x": b"x"})
    sources(server.url + "/x", server.url + "/gone")
    with_page()
    some = call("check", "thyroid", "digits")
    assert some.exit_code == 0 and some.stderr == ""
    assert some.stdout.splitlines() == [
        f"thyroid: answers  {server.url}/x",
        f"thyroid: dead     {server.url}/gone: 404 Not Found",
        f"thyroid: answers  {server.url}/page",
        "1 data sets, 3 addresses: 1 dead",
    ]
    del server.answers["/x"]
    none = call("check")  # the page answers, but is no source
    assert none.exit_code == 1 and "3 addresses: 2 dead" in none.stdout
    assert none.stderr.startswith("error: no source answers of: thyroid.")
    assert "transductive data verify" in none.stderr
    sources()
    with_page()
    assert call("check").exit_code == 0  # made from what its page names
    unknown = call("check", "thyriod")
    assert unknown.exit_code == 1 and "Did you mean 'thyroid'" in unknown.stderr


def test_every_file_of_a_set_needs_a_source_that_answers(call, server, thyroid):
    server.answers["/x"] = b"x"
    alive, dead = (
        replace(thyroid.files[0], sources=(Source(server.url + path),)) for path in ("/x", "/gone")
    )
    registry()["thyroid"] = replace(thyroid, files=(alive, dead))
    assert call("check").exit_code == 1
    registry()["thyroid"] = replace(thyroid, files=(alive, alive))
    assert call("check").exit_code == 0
