"""The drawing of figures 2a and 2b."""


def draw(transduction, svm):
    """Error against rejection of both methods, with one standard deviation of the means.

    Parameters
    ----------
    transduction, svm : DataFrames
        As `figure_2_measures.both_curves` gives them.
    """
    # Matplotlib is slow to import, and whoever runs units imports all modules of the room
    from ...book.figure_style import COLOURS, figure

    with figure() as (_, axes):
        for table, name, marker, colour in (
            (svm, "SVM, |f|", "s", "orange"),
            (transduction, "Bayesian transduction", "o", "blue"),
        ):
            axes.errorbar(
                100 * table["rejection"],
                100 * table["error"],
                xerr=100 * table["rejection_error"],
                yerr=100 * table["error_error"],
                marker=marker,
                ms=4,
                capsize=2,
                color=COLOURS[colour],
                label=name,
            )
        axes.set(xlabel="rejection rate (%)", ylabel="generalisation error (%)", ylim=(0, None))
        axes.legend()
