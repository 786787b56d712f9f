"""Claims: what a paper says, loaded strictly from its ``claims.yml``, and decided.

A claim names a measure, a function that turns recorded results into evidence; the rule for its
kind turns evidence into a verdict. No verdict is ever typed.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ..rooms import import_room, room_folders
from ..runner.declaration import get
from ..runner.parameters import ExperimentError, unknown
from ..runner.records import load_recorded
from . import rules

UNDECIDED = "undecided"

#: Roles: the paper says it; we check it besides; the published number chose an interpretation of
#: what the paper leaves open, so that agreement confirms nothing independently.
CLAIM, CHECK, CALIBRATION = ROLES = ("claim", "check", "calibration")

_MEASURES: dict[str, Callable] = {}
_REQUIRED = ("id", "item", "statement", "source", "kind", "results", "measure")
_OPTIONAL = ("published", "tolerance", "arguments", "tried", "role")
_PUBLISHED = ("value", "digits", "n", "unit", "text", "reference")
_NEED_TOLERANCE = ("value", "equivalence", "identity")
#: Kinds as they are printed, where that is not their name in ``claims.yml``.
_PRINTED_KINDS = {"shape": "pattern"}


class ClaimError(Exception):
    """A claims file breaks the schema; the message names file, claim and remedy."""


def measure(function: Callable) -> Callable:
    """Register a measure: ``function(frames, **arguments)`` giving evidence.

    `frames` maps each name in the claim's ``results`` to the recorded rows.
    """
    other = _MEASURES.get(function.__name__)
    if other is not None and other.__module__ != function.__module__:
        raise ClaimError(
            f"measure {function.__name__} is in {other.__module__} and again in "
            f"{function.__module__}; rename one"
        )
    _MEASURES[function.__name__] = function
    return function


@dataclass(frozen=True)
class Claim:
    """One claim of a paper; the fields are described in CONTRIBUTING.md.

    `role` is "claim" for what the paper says, "check" for a check of our own that the paper does
    not make, "calibration" for a published number that was used to choose an interpretation of
    open choices: agreement with it is no independent confirmation.
    """

    document: str
    id: str
    item: str
    statement: str
    source: str
    kind: str
    results: tuple[str, ...]
    measure: str
    published: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    tried: str = ""
    role: str = CLAIM

    @property
    def printed_kind(self) -> str:
        """The kind as readers meet it."""
        return _PRINTED_KINDS.get(self.kind, self.kind)

    @property
    def theirs(self) -> str:
        """What the paper says, for a table's cell: a text, if there is one beside the value."""
        if "text" in self.published or "value" not in self.published:
            return str(self.published.get("text", self.kind))
        value, digits = self.published["value"], self.published["digits"]
        text = f"{value:.{max(digits, 0)}f} {self.published.get('unit', '')}".strip()
        n = self.published["n"]
        return text if n == "exact" else f"{text} (n = {n})"


@dataclass(frozen=True)
class Verdict:
    """A decided claim; outcome "undecided" means that results are missing or unusable."""

    claim: Claim
    outcome: str
    ours: str
    theirs: str
    detail: str
    p: float | None = None
    p_adjusted: float | None = None

    @property
    def published(self) -> str:
        """What the paper says, as it is printed."""
        return self.claim.printed_kind if self.theirs == self.claim.kind else self.theirs

    def as_dict(self) -> dict[str, Any]:
        """JSON-able, with the claim's fields beside the verdict's."""
        verdict = asdict(self)
        return {**verdict.pop("claim"), **verdict}


def _published(raw: Any, kind: str, fail: Callable) -> dict:
    if raw is None:
        raw = {}
    if not isinstance(raw, dict):
        fail("published must be a mapping, e.g. {value: 2.15, digits: 2, n: 100}")
    for name in raw:
        if name not in _PUBLISHED:
            fail(unknown("key of published", name, _PUBLISHED))
    if kind == "value":
        for name in ("value", "digits", "n"):
            if name not in raw:
                fail(
                    f"published lacks {name!r}; a value claim needs value, digits (decimals "
                    f"printed; -3: thousands) and n (how many values were averaged, or exact)"
                )
        n = raw["n"]
        if n != "exact" and (type(n) is not int or n < 1):
            fail(f"published.n is {n!r}; give an int >= 1, or the word exact")
    for name, types in (("value", (int, float)), ("reference", (int, float)), ("digits", (int,))):
        if name in raw and type(raw[name]) not in types:
            fail(
                f"published.{name} is {raw[name]!r}; it must be a number"
                + (" without decimals" if name == "digits" else "")
            )
    return raw


def parse_claim(raw: Any, paper: str, file: str, position: int) -> Claim:
    """Check one entry of a claims file and make a `Claim` of it, or raise `ClaimError`."""
    label = raw.get("id", f"number {position}") if isinstance(raw, dict) else f"number {position}"

    def fail(why: str):
        raise ClaimError(f"{file}, claim {label}: {why}")

    if not isinstance(raw, dict):
        fail("is not a mapping of keys to values")
    for name in raw:
        if name not in (*_REQUIRED, *_OPTIONAL):
            fail(unknown("key", name, (*_REQUIRED, *_OPTIONAL)))
    for name in _REQUIRED:
        if not raw.get(name):
            fail(f"lacks {name!r}; add it")
    for name in ("id", "item", "statement", "source", "kind", "measure", "tried", "role"):
        if not isinstance(raw.get(name, ""), str):
            fail(f"{name} is {raw[name]!r}; it must be text (put it in quotes)")
    kind, results, arguments = raw["kind"], raw["results"], raw.get("arguments") or {}
    if kind not in rules.KINDS:
        fail(unknown("kind", kind, rules.KINDS))
    role = raw.get("role", CLAIM)
    if role not in ROLES:
        fail(unknown("role", role, ROLES))
    tolerance = raw.get("tolerance")
    if tolerance is None and kind in _NEED_TOLERANCE:
        fail(f"lacks 'tolerance'; a claim of kind {kind} needs one, fixed before anything runs")
    if tolerance is not None and (type(tolerance) not in (int, float) or not tolerance > 0):
        fail(f"tolerance is {tolerance!r}; it must be a number > 0 (YAML wants 1.0e-9, not 1e-9)")
    if not isinstance(results, list) or not all(isinstance(r, str) for r in results):
        fail("results must be a list of names, e.g. [bayesian_transduction/figure_2a]")
    if raw["measure"] not in _MEASURES:
        fail(
            unknown("measure", raw["measure"], sorted(_MEASURES))
            + f" Measures of {paper} are functions marked @measure in the modules "
            f"papers/{paper}/*_measures.py."
        )
    if not isinstance(arguments, dict):
        fail("arguments must be a mapping, e.g. {dataset: thyroid}")
    signature = inspect.signature(_MEASURES[raw["measure"]])
    try:
        signature.bind({}, **arguments)
    except TypeError as error:
        fail(f"arguments do not fit {raw['measure']}{signature}: {error}")
    return Claim(
        document=paper,
        id=raw["id"],
        item=raw["item"],
        statement=raw["statement"].strip(),
        source=raw["source"],
        kind=kind,
        results=tuple(results),
        measure=raw["measure"],
        published=_published(raw.get("published"), kind, fail),
        tolerance=tolerance,
        arguments=arguments,
        tried=raw.get("tried", "").strip(),
        role=role,
    )


def claims_files() -> dict[str, Path]:
    """Name of each paper, or of what is a room like one, and the file of its claims."""
    found = {name: folder / "claims.yml" for name, folder in room_folders().items()}
    return {name: path for name, path in found.items() if path.is_file()}


def load_claims(
    papers: Iterable[str] | None = None, folder: str | Path | None = None
) -> list[Claim]:
    """Claims of the given papers, or of all, in the order of the files.

    Raises
    ------
    ClaimError
        For a paper without claims, or an entry that breaks the schema.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster
    files = claims_files()
    if folder is not None:
        files = {path.stem: path for path in sorted(Path(folder).glob("*.yml"))}
    claims, seen = [], {}
    for paper in files if papers is None else papers:
        if paper not in files:
            raise ClaimError(unknown("paper", paper, files))
        name = "/".join(files[paper].parts[-2:])
        if paper in room_folders():
            import_room(paper, measures=True)
        try:
            entries = yaml.load(files[paper].read_text(encoding="utf-8"), loader)
        except (OSError, yaml.YAMLError) as error:
            raise ClaimError(f"{name} cannot be read: {error}") from error
        if not isinstance(entries, list):
            raise ClaimError(f"{name} must be a list of claims, each beginning with '- id:'")
        for position, raw in enumerate(entries, 1):
            claim = parse_claim(raw, paper, name, position)
            if claim.id in seen:
                raise ClaimError(f"{name}, claim {claim.id}: the id is taken, in {seen[claim.id]}")
            seen[claim.id] = name
            claims.append(claim)
    return claims


def measure_of(claim: Claim) -> Callable:
    """The function that turns the claim's recorded results into evidence."""
    return _MEASURES[claim.measure]


def papers_of(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Papers that hold `names`, each the name of a paper or the id of a claim; and the ids.

    Raises
    ------
    ClaimError
        For a name that is neither, with the nearest one.
    """
    papers = list(claims_files())
    names = list(dict.fromkeys(names))
    ids = [name for name in names if name not in papers]
    homes = {claim.id: claim.document for claim in load_claims()} if ids else {}
    for name in ids:
        if name not in homes:  # hundreds of ids would bury the message
            near = get_close_matches(name, [*papers, *homes], n=1)
            raise ClaimError(
                f"unknown paper or claim {name!r}"
                + (f"; did you mean {near[0]!r}?" if near else ".")
                + f" Papers: {', '.join(papers)}. Beside each claim that `transductive "
                f"verify PAPER` prints stands its id."
            )
    return list(dict.fromkeys(homes.get(name, name) for name in names)), ids


def decide(claim: Claim, evidence: Any, p_adjusted: float | None = None) -> Verdict:
    """Apply the rule of the claim's kind.

    Parameters
    ----------
    claim : Claim
    evidence : one of the evidence classes of `verdicts`
    p_adjusted : float, optional
        Of an ordering, adjusted within its paper; by default the p-value as it is.
    """
    if isinstance(evidence, rules.NotTestable):
        stead = f" In its stead: {evidence.substitute}" if evidence.substitute else ""
        return Verdict(claim, rules.NOT_TESTABLE, "-", claim.theirs, evidence.reason + stead)
    if not isinstance(evidence, rules.KINDS[claim.kind]):
        raise rules.EvidenceError(
            f"measure {claim.measure} gave {type(evidence).__name__}; a claim of kind {claim.kind} "
            f"is decided by {rules.KINDS[claim.kind].__name__}"
        )
    if claim.kind == "value":
        published = claim.published
        made = rules.decide_value(
            evidence,
            published["value"],
            0.5 * 10.0 ** -published["digits"],
            None if published["n"] == "exact" else published["n"],
            claim.tolerance,
            published.get("reference"),
        )
    elif claim.kind == "ordering":
        p = rules.ordering_p(evidence) if p_adjusted is None else p_adjusted
        made = rules.decide_ordering(evidence, p, claim.tolerance)
    elif claim.kind == "equivalence":
        made = rules.decide_equivalence(evidence, claim.tolerance)
    elif claim.kind == "identity":
        made = rules.decide_identity(evidence, claim.tolerance)
    else:
        made = rules.decide_shape(evidence)
    return Verdict(
        claim, made.outcome, made.reproduced, claim.theirs, made.detail, made.p, made.p_adjusted
    )


def stale(name: str, provenance: Mapping[str, Any]) -> str | None:
    """Why a recorded result no longer belongs to its experiment, or None. Imports experiments."""
    experiment = get(name)
    now = {
        "version": experiment.version,
        "seed": experiment.seed,
        "parameters": {k: p.default for k, p in experiment.parameters.items()},
    }
    for what, value in now.items():
        if provenance[what] != value:
            return (
                f"{name} was recorded with {what} {provenance[what]!r}, now {value!r}: "
                f"transductive run {name} --profile paper --record"
            )
    return None


def verify(
    papers: Iterable[str] | None = None,
    folder: str | Path | None = None,
    strict: bool = False,
) -> list[Verdict]:
    """Decide every claim from the recorded results alone.

    Parameters
    ----------
    papers : iterable of str, optional
        By default all that have claims.
    folder : path, optional
        Of the claims files; by default those that come with the package.
    strict : bool, default False
        Also leave undecided what rests on results recorded under another version of their
        experiment, and what was not reproduced without a word on what was tried.

    Returns
    -------
    list of Verdict
        In the order of the claims, whatever their role; the orderings of a paper are adjusted
        together. A missing or damaged result, or a measure that fails, leaves
        its claim "undecided", with the reason; it does not stop the others.
    """
    claims = load_claims(papers, folder)
    recorded: dict[str, Any] = {}

    def evidence_of(claim: Claim) -> Any:
        for name in claim.results:
            if name not in recorded:
                recorded[name] = load_recorded(name)
            if strict and (why := stale(name, recorded[name][1])):
                raise rules.EvidenceError(why)
        frames = {name: recorded[name][0].copy() for name in claim.results}
        return measure_of(claim)(frames, **claim.arguments)

    found: dict[str, Any] = {}
    p_values: dict[str, float] = {}
    for claim in claims:
        try:
            found[claim.id] = evidence = evidence_of(claim)
            if isinstance(evidence, rules.OrderingEvidence):
                p_values[claim.id] = rules.ordering_p(evidence)
        except ExperimentError as error:
            found[claim.id] = error
        except Exception as error:  # a measure may fail in any way; the others still count
            found[claim.id] = RuntimeError(
                f"measure {claim.measure} failed: {type(error).__name__}: {error}"
            )
    adjusted: dict[str, float] = {}
    for paper in dict.fromkeys(claim.document for claim in claims):
        family = [c.id for c in claims if c.document == paper and c.id in p_values]
        adjusted |= zip(family, rules.holm([p_values[i] for i in family]), strict=True)

    def undecided(claim: Claim, why: Any) -> Verdict:
        return Verdict(claim, UNDECIDED, "-", claim.theirs, str(why))

    result = []
    for claim in claims:
        evidence = found[claim.id]
        if isinstance(evidence, Exception):
            result.append(undecided(claim, evidence))
            continue
        try:
            verdict = decide(claim, evidence, adjusted.get(claim.id))
        except rules.EvidenceError as error:
            verdict = undecided(claim, error)
        if strict and verdict.outcome == rules.NOT_REPRODUCED and not claim.tried:
            verdict = undecided(
                claim, "not reproduced, and the claim's 'tried' does not say what was tried"
            )
        result.append(verdict)
    return result
