"""The likelihood of training errors when the label noise q is known, and when it has a prior."""

from __future__ import annotations

from numbers import Real

import numpy as np
from scipy.special import betainc, betaincinv, logsumexp

from .gibbs import inverse_temperature

__all__ = ["draw_noise", "error_potential", "noise_and_prior"]

# The a and b of the Beta prior: labels are wrong with a mean probability of a tenth.
PRIOR = (1.0, 9.0)
# Largest a and b: the series of the integral has twice as many terms.
LARGEST_PRIOR = 10_000

# Below this share of the Beta law under 1/2, its inverse is computed in logarithms.
SMALLEST_SHARE = 1e-100
NEWTON_STEPS = 60


def noise_and_prior(q):
    """The label noise, a number or "infer", and the Beta prior under which it is inferred.

    Parameters
    ----------
    q : float, "infer" or pair of float
        As for `RefractingBilliard`.

    Returns
    -------
    q : float or "infer"
    prior : pair of float

    Raises
    ------
    ValueError
        If `q` is none of these.
    """
    if isinstance(q, Real) or (isinstance(q, str) and q == "infer"):
        return q, PRIOR
    try:
        a, b = map(float, q)
        valid = 0.0 < a <= LARGEST_PRIOR and 0.0 < b <= LARGEST_PRIOR
    except (TypeError, ValueError):
        valid = False
    if not valid:
        raise ValueError(
            "q must be a number in [0, 0.5], 'infer', or the a and b of a Beta prior, two positive "
            f"numbers of at most {LARGEST_PRIOR}; got {q!r}"
        )
    return "infer", (a, b)


def error_potential(q, n_points, prior=PRIOR):
    """Minus the log likelihood of 0 to n training errors, up to a constant.

    With q known it is ``k ln((1 - q) / q)`` for k errors: The Kernel Gibbs Sampler, equation (3).
    With ``q="infer"`` it is integrated over the prior of q, a Beta law cut at 1/2::

        U(k) = -ln integral_0^(1/2) q^(a + k - 1) (1 - q)^(b + n - k - 1) dq

    The likelihood is normalised over the labels for every weight vector, so that nothing
    else depends on q.

    Parameters
    ----------
    q : float or "infer"
    n_points : int
    prior : pair of float, default=(1, 9)
        The a and b of the Beta law.

    Returns
    -------
    potential : ndarray of shape (n_points + 1,)
        Increasing; 0 for no errors.
    """
    k = np.arange(n_points + 1.0)
    if q != "infer":
        with np.errstate(invalid="ignore"):
            potential = inverse_temperature(q) * k
        potential[0] = 0.0
        return potential
    a, b = prior
    # By parts, with x = q / (1 - q) = 1 at the end of the integral:
    # (a + k) J(k) = 2^(1 - a - b - n) + (b + n - k - 1) J(k + 1), a sum of positive terms.
    edge = (1.0 - a - b - n_points) * np.log(2.0)
    logs = np.empty(n_points + 1)
    logs[-1] = _log_integral(0.5, a + n_points, b)
    for i in range(n_points - 1, -1, -1):
        with np.errstate(divide="ignore"):  # a tiny b is lost beside n, as is its term
            inner = np.log(b + n_points - i - 1.0) + logs[i + 1]
        logs[i] = np.logaddexp(edge, inner) - np.log(a + i)
    return logs[0] - logs


def draw_noise(uniforms, errors, n_points, prior=PRIOR):
    """Draw the label noise given the number of training errors.

    Its law is Beta(a + k, b + n - k), cut at 1/2. The draw is the inverse of its distribution
    function, which takes the same time however little of the Beta law lies below 1/2.

    Parameters
    ----------
    uniforms : array
        Uniform numbers in (0, 1).
    errors : array of int
        Training errors k, of the same shape.
    n_points : int
    prior : pair of float, default=(1, 9)

    Returns
    -------
    q : ndarray
    """
    u, k = np.broadcast_arrays(np.asarray(uniforms, float), np.asarray(errors, float))
    a, b = prior[0] + k, prior[1] + n_points - k
    share = betainc(a, b, 0.5)
    # an array even of one number, so that it can be written to
    q = np.asarray(betaincinv(a, b, u * share))
    for where in np.argwhere(share < SMALLEST_SHARE):
        i = tuple(where)
        q[i] = _inverse_in_logs(u[i], a[i], b[i])
    return np.minimum(q, 0.5)


def _inverse_in_logs(u, a, b):
    """Where the integral is u times that up to 1/2: Newton's method for its log in ln q."""
    x = 0.5
    target = np.log(u) + _log_integral(x, a, b)
    for _ in range(NEWTON_STEPS):
        value = _log_integral(x, a, b)
        slope = np.exp(a * np.log(x) + b * np.log1p(-x) - value) / (1.0 - x)
        step = (target - value) / slope
        x = min(0.5, x * np.exp(step))
        if abs(step) < 1e-14:
            break
    return x


def _log_integral(x, a, b):
    """``ln integral_0^x t^(a - 1) (1 - t)^(b - 1) dt`` for x up to 1/2, by a positive series."""
    # the ratio of successive terms is below 3/4 from here on
    i = np.arange(max(0.0, 2.0 * b - a) + 200.0)
    terms = np.cumsum(np.log(x * (a + b + i) / (a + 1.0 + i)))
    return a * np.log(x) + b * np.log1p(-x) - np.log(a) + logsumexp(np.r_[0.0, terms])
