"""The drawings of figure 2: both methods' curves, and the effect of each open choice."""

import numpy as np

from ...runner import load_recorded
from ...verdicts.claims import printed
from .figure_2_measures import NAMES, by_option

PAPER = "bayesian_transduction"


def _printed(name):
    return printed(PAPER)[name].published.value


def _theta_max(item):
    return _printed(f"bt-theta-max-{NAMES[item]}")


#: Legend of the third curve.
CONVERGED = "the same, converged"


def draw(curves, converged):
    """Error against rejection of both methods, with one standard deviation of the means.

    Parameters
    ----------
    curves, converged : dict
        For "figure_2a" and "figure_2b" the two tables of `figure_2_measures.both_curves`, as
        printed and converged.
    """
    # Matplotlib is slow to import, and running units imports all modules of the room
    from ...book.figure_style import figure

    with figure(width=9.6, height=4.4, panels=2) as (_, panels):
        for axes, (item, (transduction, svm)) in zip(panels, curves.items(), strict=True):
            _draw_curves(axes, transduction, svm, converged[item][0])
            _draw_published(axes, transduction, svm, item)
            axes.set(xlabel="rejection rate (%)", title=NAMES[item])
            axes.set_ylim(0, None)
            axes.legend(fontsize=8)
        panels[0].set_ylabel("error on the rest (%), lower is better")


def _draw_curves(axes, transduction, svm, converged):
    from ...book.figure_style import METHODS

    own = METHODS["Bayesian transduction"]
    for table, name, marker, colour, look in (
        (svm, "SVM", "s", METHODS["SVM"], {}),
        (transduction, "Bayesian transduction", "o", own, {}),
        (converged, CONVERGED, "o", own, {"mfc": "none", "ls": "--", "lw": 1}),
    ):
        axes.errorbar(
            100 * table["rejection"],
            100 * table["error"],
            xerr=100 * table["rejection_error"],
            yerr=100 * table["error_error"],
            marker=marker,
            ms=4,
            capsize=2,
            color=colour,
            label=name,
            **look,
        )


def _draw_published(axes, transduction, svm, item):
    from ...book.figure_style import METHODS, draw_published

    theta, end = _theta_max(item), svm["theta"].iloc[-1]
    if theta <= end:
        place = [100 * np.interp(theta, svm["theta"], svm[c]) for c in ("rejection", "error")]
        label = rf"published: the SVM's curve ends at $|f| = {theta:g}$"
        draw_published(axes, *place, METHODS["SVM"], label)
    else:  # no point of the curve is the published one
        label = rf"the SVM's curve ends at $|f| = {end:.2f}$, published {theta:g}"
        axes.plot([], [], ls="none", label=label)
    blue = METHODS["Bayesian transduction"]
    if item == "figure_2b":
        error, end = _printed("bt-fig2b-error-at-one"), 100 * transduction["rejection"].iloc[-1]
        draw_published(axes, end, error, blue, f"published: {error:g} % at the end")
        return
    draw_published(axes, 20, 0, blue, "published: about 0 at 20 %", clip_on=False)
    saved, error = _printed("bt-fig2a-saving"), 2.3
    falling = transduction[::-1]
    if not 100 * falling["error"].min() <= error <= 100 * falling["error"].max():
        return
    start = 100 * np.interp(error, 100 * falling["error"], falling["rejection"])
    label = f"published: at {error:g} % the SVM rejects {saved:g} % more"
    draw_published(axes, start + saved, error, "black", label)
    axes.plot([start, start + saved], [error] * 2, "k:", lw=1.2, label="_published")


def draw_options(*recorded):
    """The SVM's threshold over the printed one, and the lead without rejection, by option.

    Parameters
    ----------
    *recorded : DataFrames
        Rows of the companions `figure_2a_options` and `figure_2b_options`.
    """
    from ...book.figure_style import COLOURS, draw_published, figure

    with figure(width=9.6, height=4.8, panels=2, sharey=True) as (_, (threshold, lead)):
        for (item, name), options, colour, marker in zip(
            NAMES.items(), recorded, ("orange", "blue"), "so", strict=True
        ):
            table = by_option(load_recorded(f"{PAPER}/{item}")[0], options)
            if item == "figure_2a":  # of the two it has all options
                places = {option: -k for k, option in enumerate(table.index)}
            at = [places[option] for option in table.index]
            look = {"ls": "none", "marker": marker, "color": COLOURS[colour], "label": name}
            threshold.plot(table["theta_max"] / _theta_max(item), at, **look)
            lead.plot(table["error_svm"] - table["error"], at, **look)
        draw_published(threshold, 1.0, 0.6, clip_on=False)
        threshold.axvline(1.0, color="black", ls=":", lw=1, label="_published")
        threshold.axvspan(0.8, 1.2, color=COLOURS["grey"], alpha=0.15, label="_published")
        threshold.set(xlabel=r"$\theta_{max}$ over the printed one", xlim=(0, None))
        threshold.set_yticks(list(places.values()), [o.replace("_", " ") for o in places])
        lead.axvline(0.0, color=COLOURS["grey"], ls=":")
        lead.set_xlabel("lead, nothing rejected (percentage points)")
        threshold.legend(fontsize=9, loc="center right")
