"""Constants that the units and the measures of the experiments on Reuters share.

Joachims (1999), as taught in LING 572, the table: ModApte split, ten categories, 17 training and
3299 test documents, precision and recall where they are equal.
"""

#: Training documents of the table, of the published split's training part.
N_TRAIN = 17
POOL = 9603
#: Random training sets of 17 for each category.
N_DRAWS = 120
#: The first training sets also run the other interpretations of Algorithm TSVM; more with stems by
#: TF-IDF.
N_VARIANT_DRAWS = 2
#: Interpretations of the documents' vectors, which the slides leave open: arguments of `corpus`.
COUNTS, STEMS_TFIDF = "counts", "stems_tfidf"
FEATURES = {
    COUNTS: {"stemmed": False, "stop_words": False, "minimum": 1, "weighted": False},
    STEMS_TFIDF: {},
}
#: Training sets that serve all ten categories; the others have the name of their category.
ALL, STRATIFIED = "all ten", "stratified"
#: The slides' methods by their columns.
METHODS = {"Bayes": "bayes", "SVM": "svm", "TSVM": "tsvm"}
#: Interpretations of Algorithm TSVM: first costs, and whether it is given the true number of
#: positives.
#: The recorded columns call balanced first costs "even".
INTERPRETATIONS = {
    "tsvm": ("slides", False),
    "tsvm_true": ("slides", True),
    "tsvm_even": ("balanced", False),
    "tsvm_even_true": ("balanced", True),
}
#: Other interpretations than balanced first costs with the true number, as changes of these.
OTHER_INTERPRETATIONS = {
    "first costs as printed": INTERPRETATIONS["tsvm_true"],
    "number by share": INTERPRETATIONS["tsvm_even"],
    "both": INTERPRETATIONS["tsvm"],
}
