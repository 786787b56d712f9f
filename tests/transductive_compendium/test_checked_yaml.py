"""Errors in YAML files name the file, the line, the field and the remedy."""

from dataclasses import dataclass

import pytest
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked

from transductive_compendium.checked_yaml import SchemaError, load_checked


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Leaf:
    size: int
    mark: str | tuple[str, ...] = ""


@dataclass
class Tree:
    leaves: list[Leaf]
    blossom: Leaf | None = None


def read(tmp_path, text, kind=dict[str, Tree]):
    path = tmp_path / "trees.yml"
    path.write_text(text, encoding="utf-8")
    return load_checked(path, kind, "See the book of trees.")


def faults(tmp_path, text):
    """The message without the file and the remedy, line by line."""
    with pytest.raises(SchemaError) as caught:
        read(tmp_path, text)
    *lines, remedy = str(caught.value).split("\n")
    assert remedy == "See the book of trees."
    return [line.removeprefix(f"{tmp_path / 'trees.yml'}, ") for line in lines]


def test_what_is_right_becomes_an_instance(tmp_path):
    trees = read(tmp_path, "oak:\n  leaves:\n    - {size: 3, mark: [a, b]}\n")
    assert trees == {"oak": Tree([Leaf(3, ("a", "b"))])}


@pytest.mark.parametrize(
    "text, fault",
    [
        (
            "oak:\n  leaves:\n    - size: 1\n    - mark: x\n",
            "line 4, oak.leaves.1.size: is missing",
        ),
        (
            "oak:\n  leaves:\n    - size: 1\n      sise: 2\n",
            "line 4, oak.leaves.0.sise: is no field; did you mean 'size'? Fields here: size, mark",
        ),
        (
            "oak:\n  leaves:\n    - size: 1\n      x: 2\n",
            "line 4, oak.leaves.0.x: is no field; remove or correct it. Fields here: size, mark",
        ),
        (
            "oak:\n  leaves: []\n  blossom: {size: 1, marks: x}\n",
            "line 3, oak.blossom.marks: is no field; did you mean 'mark'? Fields here: size, mark",
        ),
        ("# a comment\n\noak:\n  leaves: 7\n", "line 4, oak.leaves: Input should be a valid list"),
        ("- oak\n", "line 1, the file: Input should be a valid dictionary"),
        ("oak:\n  leaves: []\noak:\n  leaves: []\n", "line 3, oak: is a key in line 1 already"),
        (
            "oak:\n  leaves:\n    - size: 1\n      mark: 5\n",
            "line 4, oak.leaves.0.mark: Input should be a valid string; "
            "or: Input should be a valid tuple",
        ),
    ],
)
def test_the_line_and_the_field_are_named(text, fault, tmp_path):
    assert faults(tmp_path, text) == [fault]


def test_a_file_that_is_not_there_or_no_yaml_is_named(tmp_path):
    with pytest.raises(SchemaError, match=r"none\.yml cannot be read: .* See the book of trees\."):
        load_checked(str(tmp_path / "none.yml"), dict, "See the book of trees.")
    with pytest.raises(SchemaError, match=r"(?s)trees\.yml cannot be read: .*line 2"):
        read(tmp_path, "oak: [1,\n: 2")
