"""One decided claim for who doubts it: statement, both numbers, rule, and how to run it again."""

import inspect
import textwrap

from ..rooms import source_file
from ..runner.records import RecordError, load_recorded
from . import rules
from .claims import Verdict, measure_of

#: What decides a claim of each kind; the first line of its docstring is the rule, in words.
RULES = {
    "value": rules.decide_value,
    "ordering": rules.decide_ordering,
    "equivalence": rules.decide_equivalence,
    "identity": rules.decide_identity,
    "shape": rules.decide_shape,
}


def _rule(claim) -> str:
    rule = RULES[claim.kind]
    text = f"{claim.printed_kind}: {inspect.getdoc(rule).splitlines()[0]}"
    text += f" Tolerance {claim.tolerance:g}." if claim.tolerance is not None else ""
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
    return [
        (
            "results",
            f"{name}: {facts['rows']} rows of {facts['units']} units, recorded {facts['date']} at "
            f"commit {commit} in {facts['seconds']:.0f} s of computing",
        ),
        ("rerun", facts["command"]),
        ("read", f"notebooks/{name}.ipynb"),
    ]


def explain(verdict: Verdict) -> str:
    """All that bears on one verdict, as lines of text with a label each."""
    claim = verdict.claim
    facts = [
        ("claim", claim.statement),
        ("source", f"{claim.document.replace('_', ' ')}, {claim.item}; {claim.source}"),
        ("published", verdict.published),
        ("reproduced", verdict.ours),
        ("rule", _rule(claim)),
        ("decided by", verdict.detail),
        ("measure", _measure(claim)),
    ]
    if claim.tried:
        facts.append(("tried", claim.tried))
    for name in claim.results:
        facts += _record(name)
    lines = [f"{verdict.outcome.upper()}  {claim.id}"]
    for label, text in facts:
        lines += textwrap.wrap(
            " ".join(text.split()),
            100,
            initial_indent=f"  {label:<11}",
            subsequent_indent=" " * 13,
            break_long_words=False,
            break_on_hyphens=False,
        )
    return "\n".join(lines)
