"""What notebooks need first: if it cannot be imported, that is told, and they run and say so."""

import importlib
import sys

import pytest

from transductive_compendium import rooms

NAME = "transductive_compendium.book.preloaded"


@pytest.mark.parametrize("error", [SyntaxError("in a room"), ValueError("YAML, line 3")])
def test_an_error_is_told_and_ends_no_server_of_forks(monkeypatch, capsys, error):
    def broken():
        raise error

    monkeypatch.setattr(rooms, "chapter_pictures", broken)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    importlib.import_module(NAME)
    assert f"{type(error).__name__}: {error}" in capsys.readouterr().err
    monkeypatch.delitem(sys.modules, NAME)
