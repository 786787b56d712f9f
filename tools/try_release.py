"""Try the files of a release as a reader would, where there is no compiler.

    make tryout                                      a rehearsal of the next release
    python tools/try_release.py FOLDER [PYTHON ...]  with this Python and those named

For each Python, in an environment of its own: pip installs the wheel with its dependencies,
`import transductive` takes less than a second, the examples of the README run, and the tests of
the library pass from the installed package. With the first of them, pip then adds the compendium,
and a notebook runs outside the checkout with the results that the release contains.
"""

import argparse
import json
import os
import re
import sys
import tarfile
import tempfile
from pathlib import Path

from build_packages import PackageError, run

from transductive_compendium.environment import in_full

#: Longest time that `import transductive` may take, in seconds.
IMPORT_SECONDS = 1.0
NOTEBOOK = "notebooks/bayesian_transduction/figure_2.ipynb"
#: Settings that would lead to the checkout, or to what was computed there.
HIDDEN = ("PYTHONPATH", "VIRTUAL_ENV", "TRANSDUCTIVE_RESULTS", "TRANSDUCTIVE_STORE")
#: As in `make test`: tests compare last digits, which depend on the threads of the BLAS.
THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

MEASURE = """
import json, time
start = time.perf_counter()
import transductive
first = time.perf_counter() - start
estimators = [getattr(transductive, name) for name in transductive.__all__]
both = time.perf_counter() - start
print(json.dumps([first, both, transductive.__version__, transductive.__file__]))
"""


def examples(readme: str) -> str:
    """The Python examples of a page as one program."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", readme, re.M | re.S))


def one(folder: Path, pattern: str) -> Path:
    """The one file of that pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise PackageError(f"{folder} has {len(found)} files {pattern}; one is needed")
    return found[0]


class Environment:
    """A fresh virtual environment of which alone the programs are found.

    Parameters
    ----------
    program : str
        The Python that makes it.
    scratch : Path
        Folder for the environment and for what its programs write.
    """

    def __init__(self, program: str, scratch: Path):
        self.scratch, self.bin = scratch, scratch / "venv/bin"
        given = os.environ | in_full()
        kept = {k: v for k, v in given.items() if k not in HIDDEN} | THREADS
        # no other programs, so no compiler
        self.variables = kept | {"PATH": str(self.bin), "TRANSDUCTIVE_STORE": f"{scratch}/units"}
        run([program, "-m", "venv", scratch / "venv"], scratch, kept)

    def __call__(self, program: str, *arguments, folder: Path | None = None) -> str:
        """What a program of the environment prints."""
        return run([self.bin / program, *arguments], folder or self.scratch, self.variables)

    def install(self, *names) -> None:
        """Install packages and what they need; compile nothing."""
        self("python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *names)

    def version(self) -> str:
        """Minor version of its Python."""
        return self("python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()


def try_library(pip: Environment, wheel: Path, sources: Path, tests) -> str:
    """Install the wheel and use it; what was seen."""
    pip.install(wheel, "pytest", "hypothesis")
    measured = [json.loads(pip("python", "-c", MEASURE)) for _ in range(3)]
    _, _, version, place = measured[0]
    seconds, both = min(m[0] for m in measured), min(m[1] for m in measured)
    if not Path(place).is_relative_to(pip.scratch) or wheel.name.split("-")[1] != version:
        raise PackageError(f"{place} of version {version} was imported, not {wheel.name}")
    if seconds > IMPORT_SECONDS:
        raise PackageError(f"import transductive took {seconds:.2f} s, over {IMPORT_SECONDS} s")
    program = pip.scratch / "examples.py"
    program.write_text(examples((sources / "README.md").read_text(encoding="utf-8")))
    pip("python", program)
    done = pip(
        "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, folder=sources
    )  # fmt: skip
    return (
        f"import transductive {1000 * seconds:.0f} ms, with all estimators {both:.1f} s; README; "
        f"tests: {done.strip().splitlines()[-1]}"
    )


def try_compendium(pip: Environment, wheel: Path, release: Path) -> str:
    """Rerun a notebook outside the checkout, from the files of the release; what was seen."""
    pip.install(f"{wheel}[compendium,notebooks]")
    mine = pip.scratch / "mine"
    (archive,) = release.glob("*-notebooks.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(mine, filter="data")
    (unpacked,) = mine.iterdir()
    pip("papermill", NOTEBOOK, pip.scratch / "out.ipynb", folder=unpacked)
    return f"{NOTEBOOK} runs, unpacked from {archive.name}"


def tryout(release: Path, pythons=(), tests=("tests/transductive",)) -> list[str]:
    """Try a release; versions of Python with which it works.

    Parameters
    ----------
    release : Path
        Folder with a wheel and an sdist; for the compendium, with the notebooks and the checksums.
    pythons : sequence of str
        Programs, besides the one that runs this.
    tests : sequence of str
        Tests of the library, as they lie in the sdist.

    Returns
    -------
    tested : list of str
        Minor versions.

    Raises
    ------
    PackageError
        If anything fails, with what was printed.
    """
    release = release.resolve()
    tested: list[str] = []
    wheel, sdist = one(release, "*.whl"), one(release, "transductive-*.tar.gz")
    base = os.path.join(sys.base_prefix, "bin", f"python3.{sys.version_info[1]}")
    for program in (base, *pythons):
        with tempfile.TemporaryDirectory(prefix="tryout-") as scratch:
            with tarfile.open(sdist) as tar:
                tar.extraction_filter = getattr(tarfile, "data_filter", None)  # 3.11.4 on
                tar.extractall(scratch)
            sources = Path(scratch) / sdist.name.removesuffix(".tar.gz")
            pip = Environment(program, Path(scratch))
            version = pip.version()
            print(f"Python {version}: {try_library(pip, wheel, sources, tests)}", flush=True)
            if not tested and list(release.glob("*-notebooks.tar.gz")):
                print(f"Python {version}: {try_compendium(pip, wheel, release)}", flush=True)
            tested.append(version)
    return tested


def main(arguments=None) -> int:
    """Command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="a release, or build/packages")
    parser.add_argument("pythons", nargs="*", help="programs to try it with, besides this")
    given = parser.parse_args(arguments)
    try:
        tryout(given.folder, given.pythons)
    except PackageError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
