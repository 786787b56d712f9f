"""Constants that the experiments on the practical limit share with their measures."""

#: Label noise assumed for each data set.
OWN_NOISE = {"banana": 0.1, "ringnorm": 0.02, "ringnorm drawn": 0.02, "mnist": 0.02}

# Mixed chains have at most this R-hat, and at least this effective sample size: the library's own
# bounds, repeated because measures do not load the library.
R_HAT, ESS = 1.01, 400
