"""What every notebook needs first; a process that has imported this is forked for each of them.

Importing it imports all units and measures, the drawing of figures and the kernel of notebooks, and
keeps the sentinel and the sources' hash, which are the same for all notebooks.
"""

import traceback


def _load() -> None:
    import ipykernel.kernelapp  # noqa: F401
    import papermill  # noqa: F401

    from ..rooms import chapter_pictures, import_room, room_folders
    from ..runner import all_experiments
    from ..runner.fingerprint import fingerprint
    from ..runner.sentinel import sentinel
    from . import figure_style, notebook  # noqa: F401

    chapter_pictures()
    for experiment in all_experiments().values():
        fingerprint(experiment)
    for paper in room_folders():
        import_room(paper, measures=True)
    sentinel()


try:
    _load()
except Exception:  # it would end the server of forks, and all that a notebook tells is an EOFError
    traceback.print_exc()
