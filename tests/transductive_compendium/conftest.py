import numpy as np
import pytest
import yaml

from transductive_compendium.runner import Experiment, Parameter, record, register, run
from transductive_compendium.runner import declaration as register_module
from transductive_compendium.verdicts import claims as claims_module
from transductive_compendium.verdicts import mathematics
from transductive_compendium.verdicts.claims import measure
from transductive_compendium.verdicts.rules import Column, NotTestable, Repeats, Value

FINDINGS = """\
- id: better
  sentence: A errs less than B.
  comparator: B on the same splits
  claims: [toy-gain, toy-theta]
  figure: curve
  published: 3 %, B 5 %
- id: worse
  sentence: B errs less than A | on mail.
  comparator: A
  claims: [toy-loss]
  figure: curve
  published: no number
"""

OPEN_CHOICES = """\
start:
  question: Where does it start?
  words: '"begin anywhere" (section 2)'
  options:
    zero: {source: "nothing: the simplest", run: {level: 2.0}}
    far: {source: "cited work: page 3", run: {level: 3.0}}
    near: {source: "program: line 7", text: close to zero, run: {level: 2.5}}
law:
  question: By which law are directions drawn?
  words: '"at random" (section 3)'
  options:
    normal: {source: print, run: {law: normal}}
    uniform: {source: program, run: {law: uniform}}
"""

CLAIMS = """\
protocols:
  patients:
    text: A and B on 120 splits of the patients
    repetition: a random split
    m: 100
  unknown_size:
    text: the same; print does not tell how often
    repetition: a random split
  exact:
    text: no randomness
    repetition: nothing
    m: exact
    experiment: ours
claims:
- id: toy-gain
  statement: A errs less than B by 2 points.
  quote: A errs | less
  place: section 4, figure 1
  kind: repeats
  protocol: patients
  comes_out: The mean gap is above zero.
  published: {gain: 2, digits: 0, unit: points}
  results: [toy/draws]
  measure: toy_gaps
  arguments: {by: 2.0}
- id: toy-theta
  statement: The threshold $|f|$ is about two.
  quote: [about two, 'theta = 2.0']
  place: section 4
  kind: numbers
  protocol: patients
  comes_out: The number fits.
  published: {value: 2.0, digits: 1, unit: "margin |f|"}
  results: [toy/draws]
  measure: toy_theta
- id: toy-loss
  statement: B is better than A.
  quote: B is better
  place: section 5
  kind: repeats
  protocol: patients
  comes_out: The mean gap is above zero.
  results: [toy/draws]
  measure: toy_gaps
  arguments: {by: -0.5}
- id: toy-open
  statement: A leads, however often.
  quote: leads
  place: section 5
  kind: repeats
  protocol: unknown_size
  comes_out: The mean gap is above zero.
  results: [toy/draws]
  measure: toy_gaps
  arguments: {by: 0.1}
- id: toy-same
  statement: C and D do not differ.
  quote: do not differ
  place: section 5
  kind: equivalence
  protocol: patients
  comes_out: They differ by less than the margin.
  margin: 1.0
  results: [toy/draws]
  measure: toy_gaps
- id: toy-column
  statement: The table's first column.
  quote: table 1
  place: table 1
  kind: numbers
  protocol: patients
  comes_out: All cells fit.
  published: {cells: {10: 2.0, 20: 4.1}, digits: 1, unit: "%"}
  measure: toy_cells
- id: toy-identity
  statement: Both sides are equal.
  quote: the same
  place: section 2
  kind: mathematics
  comes_out: They agree to rounding.
- id: toy-count
  statement: Two classes make four labellings.
  quote: four
  place: section 2
  kind: repeats
  protocol: exact
  comes_out: There are four.
  results: [toy/draws]
  measure: toy_gaps
  arguments: {by: 1.0, of: 1}
- id: toy-mail
  statement: It works on mail.
  quote: works on mail
  place: section 9
  kind: untestable
  why: The mail is private.
- id: toy-zip
  statement: It works on zip codes.
  quote: zip
  place: section 9
  kind: repeats
  protocol: patients
  comes_out: It works.
  results: [toy/draws]
  measure: toy_zip
- id: toy-later
  statement: It is fast.
  quote: fast
  place: section 9
  kind: mathematics
  comes_out: It is.
"""

#: The printed threshold of the comparator, whose experiment shares its preprocessing.
ANCHORS = """\
tables:
  thresholds:
    experiments: [toy/draws]
    anchors:
    - id: printed-theta
      quantity: threshold of B
      quote: theta of B is 2.0
      place: table 1
      readers: [T1, T-A1]
      published: {value: 2.0, digits: 1}
      results: [toy/draws]
      measure: toy_theta
"""


@measure()
def toy_gaps(frames, by=0.0, of=None):
    """Gap between A and B, split by split.

    More than the first paragraph is not shown.
    """
    return Repeats(by + frames["toy/draws"]["noise"].to_numpy()[:of])


@measure()
def toy_theta(frames):
    return Value(frames["toy/draws"]["theta"])


@measure("toy/draws")
def toy_cells(rows):
    theta = rows["theta"]
    return Column({"10": Value(theta), "20": Value(2 * theta)})


@measure()
def toy_zip(frames):
    return NotTestable("the mail is private", "digits, under its own name")


@measure()
def toy_broken(frames):
    raise KeyError("theta_min")


def units(params, profile):
    return [{"split": i} for i in range({"smoke": 3, "paper": 10, "full": 20}[profile])]


def run_unit(key, params, data, rng):
    return [{"theta": params["level"] + 0.1 * rng.normal(), "noise": rng.normal()}]


def blocks(params, profile):
    return [{"block": i} for i in range({"smoke": 1, "paper": 4, "full": 4}[profile])]


def run_block(key, params, data, rng):
    """Thirty draws whose noise has the mean 0 and the standard deviation 1."""
    noise = rng.normal(size=30)
    noise = (noise - noise.mean()) / noise.std()
    return [{"theta": params["level"] + 0.1 * x, "noise": x} for x in noise]


def noise(n=120):
    """Draws of mean 0 and standard deviation 1."""
    x = np.random.default_rng(0).normal(size=n)
    return (x - x.mean()) / x.std()


class Room:
    """The files of a toy paper, and how they are changed."""

    def __init__(self, folder):
        self.folder = folder
        self.write(claims=CLAIMS, findings=FINDINGS)
        self.mark("toy-identity", "holds")
        self.write(open_choices=OPEN_CHOICES)

    def write(self, **texts):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (self.folder / f"{name}.yml").write_text(text)
        claims_module._load.cache_clear()

    def mark(self, claim, *words):
        """Write the file of tests that are marked with these words of a claim."""
        tests = self.folder.parents[1] / "tests"
        tests.mkdir(exist_ok=True)
        text = "".join(
            f'@pytest.mark.claim("{claim}", "{word}")\ndef test_{n}(): ...\n'
            for n, word in enumerate(words)
        )
        (tests / "test_toy.py").write_text(text)
        mathematics.marked_tests.cache_clear()

    def read(self, name):
        return yaml.safe_load((self.folder / f"{name}.yml").read_text())

    def edit(self, claim, remove=(), **changes):
        """Change one claim."""
        file = self.read("claims")
        (entry,) = (entry for entry in file["claims"] if entry["id"] == claim)
        entry.update(changes)
        for key in remove:
            del entry[key]
        self.write(claims=yaml.safe_dump(file, sort_keys=False))

    def declare(self, level=2.0):
        """Register the experiment, whose default level this is."""
        parameters = {
            "level": Parameter(level, float, "level"),
            "law": Parameter("normal", str, "law"),
        }
        register(Experiment("toy/draws", 1, "Toy draws", blocks, run_block, parameters=parameters))

    def record(self, level=2.0):
        """Record the experiment with this default."""
        self.declare(level)
        record(run("toy/draws", "paper", progress=False, fresh=True))

    def record_rows(self, name, keys, rows_of):
        """Record a result whose units have these keys."""

        def run_unit(key, params, data, rng):
            return rows_of(key)

        register(Experiment(name, 1, "made", lambda params, profile: keys, run_unit))
        record(run(name, "paper", progress=False, fresh=True))

    def record_options(self, choice="start", n=120, **moved):
        """Record options of a choice by how they move theta and the gaps."""

        def rows_of(key):
            theta, gap = moved[key["option"]]
            return [{"theta": 2.0 + theta + 0.1 * x, "noise": x + gap} for x in noise(n)]

        keys = [{"choice": choice, "option": option} for option in moved]
        self.record_rows("toy/draws_options", keys, rows_of)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Store, results and log of the toy experiments in folders of this test."""
    monkeypatch.setenv("TRANSDUCTIVE_STORE", str(tmp_path / "store"))
    (tmp_path / "results").mkdir()
    monkeypatch.setenv("TRANSDUCTIVE_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path


@pytest.fixture
def empty_register(monkeypatch):
    """No experiments, and no rooms: what these declare at their import would be lost with this."""
    monkeypatch.setattr(register_module, "_REGISTER", {})
    monkeypatch.setattr(register_module, "room_folders", dict)


@pytest.fixture
def curve(folders, empty_register):
    """A registered experiment."""
    level = Parameter(2.0, float, "level of theta", minimum=0)
    return register(
        Experiment("toy/curve", 1, "A toy curve", units, run_unit, parameters={"level": level})
    )


@pytest.fixture
def room(folders, empty_register, monkeypatch):
    """The room of the toy paper and its experiment, of which nothing is recorded."""
    top = folders / "rooms"
    monkeypatch.setattr(
        claims_module,
        "statement_folders",
        lambda: {path.name: path for path in sorted(top.iterdir())},
    )
    made = Room(top / "toy")
    made.declare()
    yield made
    claims_module._load.cache_clear()


@pytest.fixture
def recorded(room):
    """The same with its results and its notebook."""
    room.record()
    notebook = room.folder.parents[1] / "notebooks/toy/draws.ipynb"
    notebook.parent.mkdir(parents=True)
    notebook.touch()
    return room


@pytest.fixture
def anchors():
    """Text of the toy's anchors, which its room does not have at first."""
    return ANCHORS
