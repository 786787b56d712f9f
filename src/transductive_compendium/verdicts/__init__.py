"""From recorded results to verdicts, by the rules that each claim names."""

from .claims import Claim, ClaimError, Verdict, load_claims, measure, verify

__all__ = ["Claim", "ClaimError", "Verdict", "load_claims", "measure", "verify"]
