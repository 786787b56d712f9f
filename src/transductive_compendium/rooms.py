"""The papers' rooms: folders in ``papers`` with a ``paper.yml``, and their modules."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

PAPERS = f"{__package__}.papers"
#: Ends of the names of modules that declare no experiments.
MEASURES, DRAWING = "_measures", "_drawing"


@cache
def room_folders() -> dict[str, Path]:
    """Name and folder of each paper, in alphabetical order."""
    top = Path(import_module(PAPERS).__file__).parent
    return {path.name: path for path in sorted(top.iterdir()) if (path / "paper.yml").is_file()}


def module_names(paper: str, measures: bool) -> list[str]:
    """Full names of a room's modules, sorted: those with measures, or those with units."""
    stems = {path.stem for path in room_folders()[paper].glob("*.py")} - {"__init__"}
    judging = {stem for stem in stems if stem.endswith(MEASURES)}
    units = {stem for stem in stems - judging if not stem.endswith(DRAWING)}
    return [f"{PAPERS}.{paper}.{stem}" for stem in sorted(judging if measures else units)]


def chapter_pictures() -> dict[str, Callable[[Path], None]]:
    """Pictures of chapters that belong to no notebook: name -> what draws it to a path.

    ``draw_two_ways`` in a room's ``chapter_drawing.py`` draws the picture whose name is its
    ``PREFIX`` and ``two-ways``. The path has no suffix.
    """
    stem = f"chapter{DRAWING}"
    drawn = [p for p, folder in room_folders().items() if (folder / f"{stem}.py").is_file()]
    found: dict[str, Callable[[Path], None]] = {}
    for paper in drawn:
        module = import_module(f"{PAPERS}.{paper}.{stem}")
        pictures = {
            module.PREFIX + name.removeprefix("draw_").replace("_", "-"): draw
            for name, draw in vars(module).items()
            if name.startswith("draw_")
        }
        if taken := sorted(found.keys() & pictures.keys()):
            raise ValueError(f"{paper}/{stem}.py: another room draws {taken}; rename them")
        found |= pictures
    return found


def source_file(module: str) -> str:
    """File of a module of these packages, relative to the root of the checkout."""
    return f"src/{module.replace('.', '/')}.py"


def import_room(paper: str, measures: bool) -> None:
    """Import a room's modules, which register their experiments, or their measures."""
    for name in module_names(paper, measures):
        import_module(name)
