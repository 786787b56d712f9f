"""Without label noise: error of the hard-margin SVM minus that of the Bayes point machine."""


def noise_free_gap(frame, angles):
    """Error of the hard-margin SVM minus that of the BPM at q = 0, per set, in per cent.

    Sets in which no margin was resolved have neither error and are left out.
    """
    rows = frame[(frame["angles"] == angles) & (frame["resolved"] == 1)]
    return 100.0 * (rows["svm_error"] - rows["bpm_error"])
