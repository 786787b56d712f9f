"""Decide verdicts from statements and recorded rows, in the settings that the anchors identify."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..runner.companions import runs_option
from ..runner.parameters import ExperimentError
from . import rules
from .claims import Claim, Judged, Statements, evidence_of, load_statements
from .identification import DEFAULT, Identified, Recorded, guarded, identify, settings_of
from .mathematics import MarkError, decide_mathematics

#: Function that decides claims of each kind; the first line of its docstring is the rule in words.
RULES = {
    "repeats": rules.decide_repeats,
    "equivalence": rules.decide_repeats,
    "numbers": rules.decide_numbers,
    "mathematics": decide_mathematics,
}
NOT_RUN = rules.Decision(rules.UNDECIDED, "-", "not run")


class Lazy(Mapping):
    """Values by name, each made when it is asked for; a copy of them all is plain."""

    def __init__(self, work: Mapping[str, Callable[[], Any]]):
        self._work = work
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._work[name]()
        return self._made[name]

    def __iter__(self):
        return iter(self._work)

    def __len__(self):
        return len(self._work)

    def __contains__(self, name):
        return name in self._work

    def __reduce__(self):
        return dict, (dict(self),)


@dataclass(frozen=True)
class Verdict:
    """A decided claim.

    Parameters
    ----------
    paper : str
    claim : Claim
    decisions : dict of str to Decision
        By setting, that of the records first: ``default`` or ``choice: option``.
    tables : dict of str to Identified
        What the anchors of its tables say.
    variants : tuple of str
        Settings of a variant, printed algorithm or program, which are always judged.
    """

    paper: str
    claim: Claim
    decisions: Mapping[str, rules.Decision]
    tables: Mapping[str, Identified] = field(default_factory=dict)
    variants: tuple[str, ...] = ()

    def standing(self, threshold: float = rules.FIT, plain: bool = False) -> tuple[str, ...]:
        """Settings that decide: those that stand, and the variants; `plain`, the default alone.

        A claim that a standing setting cannot change is judged as recorded.
        """
        names = [name for found in self.tables.values() for name in found.standing(threshold)]
        if plain or not names:
            names = [DEFAULT]
        elif set(names) != {DEFAULT}:
            names = [name for name in names if name != DEFAULT]
        own = next(iter(self.decisions))
        known = dict.fromkeys(n if n in self.decisions else own for n in names)
        return tuple(known) if plain else (*known, *(v for v in self.variants if v not in known))

    def levels(self, threshold: float = rules.FIT, plain: bool = False) -> tuple[str, ...]:
        """Yes, in part, no or open, by standing setting."""
        return tuple(
            rules.COMES_OUT[self.decisions[name].settled.outcome]
            for name in self.standing(threshold, plain)
        )

    @property
    def setting(self) -> str:
        """The first standing setting, whose numbers are shown."""
        return self.standing()[0]

    @property
    def decision(self) -> rules.Decision:
        """The decision in that setting."""
        return self.decisions[self.setting].settled

    @property
    def outcome(self) -> str:
        """The outcome in that setting."""
        return self.decision.outcome

    @property
    def reproduced(self) -> str:
        """The reproduced numbers in that setting."""
        return self.decision.reproduced

    @property
    def comes_out(self) -> str:
        """Yes, in part, no or open."""
        return rules.COMES_OUT[self.outcome]

    @property
    def published(self) -> str:
        """What the paper prints, for a table's cell."""
        return published_text(self.claim)

    @property
    def excluded(self) -> dict[str, rules.Misfit]:
        """Settings that the anchors exclude, with their misfits."""
        return {
            name: found.misfits[name]
            for found in self.tables.values()
            for name in found.misfits
            if not found.fits(name) and name not in self.standing()
        }

    @property
    def told(self) -> dict[str, str]:
        """Outcome by setting that nothing excludes and that does not stand; they decide nothing."""
        left_out = {*self.standing(), *self.excluded}
        return {n: d.outcome for n, d in self.decisions.items() if n not in left_out}

    @property
    def told_text(self) -> str:
        """Under which, or how many, of them it comes out, and under which not; those not run."""
        return self.told_in_words(faults=False)

    def told_in_words(self, faults: bool = True) -> str:
        """`told_text`, with the faults of those that could not be judged."""
        run = {n: o for n, o in self.told.items() if n not in self.not_run}
        coming = [n for n, o in run.items() if rules.COMES_OUT[o] == rules.YES]
        under = ", ".join(coming) if 0 < len(coming) <= 2 else f"{len(coming)} of {len(run)}"
        whys = {
            n: ": ".join(filter(None, (o, faults and self.decisions[n].fault)))
            for n, o in run.items()
        }
        others = [f"{n} ({why})" for n, why in whys.items() if n not in coming]
        texts = [f"comes out under {under}"] * bool(run)
        texts += [f"not under {', '.join(others)}"] * bool(others)
        texts += [f"not run: {', '.join(self.not_run)}"] * bool(self.not_run)
        return "; ".join(texts)

    @property
    def not_run(self) -> list[str]:
        """Those of `told` that have no rows."""
        return [name for name in self.told if self.decisions[name] == NOT_RUN]

    @property
    def to_run(self) -> list[str]:
        """Commands that run and record what `not_run` lacks, where an experiment can run it."""
        found = [
            runs_option(result, *setting.split(": ", 1))
            for setting in self.not_run
            if setting != DEFAULT
            for result in self.claim.results
        ]
        names = dict.fromkeys(name for name in found if name)
        return [f"transductive run {name} --profile paper --record" for name in names]

    @property
    def settings_text(self) -> str:
        """Outcome in each standing setting, if there are several."""
        names = self.standing()
        if len(names) == 1:
            return ""
        return "; ".join(f"{n}: {self.decisions[n].settled.outcome}" for n in names)

    @property
    def share_text(self) -> str:
        """Share of repetitions of the paper's own number of draws, in words."""
        share = self.decision.share
        return "" if share is None else f"{100 * share:.0f} of 100"

    def as_dict(self) -> dict[str, Any]:
        """JSON-able: the claim's id and statement, and what was decided."""
        names = ("id", "statement", "kind", "place", "protocol")
        found = {name: getattr(self.claim, name) for name in names}
        decision = self.decision
        return (
            {"paper": self.paper}
            | found
            | {
                "published": self.published,
                "reproduced": decision.reproduced,
                "outcome": decision.outcome,
                "detail": decision.detail,
                "share": decision.share,
                "effect": decision.effect,
                "options": [name for name in self.decisions if name != DEFAULT],
                "settings": {n: self.decisions[n].settled.outcome for n in self.standing()},
                "told": self.told,
                "excluded": {name: round(found.value, 3) for name, found in self.excluded.items()},
            }
        )


def published_text(claim: Judged) -> str:
    """What the paper prints, in short: its words or its numbers."""
    published = claim.published

    def shown(x):
        return f"{x:.{max(published.digits, 0)}f}"

    if published.text:
        return published.text
    if published.value is not None:
        return f"{shown(published.value)} {published.unit}".strip()
    if published.cells:
        cells = ", ".join(f"{name} {shown(x)}" for name, x in published.cells.items())
        return f"{cells} {published.unit}".strip()
    if published.gain is not None:
        return f"gain {published.gain:.3g} {published.unit}".strip()
    return "in words"


def decide(claim: Claim, evidence: Any, m: int | None) -> rules.Decision:
    """Apply the rule of the claim's kind; `m` as in `rules.decide_repeats`.

    Raises
    ------
    EvidenceError
        If the measure's evidence does not fit the rule.
    """
    if isinstance(evidence, rules.NotTestable):
        stead = f" In its stead: {evidence.substitute}" if evidence.substitute else ""
        return rules.Decision(rules.NOT_TESTABLE, "-", evidence.reason + stead)
    published = claim.published
    if claim.kind == "numbers":
        percentage = published.unit == "%"
        numbers = published.numbers
        return rules.decide_numbers(evidence, numbers, published.digits, percentage, m != 0)
    same = claim.kind == "equivalence"
    return rules.decide_repeats(evidence, m, published.gain, claim.margin, same)


def _undecided(error: Exception | str) -> rules.Decision:
    return rules.Decision(rules.UNDECIDED, "-", str(error))


def _verdict(paper, claim, found: Statements, recorded: Recorded, tables) -> Verdict:
    if claim.kind == "mathematics":
        try:
            return Verdict(paper, claim, {DEFAULT: decide_mathematics(claim.id)})
        except (ExperimentError, MarkError) as error:
            return Verdict(paper, claim, {DEFAULT: _undecided(error)})
    if claim.measure is None:
        return Verdict(paper, claim, {DEFAULT: _undecided("no measure decides it yet")})
    own = {name: tables[name] for name in found.tables_of(claim) if name in tables}
    draws = found.protocol_of(claim).draws

    def judged(frames, arguments):
        return decide(claim, evidence_of(claim, frames, arguments), draws)

    def decided(rows, arguments):
        try:
            frames = rows()
            return NOT_RUN if frames is None else guarded(claim, judged, frames, arguments)
        except (ExperimentError, rules.EvidenceError) as error:
            return _undecided(error)

    try:
        made = list(settings_of(claim, found, recorded))
    except ExperimentError as error:
        return Verdict(paper, claim, {DEFAULT: _undecided(error)})
    if faults := [table.fault for table in own.values() if table.fault]:
        return Verdict(paper, claim, {DEFAULT: _undecided(faults[0])}, own)
    decisions = {name: partial(decided, rows, arguments) for name, rows, arguments in made}
    variants = tuple(
        f"{key}: {name}"
        for key, choice in found.open_choices.items()
        if choice.variants
        for name in choice.options
        if f"{key}: {name}" in decisions
    )
    return Verdict(paper, claim, Lazy(decisions), own, variants)


def verify(papers: Iterable[str] | None = None, recorded: Recorded | None = None) -> list[Verdict]:
    """Decide every testable claim, mathematics by marked tests, all else from recorded results.

    Parameters
    ----------
    papers : iterable of str, optional
        By default all that have claims.
    recorded : Recorded, optional
        Rows that were read before; by default they are read now.

    Returns
    -------
    list of Verdict
        In the order of the files. If a result is missing or damaged, or a measure fails, the claim
        is undecided, with the reason; the others are decided nevertheless.
    """
    recorded, verdicts = recorded or Recorded(), []
    for paper, found in load_statements(papers).items():
        tables = identify(found, recorded)
        verdicts += [_verdict(paper, claim, found, recorded, tables) for claim in found.testable]
    return verdicts
