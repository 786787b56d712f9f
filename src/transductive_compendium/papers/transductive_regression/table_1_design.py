"""Data sets and free parameters of Table 1."""

#: Data sets and their numbers of training points, the fewest points to factor first.
SETS = {
    "ida_thyroid": 140,
    "ida_titanic": 150,
    "ida_heart": 170,
    "ida_breast_cancer": 200,
    "ida_diabetis": 468,
    "banana": 400,
    "usps": 317,
}
#: The postal digits' runs tested on other rows of the published training part.
POOLED = "usps pooled"
#: Printed errors of the SVM that the SVM's own paper prints, too.
PRINTED_SVM = {
    "banana": 11.5,
    "ida_diabetis": 23.5,
    "ida_titanic": 22.4,
    "ida_breast_cancer": 26.0,
    "ida_heart": 16.0,
    "ida_thyroid": 4.8,
}
#: Free parameters of each method.
FREE = {
    "SVM": ["sigma", "C"],
    "LD": ["sigma", "gamma"],
    "TLD": ["sigma", "gamma", "gamma_star"],
}
#: Free parameters, in the order of `FREE`, to three digits, as chosen by `table_1_choice`.
CHOSEN = {
    "median": {
        "ida_thyroid": {"SVM": (2.24, 100.0), "LD": (1.12, 0.001), "TLD": (1.58, 0.01, 1.0)},
        "ida_titanic": {"SVM": (1.73, 3.16), "LD": (0.613, 10.0), "TLD": (0.613, 0.1, 1.0)},
        "ida_heart": {"SVM": (7.21, 1.0), "LD": (5.08, 10.0), "TLD": (3.61, 10.0, 1.0)},
        "ida_breast_cancer": {"SVM": (3.0, 3.16), "LD": (3.0, 10.0), "TLD": (3.0, 10.0, 10.0)},
        "ida_diabetis": {"SVM": (5.66, 1.0), "LD": (3.99, 1.0), "TLD": (3.99, 10.0, 1.0)},
        "banana": {"SVM": (1.0, 31.6), "LD": (0.501, 0.1), "TLD": (0.707, 0.01, 0.1)},
        "usps": {"SVM": (4.0, 31.6), "LD": (2.83, 0.001), "TLD": (2.83, 0.01, 0.1)},
    },
    "mean": {
        "ida_thyroid": {"SVM": (2.24, 100.0), "LD": (1.58, 0.001), "TLD": (1.58, 0.01, 1.0)},
        "ida_titanic": {"SVM": (3.46, 31.6), "LD": (1.22, 10.0), "TLD": (0.866, 100.0, 1.0)},
        "ida_heart": {"SVM": (7.21, 1.0), "LD": (1.8, 10.0), "TLD": (5.08, 10.0, 100.0)},
        "ida_breast_cancer": {"SVM": (4.23, 1.0), "LD": (1.06, 1000.0), "TLD": (1.06, 1000.0, 1.0)},
        "ida_diabetis": {"SVM": (3.99, 0.316), "LD": (3.99, 10.0), "TLD": (3.99, 10.0, 100.0)},
        "banana": {"SVM": (1.0, 10.0), "LD": (0.707, 0.01), "TLD": (0.707, 0.01, 1.0)},
        "usps": {"SVM": (4.0, 100.0), "LD": (2.83, 0.0001), "TLD": (2.83, 0.01, 1.0)},
    },
}
#: Free parameters of LD and TLD by interpretation and option, where they were chosen anew; the
#: others stay as under "mean". Chosen by the least error on the five training sets together in
#: `table_1_choice_options`; under "leave_one_out" sigma and gamma by the least (15) there, and
#: gamma* by the errors of `table_1_choice`. Linear functions have no width: a 1 holds its place.
CHOSEN_OPTIONS = {
    ("tld_basis", "linear"): {
        "ida_thyroid": {"LD": (1.0, 0.01), "TLD": (1.0, 100.0, 10.0)},
        "ida_titanic": {"LD": (1.0, 100.0), "TLD": (1.0, 100.0, 1.0)},
        "ida_heart": {"LD": (1.0, 100.0), "TLD": (1.0, 100.0, 100.0)},
        "ida_breast_cancer": {"LD": (1.0, 100.0), "TLD": (1.0, 100.0, 100.0)},
        "ida_diabetis": {"LD": (1.0, 10.0), "TLD": (1.0, 10.0, 100.0)},
        "banana": {"LD": (1.0, 0.01), "TLD": (1.0, 0.01, 1.0)},
        "usps": {"LD": (1.0, 100.0), "TLD": (1.0, 100.0, 1.0)},
    },
    ("y0_basis", "all"): {
        "ida_thyroid": {"TLD": (1.12, 0.1, 1.0)},
        "ida_titanic": {"TLD": (0.613, 1000.0, 10.0)},
        "ida_heart": {"TLD": (3.61, 10.0, 0.1)},
        "ida_breast_cancer": {"TLD": (1.06, 1000.0, 10.0)},
        "ida_diabetis": {"TLD": (3.99, 10.0, 1.0)},
        "banana": {"TLD": (0.501, 1.0, 0.01)},
        "usps": {"TLD": (2.83, 0.1, 0.1)},
    },
    ("gamma_scale", "functional"): {
        "ida_thyroid": {"LD": (1.58, 1e-05), "TLD": (1.58, 0.0001, 1.0)},
        "ida_titanic": {"LD": (1.73, 0.01), "TLD": (0.613, 10.0, 0.1)},
        "ida_heart": {"LD": (1.8, 0.1), "TLD": (7.21, 0.01, 1.0)},
        "ida_breast_cancer": {"LD": (1.06, 1.0), "TLD": (1.06, 10.0, 0.1)},
        "ida_diabetis": {"LD": (3.99, 0.01), "TLD": (3.99, 0.1, 0.1)},
        "banana": {"LD": (0.707, 0.0001), "TLD": (0.501, 0.001, 1.0)},
        "usps": {"LD": (2.83, 1e-06), "TLD": (2.83, 0.0001, 1.0)},
    },
    ("choice", "leave_one_out"): {
        "ida_thyroid": {"LD": (1.58, 0.1), "TLD": (1.58, 0.1, 1.0)},
        "ida_titanic": {"LD": (0.613, 1.0), "TLD": (0.613, 1.0, 1.0)},
        "ida_heart": {"LD": (5.08, 10.0), "TLD": (5.08, 10.0, 100.0)},
        "ida_breast_cancer": {"LD": (3.0, 10.0), "TLD": (3.0, 10.0, 0.1)},
        "ida_diabetis": {"LD": (2.83, 10.0), "TLD": (2.83, 10.0, 100.0)},
        "banana": {"LD": (0.501, 1.0), "TLD": (0.501, 1.0, 0.01)},
        "usps": {"LD": (2.83, 0.01), "TLD": (2.83, 0.01, 1.0)},
    },
}
