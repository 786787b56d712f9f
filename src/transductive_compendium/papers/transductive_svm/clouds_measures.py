"""Measures of random toy pictures: margins and wrong test points by method."""

from ...verdicts.claims import measure
from ...verdicts.rules import Mathematics, Repeats

#: Two margins with a smaller relative difference count as equal.
SAME_MARGIN = 1e-4


def _by_method(frames, column, gap=None):
    frame = frames["transductive_svm/clouds"]
    frame = frame if gap is None else frame[frame["gap"] == gap]
    return frame.pivot(index=["gap", "draw"], columns="method", values=column)


@measure
def widest_of_all(frames):
    """Whether no other method's margin on all points exceeds the transductive one's."""
    margins = _by_method(frames, "margin_joint")
    others = margins.drop(columns="transductive").max(axis=1)
    ratio = others / margins["transductive"]
    return Mathematics(
        true=int((ratio <= 1.0 + SAME_MARGIN).sum()),
        cases=len(ratio),
        shown=f"in {len(ratio)} pictures; the inductive line's margin on all points is "
        f"{(margins['inductive'] / margins['transductive']).mean():.0%} of it on average",
    )


@measure
def fewer_wrong(frames, gap, better, worse):
    """Test points on the wrong side by `worse` minus those by `better`."""
    wrong = _by_method(frames, "wrong", gap)
    means = wrong.mean()
    shown = f"wrong test points of 40: {better} {means[better]:.2f}, {worse} {means[worse]:.2f}"
    return Repeats((wrong[worse] - wrong[better]).to_numpy(), shown=shown)
