"""Each unit's own generator, from the experiment's name, its seed and the unit's key."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np


def canonical(value: Any) -> str:
    """The one JSON text of `value`: sorted names, no blanks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def unit_rng(name: str, seed: int, key: Mapping[str, Any]) -> np.random.Generator:
    """Generator of one unit; it depends only on the experiment's name, the seed and the key."""
    digest = hashlib.sha256((name + canonical(key)).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))
