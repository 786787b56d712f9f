"""Constants that the experiments on queries share with their measures."""

#: Strategy: queries by the entropy under the prior on all feature space.
WHOLE_SPACE = "entropy in the whole space"
