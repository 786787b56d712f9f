"""Evidence for the claims on rules of flight: do they sample volumes?"""

from __future__ import annotations

import numpy as np

from ...verdicts.claims import measure
from ...verdicts.rules import ShapeEvidence


@measure
def billiard_unbiased(frames, rule):
    """Whether starts under a rule scatter about the exact p+ by no more than their errors."""
    frame = frames["bayesian_transduction/ergodicity"]
    details, holds = [], True
    for geometry, rows in frame[frame["rule"] == rule].groupby("geometry"):
        p, exact = rows["time_ratio"], rows["exact"].iloc[0]
        standard = p.std(ddof=1) / np.sqrt(len(p))
        inside = float(np.median(rows["error"]))
        z = (p.mean() - exact) / standard
        excess = p.std(ddof=1) / inside
        holds &= bool(abs(z) < 3.5 and excess < 3.0)
        details.append(
            f"{geometry}: exact {exact:.3f}, {len(p)} starts from {p.min():.3f} to {p.max():.3f}, "
            f"mean {p.mean():.4f} ({z:+.1f} standard errors), spread {excess:.1f} times the error "
            f"measured inside a run"
        )
    return ShapeEvidence(holds, "; ".join(details))
