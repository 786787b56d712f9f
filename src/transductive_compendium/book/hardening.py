"""What `make harden` did, from its record, as a table for the book."""

import json
from collections.abc import Mapping
from typing import Any

from ..runner.records import results_folder
from .myst import escape, row

#: Parts in their order on the page.
_PARTS = {
    "kills": "Killed dead",
    "disks": "No room, no right to write",
    "archives": "Damage and malice in files",
    "chance": "Chance inputs",
    "kernels": "Kernels, bounds checked",
}
NOTHING = "Nothing is recorded yet: `make harden` does.\n"


def hardening_table(facts: Mapping[str, Any] | None = None) -> str:
    """Counts and outcomes by part, then where and when they were recorded.

    Parameters
    ----------
    facts : mapping, optional
        By default what ``results/hardening.json`` holds, if it is there.
    """
    if facts is None:
        path = results_folder() / "hardening.json"
        if not path.is_file():
            return NOTHING
        facts = json.loads(path.read_text(encoding="utf-8"))
    sums: dict[tuple[str, str], list] = {}
    for check in facts["checks"]:
        found = sums.setdefault((check["part"], check["what"]), [0, "held"])
        found[0] += check["count"]
        if check["outcome"] != "passed":
            found[1] = "**failed**"
    lines = [row(["", "what was tried", "times", "outcome"]), row(["---", "---", "--:", "---"])]
    for part, title in _PARTS.items():
        names = [what for of, what in sums if of == part]
        for number, what in enumerate(names):
            times, outcome = sums[part, what]
            lines.append(row([title if number == 0 else "", escape(what), f"{times:,}", outcome]))
    code = facts["code"]
    commit = (code["commit"] or "unknown")[:10] + (" with changes" if code["dirty"] else "")
    failed = f"; {facts['failed']} of {facts['tests']} tests failed" if facts["failed"] else ""
    lines += [
        "",
        f"Recorded by `{facts['command']}` on {facts['date']}, {facts['machine']['cpu']}, "
        f"commit {commit}, in {facts['seconds'] / 60:.0f} minutes{failed}.",
    ]
    return "\n".join(lines) + "\n"
