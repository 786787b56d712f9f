"""Try the rules of verdicts on simulated draws with a known truth.

python tools/try_rules.py             print how often each word comes out
python tools/try_rules.py --record    and write results/rules_trial.csv, which the book shows
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from transductive_compendium.verdicts import findings, rules
from transductive_compendium.verdicts.claims import Anchor, Claim, Table
from transductive_compendium.verdicts.identification import DEFAULT, Identified
from transductive_compendium.verdicts.rules import Column, Repeats, Value
from transductive_compendium.verdicts.verification import Verdict

N_TRIALS = 400
RECORD = Path(__file__).resolve().parent.parent / "results" / "rules_trial.csv"
#: A rule with sizes, the truth, and the outcome of one trial.
Case = tuple[str, str, Callable[[np.random.Generator], str]]
#: The printed gain is 1; a single draw's standard deviation, so that 100 tell it to 0.2 and the
#: paper's 20 draws to 0.45.
SD, N, M = 2.0, 100, 20
#: Mean gain, as a share of the printed one.
GAINS = {"true": 1.0, "half true": 0.5, "a quarter true": 0.25, "false": 0.0, "reversed": -0.5}
LAWS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "skewed": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "counts": lambda rng, shape: (
        (rng.binomial(20, 0.1, shape) - rng.binomial(20, 0.1, shape)) / math.sqrt(3.6)
    ),
}


def _decided(gains: np.ndarray, **rule) -> rules.Decision:
    return rules.decide_repeats(Repeats(gains, gain=gains[:, 0]), M, **rule).settled


def _orderings():
    for law, draw in LAWS.items():
        sizes = ((60, 1), (100, 1), (400, 1), (1600, 1), (400, 5))
        for n, k in sizes if law == "normal" else ((100, 1), (400, 5)):
            for truth, gain in GAINS.items():

                def outcome(rng, draw=draw, n=n, k=k, gain=gain):
                    return _decided(gain + SD * draw(rng, (n, k)), effect=1.0).outcome

                gaps = f"{k} gap{'s' * (k > 1)}"
                yield f"claim with a printed gain, {law}, {gaps}, {n} draws", truth, outcome


def _margins():
    for share in (1.0, 0.25, 0.0, -0.5):

        def unsized(rng, share=share):
            return _decided(share + SD * rng.normal(size=(400, 1)), margin=0.5).outcome

        yield "claim without a printed gain, margin 0.5, 400 draws", f"gain {share:g}", unsized
    for difference in (0.0, 0.5, 1.0, 2.0):

        def same(rng, difference=difference):
            gaps = difference + SD * rng.normal(size=(400, 1))
            return _decided(gaps, margin=1.0, equivalence=True).outcome

        yield "claim of no difference, margin 1, 400 draws", f"difference {difference:g}", same


def _printed(rng: np.random.Generator, error: float) -> float:
    """What a paper prints of an error of `error` per cent, from its own draws."""
    return round(error + SD * rng.normal() / math.sqrt(M), 1)


def _numbers():
    for cells in (1, 7):
        for off in (0.0, 0.1, 0.2, 0.4):

            def outcome(rng, cells=cells, off=off):
                printed = {str(c): _printed(rng, 20.0) for c in range(cells)}
                ours = {c: Value(20.0 * (1 + off) + SD * rng.normal(size=N)) for c in printed}
                return rules.decide_numbers(Column(ours), printed, 1, True).settled.outcome

            what = f"{cells} printed number{'s' * (cells > 1)} of 20 %, {N} draws"
            yield what, f"off by {100 * off:.0f} %", outcome


#: Settings of a simulated paper: by how much its comparator's two printed errors are off there.
OPTIONS = ("choice: a", "choice: b", "choice: c")


def _settings(right: str, off: float) -> dict[str, tuple[float, float]]:
    """One setting gives the printed errors; in the others one or both are off."""
    shifts = {DEFAULT: (off, off), "choice: a": (off, off), "choice: b": (-off, 0.0)}
    return shifts | {"choice: c": (0.0, off), right: (0.0, 0.0)}


def _claim(name: str) -> Claim:
    return Claim(
        id=name,
        statement="",
        quote="",
        place="",
        kind="repeats",
        protocol="trial",
        comes_out="it does",
        results=("trial/rows",),
    )


def _anchor(name: str) -> Anchor:
    printed = {"published": {"value": 1.0}, "measure": "simulated"}
    return Anchor(id=name, quantity="", quote="", place="", readers=(), **printed)


TABLE = Table(experiments=("trial/rows",), anchors=(_anchor("first"), _anchor("second")))


def _table(rng, shifts: Mapping[str, tuple[float, float]]) -> Identified:
    """What two printed errors of 20 % say of each setting, from 100 draws in each."""
    by_anchor = {}
    for number, anchor in enumerate(TABLE.anchors):
        printed = _printed(rng, 20.0)
        by_anchor[anchor.id] = {
            name: rules.misfit(
                Value(20.0 * (1 + shift[number]) + SD * rng.normal(size=N)), printed, 1, True
            )
            for name, shift in shifts.items()
        }
    return Identified(TABLE, by_anchor)


def _word(
    rng,
    shifts: Mapping[str, tuple[float, float]],
    gains: Sequence[Mapping[str, float]],
    anchored: bool = True,
) -> str:
    """Word of a finding whose claims have these mean gains by setting."""
    tables = {"trial": _table(rng, shifts)} if anchored else {}
    levels = []
    for number, by_setting in enumerate(gains):
        decisions = {
            name: _decided(gain + SD * rng.normal(size=(N, 1)), effect=1.0)
            for name, gain in by_setting.items()
        }
        levels.append(Verdict("trial", _claim(f"claim-{number}"), decisions, tables).levels())
    return findings.word(levels)


def _findings():
    """Words of findings, in which the gain is that of the truth in the right setting alone."""
    for default in ("right", "wrong"):
        right = DEFAULT if default == "right" else "choice: a"
        for size, off in (("half", 0.5), ("15 %", 0.15)):
            for truth, gain in GAINS.items():
                # elsewhere the opposite is seen: nothing of what is true, all of what is not
                gains = {n: 1.0 - (gain > 0) for n in (DEFAULT, *OPTIONS)} | {right: gain}
                shifts = _settings(right, off)

                def outcome(rng, shifts=shifts, gains=gains):
                    return _word(rng, shifts, [gains])

                where = "" if default == "right" else "; one change is right"
                rule = f"finding, the default is {default}{where}; others are off by {size}"
                yield rule, truth, outcome
    wrong = {n: 1.0 for n in (DEFAULT, *OPTIONS)}
    for truth, gain in (("true", 1.0), ("false", 0.0)):
        gains = {n: 1.0 - gain for n in wrong} | {"choice: a": gain}

        def blind(rng, gains=gains):
            return _word(rng, {}, [gains], anchored=False)

        yield "finding, the default is wrong and no number of a comparator is printed", truth, blind
    none = _settings(DEFAULT, 0.5) | {DEFAULT: (0.4, 0.4)}
    for truth, gain in (("true", 1.0), ("false", 0.0)):

        def nearest(rng, gain=gain):
            return _word(rng, none, [dict.fromkeys(none, gain)])

        yield "finding, no setting gives the printed errors", truth, nearest
    for truth, pair in {
        "both claims true": (1.0, 1.0),
        "the second false": (1.0, 0.0),
        "the first false": (0.0, 1.0),
    }.items():
        shifts = _settings(DEFAULT, 0.5)

        def two(rng, pair=pair, shifts=shifts):
            return _word(rng, shifts, [dict.fromkeys(shifts, gain) for gain in pair])

        yield "finding of two claims, the default is right", truth, two


def trial(n_trials: int = N_TRIALS, seed: int = 0) -> pd.DataFrame:
    """Frequency of each word, by rule and truth: one row each."""
    cases = (*_orderings(), *_margins(), *_numbers(), *_findings())
    return tried(cases, n_trials, seed)


def tried(cases: Iterable[Case], n_trials: int, seed: int) -> pd.DataFrame:
    """The same for some cases; each has a generator of its own."""
    rows = []
    for number, (rule, truth, outcome) in enumerate(cases):
        rng = np.random.default_rng([seed, number])
        counts = Counter(outcome(rng) for _ in range(n_trials))
        rows += [
            {"rule": rule, "truth": truth, "outcome": o, "share": c / n_trials}
            for o, c in sorted(counts.items(), key=lambda item: -item[1])
        ]
    return pd.DataFrame(rows)


def main(words: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write results/rules_trial.csv")
    parser.add_argument("--trials", type=int, default=N_TRIALS)
    arguments = parser.parse_args(words)
    found = trial(arguments.trials)
    for (rule, truth), rows in found.groupby(["rule", "truth"], sort=False):
        print(
            f"{rule}; {truth}: "
            + ", ".join(f"{r.outcome} {r.share:.3f}" for r in rows.itertuples())
        )
    if arguments.record:
        found.to_csv(RECORD, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
