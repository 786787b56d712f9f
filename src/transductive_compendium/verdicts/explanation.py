"""Explain one finding or claim: numbers, settings, rule, and how to run it again."""

import inspect
import re
import textwrap

from ..rooms import source_file
from ..runner.companions import companions_of
from ..runner.declaration import all_experiments, get
from ..runner.records import RecordError, load_recorded, notebook_of, rows_of
from .claims import Claim, load_statements, measure_of
from .findings import DecidedFinding
from .rules import with_interval
from .verification import NOT_RUN, RULES, Verdict

#: Where a disagreement is reported.
REPORT = (
    "the book's page 'The rules of verdicts' tells what was fixed when, and where to report a "
    "disagreement"
)
CONTEST = (
    "in the sources, after `make setup`, change the measure, or the option and record its rows (by "
    "commands as above, with --record), then `transductive verify {}`; "
)


def _rule(claim) -> str:
    rule = RULES[claim.kind]
    said = re.split(r"\n\n(?:Parameters|Raises)\n", inspect.getdoc(rule) or "")[0]  # none under -OO
    text = f"{claim.kind}: {' '.join(said.split())}".rstrip()
    text += f" margin {claim.margin:g}." if claim.margin is not None else ""
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
    return [
        ("units", f"{experiment.function.__name__} in {source_file(experiment.module)}"),
        (
            "results",
            f"results/{name}{''.join(rows_of(name).suffixes)}: {facts['rows']} rows of "
            f"{facts['units']} units, recorded {facts['date']} at commit {commit} in "
            f"{facts['seconds']:.0f} s of computing",
        ),
        ("rerun", facts["command"]),
        *[
            ("rerun", f"transductive run {companion} --profile paper")
            for companion in companions_of(name)
            if companion in all_experiments()
        ],
        *([("read", notebook)] if notebook else []),
    ]


def _rows(claim: Claim, setting: str) -> list[tuple[str, str]]:
    """Where the rows of an option are, if they are not those of the results."""
    choice, _, option = setting.partition(": ")
    companions = [each for name in claim.results for each in companions_of(name)]
    return [
        ("rows", f"results/{name}{''.join(rows_of(name).suffixes)}, {choice} = {option}")
        for name in companions
        if option and rows_of(name).is_file()
    ]


def _printed(paper: str, claim: Claim) -> list[tuple[str, str]]:
    return [
        ("statement", claim.statement),
        *[("quote", f"“{quote}”") for quote in claim.quotes],
        ("place", f"{paper.replace('_', ' ')}, {claim.place}"),
    ]


def explain_untestable(paper: str, claim: Claim) -> str:
    """A claim that no experiment can decide, and why."""
    return _lines(f"NOT TESTED  {claim.id}", [*_printed(paper, claim), ("why", claim.why)])


def _explain_mathematics(verdict: Verdict) -> str:
    claim, decision = verdict.claim, verdict.decision
    facts = [
        *_printed(verdict.paper, claim),
        ("shown if", claim.comes_out),
        ("test", decision.fault or decision.reproduced),
        *([] if decision.fault else [("run", decision.detail)]),
        ("proof", f"book/{verdict.paper}.md"),
        ("contest", "change the test, or the word of its mark; " + REPORT),
    ]
    return _lines(f"{verdict.outcome.upper()}  {claim.id}", facts)


def explain(verdict: Verdict) -> str:
    """Everything behind one verdict, as lines of text with labels."""
    claim = verdict.claim
    if claim.kind == "mathematics":
        return _explain_mathematics(verdict)
    protocol = load_statements([verdict.paper])[verdict.paper].protocol_of(claim)
    facts = _printed(verdict.paper, claim)
    if protocol:
        facts.append(("experiment", protocol.text))
        if protocol.experiment == "ours":
            facts.append(("", "the paper publishes no experiment for it; this one is ours"))
        facts.append(("repetition", protocol.repetition))
    if claim.comes_out:
        facts.append(("comes out", claim.comes_out))
    facts.append(("published", verdict.published))
    for name in verdict.standing():
        decision = verdict.decisions[name].settled
        by = [
            f"{'fits' if found.fits(name) else 'is nearest to'} the anchors of {table}"
            for table, found in verdict.tables.items()
            if name in found.standing() and len(found.misfits) > 1
        ]
        facts.append(("setting", "; ".join([name, *by])))
        facts += _rows(claim, name)
        facts.append(("reproduced", decision.reproduced))
        if decision.effect and decision.n:
            unit = claim.published.unit or "mean gap of the measure"
            estimate, low, high = decision.effect
            facts.append(("gain", f"{with_interval(estimate, (high - low) / 2)} {unit}"))
        facts.append(("verdict", f"{decision.outcome}: {decision.detail}".removesuffix(": ")))
    if verdict.told_text:
        facts.append(("told", verdict.told_in_words()))
    facts += [("to run", command) for command in verdict.to_run]
    for name, misfit in verdict.excluded.items():
        known = verdict.decisions.get(name)
        if known is None:  # it changes an anchor alone
            outcome = "cannot change this claim"
        else:
            outcome = "not run" if known == NOT_RUN else known.settled.outcome
        tables = [t for t, found in verdict.tables.items() if not found.fits(name)]
        why = f"misfit to the anchors of {', '.join(tables)}: {misfit.text}"
        facts.append(("excluded", f"{name}: {outcome}; {why}"))
    if claim.kind in RULES:
        facts.append(("rule", _rule(claim)))
    if claim.measure:
        facts.append(("measure", _measure(claim)))
    for name in claim.results:
        facts += _record(name)
    facts.append(("contest", CONTEST.format(claim.id) + REPORT))
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
    facts += [("told", decided.told)] if decided.told else []
    facts += [("since", reason) for reason in decided.reasons]
    for name, other in list(decided.words.items())[1:]:
        facts.append((name, other))
    for verdict in decided.claims:
        share = f" ({verdict.share_text})" if verdict.share_text else ""
        facts.append(
            ("claim", f"{verdict.claim.id}: {verdict.outcome}{share}. {verdict.claim.statement}")
        )
    facts.append(("figure", f"notebooks/{decided.paper}/{finding.figure}.ipynb"))
    return _lines(f"{decided.verdict.upper()}  {decided.paper}/{finding.id}", facts)


def _lines(head: str, facts: list[tuple[str, str]]) -> str:
    lines = [head]
    for label, text in facts:
        lines += textwrap.wrap(
            " ".join(text.split()),
            100,
            initial_indent=f"  {label:<14}",
            subsequent_indent=" " * 16,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)
