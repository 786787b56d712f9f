"""Git, and a version written wherever it stands, for tests of releases."""

import re
import subprocess


def git(root, *words):
    identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"]
    command = ["git", "-C", str(root), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def set_version(root, version, date):
    """Write version and date wherever they stand, as CONTRIBUTING.md asks before a release."""
    changes = {
        "CITATION.cff": [
            (r"^version: .*", f"version: {version}"),
            (r"^date-released: .*", f"date-released: {date}"),
        ],
        "meson.build": [(r"^  version: '.*'", f"  version: '{version}'")],
        "src/transductive/__init__.py": [(r'^__version__ = ".*"', f'__version__ = "{version}"')],
        "CHANGELOG.md": [(r"^## .*", f"## {version} - {date}")],
        "codemeta.json": [(r'"version": ".*"', f'"version": "{version}"')],
        ".zenodo.json": [(r'"version": ".*"', f'"version": "{version}"')],
    }
    for name, pairs in changes.items():
        text = (root / name).read_text()
        for pattern, new in pairs:
            text, count = re.subn(pattern, new, text, count=1, flags=re.M)
            assert count == 1, (name, pattern)
        (root / name).write_text(text)
