"""The page on what stays names the public names, all of them and no others."""

import re
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import numpy as np

from transductive import BayesianTransduction

ROOT = Path(__file__).resolve().parents[2]


def test_public_names_are_those_of_the_page():
    page = (ROOT / "book/promises.md").read_text(encoding="utf-8")
    listed = re.search(r"^(`\w+`(?:, `\w+`)+)$", page, re.M)[1]
    assert re.findall(r"`(\w+)`", listed) == sorted(import_module("transductive").__all__)


def test_each_estimator_answers_a_question():
    page = (ROOT / "book/which_estimator.md").read_text(encoding="utf-8")
    makers = {"MeanOfClosest", "OtherClasses", "PixelwiseEmpirical", "UniformNoise"}
    for name in set(import_module("transductive").__all__) - makers:
        assert f"`{name}(" in page or f"`{name}`" in page or f"={name}(" in page, name


def test_the_examples_run_and_show_what_they_say():
    page = (ROOT / "book/which_estimator.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    names = {}
    exec(compile(first, "which_estimator.md", "exec"), names)
    errors = names["errors"]
    assert errors["TransductiveSVC"] == min(errors[name] for name in list(errors)[:3])
    assert errors["BayesianTransduction, where it is sure"] < errors["BayesianTransduction"] / 2
    assert names["sure"].mean() > 0.5
    exec(compile(second, "which_estimator.md", "exec"), names)
    assert set(names["suspects"]) == set(range(6))
    assert 0.05 < names["model"].q_ < 0.2
    assert names["wrong_where_sure"] < 0.01 and names["sure"].mean() > 0.5


def test_a_share_that_is_known_corrects_probabilities():
    page = (ROOT / "book/which_estimator.md").read_text(encoding="utf-8")
    (indented,) = re.findall(r"^  ```python\n(.*?)^  ```", page, re.M | re.S)
    names = {}
    exec(compile(dedent(indented), "which_estimator.md", "exec"), names)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, W = (
            np.vstack([rng.standard_normal((n, 4)), rng.standard_normal((k, 4)) + [1.5, 1, 0, 0]])
            for n, k in ((20, 20), (285, 15))
        )
        y = np.repeat([0, 1], 20)
        model = BayesianTransduction(random_state=0).fit(X, y, W)
        p = model.transduction_proba_[:, 1]
        corrected = names["with_share"](p, 0.05, (y == model.classes_[1]).mean()).sum()
        assert p.sum() > 3 * 15  # several times too many
        assert abs(corrected - 15) < abs(p.sum() - 15) / 3
