"""BibTeX of a run that differs from the recorded one."""

import hashlib
import shlex
from importlib.metadata import metadata
from pathlib import Path

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
    """BibTeX entry of a run: version, differences from the record, command, seed.

    Data that replaced others are named, and a reader's own by the file without its folder, the
    number of rows and the hash. The key of a run that differs ends in a hash of the note.
    """
    facts, about = run.provenance, metadata("transductive")
    differs = ", ".join([f"profile {run.profile}", *run.differences])
    command = facts["command"]
    if run.own_data:
        own = f"data={Path(run.own_data).name}"
        words = shlex.split(command)
        command = shlex.join(own if word.startswith("data=") else word for word in words)
    note = [command, f"experiment version {facts['version']}", f"seed {run.seed}"]
    if run.own_data:
        note += [f"{data['used']}: {data['told']}" for data in facts["data"].values()]
    if commit := facts["code"]["commit"]:  # or it is known by its version
        note.append(f"commit {commit[:12]}")
    fields = {
        "author": about["Author"],
        "title": f"{run.experiment.name}, rerun with {differs}",
        "year": facts["date"][:4],
        "howpublished": f"{TITLE}, version {about['Version']}",
        "note": "; ".join(note),
    }
    key = f"rerun-{run.experiment.name.replace('/', '-')}"
    if run.differences:
        key += f"-{hashlib.sha256(fields['note'].encode()).hexdigest()[:8]}"
    entries = {field: value.translate(_ESCAPES) for field, value in fields.items()}
    for field in ("author", "title"):
        entries[field] = f"{{{entries[field]}}}"  # to be printed as it stands
    lines = [f"  {field} = {{{value}}}," for field, value in entries.items()]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
