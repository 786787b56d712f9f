"""BibTeX of a run that differs from the recorded one."""

import hashlib
from importlib.metadata import metadata

from ..runner import Run

# a brace is named, since BibTeX counts even those after a backslash
_NAMES = {
    "~": "asciitilde",
    "^": "asciicircum",
    "\\": "backslash",
    "{": "braceleft",
    "}": "braceright",
}
_ESCAPES = str.maketrans(
    {sign: f"\\{sign}" for sign in "_%&#$"}
    | {sign: f"\\text{name}{{}}" for sign, name in _NAMES.items()}
)
TITLE = "The Transduction Compendium"


def bibtex(run: Run) -> str:
    """BibTeX entry of a run: this work and version, what differs from the record, the command.

    The key of a run with departures ends in a hash of them, so that those of a sweep differ.
    """
    facts, about = run.provenance, metadata("transductive")
    differs = ", ".join([f"profile {run.profile}", *run.departures])
    fields = {
        "author": about["Author"],
        "title": f"{run.experiment.name}, rerun with {differs}",
        "year": facts["date"][:4],
        "howpublished": f"{TITLE}, version {about['Version']}",
        "note": f"{facts['command']}; commit {(facts['code']['commit'] or 'unknown')[:12]}",
    }
    key = f"rerun-{run.experiment.name.replace('/', '-')}"
    if run.departures:
        key += f"-{hashlib.sha256(differs.encode()).hexdigest()[:8]}"
    entries = {name: value.translate(_ESCAPES) for name, value in fields.items()}
    for name in ("author", "title"):
        entries[name] = f"{{{entries[name]}}}"  # to be printed as it stands
    lines = [f"  {name} = {{{value}}}," for name, value in entries.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
