"""Images of the figure: bytes of the universa."""

import numpy as np
from paper_rooms import unit_rows

from transductive_compendium.datasets import load
from transductive_compendium.papers.universum import mnist_data
from transductive_compendium.papers.universum.sample_images import N_SAMPLES


def test_sample_images_are_bytes_of_the_universum():
    labelled, _ = mnist_data.split("digits", (0, 0), 3000)
    for kind, points in (
        ("Mean", mnist_data.universum("digits", "Mean", labelled, 5000, (0, 0))),
        ("8", labelled.X[labelled.y > 0]),
    ):
        rows = unit_rows("universum/sample_images", {"kind": kind}, {"mnist": load("digits")})
        drawn = np.array([list(bytes.fromhex(text)) for text in rows["pixels"]])
        assert len(rows) == N_SAMPLES
        np.testing.assert_allclose(drawn / 255, points[: len(drawn)], atol=0.51 / 255)
