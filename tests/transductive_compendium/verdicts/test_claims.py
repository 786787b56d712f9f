import json
import re
import subprocess
import sys

import pytest
import yaml

from transductive_compendium.runner import Experiment, record, register, run
from transductive_compendium.verdicts import ClaimError, load_claims, measure, verify
from transductive_compendium.verdicts.rules import ValueEvidence


@pytest.fixture
def recorded(curve):
    record(run(curve, "paper", progress=False))
    return curve


def edit(tmp_path, position, remove=(), **changes):
    """Change one claim of the file."""
    path = tmp_path / "claims" / "toy.yml"
    entries = yaml.safe_load(path.read_text())
    entries[position].update(changes)
    for key in remove:
        del entries[position][key]
    path.write_text(yaml.safe_dump(entries))


def test_every_claim_is_decided_by_its_rule(recorded):
    verdicts = {v.claim.id: v for v in verify()}
    assert {name: v.outcome for name, v in verdicts.items()} == {
        "toy-theta": "reproduced",
        "toy-gain": "reproduced",
        "toy-loss": "not reproduced",
        "toy-same": "inconclusive",
        "toy-identity": "reproduced",
        "toy-shape": "not reproduced",
        "toy-zip": "not testable here",
    }
    assert verdicts["toy-theta"].theirs == "2.0 margin |f| (n = 10)"
    assert "opposite direction" in verdicts["toy-loss"].detail
    assert "digits, under its own name" in verdicts["toy-zip"].detail
    assert json.loads(json.dumps(verdicts["toy-theta"].as_dict()))["id"] == "toy-theta"


def test_orderings_are_adjusted_within_their_paper(recorded, tmp_path):
    found = {v.claim.id: v for v in verify()}
    small, large = sorted((found["toy-gain"], found["toy-loss"]), key=lambda v: v.p)
    assert small.p_adjusted == pytest.approx(2 * small.p)
    assert large.p_adjusted == pytest.approx(max(2 * small.p, large.p))
    text = (tmp_path / "claims" / "toy.yml").read_text()
    (tmp_path / "claims" / "other.yml").write_text(text.replace("id: toy", "id: other"))
    again = {v.claim.id: v for v in verify()}
    assert len(again) == 14
    assert again["toy-gain"].p_adjusted == found["toy-gain"].p_adjusted
    assert [v.claim.document for v in verify(["other"])] == ["other"] * 7


def test_missing_results_leave_claims_undecided_with_the_remedy(curve):
    verdicts = verify()
    assert {v.outcome for v in verdicts} == {"undecided"}
    assert "transductive run toy/curve --profile paper --record" in verdicts[0].detail


def test_a_measure_that_fails_leaves_only_its_claim_undecided(recorded, tmp_path):
    edit(tmp_path, 5, measure="toy_broken")
    edit(tmp_path, 4, measure="toy_shape")
    found = {v.claim.id: v for v in verify()}
    assert found["toy-shape"].outcome == found["toy-identity"].outcome == "undecided"
    assert "toy_broken failed: KeyError" in found["toy-shape"].detail
    assert "decided by IdentityEvidence" in found["toy-identity"].detail
    assert found["toy-theta"].outcome == "reproduced"


def test_a_measure_cannot_change_the_rows_for_the_next_one(recorded, tmp_path):
    @measure
    def toy_vandal(frames):
        frames["toy/curve"]["theta"] *= 0
        return ValueEvidence(values=frames["toy/curve"]["theta"])

    before = verify()[4]
    edit(tmp_path, 0, measure="toy_vandal")
    found = verify()
    assert found[0].outcome == "not reproduced" and found[4].detail == before.detail


def test_strict_wants_current_results_and_a_word_on_what_was_tried(recorded):
    found = {v.claim.id: v for v in verify(strict=True)}
    assert found["toy-theta"].outcome == "reproduced"
    assert found["toy-loss"].outcome == "not reproduced"  # says what was tried
    assert found["toy-shape"].outcome == "undecided" and "tried" in found["toy-shape"].detail
    register(Experiment(**{**vars(recorded), "version": 2}))
    assert verify()[0].outcome == "reproduced"
    stale = verify(strict=True)[0]
    assert stale.outcome == "undecided" and "recorded with version 1, now 2" in stale.detail


def test_a_claim_has_a_role_and_orderings_of_all_roles_are_adjusted_together(recorded, tmp_path):
    before = {v.claim.id: v for v in verify()}
    assert {v.claim.role for v in before.values()} == {"claim"}
    edit(tmp_path, 1, role="check")
    edit(tmp_path, 0, role="calibration")
    edit(tmp_path, 5, role="claim")
    found = {v.claim.id: v for v in verify()}
    roles = {name: v.claim.role for name, v in found.items() if v.claim.role != "claim"}
    assert roles == {"toy-theta": "calibration", "toy-gain": "check"}
    assert found["toy-theta"].as_dict()["role"] == "calibration"
    for name, verdict in found.items():
        assert (verdict.outcome, verdict.p_adjusted) == (
            before[name].outcome,
            before[name].p_adjusted,
        )


@pytest.mark.parametrize(
    ("position", "changes", "words"),
    [
        (0, {"tolerence": 1.0}, "unknown key 'tolerence'; did you mean 'tolerance'"),
        (0, {"kind": "valeu"}, "did you mean 'value'"),
        (0, {"role": "calibraton"}, "unknown role 'calibraton'; did you mean 'calibration'"),
        (0, {"role": "Check"}, "did you mean 'check'"),
        (0, {"role": ""}, "unknown role ''.*claim, check, calibration"),
        (0, {"role": None}, "role is None"),
        (0, {"role": ["check"]}, "in quotes"),
        (0, {"rôle": "check"}, "did you mean 'role'"),
        (0, {"measure": "toy_thta"}, "did you mean 'toy_theta'.*papers/toy/"),
        (0, {"tolerance": "1e-9"}, "number > 0.*1.0e-9"),
        (0, {"tolerance": 0}, "number > 0"),
        (0, {"published": {"value": 2.0, "digits": 1}}, "lacks 'n'"),
        (0, {"published": {"value": 2.0, "digits": 1, "n": 0}}, "int >= 1, or the word exact"),
        (0, {"published": {"value": "2", "digits": 1, "n": 3}}, "must be a number"),
        (0, {"published": {"value": 2.0, "digits": 1.5, "n": 3}}, "without decimals"),
        (0, {"published": {"value": 2.0, "digit": 1, "n": 3}}, "did you mean 'digits'"),
        (0, {"published": 2.0}, "must be a mapping"),
        (0, {"results": "toy/curve"}, "list of names"),
        (0, {"results": []}, "lacks 'results'"),
        (0, {"statement": ""}, "lacks 'statement'"),
        (0, {"item": 2}, "in quotes"),
        (0, {"arguments": {"dataset": "thyroid"}}, "do not fit toy_theta.*dataset"),
        (1, {"arguments": ["by"]}, "must be a mapping"),
        (1, {"id": "toy-theta"}, "id is taken, in claims/toy.yml"),
    ],
)
def test_schema_errors_name_file_claim_and_remedy(curve, tmp_path, position, changes, words):
    edit(tmp_path, position, **changes)
    with pytest.raises(ClaimError, match=f"(?s)toy.yml, claim toy-.*{words}"):
        load_claims()


@pytest.mark.parametrize("position", [0, 3, 4])
def test_value_equivalence_and_identity_need_a_tolerance(curve, tmp_path, position):
    edit(tmp_path, position, remove=["tolerance"])
    with pytest.raises(ClaimError, match="lacks 'tolerance'"):
        load_claims()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", "cannot be read"),
        ("a: 1", "list of claims"),
        ("- 3", "claim number 1.*mapping"),
        ("- item: x", "claim number 1.*lacks 'id'"),
    ],
)
def test_broken_files_are_errors(curve, tmp_path, text, words):
    (tmp_path / "claims" / "toy.yml").write_text(text)
    with pytest.raises(ClaimError, match=words):
        load_claims()


def test_unknown_papers_are_errors(curve):
    with pytest.raises(ClaimError, match="did you mean 'toy'"):
        verify(["tyo"])


def test_two_measures_of_one_name_are_an_error():
    def toy_theta(frames):
        return None

    with pytest.raises(ClaimError, match=r"toy_theta is in .* rename one"):
        measure(toy_theta)


def test_verifying_loads_neither_scipy_nor_scikit_learn_nor_the_library():
    """`transductive verify` as it is typed, over all claims of all papers."""
    code = """
import sys
from click.testing import CliRunner
from transductive_compendium.cli import main
done = CliRunner().invoke(main, ["verify"])
assert done.exit_code == 0, done.output
heavy = "scipy", "sklearn", "matplotlib", "joblib", "transductive.kernels", "transductive.margin"
print(done.output.splitlines()[-1])
print([name for name in heavy if name in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    summary, loaded = out.stdout.splitlines()
    assert re.match(r"[1-9]\d\d claims: ", summary) and loaded == "[]"
