"""Find the loader of a data set by name.

Loaders are imported only when their data are loaded.
"""

from importlib import import_module

from .download import find
from .registry import SUBSTITUTES, pick, registry

#: Module and function that load a registered set, by its format.
_LOADERS_OF_FORMATS = {
    **dict.fromkeys(
        ("table", "mat", "realisations", "realisations_xlsx"), "benchmark_tables:load_table"
    ),
    **dict.fromkeys(("idx", "hdf5", "npz"), "images:load_images"),
    **dict.fromkeys(("sgml", "newsgroups", "arff"), "text_collections:load_texts"),
}
#: Those of sets that are not registered.
_LOADERS = {
    "rcv1": "rcv1:load_rcv1_full",
    "breast_cancer": "bundled:load_breast_cancer",
    "digits": "bundled:load_digits",
    "diabetes": "bundled:load_diabetes",
    "generated_text": "generated_texts:load_generated_text",
}


def _home(name):
    pick(name, registry() | _LOADERS, "data set")
    place = _LOADERS.get(name) or _LOADERS_OF_FORMATS[registry()[name].format]
    module, function = place.split(":")
    return f"{__package__}.{module}", function


def load(name, folder=None, **choices):
    """Load a data set by name.

    Parameters
    ----------
    name : {"thyroid", "heart", "banana", "ringnorm", "mnist", "usps", "ida_breast_cancer", \
            "ida_titanic", "ida_heart", "ida_diabetis", "ida_thyroid", "boston", "kin32fh", \
            "reuters21578", "winmac", "rcv1_k500", "rcv1", "unipen", "breast_cancer", "digits", \
            "diabetes", "generated_text"}
        The last four are substitutes: three come with scikit-learn, one is generated. `banana`,
        `ringnorm` and those that begin with `ida_` are the whole sets, training part of the first
        realisation first; see `load_realisation` and `Dataset.partitions`.
    folder : path, optional
        Searched first, before TRANSDUCTIVE_DATA, the cache and the network.
    **choices
        Of all sets that may be downloaded ``download=False`` (the environment variable
        TRANSDUCTIVE_OFFLINE does the same for all); of tables `positive_class`, the class that is
        +1, for example "hyper" of thyroid; of images `positive` and `negative`, lists of classes,
        and `size`, rows of pixels; of winmac `negative`, the newsgroup to distinguish from Mac.

    Returns
    -------
    Dataset; RegressionDataset for boston, kin32fh and diabetes; TextDataset for reuters21578, \
            winmac and generated_text; TextVectors for rcv1_k500 and rcv1

    Raises
    ------
    ValueError
        If two lists of classes are empty, overlap or hold an unknown class; or if `size`
        does not divide the rows of pixels.
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
        The message says what to run or download.
    """
    module, function = _home(name)
    loader = getattr(import_module(module), function)
    if name in SUBSTITUTES:
        return loader(**choices)
    if name in _LOADERS:
        return loader(folder, **choices)
    return loader(name, folder, **choices)


def substitute(name):
    """Name of the substitute of a data set, or None."""
    entry = registry().get(name)
    return entry.substitute if entry else None


def available(name, folder=None):
    """Return whether `load` would find the data without the network.

    A damaged copy counts as found, so that `load` reports the damage instead of silently using the
    substitute.
    """
    pick(name, registry() | SUBSTITUTES, "data set")
    return name in SUBSTITUTES or find(registry()[name], folder) is not None
