"""Write the hashes of the kernels' sources, which an installed package does not have.

    python tools/hash_kernels.py src/transductive OUTPUT

Called by the build; ``transductive_compendium.runner.fingerprint`` reads what it wrote.
"""

import json
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src/transductive_compendium/runner/kernel_sources.py"

if __name__ == "__main__":
    package, target = map(Path, sys.argv[1:])
    hashes = runpy.run_path(str(SOURCES))["hashes_below"](package.resolve())
    target.write_text(json.dumps(hashes, indent=1) + "\n", encoding="utf-8")
