"""Images of 5 and 8, and of the universa (i) to (iv) of the poster."""

from __future__ import annotations

import numpy as np

from ...runner import experiment
from .mnist_data import CLASSES, N_UNIVERSUM, TRAINING_SIZES, UNIVERSA, split, split_seed, universum

#: Images of each kind in the figure.
N_SAMPLES = 8


@experiment(
    "universum/sample_images",
    version=1,
    title="Images of 5 and 8, and of four universa",
    page="mnist_universa",
    datasets=("mnist",),
    units=lambda params, profile: [{"kind": k} for k in (*map(str, CLASSES), *UNIVERSA)],
)
def draw_images(key, params, data, rng):
    """A row for each image, with its pixels as hexadecimal bytes."""
    name, seed = data["mnist"].name, split_seed(key, params)
    labelled = split(name, seed, max(TRAINING_SIZES))[0]
    if key["kind"] in UNIVERSA:
        images = universum(name, key["kind"], labelled, N_UNIVERSUM, seed)
    else:
        images = labelled.X[labelled.y == (1 if key["kind"] == str(CLASSES[1]) else -1)]
    return [
        {"image": k, "pixels": np.floor(255 * image + 0.5).astype(np.uint8).tobytes().hex()}
        for k, image in enumerate(images[:N_SAMPLES])
    ]
