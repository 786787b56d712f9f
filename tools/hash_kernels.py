"""Write the hashes of the compiled kernels' sources, since an installed package has no sources.

    python tools/hash_kernels.py src/transductive OUTPUT

The build calls it; ``transductive_compendium.runner.fingerprint`` reads the result.
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
