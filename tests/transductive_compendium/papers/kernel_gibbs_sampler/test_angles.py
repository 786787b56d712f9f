"""Figure 4 under each law of the angles: what a smoke run gives."""

from transductive_compendium.papers.kernel_gibbs_sampler.flipped_sphere import KEYED_ANGLES
from transductive_compendium.runner import run


def test_angles_rows(tmp_path):
    rows = run("kernel_gibbs_sampler/angles", progress=False, store=tmp_path).rows
    assert set(rows.angles) == set(KEYED_ANGLES)
    assert (rows.bpm_true_error.isna() == (rows.value >= 0.5)).all()
    one_class = rows.angles == "unit"
    assert (rows.positive[one_class] == 0).all()
    assert (rows.positive[~one_class] > 0.05).all()
    # the SVM cannot find w* where most points lie at the poles, all nearly orthogonal to it
    hard, easy = rows.angles == "reversed", rows.angles == "middle"
    assert rows.svm_true_error[hard].mean() > 5 * rows.svm_true_error[easy].mean()
