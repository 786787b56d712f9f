"""Titles and authors of the papers."""

from dataclasses import dataclass
from functools import cache

from ..checked_yaml import load_checked
from ..rooms import room_folders


@dataclass(frozen=True)
class Paper:
    """Title, authors and keys in the book's references; of a source that is no paper, only a title.

    The book calls a paper by its `name`, author and year; without one by its title.
    """

    title: str
    authors: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    name: str = ""

    @property
    def called(self) -> str:
        """The name that the book uses: author and year, or the title."""
        return self.name or self.title

    @property
    def by(self) -> str:
        """The authors in a sentence."""
        return " and ".join(filter(None, [", ".join(self.authors[:-1]), *self.authors[-1:]]))


@cache
def papers() -> dict[str, Paper]:
    """All papers by name, from the ``paper.yml`` in their folders."""
    remedy = "It needs title, and for a paper authors and references; see CONTRIBUTING.md."
    return {
        name: load_checked(folder / "paper.yml", Paper, remedy)
        for name, folder in room_folders().items()
    }


def paper_of(name: str) -> Paper:
    """The `Paper` of a folder name; without a folder of its own, the name in words as its title."""
    return papers().get(name) or Paper(name.replace("_", " ").capitalize())
