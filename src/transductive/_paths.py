"""Where the package's own data files lie: registry, published values, claims.

The files live in the checkout's ``data/`` and are installed as
``transductive/_data``. Going through the import system finds the installed copy
of a wheel and the checkout's own files of an editable install alike.
"""

from importlib.resources import files
from pathlib import Path


def _entry(name):
    return files(__package__).joinpath("_data", *name.strip("/").split("/"))


def data_file(name: str) -> Path:
    """Path of one of the package's data files.

    Parameters
    ----------
    name : str
        Path below ``data/``, with forward slashes, such as ``"registry.yml"`` or
        ``"claims/bayesian_transduction.yml"``.

    Returns
    -------
    pathlib.Path
        An existing file.

    Raises
    ------
    FileNotFoundError
        If the package came without that file.
    """
    entry = _entry(name)
    if not entry.is_file():
        raise FileNotFoundError(
            f"the package has no data file {name!r}; the installation is incomplete, or the file "
            "is newer than it: install again with `pip install .` from the top of the checkout"
        )
    return Path(entry)


def data_files(folder: str) -> list[Path]:
    """All ``.yml`` files directly inside a data folder, sorted by name.

    Parameters
    ----------
    folder : str
        Folder below ``data/``, such as ``"claims"``.

    Returns
    -------
    list of pathlib.Path
        Empty if the folder does not exist.
    """
    entry = _entry(folder)
    if not entry.is_dir():
        return []
    found = [item for item in entry.iterdir() if item.is_file() and item.name.endswith(".yml")]
    return sorted((Path(item) for item in found), key=lambda path: path.name)
