"""The library with none of the packages that only the compendium needs."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import transductive

CONFTEST = Path(__file__).with_name("conftest.py")
PACKAGES = runpy.run_path(str(CONFTEST))["COMPENDIUM_ONLY"]

PROGRAM = """
import runpy, sys
import numpy as np

runpy.run_path(sys.argv[1])  # hides the packages
import transductive

estimators = {name: getattr(transductive, name) for name in transductive.__all__}
rng = np.random.default_rng(0)
X = np.r_[rng.normal(-2, 1, (15, 3)), rng.normal(2, 1, (15, 3))]
labels, target = np.repeat(["a", "b"], 15), X.sum(axis=1)
working, later = X + 0.1, X - 0.1
values = estimators.pop("manifold_gram")(X, working, later, y=labels)
found = [values.shape == (90, 60)]
short = {"n_samples": 50, "burn_in": 50, "thin": 2}
settings = {"KernelGibbsSampler": short, "OtherClasses": {"classes": ["a"]}}
for name, estimator in estimators.items():
    if not isinstance(estimator, type):
        continue  # a function
    model = estimator(**settings.get(name, {}))
    if hasattr(model, "transform"):
        made = model.fit(X, labels).transform(X)
        found.append(np.isfinite(made).all() and made.shape[1] == 3)
        transductive.UniversumSVC().fit(X, labels, made).predict(later)
        continue
    y = target if name in ("RidgeLOO", "TransductiveRidge") else labels
    takes = model.get_metadata_routing().fit.requests
    extra = {other: working for other in takes if other in ("X_working", "X_universum")}
    model.fit(X, y, **extra)
    found.append(model.predict(later).shape == (30,))
    if "X_working" in extra:
        found.append(model.transduction_.shape == (30,))
loaded = {name.partition(".")[0] for name in sys.modules}
print(len(estimators), all(found), sorted(loaded & set(sys.argv[2:])))
"""


def python(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"TRANSDUCTIVE_LIBRARY_ONLY": "1"} | environment,
    )


def test_all_names_are_imported_and_every_estimator_fits_and_predicts():
    # without docstrings and assertions, on which nothing may depend
    done = python("-c", PROGRAM, str(CONFTEST), *PACKAGES, PYTHONOPTIMIZE="2")
    assert done.stderr == ""
    assert done.stdout == "16 True []\n"


@pytest.mark.parametrize("asked, code", [("list", 1), ("--help", 0), ("-h", 0), ("--version", 0)])
def test_the_command_names_the_extra_that_it_needs(asked, code, tmp_path):
    # each package is there, but cannot be imported: the command itself runs as it is started
    for package in PACKAGES - {"transductive_compendium"}:
        (tmp_path / f"{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})\n")
    done = python("-m", "transductive._command", asked, PYTHONPATH=str(tmp_path))
    assert done.returncode == code
    said, other = (done.stderr, done.stdout) if code else (done.stdout, done.stderr)
    assert 'pip install "transductive[compendium]"' in said and transductive.__version__ in said
    assert said.count("\n") == 1 and not other


def test_the_command_names_the_compendium_where_a_build_left_it_out():
    hidden = f"import runpy; kept = runpy.run_path({str(CONFTEST)!r})"
    whole = "kept['Blocker'].KEPT = ()"
    done = python("-c", f"{hidden}; {whole}; from transductive._command import main; main()")
    assert done.returncode == 1 and "(transductive_compendium is missing)" in done.stderr
    assert "Traceback" not in done.stderr
    assert "pip install --force-reinstall --no-deps transductive;" in done.stderr
