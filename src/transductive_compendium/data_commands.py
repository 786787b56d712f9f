"""``transductive data``: list, fetch and verify the data sets."""

import click

from .datasets.download import fetch, verify
from .datasets.errors import DataError
from .datasets.registry import SUBSTITUTES, registry
from .path_option import UserPath

_FOLDER = click.option(
    "--folder",
    type=UserPath(file_okay=False),
    default=None,
    help="A data folder, searched before TRANSDUCTIVE_DATA and the cache; fetch writes to it.",
)
_NAMES = click.argument("names", nargs=-1)


def _origin(name):
    return "generated" if name.startswith("generated") else "bundled with scikit-learn"


def _fail(error):
    for number, line in enumerate(str(error).splitlines()):
        click.echo(("error: " if number == 0 else "") + line, err=True)


@click.group()
def data():
    """List, download and verify the data sets."""


@data.command("list")
@_FOLDER
def list_command(folder):
    """List the data sets, their terms, and where each was found."""
    rows = [("name", "size", "terms", "where")]
    for name, entry in registry().items():
        try:
            status = verify(name, folder)
        except DataError as error:
            raise click.ClickException(str(error)) from error
        where = status.where + (", DAMAGED" if status.state == "damaged" else "")
        rows.append((name, f"{entry.bytes / 1000:.1f} kB", entry.terms, where))
    rows += [
        (name, "-", terms, f"{_origin(name)} (substitute)") for name, terms in SUBSTITUTES.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(map(str.ljust, row, widths)).rstrip())


@data.command("fetch")
@_NAMES
@_FOLDER
def fetch_command(names, folder):
    """Download the data sets NAMES (all by default) unless a sound copy is there.

    A damaged copy in the destination (--folder, else the cache) is replaced.
    """
    failed = False
    for name in names or registry():
        if name in SUBSTITUTES:
            click.echo(f"{name}: {_origin(name)}")
            continue
        try:
            click.echo(f"{name}: {fetch(name, folder)}")
        except DataError as error:
            # a set without a public source is no failure unless the user named it
            failed |= bool(names) or any(file.sources for file in registry()[name].files)
            _fail(error)
    raise SystemExit(int(failed))


@data.command("verify")
@_NAMES
@_FOLDER
def verify_command(names, folder):
    """Check the data sets NAMES (all by default) on disk; never downloads.

    Exit code 0 if all are sound, 1 if any is damaged or missing.
    """
    failed = False
    for name in names or registry():
        if name in SUBSTITUTES:
            click.echo(f"ok       {name}: {_origin(name)}")
            continue
        try:
            status = verify(name, folder)
        except DataError as error:
            failed = True
            _fail(error)
            continue
        failed |= status.state != "ok"
        place = f"{status.path} ({status.detail})" if status.state == "ok" else status.detail
        click.echo(f"{status.state:8} {name}: {place}")
    raise SystemExit(int(failed))
