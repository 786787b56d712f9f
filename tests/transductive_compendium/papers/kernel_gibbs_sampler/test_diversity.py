"""Diversity of sampled classifiers: what a smoke run gives."""

from transductive_compendium.runner import run


def test_diversity_grows_with_noise(tmp_path):
    rows = run("kernel_gibbs_sampler/diversity", progress=False, store=tmp_path).rows
    assert rows.q.tolist() == [0.0, 0.05, 0.1, 0.2, 0.3]
    # the first fifty states of one chain: not monotonic in every set
    assert rows.disagreement_training[4] > rows.disagreement_training[1]
    assert rows.disagreement_training[0] == rows.training_error[0] == 0.0
    # 2 p (1 - p) is at most the entropy in bits over two
    assert (rows.disagreement_plane <= rows.entropy_plane / 2 + 1e-12).all()
