"""What the rooms' files say: every claim can be decided, and names what there is."""

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from transductive_compendium.book import pages
from transductive_compendium.runner import all_experiments, load_recorded
from transductive_compendium.runner.companions import OPTIONS
from transductive_compendium.runner.records import notebook_of, rows_of
from transductive_compendium.verdicts import decide_findings, load_statements
from transductive_compendium.verdicts.claims import find, listed_ids, statement_folders
from transductive_compendium.verdicts.identification import DEFAULT, identify
from transductive_compendium.verdicts.mathematics import marked_tests

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = statement_folders()
#: The two raw lists of printed numbers, by paper.
READERS = [ROOT / "results/anchors" / reader for reader in ("reader_a", "reader_b")]
#: Lines of claims.yml and open_choices.yml, of one paper and of all: a tenth above what they are.
LINES_MAX, LINES_MAX_ALL = 950, 3700


@pytest.fixture(scope="module")
def statements():
    return load_statements()


def test_statements_stay_short():
    counts = dict.fromkeys(FOLDERS, 0)
    for paper, name in product(FOLDERS, ("claims", "open_choices")):
        if (path := FOLDERS[paper] / f"{name}.yml").exists():
            counts[paper] += len(path.read_text(encoding="utf-8").splitlines())
    assert max(counts.values()) <= LINES_MAX and sum(counts.values()) <= LINES_MAX_ALL, counts


@pytest.mark.parametrize("paper", FOLDERS)
def test_every_claim_has_its_own_id_what_decides_it_and_a_finding(statements, paper):
    found, claims = statements[paper], statements[paper].claims
    everything = Counter(claim.id for s in statements.values() for claim in s.claims)
    assert not [claim.id for claim in claims if everything[claim.id] > 1]
    without = {claim.id for claim in claims if claim.measure is None}
    assert without == {c.id for c in claims if c.kind in ("mathematics", "untestable")}
    # what is decided from records is in a finding or is a printed number
    apart = [c for c in found.testable if c.kind not in ("mathematics", "numbers")]
    assert not [claim.id for claim in apart if found.finding_of(claim) is None]


def test_marks_are_those_of_mathematical_claims(statements):
    claims = [c for found in statements.values() for c in found.claims if c.kind == "mathematics"]
    assert marked_tests(ROOT / "tests").keys() == {claim.id for claim in claims}


@pytest.mark.parametrize("paper", FOLDERS)
def test_results_are_those_of_experiments_and_have_records(statements, paper):
    named = {name for entry in statements[paper].judged for name in entry.results}
    assert named <= set(all_experiments())
    assert not {name for name in named if not rows_of(name).is_file()}


@pytest.mark.parametrize("paper", FOLDERS)
def test_every_option_touches_a_claim(statements, verdicts, paper):
    own = [v for v in verdicts if v.paper == paper]
    touched = {part for v in own for name in v.decisions for part in name.split(", ")}
    tables = [table for v in own for table in v.tables.values()]
    touched |= {name for table in tables for by in table.by_anchor.values() for name in by}
    for name, choice in statements[paper].open_choices.items():
        for option in choice.options:
            if option != choice.default:
                assert f"{name}: {option}" in touched


@pytest.mark.parametrize("paper", FOLDERS)
def test_what_a_test_settles_names_a_test_of_the_paper(statements, paper):
    whys = [settled.why.partition("test: ")[2] for settled in statements[paper].settled]
    text = "".join(path.read_text() for path in (ROOT / "tests").rglob(f"{paper}/test_*.py"))
    assert statements[paper].settled and not [w for w in whys if w and f"def {w}(" not in text]


@pytest.mark.parametrize("paper", FOLDERS)
def test_an_option_is_the_base_if_the_printed_baselines_identify_it_alone_or_first(
    statements, paper
):
    found = statements[paper]
    identified = identify(found)
    assert not [x.fault for x in identified.values() if x.fault]
    first = {x.standing()[0] for x in identified.values()}
    alone = {x.standing()[0] for x in identified.values() if len(x.standing()) == 1}
    choices = found.open_choices.items()
    marked = {f"{name}: {c.base}" for name, c in choices if c.base != c.default}
    assert alone - {DEFAULT} <= marked <= first


@pytest.mark.parametrize("paper", [path.stem for path in READERS[0].glob("*.yml")])
def test_every_number_of_the_two_readers_is_an_anchor_or_left_out_with_a_reason(statements, paper):
    assert all((folder / f"{paper}.yml").is_file() for folder in READERS)
    anchors = statements[paper].anchors
    used = {name for t in anchors.tables.values() for a in t.anchors for name in a.readers}
    assert used.union(*anchors.left_out.values()) == listed_ids(paper)
    experiments = [name for table in anchors.tables.values() for name in table.experiments]
    assert set(experiments) <= set(all_experiments())


@pytest.mark.parametrize("name", [n for n in all_experiments() if n.endswith(OPTIONS)])
def test_recorded_options_are_those_of_the_open_choices(statements, name):
    known = statements[name.partition("/")[0]].open_choices
    rows = load_recorded(name)[0]
    pairs = set(zip(rows["choice"], rows["option"], strict=True))
    gone = {(c, o) for c, o in pairs if c not in known or o not in known[c].options}
    assert not gone, f"transductive run {name} --profile paper --record"


@pytest.mark.parametrize("paper", FOLDERS)
def test_the_figure_of_a_finding_is_drawn_by_its_notebook(statements, paper):
    for finding in statements[paper].findings:
        path = ROOT / f"notebooks/{paper}/{finding.figure}.ipynb"
        assert path.is_file(), finding.id
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert any(c["metadata"].get("mystnb", {}).get("figure") for c in cells), finding.id


def test_names_that_the_pages_tell_lead_somewhere():
    for name in ("bayesian_transduction/below-svm", "bt-fig2-whole-curve", "universum"):
        assert find(name)[0] in FOLDERS


@pytest.mark.parametrize("paper", FOLDERS)
def test_all_that_is_recorded_can_be_decided(verdicts, paper):
    """No measure fails; what stays undecided says how many draws would decide it."""
    own = [v for v in verdicts if v.paper == paper]
    bare = [v for v in own if v.outcome == "undecided" and v.reproduced == "-"]
    assert {v.claim.id: v.decision.detail for v in bare} == {}
    details = [v.decision.detail for v in own if v.outcome == "undecided"]
    assert all("would decide" in detail for detail in details)


def test_links_of_the_generated_pages_arrive(verdicts, tmp_path):
    written = [p for p in pages.write_pages(tmp_path, verdicts=verdicts) if p.suffix == ".md"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in written)
    anchors = re.findall(r"^\((\S+)\)=$", text, re.M) + re.findall(r"\]\{#(\S+?)\}", text)
    assert not [name for name, n in Counter(anchors).items() if n > 1]
    assert set(re.findall(r"\]\(#(.*?)\)", text)) <= set(anchors)
    files = set(re.findall(r"\]\(/([^)#]*)\)", text))
    for folder, suffix in (("book", "md"), ("notebooks", "ipynb")):
        named = re.findall(r"\{doc\}`(?:[^`]*<)?/(" + folder + r"/[^>`]*)>?`", text)
        files |= {f"{name}.{suffix}" for name in named}
    assert not {name for name in files if not (ROOT / name).is_file()}
    results = {name for v in verdicts for name in v.claim.results}
    assert {path for path in map(notebook_of, results) if path} <= files


#: What the condition of each headline says: outcomes by claim and setting.
CONDITIONS = {
    (
        "bayesian_transduction",
        "Beats the hard-margin SVM, on heart by more once converged; not a soft margin",
    ): {
        ("bt-abstract-favourable", DEFAULT): "reproduced",
        ("bt-abstract-favourable", "convergence: converged"): "reproduced",
        ("bt-abstract-favourable", "svm: soft_1000"): "not reproduced",
        ("bt-abstract-favourable", "svm: soft_10"): "not reproduced",
    },
    ("kernel_gibbs_sampler", "Holds for little regularisation only"): {
        ("kgs-fig4-below", DEFAULT): "reproduced",
        ("kgs-fig4-below-beyond", DEFAULT): "not reproduced",
    },
    ("transductive_regression", "A little, at the printed parameters"): {
        ("tr-fig1a-below", "scaling: variance"): "reproduced",
        ("tr-fig1a-below", "binary: standardised"): "reproduced",
        ("tr-fig1a-below-over-sigma", "scaling: variance"): "not reproduced",
    },
    ("transductive_svm", "Not as printed; yes as its author's program has it"): {
        ("ts-summary-works", DEFAULT): "not reproduced",
        ("ts-summary-works", "first_costs: programmed"): "reproduced",
    },
    ("universum", "Yes on digits, little on text"): {
        ("un-mnist-all-everywhere", DEFAULT): "reproduced",
        ("un-winmac-gain", DEFAULT): "smaller",
    },
}


def test_conditions_say_what_the_claims_say(statements, verdicts):
    by_id = {v.claim.id: v for v in verdicts}
    assert {(p, s.findings[0].condition) for p, s in statements.items()} == CONDITIONS.keys()
    for condition, outcomes in CONDITIONS.items():
        for (claim, setting), outcome in outcomes.items():
            decided = by_id[claim].decisions[setting].settled
            assert decided.outcome == outcome, (condition, claim, setting, decided)


def test_the_readme_has_the_headlines_that_the_build_writes(verdicts, tmp_path):
    headlines = [found[0] for found in decide_findings(None, verdicts).values()]
    (tmp_path / "book/assets").mkdir(parents=True)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "README.md").write_text(readme, encoding="utf-8")
    pages.write_readme(tmp_path, headlines)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == readme, "make book writes it"
    assert (tmp_path / pages.PICTURE).read_text() == (ROOT / pages.PICTURE).read_text()
    assert len(readme.splitlines()) <= 90


@pytest.mark.parametrize("paper", FOLDERS)
def test_tests_that_settle_a_choice_exist(paper):
    settled = load_statements([paper])[paper].settled
    named = {s.why.removeprefix("test: ") for s in settled if s.why.startswith("test: ")}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    assert {name for name in named if not any(f"def {name}(" in text for text in texts)} == set()
