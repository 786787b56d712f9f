"""Sizes and shifts of the working sets."""

#: Numbers of working points.
SIZES = (1, 2, 4, 16, 64, 256, 1024, 2048, 4096)
#: Number of points, the first ones not used for training, on which every size is judged.
N_JUDGED = 64
#: gamma and sigma by the leave-one-out search, or where the paper varies the number of points.
PLACES = ("chosen", "figure 1d")
#: A gamma* so small that Y* may be far from Y0.
LOOSE_ALPHA_STAR = 1e-3
#: Direction, and how strongly it selects: training points by exp(-s z), working points by exp(s z).
SHIFTS = {
    "none": ("target", 0.0),
    "mild": ("target", 0.5),
    "strong": ("target", 2.0),
    "strong, aside": ("principal", 2.0),
}
