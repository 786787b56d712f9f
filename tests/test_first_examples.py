"""The first code a newcomer copies: it runs as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("page", ["README.md", "book/intro.md"])
def test_example_runs_and_keeps_its_promise(page):
    code, *more = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    names = {}
    exec(compile(code, page, "exec"), names)
    model = names["model"]
    assert len(model.transduction_) == len(names["X_working"])
    assert model.transduction_error_.max() <= model.tolerance
    np.testing.assert_allclose(model.transduction_proba_.sum(axis=1), 1.0)
    for code in more:
        exec(compile(code, page, "exec"), names)
        model = names["model"]
        assert model.r_hat_ <= 1.01 and model.ess_ >= 400
        assert np.mean(names["outputs"] > 0) == pytest.approx(
            np.mean(names["votes"][:, 1] > 0.5), abs=0.02
        )
