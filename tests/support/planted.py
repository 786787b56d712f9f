"""Planted errors: functions and kernels whose numbers are 1 % too large."""

import numpy as np

FACTOR = 1.01


def off(function, *, argument=None, part=np.s_[::2]):
    """The same function with 1 % added to a part of its (first) result, or of an argument.

    Parameters
    ----------
    function : callable
    argument : int, optional
        Position of an array that the function writes; by default its result is changed.
    part : slice or tuple, default every second row
    """

    def wrong(*args, **kwargs):
        result = function(*args, **kwargs)
        if argument is not None:
            np.asarray(args[argument])[part] *= FACTOR
            return result
        first = np.array(result[0] if isinstance(result, tuple) else result)
        first[part] *= FACTOR
        return (first, *result[1:]) if isinstance(result, tuple) else first

    return wrong
