"""List files in a package folder that must not be installed; meson.build calls it.

It prints one line each, relative to the folder: ``file NAME`` for files that only a compiler reads
(kernel sources, headers, build files), ``folder NAME`` for caches.
"""

import os
import sys

COMPILED = (".pyx", ".pxd", ".h", ".c")

top = sys.argv[1]
for folder, subfolders, names in os.walk(top):
    for name in sorted(subfolders):
        if name == "__pycache__" or name.startswith("."):
            print("folder", os.path.relpath(os.path.join(folder, name), top))
    subfolders[:] = [name for name in subfolders if not name.startswith((".", "__pycache__"))]
    for name in sorted(names):
        if name.endswith(COMPILED) or name == "meson.build":
            print("file", os.path.relpath(os.path.join(folder, name), top))
