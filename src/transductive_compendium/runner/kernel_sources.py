"""Hash of a compiled kernel's sources; needs only the standard library, as the build runs it."""

import hashlib
import re
from pathlib import Path


def kernel_hash(path: Path) -> str:
    """SHA-256 of a kernel's source and of the headers that it includes, without comments."""
    digest, waiting, seen = hashlib.sha256(), [path], set()
    while waiting:
        source = waiting.pop(0)
        if source in seen or not source.is_file():
            continue
        seen.add(source)
        text = source.read_text(encoding="utf-8")
        names = re.findall(r'(?:from|include)\s+"([^"]+\.(?:h|c|pxd|pxi))"', text)
        waiting += [source.parent / name for name in names]
        if source.suffix == ".pyx":
            # flags of the compiler decide the last bits
            waiting += [source.with_suffix(".pxd"), source.with_name("meson.build")]
            text = re.sub(r'"""(?:.|\n)*?"""', "", text)
            text = re.sub(r"#.*", "", text)
        else:
            text = re.sub(r"/\*(?:.|\n)*?\*/|//.*", "", text)
        lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
        indents = [len(line) - len(line.lstrip()) for line in text.splitlines() if line.strip()]
        digest.update(f"{source.name}\0{list(zip(indents, lines, strict=True))}".encode())
    return digest.hexdigest()


def hashes_below(package: Path) -> dict[str, str]:
    """Full name of each kernel below a package's folder, and the hash of its sources."""
    found = sorted(package.rglob("*.pyx"))
    names = (".".join(path.relative_to(package.parent).with_suffix("").parts) for path in found)
    return dict(zip(names, map(kernel_hash, found), strict=True))
