"""Command line: ``transductive data | list | run | verify | report``.

Commands import what they need when they run, so that ``--help`` and ``verify`` start at once.
"""

import errno
import json
import os
import sys
from contextlib import contextmanager, nullcontext, suppress
from functools import partial

import click

from .path_option import UserPath


class _Lazy(click.Group):
    """Command group that imports the data sets' group ``data`` only when it is called."""

    def list_commands(self, ctx):
        return sorted([*super().list_commands(ctx), "data"])

    def get_command(self, ctx, name):
        if name == "data":
            from .data_commands import data

            return data
        return super().get_command(ctx, name)

    def resolve_command(self, ctx, args):
        from .runner.parameters import unknown

        if self.get_command(ctx, args[0]) is None:
            ctx.fail(unknown("command", args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except OSError as error:
            # a file has a name; the output that a command prints to has none
            if error.errno not in (errno.ENOSPC, errno.EIO, errno.EDQUOT) or error.filename:
                raise
            # what is still in the buffer would fail again at the exit, with another code
            with suppress(OSError, AttributeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.ClickException(
                f"the output cannot be written ({error.strerror}). Finished units are stored: the "
                f"same command with another place for its output goes on from there"
            ) from error


@contextmanager
def _plain_errors():
    """Show errors raised on purpose as one message, without a traceback."""
    from .checked_yaml import SchemaError
    from .runner import ExperimentError
    from .verdicts import ClaimError

    try:
        yield
    except Exception as error:
        expected = [ExperimentError, ClaimError, SchemaError]
        # a module that was never imported has raised no error
        if errors := sys.modules.get("transductive_compendium.datasets.errors"):
            expected.append(errors.DataError)
        if isinstance(error, FileNotFoundError) and not os.path.isdir(os.curdir):
            raise click.ClickException("the current folder is gone: cd elsewhere") from error
        if not isinstance(error, tuple(expected)):
            raise
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo(
            "\nStopped. Finished units are stored; the same command goes on from there.", err=True
        )
        sys.exit(130)


def _check_results():
    """Stop before the work if the folder of results is wrong; that there is none is no fault."""
    from .runner import RecordMissingError, results_folder

    with suppress(RecordMissingError):
        results_folder()


@contextmanager
def _cluster(address):
    """Context in which the workers of the Dask scheduler at `address` compute the units."""
    try:
        from distributed import Client
    except ImportError as error:
        raise click.ClickException(
            'a cluster needs more packages; in the checkout: pip install ".[cluster]"'
        ) from error
    import joblib

    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise click.ClickException(
            f"no Dask scheduler answers at {address} ({error}); start one with `dask scheduler`, "
            f"and name the address that it prints"
        ) from error
    with client:
        if not client.ncores():
            click.echo(f"waiting for a worker of {address}", err=True)
            client.wait_for_workers(1)
        with joblib.parallel_config(backend="dask"):
            yield


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="transductive")
def main():
    """Transductive inference, reproduced figure by figure."""
    if getattr(sys.stdout, "errors", None) == "strict":
        # characters that the locale lacks must not end a command
        sys.stdout.reconfigure(errors="replace")


@main.command("list")
@click.argument("name", required=False)
def list_(name):
    """List all experiments, those of the paper NAME, or the experiment NAME's parameters."""
    with _plain_errors():
        from .runner import PROFILES, all_experiments, get

        found = [e for e in all_experiments().values() if name in (None, e.paper)]
        if found or name is None:
            for experiment in found:
                units = "/".join(map(str, experiment.unit_counts))
                choices = ", ".join(experiment.open_choices)
                click.echo(
                    f"{experiment.name}\n    {experiment.title}\n    units {units} "
                    f"({'/'.join(PROFILES)}); data: "
                    f"{', '.join(experiment.datasets) or 'none declared'}"
                    + (f"\n    open choices: {choices}" if choices else "")
                )
            return
        from .book.notebook import schema
        from .rooms import source_file
        from .runner.records import RecordMissingError, load_recorded, notebook_of, rows_of

        experiment = get(name)
        click.echo(f"{experiment.name}: {experiment.title}")
        click.echo(f"  units: {experiment.function.__name__} in {source_file(experiment.module)}")
        with suppress(RecordMissingError):  # parameters are known without records
            click.echo(f"  record: {rows_of(name)}; shown by: {notebook_of(name) or 'no notebook'}")
            facts = load_recorded(name)[1]
            cost = f"{facts['units']} units, {facts['seconds']:.0f} s of computing"
            click.echo(f"  cost of profile {facts['profile']}: {cost}")
        if experiment.open_choices:
            click.echo(f"  open choices: {', '.join(experiment.open_choices)}")
        for key, p in schema(experiment).items():
            click.echo(f"  {key} = {p.default!r}  {p.doc} ({p.describe()})")


@main.command()
@click.argument("name")
@click.option("--profile", default="smoke", show_default=True, help="smoke, paper or full.")
@click.option(
    "-p",
    "--param",
    "assignments",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter; may be repeated.",
)
@click.option("--seed", type=int, help="Seed; by default the experiment's own.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes; -1 for one per CPU.")
@click.option("--scheduler", metavar="ADDRESS", help="Run on this Dask cluster, instead of --jobs.")
@click.option("--fresh", is_flag=True, help="Recompute every unit, even if it is stored.")
@click.option("--record", "keep", is_flag=True, help="Record the rows in results/.")
@click.option(
    "--out",
    type=UserPath(dir_okay=False, readable=False, writable=True, allow_dash=True),
    metavar="FILE",
    help="Write the rows to this CSV file; - prints them.",
)
@click.option("--cite", is_flag=True, help="Print a BibTeX entry of this run.")
def run(name, profile, assignments, seed, jobs, scheduler, fresh, keep, out, cite):
    """Run the experiment NAME, or continue a run that was stopped.

    The rows are compared with the recorded ones. The last line is the command that draws them.

    Exit code 0 if they agree, or if nothing can be compared, because the data or the parameters are
    others; 1 if they disagree.
    """
    with _plain_errors():
        from . import runner
        from .runner import own_data, records, rows_file
        from .runner.parameters import parse_assignments

        to_output = out == "-"
        say = partial(click.echo, err=to_output)  # beside the rows there is nothing else
        if out:
            rows_file.check_name(out)
        _check_results()
        experiment = runner.get(name)
        params = parse_assignments(own_data.schema(experiment), assignments)
        with _cluster(scheduler) if scheduler else nullcontext():
            done = runner.run(experiment, profile, params, seed, jobs, fresh=fresh)
        facts = done.provenance
        say(
            f"{name}: {facts['units']} units, {len(done.rows)} rows, profile {profile}, "
            f"seed {done.seed}, {facts['seconds']:.1f} s of computing"
        )
        if done.substitute:
            click.echo(f"Note: {done.substitute}", err=True)
        if to_output:
            click.echo(done.rows.to_csv(index=False, lineterminator="\n"), nl=False)
        elif out:
            _write_rows(done.rows, out)
            say(f"rows: {out}")
        if cite:
            from .book.citation_of_run import bibtex

            say(bibtex(done))
        agreement = None
        if keep:
            for path in runner.record(done):
                say(f"recorded: {path}")
        elif not done.own_data:  # the note says that nothing is compared
            agreement = runner.compare(done)
            click.echo(agreement.describe(), err=to_output or not agreement.ok)
        with suppress(records.RecordMissingError):  # no folder of notebooks
            if command := records.drawing_command(done):
                say(f"draw it: {command}")
    sys.exit(0 if agreement is None or agreement.ok else 1)


def _write_rows(rows, file):
    """Write rows to a file; if that fails, say that the same command does it at once."""
    from .runner import rows_file

    try:
        rows_file.write_rows(rows, file)
    except OSError as error:
        raise click.ClickException(
            f"{file} cannot be written ({error.strerror or error}). Finished units are "
            f"stored: the same command with another name of a file writes it at once"
        ) from error


def _counted(outcomes):
    outcomes = list(outcomes)
    counts = {o: outcomes.count(o) for o in dict.fromkeys(outcomes)}
    return ", ".join(f"{n} {outcome}" for outcome, n in counts.items())


def _verify_paper(found, decided, verdicts):
    """Print one paper: its title's prefix, its findings with their claims, and other claims."""
    from .book.titles import paper_of
    from .verdicts.findings import prefix

    prefixed = f"{prefix(decided)} " if decided else ""
    click.echo(f"{prefixed}{paper_of(found.paper).called}")
    if decided:
        click.echo(f"  findings: {_counted(d.verdict for d in decided)}")
    counted = _counted(v.outcome for v in verdicts)
    untestable = f"{len(found.untestable)} that no experiment can decide" * bool(found.untestable)
    click.echo(f"  claims: {', '.join(filter(None, [counted, untestable]))}")
    for d in decided:
        click.echo(f"{d.verdict.upper():<14} {found.paper}/{d.finding.id}: {d.finding.sentence}")
        for v in d.claims:
            click.echo(f"    {_line(v)}")
    told = {name for d in decided for name in d.finding.claims}
    if others := [v for v in verdicts if v.claim.id not in told]:
        if decided:
            click.echo("BESIDE THE FINDINGS")
        for v in others:
            click.echo(f"    {_line(v)}")


def _line(verdict):
    if fault := verdict.decision.fault:
        return f"{verdict.outcome}  {verdict.claim.id}  {fault}"
    share = f", {verdict.share_text}" if verdict.share_text else ""
    if verdict.claim.kind == "mathematics":
        return f"{verdict.outcome}  {verdict.claim.id}  {verdict.reproduced}"
    numbers = f"published {verdict.published}; reproduced {verdict.reproduced}"
    setting = "" if verdict.setting == "default" else f"  ({verdict.setting})"
    return f"{verdict.outcome}{share}  {verdict.claim.id}  {numbers}{setting}"


@main.command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def verify(names, as_json):
    """Decide every claim, or those NAMES, from the recorded results.

    A name is a paper, PAPER/FINDING, or the id of a claim. A claim is shown with its quotation, the
    share of repetitions in which it comes out, the rule that decides it, and the commands that
    recompute its rows.

    Exit code 0 if all are decided, whatever the verdicts; 1 if some cannot be decided.
    """
    with _plain_errors():
        _check_results()
        from .verdicts import claims, explanation, findings, rules, verification

        places = [claims.find(name) for name in names]
        papers = list(dict.fromkeys(paper for paper, _, _ in places)) or None
        statements = claims.load_statements(papers)
        verdicts = verification.verify(papers)
        decided = findings.decide_findings(papers, verdicts)
        whole = {paper for paper, kind, _ in places if kind == "paper"} or (
            set() if places else set(statements)
        )
        ids = {name for _, kind, name in places if kind == "claim"}
        named = {(paper, name) for paper, kind, name in places if kind == "finding"}
        found = [d for every in decided.values() for d in every]
        found = [d for d in found if (d.paper, d.finding.id) in named]
        asked = ids | {name for d in found for name in d.finding.claims}
        chosen = [v for v in verdicts if v.paper in whole or v.claim.id in asked]
        untested = [
            explanation.explain_untestable(paper, claim)
            for paper, found_in in statements.items()
            for claim in found_in.untestable
            if claim.id in ids
        ]
        if as_json:
            click.echo(json.dumps([v.as_dict() for v in chosen], indent=2))
        else:
            texts = [explanation.explain(v) for v in chosen if v.claim.id in ids]
            texts += [*untested, *map(explanation.explain_finding, found)]
            if texts:
                click.echo("\n\n".join(texts))
            for paper in sorted(whole):
                own = [v for v in chosen if v.paper == paper]
                _verify_paper(statements[paper], decided.get(paper, []), own)
            if len(whole) > 1:
                click.echo(_summary(chosen, decided))
    missing = [v for v in chosen if v.outcome == rules.UNDECIDED]
    broken = [v for v in missing if v.decision.fault]
    if broken or not (chosen or untested):
        for v in broken:
            click.echo(f"{v.claim.id}: {v.decision.detail}", err=True)
        click.echo(
            f"{len(broken)} of {len(chosen)} could not be decided; the reasons stand above."
            if broken
            else "There are no claims.",
            err=True,
        )
        sys.exit(1)


def _summary(verdicts, decided):
    """Last line of ``verify``: all findings and claims, counted."""
    line = f"{len(verdicts)} judged: {_counted(v.outcome for v in verdicts)}"
    if every := [d.verdict for found in decided.values() for d in found]:
        line = f"{len(every)} findings: {_counted(every)}; {line}"
    return line


@main.command()
@click.argument("folder", type=UserPath(file_okay=False))
@click.argument("papers", nargs=-1)
def report(folder, papers):
    """Write the picture and the pages of the reproduction report to FOLDER, for the book."""
    with _plain_errors():
        from .book.pages import write_pages

        try:
            paths = write_pages(folder, papers or None)
        except OSError as error:
            raise click.ClickException(
                f"the pages cannot be written ({error}); name a folder that you may write to"
            ) from error
        for path in paths:
            click.echo(str(path))


if __name__ == "__main__":
    main()
