import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from transductive import BayesianTransduction
from transductive.caller_warning import LIBRARY, warn_caller

SOURCE = """
def inner(warn):
    warn("found too little", UserWarning)

def outer(warn):
    inner(warn)
"""


def test_a_warning_names_the_caller_however_deep_the_library_is():
    scope = {}
    exec(compile(SOURCE, LIBRARY + "anything.py", "exec"), scope)
    for function in (scope["inner"], scope["outer"], lambda warn: scope["outer"](warn)):
        with pytest.warns(UserWarning, match="found too little") as caught:
            function(warn_caller)
        assert [one.filename for one in caught] == [__file__]
    with pytest.warns(UserWarning) as caught:
        warn_caller("from outside", UserWarning)
    assert caught[0].filename == __file__


def test_a_warning_of_one_class_of_several_names_the_caller():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 2)), np.arange(30) % 3
    with pytest.warns(ConvergenceWarning) as caught:
        BayesianTransduction(n_bounces=1, tol=1e-3, n_jobs=1, random_state=0).fit(X, y)
    assert {one.filename for one in caught} == {__file__}
    slow = [str(one.message) for one in caught if one.category is ConvergenceWarning]
    ends = {message.partition(" (of ")[2] for message in slow}
    assert ends == {f"class {label} against the rest)" for label in range(3)}


def test_the_compendium_is_outside():
    scope = {}
    beside = LIBRARY.rstrip("/\\") + "_compendium/module.py"
    exec(compile("def work(warn): warn('here', UserWarning)", beside, "exec"), scope)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scope["work"](warn_caller)
    assert caught[0].filename == beside
