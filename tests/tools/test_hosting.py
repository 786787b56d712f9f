"""What a host of repositories reads: workflows, forms and hooks fit schemas and the Makefile."""

import re
import shlex
import tomllib
from pathlib import Path

import check_jsonschema
import pytest
import yaml
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = [ROOT / f".github/ISSUE_TEMPLATE/{name}.yml" for name in ("bug", "contest", "paper")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def validate(schema, path):
    return CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", schema, str(path)])


def jobs():
    """Name and facts of the jobs of all workflows."""
    for path in WORKFLOWS:
        for name, job in yaml.safe_load(path.read_text())["jobs"].items():
            yield f"{path.stem}/{name}", job


def commands():
    """Lines of shell of all jobs."""
    return [
        line.strip()
        for _, job in jobs()
        for step in job["steps"]
        for line in step.get("run", "").splitlines()
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_follow_their_schema_and_one_that_does_not_is_refused(path, tmp_path):
    done = validate("vendor.github-workflows", path)
    assert done.exit_code == 0, done.output
    wrong = tmp_path / path.name
    wrong.write_text(path.read_text().replace("runs-on:", "runs_on:"))
    assert validate("vendor.github-workflows", wrong).exit_code == 1


def test_jobs_call_targets_that_are_there():
    known = set(re.findall(r"^([a-z]+)(?: [a-z]+)*:", (ROOT / "Makefile").read_text(), re.M))
    known |= {"oldest", "newest"}
    called = [words[1:] for words in map(shlex.split, commands()) if words[:1] == ["make"]]
    targets = {word for words in called for word in words if "=" not in word}
    assert targets <= known, targets - known
    assert {"lint", "types", "test", "coverage", "oldest", "newest", "book", "article"} <= targets


def test_tests_run_on_every_supported_python():
    (matrix,) = (job["strategy"]["matrix"] for name, job in jobs() if name == "tests/test")
    named = {c.rsplit(" ", 1)[1] for c in PROJECT["project"]["classifiers"] if ":: 3." in c}
    assert set(matrix["python"]) == named
