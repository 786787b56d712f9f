"""``transductive data``: list, fetch, verify, check and bundle the data sets."""

from itertools import chain

import click

from .datasets.bundles import Bundle, write
from .datasets.download import answers, fetch, verify
from .datasets.errors import DataError
from .datasets.registry import SUBSTITUTES, pick, registry
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


def _places(entry):
    """For each file its sources; a file that has none is made from what the page names."""
    return [[source.url for source in file.sources] or [entry.page] for file in entry.files]


@click.group()
def data():
    """List, download, verify and bundle the data sets; ask their addresses."""


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
@click.option(
    "--from",
    "bundle",
    type=UserPath(dir_okay=False),
    help="Take the data sets from this file, made by `transductive data bundle`; no network.",
)
def fetch_command(names, folder, bundle):
    """Download the data sets NAMES (all by default) unless a sound copy is there.

    A damaged copy in the destination (--folder, else the cache) is replaced. With --from, all
    files of the bundle that are wanted are checked before the first is put in its place.
    """
    failed = False
    wanted = names or registry()
    try:
        if bundle is not None:
            bundle = Bundle(bundle)
            taken = bundle.check([n for n in names if n not in SUBSTITUTES] if names else None)
            wanted = names or taken
            for name, why in {} if names else bundle.left_out.items():
                click.echo(f"{name} is not in the bundle: {why}", err=True)
            for name in sorted(set(bundle.sets) - set(registry())):
                click.echo(f"{name} is in the bundle, but unknown to this version", err=True)
    except DataError as error:
        _fail(error)
        raise SystemExit(1) from error
    for name in wanted:
        if name in SUBSTITUTES:
            click.echo(f"{name}: {_origin(name)}")
            continue
        try:
            click.echo(f"{name}: {fetch(name, folder, bundle)}")
        except DataError as error:
            # a set without a public source is no failure unless the user named it
            failed |= bool(names) or any(file.sources for file in registry()[name].files)
            _fail(error)
    raise SystemExit(int(failed))


@data.command("bundle")
@click.argument("file", type=UserPath(dir_okay=False))
@_NAMES
@_FOLDER
def bundle_command(file, names, folder):
    """Pack the data sets NAMES (by default those at hand) into FILE, a new zip archive.

    `transductive data fetch --from FILE` reads it on a machine without a network. Every file is
    checked before it is packed, and the same files give the same bytes. A set whose terms allow
    its use but not handing it on is left out.
    """
    try:
        packed, left_out = write(file, names, folder)
    except DataError as error:
        _fail(error)
        raise SystemExit(1) from error
    for name in packed:
        click.echo(f"packed    {name}: {registry()[name].terms}")
    for name, why in left_out.items():
        click.echo(f"left out  {name}: {why}", err=True)
    click.echo(f"{len(packed)} data sets: {file}")


@data.command("check")
@_NAMES
@click.option("--timeout", default=20.0, show_default=True, help="Seconds to wait for an answer.")
def check_command(names, timeout):
    """Ask every address of the data sets NAMES (all by default) whether it answers.

    Nothing is downloaded, so an answer does not prove that the data are there; `fetch` compares
    what it downloads with the registry.

    Exit code 0 if each file has a source that answers, 1 if one has none.
    """
    try:
        entries = [
            pick(name, registry(), "registered data set")
            for name in names or registry()
            if name not in SUBSTITUTES
        ]
    except DataError as error:
        _fail(error)
        raise SystemExit(1) from error
    addresses = {e.name: dict.fromkeys([*chain(*_places(e)), e.page]) for e in entries}
    faults = answers(chain(*addresses.values()), timeout)
    for name, urls in addresses.items():
        for url in urls:
            state = f"dead     {url}: {faults[url]}" if faults[url] else f"answers  {url}"
            click.echo(f"{name}: {state}")
    lost = [e for e in entries if any(all(faults[url] for url in urls) for urls in _places(e))]
    dead = sum(map(bool, faults.values()))
    click.echo(f"{len(entries)} data sets, {len(faults)} addresses: {dead} dead")
    if lost:
        click.echo(
            f"error: no source answers of: {', '.join(entry.name for entry in lost)}. If no "
            f"address of any set answers, look at the connection of this machine. Otherwise look "
            f"for the files elsewhere, and run `transductive data verify`, which goes by their "
            f"content.",
            err=True,
        )
    raise SystemExit(int(bool(lost)))


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
