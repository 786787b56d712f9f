"""List what lies in a package folder but must not be installed; meson.build asks.

Prints one line each, relative to the folder: ``file NAME`` for kernel sources,
headers and build files, ``folder NAME`` for bytecode caches.
"""

import os
import sys

BUILD_ONLY = (".pyx", ".pxd", ".pxi", ".h", ".c", "meson.build")

top = sys.argv[1]
for folder, subfolders, names in os.walk(top):
    for name in sorted(names):
        if name.endswith(BUILD_ONLY):
            print("file", os.path.relpath(os.path.join(folder, name), top))
    for name in sorted(subfolders):
        if name == "__pycache__":
            print("folder", os.path.relpath(os.path.join(folder, name), top))
