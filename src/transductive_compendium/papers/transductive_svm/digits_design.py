"""Tasks and sizes of the experiment on digits."""

#: Data set and task (a key of `datasets.digit_tasks.TASKS`), and how many rows it has. All ten
#: digits of MNIST at once would need gigabytes.
TASK_SIZES = {
    ("usps", "0-4 / 5-9"): 9298,
    ("usps", "even / odd"): 9298,
    ("usps", "3 / 8"): 1532,
    ("usps", "4 / 9"): 1673,
    ("usps", "5 / 8"): 1424,
    ("usps", "1 / 7"): 2061,
    ("mnist", "3 / 8"): 13966,
    ("mnist", "4 / 9"): 13782,
    ("mnist", "5 / 8"): 13138,
    ("mnist", "1 / 7"): 15170,
}
N_LABELS = (10, 100)


def n_working(n):
    """Size of the working set: 1000, or at most a quarter of the rows of a small table."""
    return min(1000, n // 4)
