"""What the units and the measures of the experiments on Reuters share.

Joachims (1999), as taught in LING 572, the table: ModApte split, ten categories, 17 training and
3299 test documents, precision and recall where they are equal.
"""

#: Training documents of the table, of the published split's training part.
N_TRAIN = 17
POOL = 9603
#: Training sets that serve all ten categories; the others have the name of their category.
ALL, STRATIFIED = "all ten", "stratified"
#: The slides' methods by their columns.
METHODS = {"Bayes": "bayes", "SVM": "svm", "TSVM": "tsvm"}
#: Interpretations of Algorithm TSVM: first costs, and whether it has the true number of positives.
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
