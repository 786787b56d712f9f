#!/usr/bin/env bash
# make_venv.sh FOLDER: create a virtual environment with a Python that the project supports.
set -euo pipefail
folder=$1

supported() {
  "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null
}

if [ -x "$folder/bin/python" ] && supported "$folder/bin/python"; then
  exit 0
fi

python=
for candidate in ${PYTHON:+"$PYTHON"} python3 python3.12 python3.11 python3.13 python; do
  if supported "$candidate"; then python=$candidate; break; fi
done
if [ -n "$python" ] && [ "${PYTHON:-$python}" != "$python" ]; then
  echo "PYTHON=$PYTHON is no Python 3.11, 3.12 or 3.13; $python is used." >&2
fi
if [ -z "$python" ]; then
  cat >&2 <<'TEXT'
No Python 3.11, 3.12 or 3.13 was found. Install one, or name it:
    make PYTHON=/path/to/python3.12 TARGET
TEXT
  exit 1
fi

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  cat >&2 <<TEXT
$python cannot create virtual environments: its venv and ensurepip modules are missing.
On Debian and Ubuntu they come with a package of their own:
    sudo apt-get install python3-venv
TEXT
  exit 1
fi

if ! "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'; then
  cat >&2 <<TEXT
$python has no C headers (Python.h), which the compiled kernels need.
On Debian and Ubuntu: sudo apt-get install python3-dev
TEXT
  exit 1
fi

if ! command -v "${CC:-cc}" >/dev/null && ! command -v gcc >/dev/null && ! command -v clang >/dev/null; then
  cat >&2 <<'TEXT'
No C compiler was found, which the compiled kernels need.
On Debian and Ubuntu: sudo apt-get install gcc
TEXT
  exit 1
fi

rm -rf "$folder"
"$python" -m venv "$folder"
