"""The strip under a figure: where its numbers come from."""

import html
from collections.abc import Mapping
from typing import Any


def provenance_facts(provenance: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Label and text of what a strip shows, all of it from the recorded provenance."""
    code, versions = provenance["code"], provenance["versions"]
    commit = (code["commit"] or "unknown")[:12] + " with local changes" * bool(code["dirty"])
    if code["units_from_other_code"]:
        commit += f", {code['units_from_other_code']} units from earlier code"
    used = provenance["data"].values()
    data = ", ".join(f"{d['used']} (SHA-256 {d['sha256'][:12]})" for d in used)
    return [
        ("Profile", f"{provenance['profile']}, {provenance['units']} units"),
        ("Data", data or "generated"),
        ("Seed", str(provenance["seed"])),
        ("Code", f"version {provenance['version']}, commit {commit}"),
        ("Made with", ", ".join(f"{name} {v}" for name, v in versions.items())),
        (
            "On",
            f"{provenance['machine']['cpu']}, {provenance['date']}, {provenance['seconds']:.0f} s",
        ),
        ("Rerun", provenance["command"]),
    ]


def provenance_html(provenance: Mapping[str, Any]) -> str:
    """The provenance strip under a figure, as HTML on one line."""
    parts = [
        f"<b>{label}</b> "
        + (f"<code>{html.escape(text)}</code>" if label == "Rerun" else html.escape(text))
        for label, text in provenance_facts(provenance)
    ]
    return f'<p class="provenance"><small>{" · ".join(parts)}</small></p>\n'
