"""Recorded splits of thyroid and heart, features standardised over all points."""

from ...datasets.recorded_splits import partition, scaled


def standardised_split(table, number):
    """Training points and labels, test points and labels, and rows of the test points."""
    train, test = partition(len(table.y), number)
    X = scaled(table.X, "standardised")
    return X[train], table.y[train], X[test], table.y[test], test
