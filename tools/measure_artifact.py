"""Measure and record the cost of checking this work: times, memory and sizes.

    python tools/measure_artifact.py [NAME ...]            measure and print
    python tools/measure_artifact.py --record [NAME ...]   and write results/artifact.json

Without names it measures `transductive verify`, the smoke tier of every experiment, and one
experiment of each paper at its full size. The names setup, tests and book are targets of make,
which repeat only what is stale: measure them in a fresh clone. Memory is that of the largest
process, including its children.
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

from transductive_compendium.book.templating import render
from transductive_compendium.book.titles import paper_of
from transductive_compendium.datasets.registry import registry
from transductive_compendium.environment import in_full
from transductive_compendium.runner import all_experiments, get, results_folder
from transductive_compendium.runner.fingerprint import fingerprint
from transductive_compendium.runner.provenance import git_state, machine, versions
from transductive_compendium.runner.records import notebook_of
from transductive_compendium.runner.unit_store import write_atomically
from transductive_compendium.verdicts.rules import OUTCOMES

MAKE = ("setup", "tests", "book")
#: An experiment of each paper that takes seconds at its full size.
PAPER = (
    "bayesian_transduction/figure_2a",
    "kernel_gibbs_sampler/figure_3",
    "transductive_regression/identities",
    "transductive_svm/descent",
    "universum/losses",
)
#: A small process between this one and the command: on Linux a new process's peak memory starts at
#: its parent's memory.
_STOPWATCH = """
import ctypes, json, os, resource, subprocess, sys, time
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(36, 1)  # a server of forks that outlives the command is waited for here
begin = time.perf_counter()
process = subprocess.Popen(sys.argv[2:])
code, seconds = process.wait(), time.perf_counter() - begin
try:
    while True:
        os.wait()
except ChildProcessError:
    pass
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
spent = [seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
with open(sys.argv[1], "w") as file:
    json.dump([*spent, code], file)
"""
#: The tables of the artifact appendix.
PAGES = ("requirements", "machine", "measured", "summary", "hour", "data", "experiments")
#: A reviewer's hour spends at most this long (seconds) on one experiment.
LONGEST = 600.0


def commands() -> dict[str, list[str]]:
    """Name -> command line of everything that can be measured."""
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
    """Run a command; returns seconds, processor seconds, and bytes of its largest process.

    Raises
    ------
    RuntimeError
        If it fails, since the cost of a failure means nothing; the message has the end of its
        output.
    """
    with tempfile.TemporaryDirectory() as scratch:
        said, spent = Path(scratch, "said"), Path(scratch, "spent")
        load = os.getloadavg()[0]
        with said.open("wb") as stream:
            subprocess.run(
                [sys.executable, "-S", "-c", _STOPWATCH, spent, *command],
                cwd=folder,
                env={**os.environ, **in_full(), "TRANSDUCTIVE_STORE": f"{scratch}/units"},
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
    """Sizes in the checkout, in bytes: the sources that git tracks, and generated files."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    tracked = [root / name for name in listed.stdout.decode().split("\0") if name]
    found = {"sources": sum(p.lstat().st_size for p in tracked)}
    for name, folder in (("environment", ".venv"), ("book", "_build/html")):
        files = [p for p in (root / folder).rglob("*") if p.is_file() and not p.is_symlink()]
        if files:
            found[name] = sum(p.stat().st_size for p in files)
    return found


def recorded() -> dict:
    """Recorded measurements; empty if there are none."""
    path = results_folder() / "artifact.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def record(rows: dict[str, dict], there: dict[str, int]) -> None:
    """Record measurements and sizes, keeping this computer's earlier measurements."""
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
    """Bytes of memory of this computer, to a tenth of a gigabyte: kernels keep varying parts."""
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), -8)


# The pages


def human_time(seconds: float) -> str:
    """Seconds as text: 12 s, 3 min, 1.5 h."""
    if seconds < 99.5:
        return f"{seconds:.0f} s" if seconds >= 1 else "1 s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def human_size(count: float) -> str:
    """Bytes as text: 5 kB, 30 MB, 1.1 GB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= 0.9995 * size:
            return f"{count / size:.{1 if count < 10 * size else 0}f} {unit}"
    return f"{count / 1e3:.0f} kB"


class Costs:
    """Recorded costs of all experiments, and the claims that they decide.

    Parameters
    ----------
    decided : list of Verdict
    measured : dict
        Result of `recorded`.
    """

    def __init__(self, decided: list, measured: dict):
        self.decided = decided
        costs = measured.get("measured", {}).items()
        self.smoke = {k.removeprefix("smoke/"): v for k, v in costs if k.startswith("smoke/")}
        self.alone = {k.removeprefix("paper/"): v for k, v in costs if k.startswith("paper/")}
        self.provenance = {}
        for name in all_experiments():
            path = results_folder() / f"{name}.json"
            if path.is_file():
                self.provenance[name] = json.loads(path.read_text(encoding="utf-8"))

    def by_paper(self) -> dict[str, list[str]]:
        """Paper -> names of its recorded experiments."""
        found: dict[str, list[str]] = {}
        for name in self.provenance:
            found.setdefault(name.split("/")[0], []).append(name)
        return found

    def was_alone(self, name: str) -> bool:
        """Whether an experiment was measured by itself, with the code that recorded it."""
        code = self.provenance[name].get("code", {}).get("fingerprint")
        return code is not None and self.alone.get(name, {}).get("fingerprint") == code

    def seconds(self, names) -> float:
        """Seconds of one core: measured alone, else the sum over the record's units."""
        return sum(
            self.alone[name]["processor_seconds"]
            if self.was_alone(name)
            else self.provenance[name]["seconds"]
            for name in names
        )

    def longest(self, names) -> str:
        """The experiment that took the most seconds."""
        return max(names, key=lambda name: self.seconds([name]))

    def memory(self, name: str) -> int:
        """Recorded peak of a full run, else the measured one of the smoke tier; 0 if unknown."""
        smoke = self.smoke.get(name, {}).get("peak_memory_bytes", 0)
        return self.provenance[name].get("peak_memory_bytes") or smoke

    def peak(self, names) -> int:
        """Memory of the largest of the experiments."""
        return max(map(self.memory, names), default=0)

    def data(self, names) -> list[str]:
        """Registered data sets that experiments were computed from."""
        used = {asked for name in names for asked in self.provenance[name]["data"]}
        return [name for name in registry() if name in used]

    def bytes_of_data(self, names) -> int:
        """Size of the data sets that experiments were computed from."""
        return sum(registry()[name].bytes for name in self.data(names))

    def users(self, dataset: str) -> list[str]:
        """Papers whose experiments were computed from a data set."""
        return [paper for paper, names in self.by_paper().items() if dataset in self.data(names)]

    def claims(self, names) -> list:
        """Verdicts on the papers' claims that depend on any of the experiments."""
        return [v for v in self.decided if not set(names).isdisjoint(v.claim.results)]

    def outcomes(self, name: str) -> dict[str, list]:
        """Outcome -> the verdicts of `claims` on one experiment, without the empty ones."""
        found = {o: [v for v in self.claims([name]) if v.outcome == o] for o in OUTCOMES}
        return {outcome: verdicts for outcome, verdicts in found.items() if verdicts}

    def hour(self) -> Iterator[str]:
        """For each paper the experiment below `LONGEST` that decides the most claims."""
        for names in self.by_paper().values():
            short = [name for name in names if self.seconds([name]) <= LONGEST]
            if short:
                yield max(short, key=lambda n: (len(self.claims([n])), -self.seconds([n])))


def page(name: str, costs: Costs, facts: dict) -> str:
    """One of `PAGES`; `facts` is the result of `recorded`."""
    return render(
        f"artifact/{name}.md",
        **{part: facts.get(part, {}) for part in ("machine", "versions", "sizes", "measured")},
        costs=costs,
        registry=registry(),
        size=lambda count: human_size(count) if count else "·",
        time=human_time,
        notebook_of=notebook_of,
        title=lambda paper: paper_of(paper).title,
    )


def write_pages(folder: Path, decided: list) -> None:
    """Write the tables of the artifact appendix below `folder`, from the verdicts on all claims."""
    facts = recorded()
    costs = Costs(decided, facts)
    for name in PAGES:
        write_atomically(folder / "artifact" / f"{name}.md", page(name, costs, facts))


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="default: all except make's targets"
    )
    parser.add_argument("--record", action="store_true", help="write results/artifact.json")
    given = parser.parse_args(arguments)
    known = commands()
    if unknown := sorted(set(given.names) - set(known)):
        parser.error(f"no such name: {', '.join(unknown)}; there are {', '.join(known)}")
    if any(name in MAKE for name in given.names) and not shutil.which("make"):
        parser.error("make is not installed")
    failures = 0
    for name in given.names or [name for name in known if name not in MAKE]:
        try:
            cost = measure(known[name])
        except RuntimeError as error:
            failures += 1
            print(f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        if name.startswith("paper/"):  # of other code the cost says nothing
            cost["fingerprint"] = fingerprint(get(name.removeprefix("paper/")))
        spent = f"{cost['seconds']:8.1f} s {cost['processor_seconds']:8.1f} s of processors"
        print(f"{name:50} {spent} {human_size(cost['peak_memory_bytes']):>9}", flush=True)
        if given.record:
            record({name: cost}, sizes())  # after the command, which may have made what counts
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
