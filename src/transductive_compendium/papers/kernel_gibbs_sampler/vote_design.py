"""Constants that the experiments on votes and rejection share with their measures."""

FLIP_RATE = 0.1
