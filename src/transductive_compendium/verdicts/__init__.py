"""Decide verdicts from recorded results, by the rule of each claim's kind."""

from .claims import Claim, ClaimError, Finding, load_statements, measure
from .findings import DecidedFinding, decide_findings
from .verification import Verdict, verify

__all__ = [
    "Claim",
    "ClaimError",
    "DecidedFinding",
    "Finding",
    "Verdict",
    "decide_findings",
    "load_statements",
    "measure",
    "verify",
]
