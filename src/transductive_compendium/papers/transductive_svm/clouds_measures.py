"""A measure of random toy pictures: wrong test points by method."""

from ...verdicts.claims import measure
from ...verdicts.rules import Repeats


@measure("transductive_svm/clouds")
def fewer_wrong(frame, gap, better, worse):
    """Test points on the wrong side by `worse` minus those by `better`."""
    at_gap = frame[frame["gap"] == gap]
    wrong = at_gap.pivot(index="draw", columns="method", values="wrong")
    means = wrong.mean()
    shown = f"wrong test points of 40: {better} {means[better]:.2f}, {worse} {means[worse]:.2f}"
    return Repeats((wrong[worse] - wrong[better]).to_numpy(), shown=shown)
