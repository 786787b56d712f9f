"""Constants that figure 4's experiments share with their measures."""

FLIP_RATE = 0.05
#: Values of the abscissa that the assumed noise q and the slack penalty lambda share.
SHARED_VALUES = (0.01, 0.02, 0.05, 0.06, 0.1, 0.14, 0.15, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
#: Values beyond it, which lambda alone can take.
PENALTIES_BEYOND = (
    1e-4, 1e-3, 10**-2.4, 10**-1.2, 0.5, 1.0, 2.0, 5.0, 10.0, 10**1.2, 100.0, 10**2.4, 1e3, 1e4
)  # fmt: skip
TO_FIFTH = (0.02, 0.06, 0.1, 0.14, 0.18)
#: Interpretation of the abscissa: the five q and the five lambda of figure 4.
READ_AT = {
    "to_fifth": (TO_FIFTH, TO_FIFTH),
    "to_half": ((0.05, 0.15, 0.25, 0.35, 0.45),) * 2,
    "decades": (TO_FIFTH, (10**-2.4, 10**-1.2, 1.0, 10**1.2, 10**2.4)),
}
#: Lambda at which "irrespective of the chosen level of regularisation" is judged.
ANY_PENALTY = (1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4)
