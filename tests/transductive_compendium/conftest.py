import pytest

from transductive_compendium.runner import Experiment, Parameter, register
from transductive_compendium.runner import declaration as register_module
from transductive_compendium.verdicts import claims as claims_module
from transductive_compendium.verdicts.claims import measure
from transductive_compendium.verdicts.rules import (
    EquivalenceEvidence,
    IdentityEvidence,
    NotTestable,
    OrderingEvidence,
    ShapeEvidence,
    ValueEvidence,
)

CLAIMS = """\
- id: toy-theta
  item: Figure 1
  statement: The threshold $|f|$ is about two.
  source: section 4
  kind: value
  published: {value: 2.0, digits: 1, n: 10, unit: "margin |f|"}
  tolerance: 1.0
  results: [toy/curve]
  measure: toy_theta
- id: toy-gain
  item: Figure 1
  statement: A is better than B.
  source: section 4
  kind: ordering
  published: {text: "A < B"}
  results: [toy/curve]
  measure: toy_gain
  arguments: {by: 0.1}
- id: toy-loss
  item: Figure 1
  statement: B is better than A.
  source: section 4
  kind: ordering
  results: [toy/curve]
  measure: toy_gain
  arguments: {by: -0.1}
  tried: another seed, and twice the splits
- id: toy-same
  item: Table 2
  statement: C and D do not differ.
  source: section 5
  kind: equivalence
  tolerance: 1.0e-9
  results: [toy/curve]
  measure: toy_same
- id: toy-identity
  item: Equation 3
  statement: Both sides are equal.
  source: section 2
  kind: identity
  tolerance: 1.0e-10
  results: [toy/curve]
  measure: toy_identity
- id: toy-shape
  item: Figure 1
  statement: The curve falls.
  source: section 4
  kind: shape
  results: [toy/curve]
  measure: toy_shape
- id: toy-zip
  item: Table 9
  statement: It works on mail.
  source: section 9
  kind: shape
  results: [toy/curve]
  measure: toy_zip
"""


@measure
def toy_theta(frames):
    return ValueEvidence(values=frames["toy/curve"]["theta"])


@measure
def toy_gain(frames, by=0.0):
    return OrderingEvidence(differences=by + 0.01 * frames["toy/curve"]["noise"])


@measure
def toy_same(frames):
    return EquivalenceEvidence(differences=frames["toy/curve"]["noise"])


@measure
def toy_identity(frames):
    return IdentityEvidence(error=1e-14, scale=frames["toy/curve"]["theta"].mean())


@measure
def toy_shape(frames):
    return ShapeEvidence(False, "rises by 0.3 | after 5")


@measure
def toy_zip(frames):
    return NotTestable("the mail is private", "digits, under its own name")


@measure
def toy_broken(frames):
    raise KeyError("theta_min")


def units(params, profile):
    return [{"split": i} for i in range({"smoke": 3, "paper": 10, "full": 20}[profile])]


def run_unit(key, params, data, rng):
    return [{"theta": params["level"] + 0.1 * rng.normal(), "noise": rng.normal()}]


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Store, results and log of the toy experiments in folders of this test."""
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path


@pytest.fixture
def empty_register(monkeypatch):
    """No experiments, and no rooms: what these declare at their import would be lost with this."""
    monkeypatch.setattr(register_module, "_REGISTER", {})
    monkeypatch.setattr(register_module, "room_folders", dict)


@pytest.fixture
def claims_folder(folders, empty_register, monkeypatch):
    """The folder of this test's claims."""
    claims = folders / "claims"
    claims.mkdir()
    monkeypatch.setattr(
        claims_module,
        "claims_files",
        lambda: {path.stem: path for path in sorted(claims.glob("*.yml"))},
    )
    return claims


@pytest.fixture
def curve(claims_folder):
    """A registered experiment, and claims on it."""
    (claims_folder / "toy.yml").write_text(CLAIMS)
    level = Parameter(2.0, float, "level of theta", minimum=0)
    return register(
        Experiment("toy/curve", 1, "A toy curve", units, run_unit, parameters={"level": level})
    )
