"""Benchmarks: times beside those of others in one run, and what defaults and sizes cost.

python benchmarks [--record] [NAME]    measure, print, record
python benchmarks --pages FOLDER    write the recorded tables and figures for the book
"""

import argparse
import os
import sys
from contextlib import suppress
from datetime import date
from math import isfinite
from pathlib import Path
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import billiard
import few_labels
import flights
import gibbs
import label_noise
import label_noise_page
import loo
import mixing_limit
import pandas as pd
import scale
import smo
import universum
from measuring import FEW_ROUNDS, ROUNDS
from threadpoolctl import threadpool_limits

from transductive_compendium.runner import RecordMissingError, load_recorded, results_folder
from transductive_compendium.runner.provenance import git_state, machine, versions
from transductive_compendium.runner.records import write_pair
from transductive_compendium.runner.unit_store import write_atomically

TABLES = {
    "billiard": billiard,
    "flights": flights,
    "gibbs": gibbs,
    "label_noise": label_noise,
    "few_labels": few_labels,
    "loo": loo,
    "smo": smo,
    "universum": universum,
    "mixing_limit": mixing_limit,
    "scale": scale,
}
METHOD = (
    f"one thread; processor time; contenders take turns; best of {FEW_ROUNDS} to {ROUNDS} rounds"
)
#: Tables that lay out a page of their own; some draw figures, too.
PAGES = {
    "label_noise": label_noise_page,
    "few_labels": few_labels,
    "scale": scale,
}
OWN_METHODS = ("flights", "mixing_limit", *PAGES)
METHODS = {name: TABLES[name].METHOD for name in OWN_METHODS}
COLUMNS = ["case", "quantity", "value", "unit", "bar", "verdict"]


def digits(value):
    """Three significant digits, without an exponent; whole numbers as such, none as a dash."""
    if not isfinite(value):
        return "-"
    return f"{value:.0f}" if value >= 100 or value == round(value) else f"{value:#.3g}"


def record(name, rows, seconds):
    """Write a table and where it comes from to the results folder."""
    facts = {
        "title": TABLES[name].TITLE,
        "method": METHODS.get(name, METHOD),
        "code": git_state(),
        "versions": versions(),
        "machine": machine(),
        "seconds": round(seconds, 1),
        "command": f"python benchmarks --record {name}",
        "date": date.today().isoformat(),
    }
    return write_pair(results_folder() / f"benchmarks/{name}.csv", rows, facts)[0]


def page(name):
    """A recorded table as Markdown."""
    try:
        rows, facts = load_recorded(f"benchmarks/{name}")
    except RecordMissingError:
        return f"Nothing is recorded yet: `python benchmarks --record {name}` does.\n"
    own = PAGES.get(name)
    lines = own.page(rows, digits) if own else []
    for group, title in () if own else TABLES[name].GROUPS.items():
        here = rows[rows["group"] == group]
        if here.empty:
            continue
        lines += [f"**{title}**", "", "| " + " | ".join(COLUMNS) + " |"]
        lines.append("|---|---|--:|---|---|---|")
        for row in here.to_dict("records"):
            cells = [digits(row[c]) if c == "value" else row[c] for c in COLUMNS]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    made = ", ".join(f"{part} {number}" for part, number in facts["versions"].items())
    lines.append(
        f"Measured on {facts['date']}, {facts['machine']['cpu']}, {facts['method']}; {made}."
    )
    return "\n".join(lines) + "\n"


def draw(name, folder):
    """Write the figures of a recorded table to a folder."""
    drawing = getattr(PAGES.get(name), "figures", None)
    with suppress(RecordMissingError):
        if drawing:
            drawing(load_recorded(f"benchmarks/{name}")[0], folder)


def run(name, recording):
    """Measure and print; the number of bars that are missed."""
    print(f"{TABLES[name].TITLE}: {METHODS.get(name, METHOD)}", flush=True)
    begin = perf_counter()
    rows = []
    with threadpool_limits(limits=1):
        for row in TABLES[name].measure():
            rows.append(row)
            bar = "" if row["bar"] == "-" else f"  {row['bar']}: {row['verdict']}"
            print(f"{row['case']:22}  {row['quantity']:38}{digits(row['value']):>9} "
                  f"{row['unit']:12}{bar}", flush=True)  # fmt: skip
    missed = sum(row["verdict"] == "missed" for row in rows)
    print(f"bars missed: {missed}" if missed else "every bar is reached")
    if recording:
        print(f"recorded: {record(name, pd.DataFrame(rows), perf_counter() - begin)}")
    return missed


def main(arguments=None):
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(TABLES)} (all)")
    parser.add_argument("--record", action="store_true", help="write results/benchmarks/")
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="write what is recorded")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(TABLES):
        parser.error(f"no such table: {', '.join(unknown)}; there are {', '.join(TABLES)}")
    names = given.names or list(TABLES)
    if given.pages:
        for name in names:
            write_atomically(given.pages / f"benchmarks/{name}.md", page(name))
            draw(name, given.pages / "figures")
        return 0
    missed = [run(name, given.record) for name in names]
    return 1 if any(missed) else 0


if __name__ == "__main__":
    sys.exit(main())
