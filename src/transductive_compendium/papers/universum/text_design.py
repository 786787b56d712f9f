"""Names that the experiments on text share with their measures."""

from __future__ import annotations

#: Methods without a universum: the SVM, and the SVM with its threshold at 0.
SVM, THROUGH_ZERO = "svm", "svm, no intercept"
#: Number of validation documents, or a fifth of a small table.
RCV1_VALIDATION, WINMAC_VALIDATION = 500, 200
TF_IDF, COUNTS = "tf-idf", "counts"
#: Features of WinMac, and how its training subset is drawn; the first is the main one.
CONDITIONS = ((TF_IDF, "random"), (TF_IDF, "balanced"), (COUNTS, "random"))
