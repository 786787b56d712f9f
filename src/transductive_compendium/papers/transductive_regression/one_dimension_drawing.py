"""Ridge regression and transductive regression in one dimension, at two ridges."""

import numpy as np

from transductive import RidgeLOO, TransductiveRidge

from ...book.figure_style import COLOURS, METHODS, figure

#: Noisy values of a sine, and three working points in the gap between them.
X = np.array([-3.0, -2.4, -1.9, -1.3, -0.8, 0.7, 1.2, 1.8, 2.3, 3.0])
Y = np.array([1.0, 0.5, -0.2, -0.9, -1.0, 0.9, 1.2, 0.6, -0.4, -1.2])
X_WORKING = np.array([-0.4, 0.0, 0.4])
GAMMAS = (1.0, 0.1)
GAMMA_STAR = 0.1


def truth(x):
    """The sine without noise."""
    return np.sin(1.5 * x)


def fits():
    """For each ridge: the ridge, the estimator of its curve, and the transduction."""
    for gamma in GAMMAS:
        ridge = RidgeLOO([gamma], gamma=0.5).fit(X[:, None], Y)
        model = TransductiveRidge(gamma, GAMMA_STAR, gamma=0.5)
        yield gamma, ridge, model.fit(X[:, None], Y, X_WORKING[:, None])


def draw_one_dimension():
    """Curve of ridge regression, and values before and after transduction."""
    line = np.linspace(-3.2, 3.2, 161)
    with figure(width=9.6, height=4.4, panels=2, sharey=True) as (_, panels):
        for axes, (gamma, ridge, model) in zip(panels, fits(), strict=True):
            axes.plot(
                line, truth(line), ls=":", lw=1.2, color=COLOURS["black"], label="without noise"
            )
            axes.plot(
                line,
                ridge.predict(line[:, None]),
                ls="--",
                color=METHODS["ridge"],
                label="ridge regression",
            )
            axes.plot(X, Y, "o", ms=5, color=COLOURS["black"], label="training pairs")
            for name, values, look in (
                (
                    "$Y^0$, its values",
                    model.inductive_,
                    dict(color=METHODS["ridge"], marker="s", mfc="white"),
                ),
                (
                    "$Y^*$, transduction",
                    model.transduction_,
                    dict(color=METHODS["transductive ridge"], marker="o"),
                ),
            ):
                error = np.mean((values - truth(X_WORKING)) ** 2)
                label = f"{name}: mean squared error {error:.3f}"
                axes.plot(X_WORKING, values, ls="", ms=7, label=label, **look)
            axes.set(title=rf"$\gamma = {gamma:g}$", xlabel="$x$")
            axes.legend(fontsize=9, loc="upper left")
        panels[0].set(ylabel="$y$", ylim=(-1.5, 2.9))
