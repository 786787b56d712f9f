"""The drawing of figures 2a and 2b."""

import numpy as np

from ...verdicts.claims import load_statements

PAPER = "bayesian_transduction"


def printed(claim):
    """The number that the paper prints, by the claim on it."""
    (found,) = [c for c in load_statements([PAPER])[PAPER].claims if c.id == claim]
    return found.published.value


def draw(transduction, svm, item):
    """Error against rejection of both methods, with one standard deviation of the means.

    Parameters
    ----------
    transduction, svm : DataFrames
        As `figure_2_measures.both_curves` gives them.
    item : {"figure_2a", "figure_2b"}
        The figure whose published numbers are drawn.
    """
    # Matplotlib is slow to import, and running units imports all modules of the room
    from ...book.figure_style import METHODS, draw_published, figure

    with figure() as (_, axes):
        for table, name, marker in (
            (svm, "SVM", "s"),
            (transduction, "Bayesian transduction", "o"),
        ):
            axes.errorbar(
                100 * table["rejection"],
                100 * table["error"],
                xerr=100 * table["rejection_error"],
                yerr=100 * table["error_error"],
                marker=marker,
                ms=4,
                capsize=2,
                color=METHODS[name],
                label=name,
            )
        short = item.replace("figure_", "fig")
        theta = printed(f"bt-{short}-theta-max")
        place = [100 * np.interp(theta, svm["theta"], svm[c]) for c in ("rejection", "error")]
        label = rf"published: the SVM's curve ends at $|f| = {theta:g}$"
        draw_published(axes, *place, METHODS["SVM"], label)
        blue = METHODS["Bayesian transduction"]
        if item == "figure_2a":
            draw_published(axes, 20, 0, blue, "published: about 0 at 20 %", clip_on=False)
            saved, error = printed("bt-fig2a-saving"), 2.3
            falling = transduction[::-1]
            start = 100 * np.interp(error, 100 * falling["error"], falling["rejection"])
            label = f"published: at {error:g} % the SVM rejects {saved:g} % more"
            draw_published(axes, start + saved, error, "black", label)
            axes.plot([start, start + saved], [error] * 2, "k:", lw=1.2, label="_published")
        else:
            error, end = printed("bt-fig2b-error-at-one"), 100 * transduction["rejection"].iloc[-1]
            draw_published(axes, end, error, blue, f"published: {error:g} % at the end")
        axes.set(xlabel="rejection rate (%)", ylabel="error on the rest (%), lower is better")
        axes.set_ylim(0, None)
        axes.legend(fontsize=9)
