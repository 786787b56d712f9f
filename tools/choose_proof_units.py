"""Measure units and write those that prove each record to ``results/proof_units.json``.

    python tools/choose_proof_units.py [--all | NAME ...]

Without a NAME, these are the experiments whose proof units are missing or no longer fit. Units that
do not meet the record to the last digits are apart, and so are all that are measured on a machine
that rounds in another way than that of the file; --all makes this machine that of the file. Few
units contain each condition of an experiment (`runner.proof.conditions`). If a condition has no
unit of AFFORDABLE seconds among those tried, the file only names it. Each experiment has at least
one unit, however long it takes.
"""

import argparse
import json
import math
import os
import signal
import sys
import tempfile
import time
from dataclasses import replace

from transductive_compendium.datasets import DataError
from transductive_compendium.runner import ExperimentError, all_experiments, compare
from transductive_compendium.runner.execution import load_data
from transductive_compendium.runner.proof import (
    Proof,
    conditions,
    proof,
    proof_file,
    read,
    run_units,
)
from transductive_compendium.runner.seeding import unit_rng
from transductive_compendium.runner.sentinel import sentinel

#: Seconds of processor time that one proof unit may take, and after which a trial is stopped.
AFFORDABLE, STOPPED = 2.0, 8.0
#: Units among which an affordable first one is looked for.
TRIED = 6


class _TooLong(BaseException):
    """A unit was stopped."""


class Meter:
    """Processor time and rows of an experiment's units, each computed once.

    Parameters
    ----------
    experiment : Experiment

    Raises
    ------
    ExperimentError
        If its data are not at hand.
    """

    def __init__(self, experiment):
        self.experiment, self.seconds, self.rows = experiment, {}, {}
        self.data, _, substitute = load_data(experiment)
        if substitute:
            raise ExperimentError(f"{experiment.name} cannot be measured: {substitute}")

    def __call__(self, key: dict, limit: float = STOPPED) -> float:
        """Seconds of a unit; `limit` if it was stopped."""
        values = tuple(key.values())
        if values not in self.seconds or limit > self.seconds[values] == STOPPED:
            self.seconds[values] = round(self._run(key, limit), 2)
        return self.seconds[values]

    def _run(self, key, limit):
        from threadpoolctl import threadpool_limits

        def stop(signum, frame):
            raise _TooLong

        experiment = self.experiment
        params = {**experiment.defaults, "seed": experiment.seed}
        rng = unit_rng(experiment.stream, experiment.seed, key)
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, 0 if limit == math.inf else limit)
        start = time.process_time()
        try:
            with threadpool_limits(limits=1):
                rows = experiment.rows_of(dict(key), params, dict(self.data), rng)
                self.rows[tuple(key.values())] = rows
        except _TooLong:
            return limit
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return time.process_time() - start

    def meet_record(self, keys: list[dict]) -> bool:
        """Whether the rows of measured units agree with the record to 1e-9 in all columns."""
        again = replace(self.experiment, run_unit=lambda key, *_: self.rows[tuple(key.values())])
        with tempfile.TemporaryDirectory() as store:
            return compare(run_units(again, keys, store=store), alike=True).ok


def choose(keys: list[dict], seconds, known=()) -> Proof:
    """Units among `keys` that contain all conditions.

    Parameters
    ----------
    keys : list of dict
    seconds : callable
        ``seconds(key)`` returns the processor time of a unit, or `STOPPED`;
        ``seconds(key, math.inf)`` does not stop it.
    known : list of dict
        Units chosen before; if no unit tried is affordable, one of them comes first.
    """
    wanted = conditions(keys)
    columns = list(dict.fromkeys(column for column, _ in wanted))
    distinct = list({tuple(key[c] for c in columns): key for key in reversed(keys)}.values())[::-1]
    first = next((key for key in distinct[:TRIED] if seconds(key) <= AFFORDABLE), None)
    if first is None:
        kept = [key for key in keys if key in list(known)]
        first = kept[0] if kept else min(distinct[:TRIED], key=seconds)
        if seconds(first) == STOPPED:
            seconds(first, math.inf)
    chosen = {tuple(first.values()): first}

    def lacking():
        return set(wanted).difference(*(key.items() for key in chosen.values()))

    def take(key):
        if seconds(key) <= AFFORDABLE:
            chosen[tuple(key.values())] = key

    left = lacking()
    while left:
        key = max(distinct, key=lambda key: len(left.intersection(key.items())))
        take(key)
        left.difference_update(key.items())
    for (
        condition
    ) in wanted:  # by itself, with all else as in the first unit if there is such a unit
        if condition in lacking():
            having = (key for key in distinct if condition in key.items())
            take(max(having, key=lambda key: len(set(key.items()) & set(first.items()))))
    return Proof(
        keys=list(keys[0]),
        units=[list(values) for values in chosen],
        seconds=[seconds(key) for key in chosen.values()],
        unaffordable=[list(condition) for condition in wanted if condition in lacking()],
    )


def outdated(experiments) -> list[str]:
    """Experiments whose proof units are missing or no longer fit."""
    found = []
    for name, experiment in experiments.items():
        try:
            proof(experiment)
        except ExperimentError:
            found.append(name)
    return found


def measured(experiment) -> Proof:
    """Proof units of one experiment, measured, run and compared with its record."""
    meter, before = Meter(experiment), read(proof_file())[1].get(experiment.name)
    keys = experiment.unit_keys(experiment.defaults, "paper")
    chosen = choose(keys, meter, before.unit_keys() if before else [])
    keys, apart = chosen.unit_keys(), []
    if not meter.meet_record(keys):
        apart = [n for n, key in enumerate(keys) if not meter.meet_record([key])]
    return replace(chosen, apart=apart)


def write(entries: dict[str, Proof], where: str) -> None:
    """Write the file, one line for each experiment, with the sentinel of their machine."""
    lines = [f'"{name}": {json.dumps(vars(entries[name]))}' for name in sorted(entries)]
    text = f'{{"sentinel": "{where}", "experiments": {{\n' + ",\n".join(lines) + "\n}}\n"
    proof_file().write_text(text, encoding="utf-8")
    read.cache_clear()


def main(arguments=None) -> int:
    """Measure and write; print the total."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--all", action="store_true", help="measure all experiments again")
    given = parser.parse_args(arguments)
    if given.all and given.names:
        parser.error("--all measures all experiments: give it or names")
    experiments, (where, known) = all_experiments(), read(proof_file())
    if given.all or not known:
        where = sentinel()
    entries = {name: entry for name, entry in known.items() if name in experiments}
    for name in experiments if given.all else given.names or outdated(experiments):
        try:
            entries[name] = measured(experiments[name])
        except (DataError, ExperimentError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        units, apart = entries[name].units, entries[name].apart
        print(f"{name}: {len(units)} units, {len(apart)} apart, {sum(entries[name].seconds):.1f} s")
        if where != sentinel():  # whether they meet it on the file's machine nobody knows
            entries[name] = replace(entries[name], apart=list(range(len(units))))
        write(entries, where)
    write(entries, where)
    total = sum(sum(entry.seconds) for entry in entries.values())
    print(f"{len(entries)} experiments, {total:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    sys.exit(main())
