"""Does the billiard through walls mix where hit-and-run does not? Effective samples a second.

Each case is sampled by both, in turns, for about the same processor time: the billiard makes a
fixed number of flights, and hit-and-run then takes steps for as long. Four chains each, from draws
of the prior; a quarter of all is burn-in. Followed are the training errors, q where it is
inferred, and the outputs at fifty training points, of which the worst counts. The gain is that of
the worst of the three, and the table is sorted by it, worst first.
"""

from collections.abc import Iterator
from time import process_time

import numpy as np
from measuring import table_row
from sklearn.datasets import load_digits, make_circles, make_moons

from transductive.kernels import gram_matrix
from transductive.version_space import GibbsChains, RefractingBilliard, WhitenedPoints
from transductive.version_space.mixing import mixing

TITLE = "Flights through walls and hit-and-run steps under label noise"
METHOD = "one thread; processor time; four chains from the prior; about equal times"
GROUPS = {"thousand": "1,000 points", "three thousand": "3,000 points"}
Q = 0.05
FLIGHTS = {1000: 800, 3000: 400}
SAMPLES = 200  # of each chain of hit-and-run
FOLLOWED = 50
PROBE_STEPS = 100


def _gauss(m, rng):
    X = rng.standard_normal((m, 10))
    return X, X[:, 0] + 0.5 * X[:, 1] > 0, 0.05


def _moons(m, rng):
    X, y = make_moons(m, noise=0.25, random_state=0)
    return X / X.std(axis=0), y == 1, 0.5


def _circles(m, rng):
    X, y = make_circles(m, noise=0.15, factor=0.5, random_state=0)
    return X / X.std(axis=0), y == 1, 0.5


def _digits(m, rng):
    X, y = load_digits(return_X_y=True)
    return X[:m] / 16.0, y[:m] == 8, 0.05


#: Problem, points, and whether q is inferred.
CASES = [
    (family, m, inferred)
    for m, families in ((1000, (_gauss, _moons, _circles, _digits)), (3000, (_gauss, _moons)))
    for family in families
    for inferred in (False, True)
]


def sample(family, m):
    """Points in whitened coordinates, Gram matrix, labels of which a share Q is flipped."""
    rng = np.random.default_rng(m)
    X, y, gamma = family(m, rng)
    gram = gram_matrix(X, gamma=gamma)
    signs = np.where(y ^ (rng.random(len(y)) < Q), 1.0, -1.0)
    return WhitenedPoints.from_gram(gram), gram, signs


def _judge(samples, points, noise=None):
    """R-hat and least effective sample size of each quantity that is followed."""
    outputs = samples.outputs(points.coordinates[:: -(-len(points.coordinates) // FOLLOWED)])
    followed = {"errors": samples.errors[:, :, None].astype(float), "worst output": outputs}
    if noise is not None:
        followed["q"] = noise[:, :, None]
    return {name: mixing(values) for name, values in followed.items()}


def compare(family, m, inferred):
    """Seconds and diagnostics of both samplers."""
    points, gram, signs = sample(family, m)
    n = FLIGHTS[m]
    begin = process_time()
    billiard = RefractingBilliard(
        points, "infer" if inferred else Q, signs=signs, gram=gram, random_state=0
    )
    flown = billiard.run(3 * n // 4, burn_in=n // 4)
    seconds = process_time() - begin
    found = {"billiard": (seconds, _judge(flown, points, flown.noise if inferred else None))}
    if not inferred:
        chains = GibbsChains(points, Q, signs=signs, random_state=1)
        begin = process_time()
        chains.run(1, thin=PROBE_STEPS)
        a_step = (process_time() - begin) / PROBE_STEPS
        thin = max(1, int(0.75 * seconds / a_step / SAMPLES))
        begin = process_time()
        walked = chains.run(SAMPLES, thin=thin, burn_in=thin * SAMPLES // 3)
        found["hit and run"] = process_time() - begin, _judge(walked, points)
    return found, flown.errors.mean(), billiard.events.sum() / (4 * n)


def measure() -> Iterator[dict]:
    """All rows of the table, one by one."""
    for group, size in zip(GROUPS, FLIGHTS, strict=True):
        blocks = []
        for family, m, inferred in CASES:
            if m != size:
                continue
            found, errors, events = compare(family, m, inferred)
            case = f"{family.__name__[1:]}, q {'inferred' if inferred else Q}"
            place = group, case, {"m": m}
            rows = [
                table_row(*place, "training errors", "-", errors),
                table_row(*place, "walls met", "a flight", events),
            ]
            rates = {}
            for sampler, (seconds, diagnostics) in found.items():
                rows.append(table_row(*place, f"{sampler}: all chains", "seconds", seconds))
                for name, one in diagnostics.items():
                    rate = one.least_ess / seconds
                    rates.setdefault(sampler, []).append(rate)
                    rows += [
                        table_row(*place, f"{sampler}: R-hat, {name}", "-", one.worst_r_hat),
                        table_row(*place, f"{sampler}: {name}", "effective samples/s", rate),
                    ]
            gain = np.nan
            if len(rates) == 2:
                gain = min(rates["billiard"]) / min(rates["hit and run"])
                rows.append(table_row(*place, "gain of the billiard", "times", gain))
            blocks.append((np.nan_to_num(gain, nan=np.inf), rows))
        for _, rows in sorted(blocks, key=lambda block: block[0]):
            yield from rows
