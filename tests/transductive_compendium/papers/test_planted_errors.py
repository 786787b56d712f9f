"""An error of 1 % in any kernel makes the comparison with a record fail."""

import numpy as np
import pytest

from transductive.leave_one_out import loo_form, spectrum, tridiagonal
from transductive.margin import linear_programme, quadratic_programme, universum_solver
from transductive.version_space import billiard, gibbs, trajectory
from transductive_compendium.datasets import available
from transductive_compendium.runner import compare, get, proof, run_units
