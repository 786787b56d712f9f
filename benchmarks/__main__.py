"""Benchmarks: ratios measured side by side in one run, on one thread.

python benchmarks [--record]        measure, print the table, record it
python benchmarks --page FILE.md    write the recorded table for the book
"""

import argparse
import hashlib
import json
import os
import sys
from datetime import date
from pathlib import Path
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import billiard
import pandas as pd
from threadpoolctl import threadpool_limits

from transductive.experiments import load_recorded, results_folder
from transductive.experiments.provenance import git_state, machine, versions
from transductive.experiments.store import write_atomically

NAME = "benchmarks/billiard"
METHOD = f"one thread; contenders take turns; best of {billiard.ROUNDS} rounds"
COLUMNS = ["case", "quantity", "value", "unit", "bar", "verdict"]
TITLES = {"bounce": "A bounce", "chains": "Chains", "experiment": "All splits of a data set"}


def digits(value):
    """Three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"


def record(rows, seconds):
    """Write the table and where it comes from to the results folder."""
    kinds = {
        name: {"i": "int64", "f": "float64"}.get(rows[name].dtype.kind, "str") for name in rows
    }
    text = rows.to_csv(index=False, lineterminator="\n")
    facts = {
        "title": "The kernel billiard against plain NumPy",
        "method": METHOD,
        "code": git_state(),
        "versions": versions(),
        "machine": machine(),
        "seconds": round(seconds, 1),
        "command": "python benchmarks --record",
        "date": date.today().isoformat(),
        "rows": len(rows),
        "columns": kinds,
        "csv_sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    csv = results_folder() / f"{NAME}.csv"
    write_atomically(csv, text)
    write_atomically(csv.with_suffix(".json"), json.dumps(facts, indent=2) + "\n")
    return csv


def page(rows, facts):
    """The recorded table as Markdown."""
    lines = []
    for group, title in TITLES.items():
        here = rows[rows["group"] == group]
        if here.empty:
            continue
        lines += [f"**{title}**", "", "| " + " | ".join(COLUMNS) + " |"]
        lines.append("|---|---|--:|---|---|---|")
        for row in here.to_dict("records"):
            cells = [digits(row[c]) if c == "value" else row[c] for c in COLUMNS]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    made = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    lines.append(
        f"Measured on {facts['date']}, {facts['machine']['cpu']}, {facts['method']}; {made}."
    )
    return "\n".join(lines) + "\n"


def run(recording):
    """Measure and print; exit code 1 when a bar is missed."""
    print(METHOD, flush=True)
    begin = perf_counter()
    rows = []
    with threadpool_limits(limits=1):
        for row in billiard.measure():
            rows.append(row)
            bar = "" if row["bar"] == "-" else f"  {row['bar']}: {row['verdict']}"
            print(f"{row['case']:22}  {row['quantity']:34}{digits(row['value']):>9} "
                  f"{row['unit']:12}{bar}", flush=True)  # fmt: skip
    missed = [row for row in rows if row["verdict"] == "below the bar"]
    print(f"{len(missed)} below the bar" if missed else "every bar is reached")
    if recording:
        print(f"recorded: {record(pd.DataFrame(rows), perf_counter() - begin)}")
    return 1 if missed else 0


def main(arguments=None):
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__.split("\n")[0])
    parser.add_argument("--record", action="store_true", help="write results/benchmarks/")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the recorded table")
    given = parser.parse_args(arguments)
    if given.page:
        write_atomically(given.page, page(*load_recorded(NAME)))
        return 0
    return run(given.record)


if __name__ == "__main__":
    sys.exit(main())
