"""The first code a newcomer copies: it runs as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent


def transduction(model, names):
    assert len(model.transduction_) == len(names["X_working"])
    assert model.transduction_error_.max() <= model.tolerance
    np.testing.assert_allclose(model.transduction_proba_.sum(axis=1), 1.0)


def label_noise(model, names):
    assert model.r_hat_ <= 1.01 and model.ess_ >= 400
    assert np.mean(names["outputs"] > 0) == pytest.approx(
        np.mean(names["votes"][:, 1] > 0.5), abs=0.02
    )


def regression(model, names):
    target = names["_"] - names["_"].mean()
    explained = 1 - np.mean((names["values"] - target) ** 2) / np.var(target)
    assert explained > 0.3
    assert names["ridge"].loo_error_ < np.var(names["y"])


PROMISES = {
    "BayesianTransduction": transduction,
    "KernelGibbsSampler": label_noise,
    "TransductiveRidge": regression,
}


@pytest.mark.parametrize("page", ["README.md", "book/intro.md"])
def test_examples_run_and_keep_their_promises(page):
    names = {}
    for code in re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S):
        exec(compile(code, page, "exec"), names)
        model = names["model"]
        PROMISES[type(model).__name__](model, names)
