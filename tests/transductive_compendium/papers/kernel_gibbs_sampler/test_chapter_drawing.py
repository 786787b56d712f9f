"""The chapter's own pictures show what its propositions say, and its text tells their numbers."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from transductive.version_space.label_noise import error_potential
from transductive.version_space.mixing import R_HAT
from transductive_compendium.papers.kernel_gibbs_sampler import chapter_drawing as drawing
from transductive_compendium.runner.records import load_recorded, results_folder

CHAPTER = Path(__file__).parents[4] / "book" / "kernel_gibbs_sampler.md"


def test_the_chain_comes_to_the_posterior_from_the_worst_start_and_others_do_not():
    found, independent = drawing.distances(), drawing.independent_distance()
    assert found[0] > 0.9 and found[6:].mean() < 1.5 * independent
    assert (found <= drawing.bound()).all()
    assert drawing.distances(normal=True)[6:].mean() > 3 * independent
    assert drawing.distances(printed=True)[6:].mean() > 10 * independent


def mean_directions():
    """Mean direction in degrees under label noise and under feature noise."""
    degrees, *densities = drawing.directions_under_noise()
    turn = np.exp(1j * np.deg2rad(degrees))
    return [np.rad2deg(np.angle(density @ turn)) for density in densities]


def of_pictures():
    """What the chapter says of its own pictures."""
    begin, end, errors = drawing.arcs_of(drawing.START[None], drawing.DIRECTION[None])
    mass = (drawing.Q / (1 - drawing.Q)) ** errors * (end - begin)
    one = 100 * mass[errors == 1].sum() / mass.sum()
    label, feature = mean_directions()
    along = drawing.leaning(True)[1] @ drawing.long_axes()[:, 0]
    outer = 50 * np.mean(np.abs(along) > 0.9)
    counts = [drawing.errors_of(np.array(w)) for w in drawing.SHOWN.values()]
    costs = np.diff(error_potential("infer", 50))
    told = 1 + drawing.Q * np.log2(drawing.Q) + (1 - drawing.Q) * np.log2(1 - drawing.Q)
    yield "A makes {} error, B {}, C {}.".format(*counts)
    yield f"the two arcs with one error hold {one:.0f} % of it"
    printed, normal = (drawing.distances(**{k: True})[-8:].mean() for k in ("printed", "normal"))
    yield f"Step 6 as printed stays at {printed:.1f}; normal"
    yield f"stay at {normal:.2f}."
    yield f"to {label:.0f}° under label noise and to {feature:.0f}° under feature noise"
    yield f"with {outer:.1f} % in the outer bins"
    yield f"the first costs {costs[0]:.1f}, the tenth {costs[9]:.1f}"
    yield f"at most {told:.2f} bits at $q = {drawing.Q}$"
    price = np.log((1 - drawing.FLIGHT_Q) / drawing.FLIGHT_Q)
    yield f"an error costs {price:.2f}"


def of_records():
    """What the chapter says of experiments."""
    figure_4 = load_recorded("kernel_gibbs_sampler/figure_4")[0]
    figure_4 = 100 * figure_4.groupby("value")[["bpm_error", "svm_error"]].mean()
    yield f"errs on {figure_4.bpm_error[0.05]:.2f} % of the test points"
    yield f"errs on {figure_4.svm_error[0.02:0.18].min():.2f} % or more"
    yield f"at $\\lambda = 10^4$ the SVM errs on {figure_4.svm_error[1e4]:.2f} %"
    growth = load_recorded("kernel_gibbs_sampler/growth")[0].groupby("m")
    steps = np.exp(growth["log_time"].mean())
    yield f"{steps[50]:.0f} steps with 50 training points and {steps[400]:.0f} with 400"
    diversity = load_recorded("kernel_gibbs_sampler/diversity")[0].groupby("q")
    apart = 100 * diversity["disagreement_training"].mean()
    yield f"on {apart[0]:.0f} %, {apart[0.1]:.1f} % and {apart[0.2]:.1f} % of the training points"
    largest = load_recorded("kernel_gibbs_sampler/chain_law")[0]["largest"].max()
    yield f"is off by {largest:.4f} at most"


def of_benchmarks():
    """What the chapter says of the benchmarks' records."""
    record = drawing.mixing_record()
    fits = record[record["r_hat"] <= R_HAT].groupby(["sampler", "set"])["m"].max()
    circles, balls = fits["hit and run"], fits["billiard"]
    assert circles["banana"] == circles["mnist"]
    yield f"with up to {circles['ringnorm']} on ringnorm and {circles['mnist']} on the others"
    assert (balls == record.groupby(["sampler", "set"])["m"].max()["billiard"]).all()
    yield f"with as many as we tried, {balls['banana']}, {balls['ringnorm']} and {balls['mnist']:,}"
    last = record[record["sampler"] == "billiard"].groupby("set")["seconds"].last()
    yield f"in {last['banana']:.0f}, {last['ringnorm']:.0f} and {last['mnist']:.0f} seconds"
    rows = pd.read_csv(results_folder() / "benchmarks" / "label_noise.csv")
    values = rows.set_index(["group", "case", "quantity"])["value"]
    ours = "q inferred, width by leave-one-out"

    def off(method):
        names = (f"{share} % flips, {method}" for share in (0, 10, 20))
        return [values["methods", name, "calibration error"] for name in names]

    yield "by {:.1f}, {:.1f} and {:.1f} percentage points on average".format(*off(ours))
    yield "a calibrated SVM by {:.1f}, {:.1f} and {:.1f}.".format(*off("calibrated SVM"))
    names = "suspects", f"10 % flips, flip_proba_, {ours}"
    found, right = values[*names, "named among flipped"], values[*names, "flipped among named"]
    yield f"above one half for {found:.0f} % of the flipped labels"
    yield f"{right:.0f} % of the labels that it names were flipped"


@pytest.mark.parametrize("told", [of_pictures, of_records, of_benchmarks])
def test_the_chapter_tells_the_numbers_that_were_found(told):
    text = " ".join(CHAPTER.read_text(encoding="utf-8").split())
    assert [sentence for sentence in told() if sentence not in text] == []
