"""Explain one finding or claim: numbers, both marks, rule, and how to run it again."""

import inspect
import textwrap

from ..rooms import source_file
from ..runner.declaration import get
from ..runner.records import RecordError, load_recorded, notebook_of
from .claims import Check, load_statements, measure_of
from .findings import DecidedFinding
from .verification import RULES, Verdict

CONTEST = (
    "change the option or the measure and run it again with the commands above; the book's "
    "page 'The rules of verdicts' tells what was fixed when, and where to report a disagreement"
)


def _rule(claim) -> str:
    rule = RULES[claim.kind]
    needs = {"tolerance": claim.tolerance, "margin": claim.margin, "tau": claim.tau}
    text = f"{claim.kind}: {inspect.getdoc(rule).splitlines()[0]}"
    text += "".join(f" {name} {x:g}." for name, x in needs.items() if x is not None)
    return f"{text} ({rule.__name__} in {source_file(rule.__module__)})"


def _measure(claim) -> str:
    function = measure_of(claim)
    file = source_file(function.__module__)
    arguments = ", ".join(f"{name}={value!r}" for name, value in claim.arguments.items())
    said = (inspect.getdoc(function) or "").split("\n\n")[0]
    return f"{claim.measure}({arguments}) in {file}: {' '.join(said.split())}".removesuffix(": ")


def _record(name: str) -> list[tuple[str, str]]:
    try:
        facts = load_recorded(name)[1]
    except RecordError as error:
        return [("results", str(error))]
    code = facts["code"]
    commit = (code["commit"] or "unknown")[:12] + " with local changes" * bool(code["dirty"])
    notebook = notebook_of(name)
    experiment = get(name)
    function = getattr(experiment.run_unit, "func", experiment.run_unit)
    return [
        ("units", f"{function.__name__} in {source_file(experiment.module)}"),
        (
            "results",
            f"{name}: {facts['rows']} rows of {facts['units']} units, recorded {facts['date']} at "
            f"commit {commit} in {facts['seconds']:.0f} s of computing",
        ),
        ("rerun", facts["command"]),
        *([("read", notebook)] if notebook else []),
    ]


def _options(verdict: Verdict) -> str:
    text = f"comes out under {verdict.held_text}"
    otherwise = [
        f"{name}: {outcome}"
        for name, outcome in (verdict.options or {}).items()
        if outcome != verdict.outcome
    ]
    text += f" ({'; '.join(otherwise)})" if otherwise else ""
    if verdict.options_not_run:
        text += f"; not run: {', '.join(verdict.options_not_run)}"
    return text


def explain(verdict: Verdict) -> str:
    """Everything behind one verdict, as lines of text with labels."""
    claim = verdict.claim
    facts = [("statement", claim.statement)]
    if not isinstance(claim, Check):
        setting = load_statements([verdict.paper])[verdict.paper].setting_of(claim)
        facts += [("quote", f"“{quote}”") for quote in claim.quotes]
        facts.append(("place", f"{verdict.paper.replace('_', ' ')}, {claim.place}"))
        if setting:
            facts.append(("experiment", setting.text))
            if setting.experiment == "ours":
                facts.append(("", "the paper publishes no experiment for it; this one is ours"))
            facts.append(("repetition", setting.repetition))
        if claim.comes_out:
            facts.append(("comes out", claim.comes_out))
    facts += [
        ("published", verdict.published),
        ("reproduced", verdict.reproduced),
        ("repeats", f"{verdict.outcome}: {verdict.detail}"),
    ]
    if verdict.tolerance_matters:
        facts.append(("", "half or double the tolerance gives another outcome"))
    if verdict.carries:
        facts.append(("carries over", f"{verdict.carries} ({verdict.carries_detail})"))
    if verdict.options or verdict.options_not_run:
        facts.append(("options", _options(verdict)))
    if claim.kind in RULES:
        facts.append(("rule", _rule(claim)))
    if claim.measure:
        facts.append(("measure", _measure(claim)))
    for name in claim.results:
        facts += _record(name)
    facts.append(("contest", CONTEST))
    return _lines(f"{verdict.outcome.upper()}  {claim.id}", facts)


def explain_finding(decided: DecidedFinding) -> str:
    """A finding with its published and reproduced numbers and the verdicts on its claims."""
    finding = decided.finding
    facts = [
        ("finding", finding.sentence),
        ("compared", finding.comparator),
        ("published", finding.published),
        ("reproduced", decided.reproduced),
    ]
    facts += [("since", reason) for reason in decided.reasons]
    if decided.share_text:
        facts.append(("repeats", f"repetitions in which it comes out: {decided.share_text}"))
    for verdict in decided.claims:
        mark = f"; {verdict.carries}" if verdict.carries else ""
        share = f" ({verdict.share_text})" if verdict.share_text else ""
        facts.append(
            (
                verdict.claim.role,
                f"{verdict.claim.id}: {verdict.outcome}{share}{mark}. {verdict.claim.statement}",
            )
        )
    facts.append(("figure", f"notebooks/{decided.paper}/{finding.figure}.ipynb"))
    return _lines(f"{decided.verdict.upper()}  {decided.paper}/{finding.id}", facts)


def _lines(head: str, facts: list[tuple[str, str]]) -> str:
    lines = [head]
    for label, text in facts:
        lines += textwrap.wrap(
            " ".join(text.split()),
            100,
            initial_indent=f"  {label:<13}",
            subsequent_indent=" " * 15,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)
