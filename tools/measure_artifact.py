"""What a check of this work costs: times, memory and sizes, measured and recorded.

    python tools/measure_artifact.py [NAME ...]            measure and print
    python tools/measure_artifact.py --record [NAME ...]   and write results/artifact.json

Without names: `transductive verify`, the smoke tier of every experiment, and one experiment of
each document at its full size. The names setup, tests and book stand for the targets of make,
which repeat only what is stale: measure them in a fresh clone. Memory is that of the largest
process, and of its children.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from execute_notebooks import ROOT

from transductive_compendium.book.documents import document_title, own_claims
from transductive_compendium.book.myst import anchor, row
from transductive_compendium.datasets.registry import registry
from transductive_compendium.runner import all_experiments, results_folder
from transductive_compendium.runner.provenance import git_state, machine, versions
from transductive_compendium.runner.unit_store import write_atomically
from transductive_compendium.verdicts import claims
from transductive_compendium.verdicts.rules import OUTCOMES

MAKE = ("setup", "tests", "book")
#: An experiment of each document that takes seconds at its full size.
PAPER = (
    "bayesian_transduction/figure_2a",
    "kernel_gibbs_sampler/figure_3",
    "transductive_regression/identities",
    "transductive_svm/descent",
    "universum/losses",
)
#: A small process between this one and the command: on Linux the memory of a new process counts
#: from what its parent has.
_STOPWATCH = """
import json, os, subprocess, sys, time
begin = time.perf_counter()
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
spent = [time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
with open(sys.argv[1], "w") as file:
    json.dump([*spent, os.waitstatus_to_exitcode(status)], file)
"""
#: A reviewer's hour spends at most this long (seconds) on one experiment.
LONGEST = 600.0


def commands() -> dict[str, list[str]]:
    """Name -> command line of all that can be measured."""
    program = [sys.executable, "-m", "transductive_compendium.cli"]
    found = {"verify": [*program, "verify"]}
    for name in all_experiments():
        found[f"smoke/{name}"] = [*program, "run", name, "--fresh"]
    for name in PAPER:
        found[f"paper/{name}"] = [*program, "run", name, "--profile", "paper", "--fresh"]
    targets = {"setup": "setup", "tests": "test", "book": "book"}
    return found | {name: ["make", targets[name]] for name in MAKE}


def shown(command: list[str]) -> str:
    """A command line as a reader types it."""
    return " ".join(command).replace(
        f"{sys.executable} -m transductive_compendium.cli", "transductive"
    )


def measure(command: list[str], folder: Path = ROOT) -> dict:
    """Run a command to its end: seconds, seconds of processors, bytes of its largest process.

    Raises
    ------
    RuntimeError
        When it fails, with the end of what it said: a failure's cost says nothing.
    """
    with tempfile.TemporaryDirectory() as scratch:
        said, spent = Path(scratch, "said"), Path(scratch, "spent")
        load = os.getloadavg()[0]
        with said.open("wb") as stream:
            subprocess.run(
                [sys.executable, "-S", "-c", _STOPWATCH, spent, *command],
                cwd=folder,
                env={**os.environ, "TRANSDUCTIVE_STORE": f"{scratch}/units"},
                stdout=stream,
                stderr=subprocess.STDOUT,
                check=True,
            )
        seconds, processor, peak, code = json.loads(spent.read_text())
        if code:
            end = said.read_bytes()[-2000:].decode(errors="replace")
            raise RuntimeError(f"{shown(command)} failed:\n{end}")
    return {
        "command": shown(command),
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "peak_memory_bytes": peak * (1 if sys.platform == "darwin" else 1024),
        "load_before": round(load, 1),
        "date": date.today().isoformat(),
    }


def sizes(root: Path = ROOT) -> dict[str, int]:
    """Bytes of what lies in the checkout: the sources that git knows, and what was made there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    tracked = [root / name for name in listed.stdout.decode().split("\0") if name]
    found = {"sources": sum(p.lstat().st_size for p in tracked)}
    for name, folder in (("environment", ".venv"), ("book", "_build/html")):
        files = [p for p in (root / folder).rglob("*") if p.is_file() and not p.is_symlink()]
        if files:
            found[name] = sum(p.stat().st_size for p in files)
    return found


def recorded() -> dict:
    """What was measured and recorded; empty before that."""
    path = results_folder() / "artifact.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def record(rows: dict[str, dict], there: dict[str, int]) -> None:
    """Write what was measured and the sizes, beside what this machine measured before."""
    here = {**machine(), "processors": os.cpu_count(), "memory_bytes": memory()}
    before = recorded()
    kept = before.get("measured", {}) if before.get("machine") == here else {}
    facts = {
        "title": "What a check of this work costs",
        "command": "python tools/measure_artifact.py --record",
        "code": git_state(),
        "versions": versions(),
        "machine": here,
        "sizes": {**before.get("sizes", {}), **there},
        "measured": dict(sorted({**kept, **rows}.items())),
    }
    write_atomically(results_folder() / "artifact.json", json.dumps(facts, indent=2) + "\n")


def memory() -> int:
    """Bytes of memory that the machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


# The pages


def human_time(seconds: float) -> str:
    """Seconds for people: 12 s, 3 min, 1.5 h."""
    if seconds < 99.5:
        return f"{seconds:.0f} s" if seconds >= 1 else "1 s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def human_size(count: float) -> str:
    """Bytes for people: 5 kB, 30 MB, 1.1 GB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= 0.9995 * size:
            return f"{count / size:.{1 if count < 10 * size else 0}f} {unit}"
    return f"{count / 1e3:.0f} kB"


def table(header: list[str], rows: list[list]) -> str:
    """A Markdown table; columns after the first are numbers when their header ends in a space."""
    rule = ["--:" if name.endswith(" ") else "---" for name in header]
    return "\n".join(map(row, [header, rule, *rows])) + "\n"


class Costs:
    """Recorded costs of all experiments, and the claims that they decide.

    Parameters
    ----------
    decided : list of Verdict
    measured : dict
        As `recorded` gives it.
    """

    def __init__(self, decided: list, measured: dict):
        self.decided = own_claims(decided)
        self.measured = measured.get("measured", {})
        self.provenance = {}
        for name in all_experiments():
            path = results_folder() / f"{name}.json"
            if path.is_file():
                self.provenance[name] = json.loads(path.read_text(encoding="utf-8"))

    def documents(self) -> dict[str, list[str]]:
        """Document -> names of its recorded experiments."""
        found: dict[str, list[str]] = {}
        for name in self.provenance:
            found.setdefault(name.split("/")[0], []).append(name)
        return found

    def seconds(self, names) -> float:
        """Recorded seconds of computing, of one core."""
        return sum(self.provenance[name]["seconds"] for name in names)

    def memory(self, name: str) -> int | None:
        """Recorded peak of a full run; else the measured one of the smoke tier, or None."""
        smoke = self.measured.get(f"smoke/{name}", {}).get("peak_memory_bytes")
        return self.provenance[name].get("peak_memory_bytes") or smoke

    def data(self, names) -> list[str]:
        """Registered data sets that experiments were computed from."""
        used = {asked for name in names for asked in self.provenance[name]["data"]}
        return [name for name in registry() if name in used]

    def of(self, name: str) -> list:
        """Verdicts on the document's own claims that rest on an experiment."""
        return [v for v in self.decided if name in v.claim.results]

    def hour(self) -> Iterator[str]:
        """For each document the experiment below `LONGEST` that decides the most claims."""
        for names in self.documents().values():
            short = [name for name in names if self.provenance[name]["seconds"] <= LONGEST]
            if short:
                yield max(short, key=lambda name: (len(self.of(name)), -self.seconds([name])))


def _claims_cell(found: list) -> str:
    """Ids of claims, each with a link, by outcome."""
    parts = []
    for outcome in (*OUTCOMES, claims.UNDECIDED):
        ids = [f"[{v.claim.id}](#claim-{v.claim.id})" for v in found if v.outcome == outcome]
        if ids:
            parts.append(f"**{outcome}**: {', '.join(ids)}")
    return "; ".join(parts) or "·"


def _size_cell(count: int | None) -> str:
    return human_size(count) if count else "·"


def _experiments(costs: Costs, names: list[str]) -> str:
    rows = [
        [
            f"[`{name.split('/')[1]}`](/notebooks/{name}.ipynb)",
            human_time(costs.seconds([name])),
            _size_cell(costs.memory(name)),
            ", ".join(f"`{d}`" for d in costs.data([name])) or "none",
            _claims_cell(costs.of(name)),
        ]
        for name in names
    ]
    return table(["experiment", "time ", "memory ", "data", "claims, by expected outcome"], rows)


def _summary(costs: Costs) -> str:
    groups = costs.documents()
    every = [name for names in groups.values() for name in names]
    rows = []
    for label, names in [*groups.items(), ("all", every)]:
        longest = max(names, key=lambda name: costs.provenance[name]["seconds"])
        peak = max((costs.memory(name) or 0 for name in names), default=0)
        fetched = sum(registry()[name].bytes for name in costs.data(names))
        rows.append(
            [
                f"[{document_title(label)}](#{anchor('cost', label)})"
                if label != "all"
                else "**all**",
                len(names),
                human_time(costs.seconds(names)),
                f"`{longest.split('/')[1]}`, {human_time(costs.seconds([longest]))}",
                _size_cell(peak),
                _size_cell(fetched),
            ]
        )
    header = ["document", "experiments ", "core time ", "longest", "most memory ", "data "]
    return table(header, rows)


def _data(costs: Costs) -> str:
    groups = costs.documents()
    rows = []
    for name, entry in registry().items():
        users = [d.replace("_", " ") for d, names in groups.items() if name in costs.data(names)]
        public = all(file.sources for file in entry.files)
        rows.append(
            [f"`{name}`", human_size(entry.bytes), "yes" if public else "no: see its card",
             ", ".join(users) or "·"]
        )  # fmt: skip
    total = human_size(sum(entry.bytes for entry in registry().values()))
    rows.append(["**all**", total, "", ""])
    return table(["data set", "size ", "downloaded when needed", "documents"], rows)


def _measured(costs: Costs) -> str:
    titles = {"verify": "every claim decided", "setup": "environment and package"}
    titles |= {"tests": "all tests", "book": "notebooks and book"}
    rows = []
    for name in ("verify", *MAKE, *(f"paper/{p}" for p in PAPER)):
        if cost := costs.measured.get(name):
            wall = human_time(cost["seconds"]) if name in MAKE else "·"
            rows.append(
                [titles.get(name, "one experiment, full size"), f"`{cost['command']}`", wall,
                 human_time(cost["processor_seconds"]), human_size(cost["peak_memory_bytes"])]
            )  # fmt: skip
    smoke = [cost for name, cost in costs.measured.items() if name.startswith("smoke/")]
    if smoke:
        spent = human_time(sum(cost["processor_seconds"] for cost in smoke))
        peak = human_size(max(cost["peak_memory_bytes"] for cost in smoke))
        what = f"first units of {len(smoke)} experiments, each held to its record"
        rows.append([what, "`transductive run NAME`", "·", spent, peak])
    return table(["what", "command", "time ", "processor ", "memory "], rows)


def _hour(costs: Costs) -> str:
    chosen = list(costs.hour())
    lines = ["```console"]
    lines += [f"$ transductive run {name} --profile paper --jobs 2" for name in chosen]
    total = human_time(costs.seconds(chosen))
    held = len({v.claim.id for name in chosen for v in costs.of(name)})
    lines += ["```", "", f"These took {total} on one core, and bear on {held} claims.", ""]
    return "\n".join(lines)


def _requirements(facts: dict, costs: Costs) -> str:
    names = {
        "sources": "the sources, recorded results included",
        "environment": "the environment in `.venv`",
        "book": "the built book",
    }
    rows = [[names[name], human_size(size)] for name, size in facts.get("sizes", {}).items()]
    every = [name for names in costs.documents().values() for name in names]
    rows.append(["all data sets", human_size(sum(e.bytes for e in registry().values()))])
    peak = max((costs.memory(name) or 0 for name in every), default=0)
    rows.append(["memory of the largest process of the experiments measured", _size_cell(peak)])
    return table(["what", "size "], rows)


def _machine(facts: dict) -> str:
    if not facts:
        return "Nothing was measured yet: `python tools/measure_artifact.py --record`.\n"
    here = facts["machine"]
    dates = sorted({cost["date"] for cost in facts["measured"].values()})
    made = ", ".join(f"{part} {number}" for part, number in facts["versions"].items())
    load = max(cost["load_before"] for cost in facts["measured"].values())
    busy = f" Other programs ran, at a load of up to {load:.0f}: idle machines are faster."
    return (
        f"Measured on {' and '.join(dict.fromkeys([dates[0], dates[-1]]))}: {here['cpu']}, "
        f"{here['processors']} processors, {human_size(here['memory_bytes'])} of memory, "
        f"{here['system']}; {made}.{busy if load >= 2 else ''}\n"
    )


def write_pages(folder: Path) -> None:
    """The tables of the artifact appendix, below `folder`."""
    facts = recorded()
    costs = Costs(claims.verify(), facts)
    texts = {
        "machine": _machine(facts),
        "measured": _measured(costs),
        "requirements": _requirements(facts, costs),
        "summary": _summary(costs),
        "hour": _hour(costs),
        "data": _data(costs),
        "experiments": "\n".join(
            f"({anchor('cost', document)})=\n### {document_title(document)}\n\n"
            f"{_experiments(costs, names)}"
            for document, names in costs.documents().items()
        ),
    }
    for name, text in texts.items():
        write_atomically(folder / "artifact" / f"{name}.md", text)


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all but make's")
    parser.add_argument("--record", action="store_true", help="write results/artifact.json")
    given = parser.parse_args(arguments)
    known = commands()
    if unknown := sorted(set(given.names) - set(known)):
        parser.error(f"no such name: {', '.join(unknown)}; there are {', '.join(known)}")
    if any(name in MAKE for name in given.names) and not shutil.which("make"):
        parser.error("make is not installed")
    there, failures = sizes() if given.record else {}, 0
    for name in given.names or [name for name in known if name not in MAKE]:
        try:
            cost = measure(known[name])
        except RuntimeError as error:
            failures += 1
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        spent = f"{cost['seconds']:8.1f} s {cost['processor_seconds']:8.1f} s of processors"
        print(f"{name:50} {spent} {human_size(cost['peak_memory_bytes']):>9}", flush=True)
        if given.record:
            record({name: cost}, there)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
