"""Find the loader of a data set by name.

Loaders are imported only when their data are loaded. So the imports of this module lead to no
loader, and those of a loader only to what reads its own data; `loader_module` names it.
"""

from importlib import import_module

from .download import find
from .registry import SUBSTITUTES, pick, registry

#: Module and function of the sets with a loader of their own.
_LOADERS = {
    "mnist": "digit_images:load_mnist",
    "usps": "digit_images:load_usps",
    "unipen": "unipen:load_unipen",
    "reuters21578": "text_collections:load_reuters",
    "winmac": "text_collections:load_winmac",
    "rcv1_k500": "text_collections:load_rcv1",
    "rcv1": "rcv1:load_rcv1_full",
    "breast_cancer": "bundled:load_breast_cancer",
    "digits": "bundled:load_digits",
    "diabetes": "bundled:load_diabetes",
    "generated_text": "generated_texts:load_generated_text",
}
#: Those of the other registered sets, by format.
_LOADERS_OF_FORMATS = {
    "table": "benchmark_tables:load_table",
    "mat": "benchmark_tables:load_table",
    "realisations": "benchmark_divisions:load_divided",
    "realisations_xlsx": "benchmark_divisions:load_divided",
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
        Passed to the loader of the set: `positive_class`, `download`, `positive`, `negative`,
        `size`.

    Returns
    -------
    Dataset; RegressionDataset for boston, kin32fh and diabetes; TextDataset for reuters21578, \
            winmac and generated_text; TextVectors for rcv1_k500 and rcv1

    Raises
    ------
    DataMissingError, DataUnreachableError, DataDamagedError, UnknownDatasetError
    """
    module, function = _home(name)
    loader = getattr(import_module(module), function)
    if name in SUBSTITUTES:
        return loader(**choices)
    if name in _LOADERS:
        return loader(folder, **choices)
    return loader(name, folder, **choices)


def loader_module(name):
    """Full name of the module whose code turns the files of a data set into arrays."""
    return _home(name)[0]


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
