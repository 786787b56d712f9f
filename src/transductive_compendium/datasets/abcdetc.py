"""Loader of the handwritten characters of ABCDETC, from its authors' file."""

import string

import numpy as np
from scipy.sparse import csr_array, kron
from sklearn.datasets import load_svmlight_file

from ..environment import expanded
from .errors import DataDamagedError, DataMissingError
from .image_classes import image_dataset, two_lists

#: The classes 0 to 77, in the order of the collection's page.
CHARACTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + ',.!?;:=-+/()$%"@'
SIDE = 100


def load_abcdetc(path, positive=("a",), negative=("b",), size=None):
    """Load handwritten characters of two lists: 100 x 100 pixels, the largest value 1.

    The collection is no longer public. We wrote this loader from the description on its page,
    without the file: 78 classes, 19646 images by 51 writers, one on each line in LIBSVM's sparse
    text format. Labels 0 to 77 are the characters of `CHARACTERS`, features 0 to 9999 the pixels,
    row by row; feature 10000 is the writer, which we drop. Published programs assume that the first
    26 classes are small letters and the next 26 capitals: look at some images before you rely on
    the case.

    Parameters
    ----------
    path : path
        The file; the authors call it ``final.svl``.
    positive, negative : sequence of str
        The characters that are +1 and -1; rows of others are dropped.
    size : {100, 50, 25, 20, 10, 5, 4, 2, 1}, optional
        Rows and columns of pixels, by default 100; for fewer, means over square blocks.

    Returns
    -------
    Dataset
        `Dataset.codes` has the characters in ASCII.

    Raises
    ------
    ValueError
        If the lists are empty, overlap, or hold anything but the 78 characters, or the size does
        not divide 100.
    DataMissingError
        If there is no such file.
    DataDamagedError
        If it is not of this format, or has none of the requested characters.

    References
    ----------
    Weston, Collobert, Sinz, Bottou and Vapnik, Inference with the Universum, ICML 2006.
    """
    positive, negative = two_lists(positive, negative, CHARACTERS, f"characters among {CHARACTERS}")
    size = SIDE if size is None else size
    if size < 1 or SIDE % size:
        raise ValueError(f"size={size} must divide {SIDE}")
    pixels, labels = _read(expanded(path))
    codes = np.array([ord(c) for c in CHARACTERS])[labels]
    keep = np.isin(codes, [ord(c) for c in positive + negative])
    if not all(np.isin(codes, [ord(c) for c in part]).any() for part in (positive, negative)):
        raise DataDamagedError(f"{path} has no images of {positive} or none of {negative}")
    # means over blocks: rows and columns of pixels are averaged in the same way
    block = SIDE // size
    mean = kron(np.eye(size), np.full((block, 1), 1.0 / block))
    X = (csr_array(pixels)[keep] @ csr_array(kron(mean, mean))).toarray() / pixels.max()
    description = "Handwritten characters of ABCDETC. Terms: ask its authors."
    return image_dataset("abcdetc", X, codes[keep], positive, negative, description)


def _read(path):
    """Pixels of all images, sparse, and their labels."""
    try:
        X, labels = load_svmlight_file(path, n_features=SIDE**2 + 1, zero_based=True)
    except OSError as error:
        raise DataMissingError(
            f"{path} cannot be read ({error.strerror}). Ask the authors of Inference with the "
            "Universum for ABCDETC; load('unipen') has characters of the same kinds."
        ) from error
    except (ValueError, OverflowError, UnicodeDecodeError) as error:
        raise DataDamagedError(f"{path} is not in the sparse text format ({error})") from error
    pixels, numbers = X[:, : SIDE**2], labels.astype(int)
    if not len(labels) or (numbers != labels).any() or not {*numbers} <= {*range(len(CHARACTERS))}:
        raise DataDamagedError(f"{path} must have labels that are integers from 0 to 77")
    if not pixels.nnz or pixels.data.min() < 0 or not np.isfinite(pixels.data).all():
        raise DataDamagedError(f"{path} must have pixels that are not negative, and some of them")
    return pixels, numbers
