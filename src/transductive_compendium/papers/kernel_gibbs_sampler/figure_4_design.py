"""What figure 4's experiments share with their measures."""

FLIP_RATE = 0.05
#: Values of the abscissa that the assumed noise q and the slack penalty lambda share.
SHARED_VALUES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
#: Values beyond it, which lambda alone can take.
PENALTIES_BEYOND = (0.5, 1.0, 2.0, 5.0, 10.0, 100.0)
