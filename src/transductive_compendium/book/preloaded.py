"""What every notebook needs first; a process that has imported this is forked for each of them.

Importing it imports all units and measures, the drawing of figures and the kernel of notebooks, and
keeps the sentinel and the sources' hashes: the same for all notebooks, they take longer than most
of them.
"""

import ipykernel.kernelapp
import papermill

from ..rooms import chapter_pictures, import_room, room_folders
from ..runner import all_experiments
from ..runner.fingerprint import fingerprint
from ..runner.sentinel import sentinel
from . import figure_style, notebook

__all__ = ["figure_style", "ipykernel", "notebook", "papermill"]

chapter_pictures()
for _experiment in all_experiments().values():
    fingerprint(_experiment)
for _paper in room_folders():
    import_room(_paper, measures=True)
sentinel()
