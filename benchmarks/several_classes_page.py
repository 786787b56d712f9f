"""The page of the table `several_classes`."""

from record_tables import Record, folded, table
from several_classes import CASES, METHODS, QUANTITIES, RULES, SHARES

SUMMARY = {
    "error": "error, %",
    "log-loss": "log-loss",
    "too sure": "too sure by, percentage points",
    "confident": "confident, % of points",
    "right where confident": "right where confident, %",
    "calibration error": "calibration error, percentage points",
}
NAMES = {rule: f"`BayesianTransduction`, {rule}" for rule in RULES}


def page(rows, number):
    """Markdown lines of the recorded rows; `number` formats a value."""
    return list(_tables(rows, number))


def _tables(rows, number):
    record = Record(rows)

    def lines(group, cases, quantities):
        return [
            (texts, record.values(group, f"{case}, {method}", quantities))
            for texts, case, method in cases
        ]

    all_sets = [
        ((f"{100 * share:.0f} %", NAMES.get(method, method)), f"{100 * share:.0f} %", method)
        for share in SHARES
        for method in METHODS
    ]
    yield from ("**All four sets**", "")
    found = lines("methods", all_sets, SUMMARY)
    yield from table(("wrong labels", "method"), SUMMARY.values(), found, number)
    quantities = "log-loss", "above sum", "standard error"
    found = [((NAMES.get(m, m),), record.values("choice", m, quantities)) for m in METHODS]
    yield from ("**Log-loss over the twelve cases**", "")
    yield from table(("method",), quantities, found, number)
    each = [
        ((name, f"{100 * share:.0f} %", NAMES[rule]), f"{name}, {100 * share:.0f} %", rule)
        for name, share in CASES
        for rule in RULES
    ]
    found = lines("cases", each, QUANTITIES)
    heads = "set", "wrong labels", "method"
    names = [SUMMARY[quantity] for quantity in QUANTITIES]
    yield from folded("Each set", table(heads, names, found, number))
