"""From recorded results to verdicts, pages and notebooks."""

from .claims import Claim, ClaimError, Verdict, load_claims, measure, verify

__all__ = ["Claim", "ClaimError", "Verdict", "load_claims", "measure", "verify"]
