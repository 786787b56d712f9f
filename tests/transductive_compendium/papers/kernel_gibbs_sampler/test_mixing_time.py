"""Steps for an independent sample, on small sizes."""

from types import SimpleNamespace

import numpy as np
import pytest

from transductive_compendium.papers.kernel_gibbs_sampler import mixing_time


@pytest.fixture(autouse=True)
def _follow_few_outputs(monkeypatch):
    monkeypatch.setattr(mixing_time, "N_FOLLOWED", 8)


def _row(m, r, q):
    key, rng = {"m": m, "r": r, "q": q}, np.random.default_rng(0)
    return SimpleNamespace(**mixing_time.steps_until_mixed(key, {}, {}, rng)[0])


def test_mixing_is_instant_without_a_likelihood():
    row = _row(30, 30, 0.5)
    assert row.mixed and row.r_hat <= 1.01
    assert row.time_outputs < 4.0
    assert row.mean_errors == pytest.approx(15.0, abs=1e-9)


def test_two_starts_reveal_what_has_not_mixed(monkeypatch):
    monkeypatch.setattr(mixing_time, "LONGEST", 1024)
    row = _row(300, 100, 0.02)
    assert not row.mixed and row.steps == 1536
    assert row.errors_prior > row.errors_teacher


def test_in_version_space_there_are_no_errors(monkeypatch):
    monkeypatch.setattr(mixing_time, "LONGEST", 512)
    row = _row(10, 10, 0.0)
    assert row.mean_errors == 0.0 and np.isnan(row.time_errors) and row.time_outputs > 1.0
