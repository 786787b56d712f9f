"""Data sets: registry, download, verification, loaders, generators."""

from importlib import import_module

# Imported when first used: facts of the registry need no loader, a loader none of the others.
_HOMES = {
    "ANGLE_LAWS": ".generators",
    "DataDamagedError": ".errors",
    "DataError": ".errors",
    "DataMissingError": ".errors",
    "DataUnreachableError": ".errors",
    "Dataset": ".dataset_types",
    "RegressionDataset": ".dataset_types",
    "TextDataset": ".dataset_types",
    "TextVectors": ".dataset_types",
    "ToyProblem": ".generators",
    "UnknownDatasetError": ".errors",
    "available": ".loaders",
    "fetch": ".download",
    "flip_labels": ".generators",
    "load": ".loaders",
    "load_rcv1_full": ".rcv1",
    "load_realisation": ".benchmark_tables",
    "points_on_sphere": ".generators",
    "separable_sphere": ".generators",
    "substitute": ".loaders",
    "text_like": ".generated_texts",
    "tf_idf": ".text_features",
    "toy_perceptron": ".generators",
    "verify": ".download",
    "word_counts": ".text_features",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_HOMES])
