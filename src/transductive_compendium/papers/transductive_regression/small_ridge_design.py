"""Sizes and conditions of the experiment on small ridges."""

import numpy as np

N_POINTS = 50
GAMMAS = 10.0 ** np.arange(2, -33, -1)
#: Added to the published log sigma: a width at which K is nearly singular, and the published one.
ADDED_LOG_SIGMAS = (4.0, 0.0)
