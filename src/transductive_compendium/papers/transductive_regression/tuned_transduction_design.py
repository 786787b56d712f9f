"""Data sets and sizes of the experiments that tune gamma* by leave-one-out."""

#: Training and working rows of the tables that are not in section 4.1.
OWN_SIZES = {"diabetes": (300, 142), "usps": (300, 500)}
#: Where the working points of each sine are.
SINE = {"sine, in the gap": "gap", "sine, outside": "outside", "sine, everywhere": "everywhere"}
#: Its training and working points.
N_SINE = (30, 60)
