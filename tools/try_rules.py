"""Try the rules of verdicts on simulated draws with a known truth.

python tools/try_rules.py             print how often each verdict comes out
python tools/try_rules.py --record    and write results/rules_trial.csv, which the book shows
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from transductive_compendium.verdicts import rules
from transductive_compendium.verdicts.rules import Column, Repeats, Value

N_TRIALS = 400
RECORD = Path(__file__).resolve().parent.parent / "results" / "rules_trial.csv"
#: A rule with sizes, the truth, and the outcome of one trial.
Case = tuple[str, str, Callable[[np.random.Generator], str]]
#: Mean gap in standard errors of a repetition; the share of repetitions in which it is above zero.
EFFECTS = {"true": 4.0, "nearly true": 1.645, "half true": 0.0, "false": -4.0}


def _normal(rng, shape):
    return rng.normal(size=shape)


def _skewed(rng, shape):
    return rng.exponential(size=shape) - 1.0


def _ties(rng, shape):
    """Differences of two error counts on twenty test points, many of which are zero."""
    counts = rng.binomial(20, 0.1, shape) - rng.binomial(20, 0.1, shape)
    return counts / math.sqrt(2 * 20 * 0.1 * 0.9)


LAWS = {"normal": _normal, "skewed": _skewed, "counts": _ties}


def _orderings():
    for law, draw in LAWS.items():
        for k in (1, 5):
            for n, m in ((100, 100), (400, 100), (22, 10)):
                for truth, effect in EFFECTS.items():

                    def outcome(rng, draw=draw, k=k, n=n, m=m, effect=effect):
                        gaps = draw(rng, (n, k)) + effect / math.sqrt(m)
                        return rules.decide_repeats(Repeats(gaps), m).outcome

                    yield (
                        f"ordering, {law}, {k} gap{'s' * (k > 1)}, n = {n}, m = {m}",
                        truth,
                        outcome,
                    )
    for truth, effect in EFFECTS.items():

        def outcome(rng, effect=effect):
            gaps = rng.normal(size=(200, 1)) + effect / math.sqrt(100)
            return rules.decide_repeats(Repeats(gaps), (1, 100)).outcome

        yield "ordering, m not printed (1 or 100), n = 200", truth, outcome


def _gains():
    for share in (1.0, 0.5, 0.25, 0.0, -0.5):

        def outcome(rng, share=share):
            gaps = rng.normal(size=(200, 1)) * 2.0 + share
            return rules.decide_repeats(Repeats(gaps), 100, gain=1.0).outcome

        yield "printed gain 1, n = 200, m = 100", f"gain {share:g}", outcome


def _equivalences():
    for difference in (0.0, 0.5, 1.0, 2.0):

        def outcome(rng, difference=difference):
            gaps = rng.normal(size=(200, 1)) * 2.0 + difference
            return rules.decide_repeats(Repeats(gaps), 100, margin=1.0).outcome

        yield "equivalence, margin 1, n = 200, m = 100", f"difference {difference:g}", outcome


def _values():
    for m in (1, 10, 100):
        for off in (0.0, 0.5, 1.0, 2.0):

            def outcome(rng, m=m, off=off):
                printed = round(10.0 + rng.normal() * 2.0 / math.sqrt(m), 1)
                ours = rng.normal(size=200) * 2.0 + 10.0 + off
                tau = rules.tolerance_of(printed, 1, True)
                return rules.decide_value(Value(ours), printed, 1, m, tau).outcome

            yield f"value 10.0 %, spread 2, n = 200, m = {m}", f"off by {off:g}", outcome
    for wrong in (0, 1, 7):

        def outcome(rng, wrong=wrong):
            cells = [str(c) for c in range(7)]
            printed = {c: round(10.0 + rng.normal() * 0.2, 1) for c in cells}
            ours = {
                c: Value(rng.normal(size=200) * 2.0 + 10.0 + 2.0 * (int(c) < wrong)) for c in cells
            }
            taus = {c: rules.tolerance_of(p, 1, True) for c, p in printed.items()}
            return rules.decide_column(Column(ours), printed, 1, 100, taus).outcome

        yield "column of 7 cells of 10 %, m = 100", f"{wrong} cells off by 2", outcome


def _jackknife():
    for effect in (4.0, 1.645, 0.0, -4.0):

        def outcome(rng, effect=effect, n_cases=400, n_draws=60):
            # each case adds to the gap of a draw that has it; a draw has six of ten
            cases = rng.normal(size=n_cases) + effect / math.sqrt(n_cases)
            group = np.arange(n_cases) % 20

            def draws(kept, n):
                picks = rng.random((n, kept.size)).argsort(1)[:, : int(0.6 * kept.size)]
                return Repeats(kept[picks].mean(axis=1) + 0.02 * rng.normal(size=n))

            left_out = [draws(cases[group != g], n_draws) for g in range(20)]
            return rules.carries_over(draws(cases, 400), left_out)[0]

        yield "second mark, 400 cases, 20 groups", f"effect {effect:g} standard errors", outcome


def trial(n_trials: int = N_TRIALS, seed: int = 0) -> pd.DataFrame:
    """Frequency of each outcome, by rule and truth: one row each."""
    cases = (*_orderings(), *_gains(), *_equivalences(), *_values(), *_jackknife())
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
