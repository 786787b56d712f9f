"""A recorded table as a page wants it: values by name, and Markdown tables."""

import numpy as np


class Record:
    """The rows' values by group, case and quantity.

    Parameters
    ----------
    rows : pandas.DataFrame
    """

    def __init__(self, rows):
        places = zip(rows["group"], rows["case"], rows["quantity"], strict=True)
        self._values = dict(zip(places, rows["value"], strict=True))

    def value(self, group, case, quantity):
        """A value; not a number where there is none."""
        return self._values.get((group, case, quantity), np.nan)

    def values(self, group, case, quantities):
        """Several of a case."""
        return [self.value(group, case, quantity) for quantity in quantities]


def table(heads, names, lines, number):
    """A table; `lines` are pairs of texts and values, left out where all values are missing."""
    yield "| " + " | ".join([*heads, *names]) + " |"
    yield "|" + "---|" * len(heads) + "--:|" * len(names)
    for texts, values in lines:
        if not np.isnan(values).all():
            yield "| " + " | ".join([*texts, *map(number, values)]) + " |"
    yield ""


def folded(title, lines):
    """Lines under a title that opens them."""
    return [f"```{{dropdown}} {title}", *lines, "```", ""]
