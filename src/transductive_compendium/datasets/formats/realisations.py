"""Published divisions into training and test part: tar archives of text files, four for each."""

import numpy as np

from .. import archives
from ..contents import proof
from ..tables import as_registered, parse


def check(entry, file, raw, numbers=None):
    """Return the tables of some realisations, counted from 1; by default of all."""
    if numbers is None:
        numbers = entry.divisions
    members = archives.tar_members(
        raw, (name for number in numbers for name in member_names(entry, number))
    )
    return [_realisation(entry, file, members, number) for number in numbers]


def training_parts(entry, file, raw):
    """Return the training part of every realisation, label last, shape (k, n_train, d + 1)."""
    proof(entry, file, raw)
    names = {number: member_names(entry, number)[:2] for number in entry.divisions}
    members = archives.tar_members(raw, (name for pair in names.values() for name in pair))
    return np.stack([_part(members, *pair) for pair in names.values()])


def member_names(entry, number):
    """Return the four files of a realisation: training patterns and labels, test ones."""
    return [
        entry.members.format(part=part, kind=kind, number=number)
        for part in ("train", "test")
        for kind in ("data", "labels")
    ]


def _part(members, patterns, labels):
    columns = []
    for name in (patterns, labels):
        try:
            columns.append(parse(members[name]))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
    if len(columns[0]) != len(columns[1]):
        raise ValueError(f"{patterns} has {len(columns[0])} rows, {labels} {len(columns[1])}")
    return np.column_stack(columns)


def _realisation(entry, file, members, number):
    names = member_names(entry, number)
    train, test = _part(members, *names[:2]), _part(members, *names[2:])
    if len(train) != entry.training_rows:
        raise ValueError(f"{names[0]} has {len(train)} rows instead of {entry.training_rows}")
    if train.shape[1] != test.shape[1]:
        raise ValueError(f"{names[0]} and {names[2]} differ in their number of columns")
    try:
        return as_registered(entry, np.vstack([train, test]), file.content_sha256[number - 1])
    except ValueError as error:
        raise ValueError(f"realisation {number}: {error}") from error
