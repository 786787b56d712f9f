"""BibTeX of a run that differs from the recorded one."""

from importlib.metadata import metadata

from ..runner import Run

TITLE = "The Transduction Compendium"


def bibtex(run: Run) -> str:
    """BibTeX entry of a run: this work and version, what differs from the record, the command."""
    facts, about = run.provenance, metadata("transductive")
    differs = ", ".join([f"profile {run.profile}", *run.departures])
    fields = {
        "author": f"{{{about['Author']}}}",
        "title": f"{{{run.experiment.name}, rerun with {differs}}}",
        "year": facts["date"][:4],
        "howpublished": f"{TITLE}, version {about['Version']}",
        "note": f"{facts['command']}; commit {(facts['code']['commit'] or 'unknown')[:12]}",
    }
    lines = [f"  {name} = {{{_escaped(value)}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{rerun-{run.experiment.name.replace('/', '-')},", *lines, "}"])


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "_%&#$" else sign for sign in text)
