"""Run those notebooks through papermill whose inputs changed.

    python tools/execute_notebooks.py [--profile smoke] [--jobs 2] [NOTEBOOK ...]

``notebooks/<paper>/<item>.ipynb`` becomes ``_build/executed/<paper>/<item>.ipynb``.
A notebook in which a cell fails is kept in ``_build/failed/`` with its output.
"""

import argparse
import hashlib
import os
import re
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
EXECUTED = ROOT / "_build" / "executed"
FAILED = ROOT / "_build" / "failed"

#: Everything below these can change what a notebook shows.
INPUTS = ("src", "data", "results", "requirements.lock", "tools/execute_notebooks.py")
#: Seconds after which a cell counts as stuck.
CELL_TIMEOUT = 1200

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def fingerprint(paths, *words) -> str:
    """SHA-256 over the names and bytes of files (and of all files in folders) and some words."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(f"{word}\0".encode())
    for path in map(Path, paths):
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in inside:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(path.parent).as_posix()}\0".encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def data_at_hand() -> list[str]:
    """Names of the registered data sets that are available, on which notebooks depend."""
    from transductive_compendium.datasets import available
    from transductive_compendium.datasets.registry import registry

    return sorted(name for name in registry() if available(name))


def normalise(notebook) -> None:
    """Remove from `notebook`, in place, what differs between two runs with the same results."""
    notebook.metadata.pop("papermill", None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata.get("language_info", {}).pop("version", None)
    for position, cell in enumerate(notebook.cells):
        cell.id = f"cell-{position}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags and "remove-cell" not in tags:
            cell.metadata["tags"] = [*tags, "remove-cell"]
        if cell.cell_type != "code":
            continue
        # Progress and its timings go to stderr. The pieces of stdout arrive cut at random.
        outputs: list = []
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                continue
            output.get("metadata", {}).pop("execution", None)
            last = outputs[-1] if outputs else None
            if last and output.output_type == last.output_type == "stream":
                last.text += output.text
            else:
                outputs.append(output)
        cell.outputs = outputs


def warnings_in(notebook) -> list[str]:
    """Lines on stderr that announce a Python warning."""
    text = "".join(
        output.text
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    )
    return [line for line in text.splitlines() if re.search(r"\w*Warning: ", line)]


def workers(jobs: int) -> ProcessPoolExecutor:
    """Processes forked from one that imported what notebooks and pictures need."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["transductive_compendium.book.preloaded"])
    return ProcessPoolExecutor(jobs, mp_context=context)


def kernel_manager():
    """Kernel manager with socket files: parallel runs cannot take each other's ports."""
    from jupyter_client.manager import AsyncKernelManager

    class SocketFileManager(AsyncKernelManager):
        def __init__(self, **options):
            # jupyter_client's default is one name for all kernels started from a folder
            sockets = os.path.join(os.environ["JUPYTER_RUNTIME_DIR"], "kernel")
            super().__init__(transport="ipc", ip=sockets, **options)

    return SocketFileManager


def execute(name: str, profile: str) -> tuple[str, str | None, list[str]]:
    """Run the notebook ``<paper>/<item>``; returns its name, the error or None, and warnings."""
    import nbformat
    import papermill

    from transductive_compendium.environment import in_full

    source = NOTEBOOKS / f"{name}.ipynb"
    given = {"profile": profile} if "profile" in papermill.inspect_notebook(source) else {}
    target, failed = (folder / f"{name}.ipynb" for folder in (EXECUTED, FAILED))
    failed.parent.mkdir(parents=True, exist_ok=True)
    # Paths of socket files must be short. A reader's own IPython set-up must not count, nor units
    # stored by earlier runs: agreement with the record means something only if it is computed now.
    with tempfile.TemporaryDirectory(prefix="nb-", ignore_cleanup_errors=True) as scratch:
        os.environ.update(in_full())  # the notebook runs in another folder
        os.environ.update(
            IPYTHONDIR=scratch,
            JUPYTER_RUNTIME_DIR=scratch,
            TRANSDUCTIVE_STORE=os.path.join(scratch, "units"),
            PYDEVD_DISABLE_FILE_VALIDATION="1",
            PYTHONWARNINGS="ignore:IProgress not found",
        )
        try:
            papermill.execute_notebook(
                source,
                failed,
                parameters=given,
                cwd=source.parent,
                progress_bar=False,
                kernel_manager_class=kernel_manager(),
                start_timeout=180,
                execution_timeout=CELL_TIMEOUT,
            )
        except Exception as error:  # a timeout or a dead kernel has many classes
            return name, _ANSI.sub("", str(error)).strip(), []
    notebook = nbformat.read(failed, as_version=4)
    warned = warnings_in(notebook)
    normalise(notebook)
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)
    failed.unlink()
    return name, None, warned


def all_names() -> list[str]:
    """``<paper>/<item>`` of every notebook, sorted."""
    return sorted(
        path.relative_to(NOTEBOOKS).with_suffix("").as_posix()
        for path in NOTEBOOKS.glob("*/*.ipynb")
    )


def remove_leftovers(names) -> None:
    """Remove executed notebooks whose source no longer exists."""
    for path in list(EXECUTED.glob("*/*.ipynb")):
        if path.relative_to(EXECUTED).with_suffix("").as_posix() not in names:
            path.unlink()
            path.with_suffix(".key").unlink(missing_ok=True)


def run_stale(names, profile: str, jobs: int) -> bool:
    """Execute stale notebooks, `jobs` at a time; print failures; True if there are none."""

    def key(name):
        own = NOTEBOOKS / f"{name}.ipynb"
        return fingerprint([own], shared, " ".join(data_at_hand()), profile, sys.version)

    shared = fingerprint(ROOT / part for part in INPUTS if (ROOT / part).exists())
    stale = [
        name
        for name in names
        if not (EXECUTED / f"{name}.ipynb").is_file()
        or not (EXECUTED / f"{name}.key").is_file()
        or (EXECUTED / f"{name}.key").read_text() != key(name)
    ]
    if not stale:
        print(f"notebooks: all {len(names)} are up to date")
        return True
    print(f"notebooks: {len(stale)} of {len(names)} to run, profile {profile}", flush=True)
    failures, began = 0, time.monotonic()
    with workers(jobs) as pool:
        runs = pool.map(execute, stale, [profile] * len(stale))
        for done, (name, error, warned) in enumerate(runs, 1):
            for line in warned:
                print(f"{name}: {line}", file=sys.stderr)
            if error is None:
                # The run itself may have downloaded data: the key is that of what is now there.
                (EXECUTED / f"{name}.key").write_text(key(name))
                left = (time.monotonic() - began) * (len(stale) - done) / done
                print(f"  {done} of {len(stale)}: {name}, {left:.0f} s left", flush=True)
                continue
            failures += 1
            for suffix in (".ipynb", ".key"):
                (EXECUTED / f"{name}{suffix}").unlink(missing_ok=True)
            failed = FAILED / f"{name}.ipynb"
            kept = f", kept as {failed.relative_to(ROOT)}" if failed.is_file() else ""
            print(f"  {name}: FAILED{kept}\n{error}\n", file=sys.stderr, flush=True)
    if failures:
        print(f"{failures} of {len(stale)} notebooks failed", file=sys.stderr)
    return not failures


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="PAPER/ITEM", help="notebooks to run; default: all"
    )
    parser.add_argument("--profile", default="smoke", choices=("smoke", "paper", "full"))
    parser.add_argument("--jobs", type=int, default=2, help="number of notebooks to run at a time")
    given = parser.parse_args(arguments)
    names = all_names()
    if unknown := sorted(set(given.names) - set(names)):
        parser.error(f"no such notebook: {', '.join(unknown)}; there are: {', '.join(names)}")
    if not given.names:
        remove_leftovers(names)
    return 0 if run_stale(given.names or names, given.profile, given.jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
