"""Figure 4 under every interpretation of the angles: what a smoke run gives."""

from transductive_compendium.datasets.generators import ANGLE_INTERPRETATIONS
from transductive_compendium.runner import run


def test_angles_rows(tmp_path):
    rows = run("kernel_gibbs_sampler/angles", progress=False, store=tmp_path).rows
    assert set(rows.reading) == set(ANGLE_INTERPRETATIONS)
    assert (rows.bpm_true_error.isna() == (rows.value >= 0.5)).all()
    one_class = rows.reading == "both to 1"
    assert (rows.positive[one_class] == 0).all()
    assert (rows.positive[~one_class] > 0.05).all()
    # the SVM cannot find w* where most points lie at the poles, all nearly orthogonal to it
    hard = rows.reading == "longitude to 2 pi, w* reversed"
    easy = rows.reading == next(iter(ANGLE_INTERPRETATIONS))
    assert rows.svm_true_error[hard].mean() > 5 * rows.svm_true_error[easy].mean()
