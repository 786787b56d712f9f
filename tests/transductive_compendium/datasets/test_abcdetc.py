"""ABCDETC: a made-up file in the format that its page describes."""

import numpy as np
import pytest

from transductive_compendium.datasets import DataDamagedError, DataMissingError, load_abcdetc
from transductive_compendium.datasets.abcdetc import CHARACTERS

A, B, SMALL_A, SMALL_B, SEVEN = (CHARACTERS.index(c) for c in "ABab7")


def image(label, seed, writer=3):
    """One line, and the pixels it stands for."""
    rng = np.random.default_rng(seed)
    pixels = np.zeros(10000)
    pixels[rng.choice(10000, 300, replace=False)] = rng.integers(1, 256, 300)
    pixels[17] = 255
    features = " ".join(f"{k}:{pixels[k]:g}" for k in np.flatnonzero(pixels))
    return f"{label} {features} 10000:{writer}\n", pixels / 255


@pytest.fixture
def made(tmp_path):
    images = [image(label, k) for k, label in enumerate((SMALL_B, A, SMALL_A, SEVEN, SMALL_A))]
    path = tmp_path / "final.svl"
    path.write_text("".join(line for line, _ in images))
    return path, [pixels for _, pixels in images]


def test_the_classes_are_the_78_of_the_page():
    assert len(CHARACTERS) == len(set(CHARACTERS)) == 78
    assert (A, SMALL_A, CHARACTERS.index("0"), CHARACTERS.index("@")) == (0, 26, 52, 77)


def test_images_of_the_characters_asked_for(made):
    path, pixels = made
    data = load_abcdetc(path)
    np.testing.assert_allclose(data.X, [pixels[0], pixels[2], pixels[4]])
    assert data.y.tolist() == [-1, 1, 1] and data.target_names == ("b", "a")
    assert "".join(map(chr, data.codes)) == "baa"
    other = load_abcdetc(str(path), positive="7", negative="Ab")
    assert other.y.tolist() == [-1, -1, 1] and other.target_names == ("A b", "7")


def test_smaller_images_are_means_over_blocks(made):
    path, pixels = made
    data = load_abcdetc(path, size=20)
    expected = pixels[2].reshape(20, 5, 20, 5).mean(axis=(1, 3)).ravel()
    np.testing.assert_allclose(data.X[1], expected)
    assert data.feature_names[21] == "pixel_1_1" and len(data.feature_names) == 400


def test_what_is_wrong_is_said(made, tmp_path):
    path, _ = made
    with pytest.raises(DataMissingError, match=r"load\('unipen'\)"):
        load_abcdetc(tmp_path / "nothing.svl")
    for lists in ((("a",), ("a",)), ((), ("a",)), (("ab",), ("c",)), (("é",), ("b",))):
        with pytest.raises(ValueError, match="disjoint"):
            load_abcdetc(path, *lists)
    with pytest.raises(ValueError, match="must divide 100"):
        load_abcdetc(path, size=30)
    with pytest.raises(DataDamagedError, match=r"no images of \('c',\)"):
        load_abcdetc(path, positive="c")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<html>\n", "sparse text format"),
        ("1 5:1\nx 3:2\n", "sparse text format"),
        ("1 20000:1\n", "sparse text format"),
        ("78 5:1\n", "integers from 0 to 77"),
        ("1.5 5:1\n", "integers from 0 to 77"),
        ("", "integers from 0 to 77"),
        ("1 5:-1\n", "not negative"),
        ("1 10000:2\n", "and some"),
    ],
)
def test_damage_is_told(tmp_path, text, reason):
    path = tmp_path / "final.svl"
    path.write_text(text)
    with pytest.raises(DataDamagedError, match=reason):
        load_abcdetc(path)
