"""States of one chain as printed, and under other options: law of v, start, chain at q = 0.

Graepel and Herbrich (2001), section 3. `circle_step` performs steps 2 to 8 in plain NumPy. It
implements the options that the library's chain lacks, and is a second implementation of the chain.
"""

import numpy as np

from transductive.version_space import GibbsChains
from transductive.version_space.gibbs import inverse_temperature

from ...runner import Parameter
from .chains import chain_seed

#: Which states are samples, by any numbers; the open choice "samples" has three.
SAMPLES = {
    "burn_in": Parameter(0, int, "steps before the first sample", minimum=0),
    "thin": Parameter(1, int, "steps from sample to sample", minimum=1),
}
#: The default option of every choice that `states` knows, for experiments that do not name it.
AS_PRINTED = {
    "burn_in": 0,
    "thin": 1,
    "start": "random",
    "direction": "isotropic",
    "q_zero": "version_space",
}
#: Whether the chain starts at the SVM, by option of "start".
AT_SVM = {"random": False, "svm": True}
#: Whether directions have normal expansion coefficients, by option of "direction".
BY_COEFFICIENTS = {"isotropic": False, "coefficients": True}
#: Whether the chain at q = 0 is the limit of those at q > 0, by option of "q_zero".
IS_LIMIT = {"version_space": False, "limit": True}


def circle_step(signed, w, q, rng, coefficients=False):
    """One step from w: isotropic direction, or one with normal expansion coefficients.

    Parameters
    ----------
    signed : ndarray of shape (m, r)
        Label-signed points.
    w : ndarray of shape (r,)
        Unit vector.
    q : float
        At 0 the limit: only the arcs of least error have mass.
    """
    m, r = signed.shape
    v = rng.standard_normal(m) @ signed if coefficients else rng.standard_normal(r)
    v -= (v @ w) * w
    v /= np.linalg.norm(v)
    s, t = signed @ w, signed @ v
    # <cos(a) w + sin(a) v, x> rises through zero at this angle, and falls half a turn on
    rise = np.arctan2(-s, t) % (2.0 * np.pi)
    angles = np.concatenate([rise, (rise + np.pi) % (2.0 * np.pi)])
    order = np.argsort(angles)
    angles = angles[order]
    errors = np.sum(s <= 0.0) + np.cumsum(np.where(order < m, -1, 1))
    lengths = np.diff(angles, append=angles[0] + 2.0 * np.pi)
    beta = inverse_temperature(q)
    above = errors - errors.min()
    mass = lengths * (np.exp(-beta * above) if np.isfinite(beta) else above == 0)
    arc = min(np.searchsorted(np.cumsum(mass), rng.random() * mass.sum()), 2 * m - 1)
    angle = angles[arc] + rng.random() * lengths[arc]
    w = np.cos(angle) * w + np.sin(angle) * v
    return w / np.linalg.norm(w)


def starts_at_svm(q, params):
    """Whether a chain starts at the SVM: by the option "start", or in version space for q = 0."""
    limit = IS_LIMIT[params["q_zero"]]
    return AT_SVM[params["start"]] or (q == 0.0 and not limit)


def states(points, signs, q, n, rng, params, svm=None):
    """`n` samples of one chain, shape (n, r).

    Parameters
    ----------
    points : WhitenedPoints or ndarray of shape (m, r)
    signs : ndarray of shape (m,)
    params : mapping
        "burn_in", "thin", "start", "direction" and "q_zero", as in `AS_PRINTED`.
    svm : ndarray of shape (r,), optional
        The start, if `starts_at_svm`.
    """
    thin, burn_in = params["thin"], params["burn_in"]
    limit = IS_LIMIT[params["q_zero"]] and q == 0.0
    coefficients = BY_COEFFICIENTS[params["direction"]]
    start = svm if starts_at_svm(q, params) else None
    if not (coefficients or limit):
        chain = GibbsChains(
            points, q, signs=signs, n_chains=1, start=start, random_state=chain_seed(rng)
        )
        return chain.run(n, thin=thin, burn_in=burn_in).positions[0]
    signed = getattr(points, "coordinates", points) * signs[:, None]
    w = rng.standard_normal(signed.shape[1]) if start is None else np.array(start, dtype=float)
    w /= np.linalg.norm(w)
    found = np.empty((n, len(w)))
    for step in range(burn_in + n * thin):
        w = circle_step(signed, w, q, rng, coefficients)
        if step >= burn_in and (step - burn_in) % thin == thin - 1:
            found[(step - burn_in) // thin] = w
    return found


def bayes_point(samples):
    """Direction of the samples' mean."""
    mean = samples.mean(axis=0)
    return mean / np.linalg.norm(mean)
