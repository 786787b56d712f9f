"""Mathematical claims are decided by tests that carry ``@pytest.mark.claim("id", "word")``.

The chapter proves the claim, the test shows it, and the mark says what it shows: "holds",
"corrected" (true once a printed slip is corrected) or "fails". The marks are read from the source
of the tests beside the records; the session of tests makes sure that each marked test passes.
"""

import ast
from functools import cache
from pathlib import Path

from ..runner.provenance import source_checkout
from ..runner.records import results_folder
from . import rules

WORDS = {"holds": rules.HOLDS, "corrected": rules.CORRECTED, "fails": rules.FAILS}


class MarkError(ValueError):
    """A mark has no known word, or two tests of a claim have different words."""


def _marks(path: Path):
    """Claim, word and name of each marked test of a file."""
    text = path.read_text(encoding="utf-8")
    if "mark.claim(" not in text:
        return
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    for node in functions:
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.claim":
                arguments = [ast.literal_eval(argument) for argument in mark.args]
                if len(arguments) != 2 or mark.keywords:
                    raise MarkError(
                        f"{path}, line {mark.lineno}: write @pytest.mark.claim(ID, WORD), with one "
                        f"of {', '.join(WORDS)}"
                    )
                yield *arguments, node.name


@cache
def marked_tests(folder: Path) -> dict[str, dict[str, str]]:
    """Words of the marked tests of a folder: by claim, a dict of test (``file::name``) to word."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for claim, word, name in _marks(path):
            test = f"{path.relative_to(folder.parent).as_posix()}::{name}"
            found.setdefault(claim, {})[test] = word
    return found


def tests_folder() -> Path:
    """The tests beside the records, or else of the checkout that the package runs from."""
    beside, checkout = results_folder().parent / "tests", source_checkout()
    return beside if beside.is_dir() or checkout is None else checkout / "tests"


def decide_mathematics(claim: str) -> rules.Decision:
    """The word of the tests that are marked with the claim.

    Raises
    ------
    MarkError
        If no test is marked with it, a word is unknown, or two tests disagree.
    """
    tests = marked_tests(tests_folder()).get(claim, {})
    if not tests:
        raise MarkError(
            f'no test in {tests_folder()} is marked @pytest.mark.claim("{claim}", "holds"); a '
            f"checkout, and a release's archive of notebooks, have the tests"
        )
    words = set(tests.values())
    if len(words) > 1 or not words <= WORDS.keys():
        said = ", ".join(f"{test}: {word!r}" for test, word in tests.items())
        raise MarkError(f"its tests need one word of {', '.join(WORDS)}, the same for all: {said}")
    names = ", ".join(test.rpartition("::")[2] for test in tests)
    return rules.Decision(WORDS[words.pop()], names, f"python -m pytest {' '.join(tests)}")
