"""Algorithm TSVM: labels of the working points by switching pairs (slides, additional part)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..progress import progress_bar
from .linear_programme import LinearProgramme
from .quadratic_programme import NotSeparableError, QuadraticProgramme

__all__ = [
    "JointLinearSVM",
    "JointManySVM",
    "JointSVM",
    "SwitchedLabels",
    "record_solution",
    "switch_labels",
    "switch_while_possible",
]

# The "some small number" at which C*- begins.
INITIAL_COST = 1e-5
# If no hard margin is reached at this cost, there is none.
HARD_MARGIN_MAX_COST = 1e12
# Most iterations of an attempt at a tolerance that rounding may not allow.
REFINEMENT_MAX_ITER = 100_000
# By default, iterations (or sweeps, or Newton steps) of a solution after one that missed the
# tolerance, or where rounding may forbid it: badly scaled points would take minutes for each cost.
STUCK_MAX_ITER, LINEAR_STUCK_MAX_ITER = 20_000, 30
# Below this, the user accepts that rounding may forbid the tolerance.
MIN_TOL_OF_SCALES = 1e-6
# If the sum of two slacks exceeds 2 by less, this may be rounding: do not switch.
MIN_SLACK_SUM = 2 * (1 + 1e-9)
# Tolerance for many points while labels still change.
SWITCHING_TOL = 0.1
# Rounding allows the linear solver no smaller violation.
LINEAR_MIN_TOL = 1e-8
EPSILON = np.finfo(np.float64).eps

HISTORY = np.dtype(
    [
        ("C_minus", float),
        ("C_plus", float),
        ("switch", bool),
        ("positive", np.intp),
        ("negative", np.intp),
        ("switched_objective", float),
        ("objective", float),
        ("violation", float),
        ("gap", float),
        ("iterations", np.intp),
        ("pairs", np.intp),
    ]
)


class JointSVM:
    """The SVM on training and labelled working points, solved again as labels and costs change.

    Parameters
    ----------
    gram, diagonal
        From `solver_gram`, of the l training points and then the m working points.
    signs : ndarray of shape (l,)
        Training labels, -1.0 or 1.0.
    C : float or array of shape (l,)
        Cost of a training slack, or of each; infinite for a hard margin.
    fit_intercept : bool, default=True
    tol, max_iter : default=1e-3 and -1
        As for `minimise`.

    Attributes
    ----------
    missed : bool
        Whether a solution missed the tolerance. Only the first failure warns.
    in_doubt : bool
        Whether coefficients as large as the costs would leave rounding errors above the tolerance.
        Where this or `missed` holds, a solution gets few iterations unless `max_iter` is given.
    """

    _stuck_max_iter, _min_tol = STUCK_MAX_ITER, 1e-12

    def __init__(self, gram, diagonal, signs, C, fit_intercept=True, tol=1e-3, max_iter=-1):
        self.n_train, n = len(signs), len(diagonal)
        self.tol = self.switching_tol = tol
        self._max_iter, self._refinement_max_iter = max_iter, REFINEMENT_MAX_ITER
        self.iterations, self.missed = 0, False
        # rounding error of a value whose coefficients are as large as the costs
        costs = np.max(C, initial=0.0, where=np.isfinite(C))
        rounding = EPSILON * costs * np.max(diagonal)
        self.in_doubt = bool(rounding > max(tol, MIN_TOL_OF_SCALES))
        self.signs = np.r_[signs, np.zeros(n - len(signs))]
        self._gram, self._diagonal = gram, diagonal
        self._total = 0.0 if fit_intercept else None
        self._costs = np.r_[np.full(len(signs), C), np.zeros(n - len(signs))]
        self._begin(None)

    def _begin(self, start):
        self._programme = QuadraticProgramme(
            self._gram,
            self.signs,
            *self._boxes(),
            total=self._total,
            start=start,
            diagonal=self._diagonal,
            growing=np.arange(len(self.signs)) >= self.n_train,
        )

    def _finite_costs(self):
        # an infinite cost times the sign 0 would be NaN
        return np.where(self.signs == 0, 0.0, self._costs)

    def _set(self, C_minus, C_plus, signs=None):
        """Set the working points' costs, and their labels unless they stay."""
        if signs is not None:
            self.signs[self.n_train :] = signs
        self._costs[self.n_train :] = np.where(self.signs[self.n_train :] > 0, C_plus, C_minus)

    def _boxes(self):
        """Lower and upper bounds of the coefficients."""
        box = self.signs * self._finite_costs()
        return np.minimum(box, 0.0), np.maximum(box, 0.0)

    def label(self, signs, C_minus, C_plus):
        """Give the working points labels (0.0 leaves one out) and costs.

        The coefficients stay if they lie in the new boxes; otherwise all restart at 0.
        """
        coefficients = self._programme.coefficients.copy()
        self._set(C_minus, C_plus, signs)
        lower, upper = self._boxes()
        outside = (coefficients < lower) | (coefficients > upper)
        self._begin(None if outside.any() else coefficients)

    def raise_costs(self, C_minus, C_plus):
        """Raise the costs of the working points and keep the labels."""
        self._set(C_minus, C_plus)
        self._programme.set_boxes(*self._boxes())

    def relabel(self, signs, C_star, coefficients=None):
        """Change labels of working points at C_star; the others keep their coefficients.

        Given `coefficients`, all get those.
        """
        changed = np.flatnonzero(signs != self.signs[self.n_train :]) + self.n_train
        self._set(C_star, C_star, signs)
        lower, upper = self._boxes()
        if coefficients is None:
            coefficients = self.coefficients.copy()
            coefficients[changed] = self.signs[changed] * C_star
        box = lower[changed], upper[changed]
        self._programme.replace(changed, self.signs[changed], *box, np.zeros(len(changed)))
        self._programme.set_boxes(lower, upper, coefficients)

    def switch(self, positive, negative):
        """Exchange the labels of two working points, and their coefficients with them.

        Given arrays, exchange them for all pairs. The exchanged coefficients lie in the exchanged
        boxes and have the same sum.
        """
        pair, other = self._exchanged(positive, negative)
        self.signs[pair] = self.signs[other]
        self._costs[pair] = self._costs[other]
        programme = self._programme
        programme.replace(
            pair,
            self.signs[pair],
            programme.lower[other],
            programme.upper[other],
            programme.coefficients[other],
        )

    def _exchanged(self, positive, negative):
        """Indices of both points, and in the same order those of their partners."""
        positive, negative = np.atleast_1d(positive, negative)
        pair, other = (np.concatenate(p) for p in ((positive, negative), (negative, positive)))
        return pair + self.n_train, other + self.n_train

    def solve(self, below=np.inf, tol=None):
        """Solve, with smaller tolerances as long as the primal objective is above `below`.

        Returns
        -------
        Solution
            Its `iterations` are those of all attempts.
        """
        tol, first = self.tol if tol is None else tol, self._programme.iterations
        try:
            solution = self._first_solution(tol)
        except NotSeparableError:
            # other labels must not start from coefficients that grew without bound
            self._begin(None)
            raise
        limit = self._min_tol if below < np.inf else np.inf
        while tol > limit and self.primal() > below and solution.converged:
            tol /= 10
            solution = self._programme.solve(tol, max_iter=self._refinement_max_iter, warn=False)
        solution = replace(solution, iterations=self._programme.iterations - first)
        self.iterations += solution.iterations
        return solution

    def _first_solution(self, tol):
        """Solve the programme; remember whether it misses the tolerance, and warn of it once."""
        few = (self.missed or self.in_doubt) and self._max_iter == -1
        most = self._stuck_max_iter if few else self._max_iter
        solution = self._programme.solve(tol, max_iter=most, warn=not self.missed)
        self.missed = self.missed or not solution.converged
        return solution

    @property
    def coefficients(self):
        """Signed duals, shape (l + m,)."""
        return self._programme.coefficients

    @property
    def intercept(self):
        """b in the slides' ``<w, x> + b``."""
        return self._programme.intercept()

    def settle(self, values):
        """Take the outputs, objective and intercept from `values`, the exact ``K b``."""
        self._programme.settle(values)

    def decision_values(self):
        """``<w, x> + b`` at all points, of shape (l + m,)."""
        return self._programme.values + self.intercept

    def slacks(self):
        """xi of all points, 0 for one without a label, of shape (l + m,)."""
        return np.where(
            self.signs == 0, 0.0, np.maximum(0.0, 1.0 - self.signs * self.decision_values())
        )

    def primal(self, slacks=None):
        """``1/2 |w|^2 + C sum xi + C* sum xi*`` for the present labels (slides, soft margin).

        `slacks`, here and in the methods below, are those of all points, if they are known.
        """
        slacks, costs = self.slacks() if slacks is None else slacks, self._finite_costs()
        squared = float(self.coefficients @ self._programme.values)
        if (hard := np.isinf(costs)).any():
            # slacks that the tolerance leaves at a hard margin cost nothing here
            costs, slacks = costs[~hard], slacks[~hard]
        return 0.5 * squared + float(costs @ slacks)

    def primal_if_switched(self, positive, negative, slacks=None, primal=None):
        """Primal objective at this hyperplane if the labels of working points are exchanged.

        `primal` is that of the present labels, if it is known.

        A point with the slack ``xi > 0`` has the slack ``max(0, 2 - xi)`` under the other label.
        So if ``xi_m + xi_l > 2``, each point costs less than the other point did with that label.
        """
        pair, other = self._exchanged(positive, negative)
        slacks, costs = self.slacks() if slacks is None else slacks, self._costs
        switched = costs[other] @ np.maximum(0.0, 2.0 - slacks[pair])
        primal = self.primal(slacks) if primal is None else primal
        return primal + float(switched - costs[pair] @ slacks[pair])

    def pair_to_switch(self, slacks=None):
        """The positive and the negative working point with the largest slacks, if they may switch.

        They may if both slacks are positive and their sum exceeds 2. If any pair may switch, this
        one may, and it lowers the objective at this hyperplane most. The first of equal slacks is
        taken.

        Returns
        -------
        (positive, negative) : tuple of int, or None
        """
        signs, slacks = self._of_working_points(slacks)
        if not ((signs > 0).any() and (signs < 0).any()):
            return None
        positive = int(np.argmax(np.where(signs > 0, slacks, -1.0)))
        negative = int(np.argmax(np.where(signs < 0, slacks, -1.0)))
        if min(slacks[positive], slacks[negative]) > 0 and (
            slacks[positive] + slacks[negative] > MIN_SLACK_SUM
        ):
            return positive, negative
        return None

    def _of_working_points(self, slacks):
        """Signs and slacks."""
        slacks = self.slacks() if slacks is None else slacks
        return self.signs[self.n_train :], slacks[self.n_train :]

    def pairs_to_switch(self, slacks=None):
        """Pairs to switch before the next solution: here only `pair_to_switch`, if there is one.

        Returns
        -------
        positive, negative : array of int, of the same length
        """
        pair = self.pair_to_switch(slacks)
        return np.empty((2, 0), dtype=np.intp) if pair is None else np.array(pair)[:, None]


class JointManySVM(JointSVM):
    """Faster `JointSVM`: it switches many pairs at once, and its coefficients grow with the costs.

    Parameters are those of `JointSVM`; costs must be finite.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.switching_tol = max(self.tol, SWITCHING_TOL)

    def label(self, signs, C_minus, C_plus):
        """Give the working points labels and costs; their coefficients begin at the costs."""
        coefficients = self.coefficients.copy()
        self._set(C_minus, C_plus, signs)
        self._begin(None)
        coefficients[self.n_train :] = (self.signs * self._costs)[self.n_train :]
        self._programme.set_boxes(*self._boxes(), coefficients)

    def raise_costs(self, C_minus, C_plus):
        """Raise the working points' costs and keep labels; coefficients grow with their boxes."""
        before = self._costs.copy()
        self._set(C_minus, C_plus)
        growth = np.divide(self._costs, before, out=np.ones_like(before), where=before > 0)
        self._programme.set_boxes(*self._boxes(), self.coefficients * growth)

    def solve(self, below=np.inf, tol=None):
        """Solve as `JointSVM` does; to the full tolerance only from a recomputed gradient."""
        if tol is None:
            self._programme.refresh()
        return super().solve(below, tol)

    def pairs_to_switch(self, slacks=None):
        """Pair the largest slacks of both labels, then the second largest, while they may switch.

        Each pair lowers the objective at this hyperplane, and their gains add up.
        """
        signs, slacks = self._of_working_points(slacks)
        of_label = [np.flatnonzero(label) for label in (signs > 0, signs < 0)]
        largest = [np.max(slacks[points], initial=0.0) for points in of_label]
        ranked = []
        for points, partner in zip(of_label, reversed(largest), strict=True):
            # drop points that cannot switch even with the largest slack of the other label
            own = slacks[points]
            points = points[(own > 0) & (own + partner > MIN_SLACK_SUM)]
            ranked.append(points[np.argsort(-slacks[points], kind="stable")])
        n_pairs = min(map(len, ranked))
        positive, negative = (points[:n_pairs] for points in ranked)
        may = slacks[positive] + slacks[negative] > MIN_SLACK_SUM
        return np.array([positive[may], negative[may]])


class JointLinearSVM(JointManySVM):
    """`JointManySVM` with a linear kernel. It never forms the Gram matrix, so that time and memory
    grow linearly with the points.

    Parameters
    ----------
    points : LinearPoints
        Training points and then working points, centred if there is an intercept.
    signs, C, fit_intercept, tol, max_iter
        As for `JointSVM`; C is finite.
    """

    _stuck_max_iter, _min_tol = LINEAR_STUCK_MAX_ITER, LINEAR_MIN_TOL

    def __init__(self, points, signs, C, fit_intercept=True, tol=1e-3, max_iter=-1):
        super().__init__(points, points.squared, signs, C, fit_intercept, tol, max_iter)
        self._refinement_max_iter = max_iter

    def _begin(self, start):
        self._programme = LinearProgramme(
            self._gram, self.signs, *self._boxes(), total=self._total, start=start
        )

    def label(self, signs, C_minus, C_plus):
        """Give the working points labels and costs; their coefficients restart at 0."""
        self._set(C_minus, C_plus, signs)
        coefficients = self.coefficients.copy()
        coefficients[self.n_train :] = 0.0
        self._programme.target[:] = self.signs
        self._programme.set_boxes(*self._boxes(), coefficients)

    def plane(self):
        """w and b for the points as given (`intercept` is that of the centred points)."""
        return self._programme.plane()


@dataclass(frozen=True, eq=False)
class SwitchedLabels:
    """The labels that Algorithm TSVM returns, and its solutions on the way.

    Attributes
    ----------
    signs : ndarray of shape (m,)
    history : structured ndarray
        One entry for each solution, in order: costs ``C_minus`` and ``C_plus``; whether it follows
        a ``switch``, of ``pairs`` pairs, of which the working points ``positive`` and ``negative``
        (-1 without a switch) have the largest slacks; ``switched_objective`` right after the
        switch (NaN without one), ``objective`` when solved again; ``violation``, ``gap`` and
        ``iterations``.
    inductive : ndarray of shape (m,)
        Outputs of the SVM on the training points alone.
    """

    signs: np.ndarray
    history: np.ndarray
    inductive: np.ndarray


def switch_labels(
    svm, C_star, n_positive, first_costs="balanced", *, keep_ratio=False, progress=True
):
    """Algorithm TSVM of the slides, and one more solution at C*.

    Parameters
    ----------
    svm : JointSVM
        Without labels of working points. On return it has the final labels and is solved at C*.
    C_star : float
        Not negative. For a hard margin (infinite) costs double until no slack is left.
    n_positive : int
        num_+, from 0 to m.
    first_costs : {"balanced", "slides"}, default="balanced"
        Whether C*+ begins as ``(m - num_+)/num_+`` or as ``num_+/(m - num_+)`` times C*-.
    keep_ratio : bool, default=False
        If True, the costs of positive working points rise to C_star times the first ratio, as in
        SVM-light; if False to C_star, as in the slides and in `TransductiveSVC`.
    progress : bool, default=True
        Show a bar on a terminal after two seconds: doublings done, and solutions so far.

    Returns
    -------
    SwitchedLabels

    Raises
    ------
    NotSeparableError
        If a cost is infinite and the final labels have no hard margin.
    """
    history, last = [], (C_star, C_star)
    svm.solve()
    values = svm.decision_values()[svm.n_train :]
    signs = highest(values, n_positive)
    if 0 < n_positive < len(signs):
        ratio = n_positive / (len(signs) - n_positive)
        ratio = ratio if first_costs == "slides" else 1 / ratio
        last = C_star, C_star * ratio if keep_ratio else C_star
        _raise_costs(svm, signs, (INITIAL_COST, INITIAL_COST * ratio), last, history, progress)
    signs = svm.signs[svm.n_train :].copy() if history else signs
    if history:
        svm.raise_costs(*last)
    else:
        svm.label(signs, *last)
    record_solution(history, svm, svm.solve(), *last)
    return SwitchedLabels(signs, np.array(history, dtype=HISTORY), values)


def highest(values, number):
    """1.0 for the `number` largest values (the first of equal ones), -1.0 for the others."""
    signs = np.full(len(values), -1.0)
    signs[np.argsort(-values, kind="stable")[:number]] = 1.0
    return signs


def _raise_costs(svm, signs, first, last, history, progress):
    """Loop 1: train, switch, double."""
    C_minus, C_plus = np.minimum(first, last).tolist()
    if (C_minus, C_plus) == last:
        return
    hard = np.isinf(last[0])
    doublings = None if hard else int(np.ceil(np.max(np.log2(last) - np.log2((C_minus, C_plus)))))
    svm.label(signs, C_minus, C_plus)
    with progress_bar("doublings", doublings, progress) as bar:
        while C_minus < last[0] or C_plus < last[1]:
            solution = svm.solve(tol=svm.switching_tol)
            slacks = svm.slacks()
            primal = svm.primal(slacks)
            record_solution(history, svm, solution, C_minus, C_plus, primal=primal)
            switch_while_possible(svm, slacks, primal, C_minus, C_plus, history)
            bar.set_postfix(solutions=len(history), refresh=False)
            if hard and svm.slacks()[svm.n_train :].max() <= svm.tol:
                return
            C_minus, C_plus = min(2 * C_minus, last[0]), min(2 * C_plus, last[1])
            if hard and C_minus > HARD_MARGIN_MAX_COST:
                raise NotSeparableError(
                    "the greedy algorithm found no labels of the working points that a hyperplane "
                    "separates: give a finite C_star, or exhaustive=True for few points"
                )
            svm.raise_costs(C_minus, C_plus)
            bar.update()


def switch_while_possible(svm, slacks, primal, C_minus, C_plus, history):
    """Loop 2: the objective falls with each switch, so no labelling occurs twice.

    It begins at the present slacks and objective. A switch whose gain is below the solver's
    accuracy is undone and ends the loop: where ``w = 0`` is optimal, for instance, the slacks of
    every pair sum to 2 up to rounding.
    """
    while (pairs := svm.pairs_to_switch(slacks)).size:
        before, switched = primal, svm.primal_if_switched(*pairs, slacks, primal)
        if not switched < before:
            return
        svm.switch(*pairs)
        solution = svm.solve(below=switched, tol=svm.switching_tol)
        slacks = svm.slacks()
        primal = svm.primal(slacks)
        if not primal < before:
            svm.switch(*pairs)
            svm.solve(tol=svm.switching_tol)
            return
        record_solution(history, svm, solution, C_minus, C_plus, pairs, switched, primal)


def record_solution(
    history, svm, solution, C_minus, C_plus, pairs=None, switched=np.nan, primal=None
):
    """Append a solution to the history, as `SwitchedLabels` describes it."""
    positive, negative = (-1, -1) if pairs is None else pairs[:, 0]
    history.append(
        (
            C_minus,
            C_plus,
            pairs is not None,
            positive,
            negative,
            switched,
            svm.primal() if primal is None else primal,
            solution.violation,
            solution.gap,
            solution.iterations,
            0 if pairs is None else pairs.shape[1],
        )
    )
