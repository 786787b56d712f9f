"""Two-class problems made of digits that several papers' experiments share."""

from functools import lru_cache

import numpy as np

from .loaders import load

#: Digits of the class +1 against those of the class -1.
TASKS = {
    "0-4 / 5-9": ((5, 6, 7, 8, 9), (0, 1, 2, 3, 4)),
    "even / odd": ((1, 3, 5, 7, 9), (0, 2, 4, 6, 8)),
    "3 / 8": ((8,), (3,)),
    "4 / 9": ((9,), (4,)),
    "5 / 8": ((8,), (5,)),
    "1 / 7": ((7,), (1,)),
}


@lru_cache(maxsize=4)
def _mnist(task):
    positive, negative = TASKS[task]
    return load("mnist", positive=positive, negative=negative)


def task_rows(name, task, data):
    """Images of a task and their classes.

    Parameters
    ----------
    name : {"usps", "mnist"}
    task : str
        A key of `TASKS`.
    data : dict of str to Dataset

    Returns
    -------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        -1 and +1.
    """
    positive, negative = TASKS[task]
    table = data[name]
    if table.name == "mnist":  # loaded two digits at a time
        table = _mnist(task)
    keep = np.isin(table.codes, positive + negative)
    return table.X[keep], np.where(np.isin(table.codes[keep], positive), 1, -1)
