"""Command line: ``transductive data | list | run | verify | report``.

Commands import what they need when they run, so that ``--help`` and ``verify`` start at once.
"""

import json
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click


class _Lazy(click.Group):
    """Mounts the ``data`` group of the data sets without importing them before it is called."""

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


@contextmanager
def _plain_errors():
    """Errors raised on purpose become one message without a traceback."""
    from .runner import ExperimentError
    from .verdicts import ClaimError

    try:
        yield
    except Exception as error:
        expected = [ExperimentError, ClaimError]
        # where it was never imported, no error can be of it
        if errors := sys.modules.get("transductive_compendium.datasets.errors"):
            expected.append(errors.DataError)
        if not isinstance(error, tuple(expected)):
            raise
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo(
            "\nStopped. Finished units are stored; the same command goes on from there.", err=True
        )
        sys.exit(130)


@contextmanager
def _cluster(address):
    """Have the workers of the Dask scheduler at `address` compute the units."""
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


@main.command("list")
@click.argument("name", required=False)
def list_(name):
    """List all experiments, those of the paper NAME, or the experiment NAME's parameters."""
    with _plain_errors():
        from .runner import PROFILES, all_experiments, get

        found = [e for e in all_experiments().values() if name in (None, e.paper)]
        if found or name is None:
            for experiment in found:
                defaults = {k: p.default for k, p in experiment.parameters.items()}
                units = "/".join(str(len(experiment.unit_keys(defaults, p))) for p in PROFILES)
                click.echo(
                    f"{experiment.name}\n    {experiment.title}\n    units {units} "
                    f"({'/'.join(PROFILES)}); data: "
                    f"{', '.join(experiment.datasets) or 'generated'}"
                )
            return
        from .book.notebook import schema

        experiment = get(name)
        click.echo(f"{experiment.name}: {experiment.title}")
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
    help="A parameter that differs from its default; may be repeated.",
)
@click.option("--jobs", default=1, show_default=True, help="Worker processes; -1: one per CPU.")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster in place of --jobs.")
@click.option("--seed", type=int, help="By default the experiment's own.")
@click.option("--record", "keep", is_flag=True, help="Write the rows to results/.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the rows to this CSV file.")
@click.option("--fresh", is_flag=True, help="Compute every unit again, whatever is stored.")
def run(name, profile, assignments, jobs, scheduler, seed, keep, out, fresh):
    """Run the experiment NAME, or go on with a run that was stopped."""
    with _plain_errors():
        from . import runner
        from .runner.parameters import parse_assignments
        from .runner.unit_store import write_atomically

        experiment = runner.get(name)
        params = parse_assignments(experiment.parameters, assignments)
        with _cluster(scheduler) if scheduler else nullcontext():
            done = runner.run(name, profile, params, seed, jobs, fresh=fresh)
        facts = done.provenance
        click.echo(
            f"{name}: {facts['units']} units, {len(done.rows)} rows, profile {profile}, "
            f"seed {done.seed}, {facts['seconds']:.1f} s of computing"
        )
        if done.substitute:
            click.echo(f"Note: {done.substitute}", err=True)
        if out:
            try:
                write_atomically(Path(out), done.rows.to_csv(index=False, lineterminator="\n"))
            except OSError as error:
                raise click.ClickException(
                    f"{out} cannot be written ({error.strerror or error}). Finished units are "
                    f"stored: the same command with another --out writes their rows at once"
                ) from error
            click.echo(f"rows: {out}")
        if keep:
            for path in runner.record(done):
                click.echo(f"recorded: {path}")
            return
        if not out:
            click.echo("the rows were not written: --out FILE writes them, --record records them")
        try:
            agreement = runner.compare(done)
        except runner.RecordError as error:
            click.echo(f"not compared with a record: {error}", err=True)
            return
        click.echo(agreement.describe(), err=not agreement.ok)
        sys.exit(0 if agreement.ok else 1)


#: Beside the id of what is not the paper's own claim; in the summary, of one and of several.
_ROLES = {
    "check": ("our own check", "check of our own", "checks of our own"),
    "calibration": (
        "used to choose an interpretation",
        "number used to choose an interpretation",
        "numbers used to choose an interpretation",
    ),
}


def _outcomes(verdicts):
    counts = {o: sum(v.outcome == o for v in verdicts) for o in (v.outcome for v in verdicts)}
    return ", ".join(f"{n} {outcome}" for outcome, n in counts.items())


def _summary(verdicts):
    """Last line of ``verify``: the paper's claims, and apart from them the rest."""
    own = [v for v in verdicts if v.claim.role not in _ROLES]
    line = f"{len(own)} claims" + (f": {_outcomes(own)}" if own else "")
    besides = []
    for role, (_, one, several) in _ROLES.items():
        if others := [v for v in verdicts if v.claim.role == role]:
            name = one if len(others) == 1 else several
            besides.append(f"{len(others)} {name} ({_outcomes(others)})")
    return line + ("; besides: " + ", ".join(besides) if besides else "")


@main.command()
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
@click.option(
    "--strict",
    is_flag=True,
    help="Also compare the results with today's experiments, and demand for what was not "
    "reproduced a word on what was tried.",
)
def verify(names, as_json, strict):
    """Decide every claim, or those NAMES, from the recorded results.

    A name is that of a paper, or the id of a claim, which is then shown with the rule that
    decides it, the results that it rests on, and the commands that compute them again.

    Our own checks and numbers used to choose an interpretation are marked and counted apart.

    Exit code 0: all of them decided, whatever the verdicts; 1: some could not be.
    """
    with _plain_errors():
        from .verdicts import claims

        papers, ids = claims.papers_of(names)
        # Orderings are adjusted within a paper: to decide one claim is to decide all of them.
        verdicts = claims.verify(papers or None, strict=strict)
        whole = [name for name in names if name not in ids]
        if ids:
            verdicts = [v for v in verdicts if v.claim.id in ids or v.claim.document in whole]
    if as_json:
        click.echo(json.dumps([v.as_dict() for v in verdicts], indent=2))
    elif ids and not whole:
        from .verdicts.explanation import explain

        click.echo("\n\n".join(explain(v) for v in verdicts))
    else:
        for v in verdicts:
            role = f" ({_ROLES[v.claim.role][0]})" if v.claim.role in _ROLES else ""
            click.echo(
                f"{v.outcome.upper():<24} {v.claim.id}{role} ({v.claim.item})\n"
                f"    {' '.join(v.claim.statement.split())}\n"
                f"    published: {v.published} | reproduced: {v.ours}\n    {v.detail}"
            )
            if v.claim.tried and v.outcome == "not reproduced":
                click.echo(f"    tried: {' '.join(v.claim.tried.split())}")
        click.echo(_summary(verdicts))
    undecided = [v for v in verdicts if v.outcome == claims.UNDECIDED]
    if undecided or not verdicts:
        click.echo(
            f"{len(undecided)} of {len(verdicts)} could not be decided; the reasons stand above."
            if undecided
            else "There are no claims.",
            err=True,
        )
        sys.exit(1)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False))
@click.argument("papers", nargs=-1)
def report(folder, papers):
    """Write the picture and the pages of the reproduction report to FOLDER, for the book."""
    with _plain_errors():
        from .book.pages import write_pages

        for path in write_pages(folder, papers or None):
            click.echo(str(path))


if __name__ == "__main__":
    main()
