"""The live page: its mathematics against the package's, and its use by keyboard, pointer, ear."""

import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from transductive.version_space import FeatureSpan
from transductive.version_space.start import max_margin_point
from transductive_compendium.exact.arrangement import Arrangement
from transductive_compendium.exact.billiard_reference import reference_billiard
from transductive_compendium.exact.gibbs_reference import gibbs_step
from transductive_compendium.exact.volumes import cone_volume, is_empty, probability_positive

pytestmark = pytest.mark.browser

PAGE = "version_space.html"
KEPT = Path(__file__).resolve().parents[2] / "book" / "assets"
LIMIT = 10000  # bounces and steps of a whole run


@pytest.fixture
def live(tab, sites):
    """Open the page with a named beginning; unless with motion, nothing runs by itself."""

    def visit(preset="triangle", scheme="http", motion=False):
        tab.emulate_media(reduced_motion="no-preference" if motion else "reduce")
        tab.goto(f"{sites[scheme]}{PAGE}#{preset}", wait_until="load")
        return tab

    yield visit
    assert tab.troubles == []


@pytest.fixture(scope="module")
def call(chromium, sites):
    """Call a pure function of the page, which is opened once."""
    page = chromium.new_page()
    page.goto(sites["http"] + PAGE)
    yield lambda name, *arguments: page.evaluate(
        "([name, list]) => versionSpace[name](...list)", [name, arguments]
    )
    page.close()


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def random_walls(rng, count, empty=False):
    """Unit normals that leave (or do not leave) something between them."""
    while True:
        walls = unit(rng.standard_normal((count, 3)))
        if is_empty(walls) == empty:
            return walls


def wrong_shares(walls, q):
    """How probably each label is wrong, by the package's cells."""
    cells = Arrangement(walls)
    return cells.posterior(q) @ (cells.interior @ walls.T < 0)


def noisy_share(walls, star, q):
    """p+ under label noise from the package's cells of all circles, the working point's too."""
    cells = Arrangement(np.vstack([walls, star]))
    errors = (cells.interior @ walls.T <= 0).sum(axis=1)
    weights = cells.areas * q**errors * (1 - q) ** (len(walls) - errors)
    return weights[cells.interior @ star > 0].sum() / weights.sum()


def state(page):
    return page.evaluate("() => versionSpace.state()")


def walls_of(page):
    """Walls and working point as the package takes them, from the coordinates on the page."""
    now = state(page)
    points = np.array([[p["x"], p["y"], 1.0] for p in now["points"]])
    labels = np.array([p["label"] for p in now["points"]])
    return points * labels[:, None], np.array([now["star"]["x"], now["star"]["y"], 1.0])


def set_noise(page, q):
    page.evaluate(
        """q => { const slider = document.getElementById('noise-level'); slider.value = q;
        slider.dispatchEvent(new Event('input')); }""",
        q,
    )


# ---------------------------------------------------------------- the mathematics


@pytest.mark.parametrize("count", range(1, 7))
def test_areas_are_those_of_the_package(call, count):
    rng = np.random.default_rng(count)
    for _ in range(10):
        walls = random_walls(rng, count)
        assert call("area", walls.tolist()) == pytest.approx(cone_volume(walls).value, abs=1e-12)


def test_a_thin_area_keeps_its_digits(call):
    walls = unit(np.array([[1.0, 0.0, 1e-6], [-1.0, 0.0, 1e-6], [0.3, 1.0, 0.2], [0.1, -1.0, 0.4]]))
    assert call("area", walls.tolist()) == pytest.approx(cone_volume(walls).value, rel=1e-9)


def test_doubled_and_opposite_walls(call):
    east, north = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]
    assert call("area", [east, east]) == 0.5
    assert call("area", [east, north, east]) == pytest.approx(0.25)
    assert call("area", [east, [-1.0, 0.0, 0.0]]) == 0


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_exact_shares_are_those_of_the_package(call, count):
    rng = np.random.default_rng(10 + count)
    for _ in range(5):
        walls, star = random_walls(rng, count), unit(rng.standard_normal(3))
        expected = probability_positive(walls, star).value
        assert call("exactShare", walls.tolist(), star.tolist()) == pytest.approx(
            expected, abs=1e-10
        )


@pytest.mark.parametrize("empty", [False, True])
def test_exact_shares_under_noise_are_those_of_the_package(call, empty):
    rng = np.random.default_rng(20)
    for q in (0.01, 0.1, 0.3, 0.5):
        walls, star = random_walls(rng, 5, empty), unit(rng.standard_normal(3))
        share = call("exactShare", walls.tolist(), star.tolist(), q)
        assert share == pytest.approx(noisy_share(walls, star, q), abs=1e-10)
    assert share == pytest.approx(0.5)  # at q = 1/2 the labels say nothing


def test_cells_are_those_of_the_package(call):
    walls = unit(np.random.default_rng(30).standard_normal((6, 3)))
    shown = sorted((cell["errors"], cell["area"]) for cell in call("cells", walls.tolist()))
    package = Arrangement(walls)
    expected = sorted(zip(package.errors.tolist(), package.areas.tolist(), strict=True))
    assert np.allclose(shown, expected, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_the_svm_is_that_of_the_package(call, count):
    rng = np.random.default_rng(70 + count)
    for _ in range(5):
        walls = random_walls(rng, count)
        span = FeatureSpan(walls @ walls.T)
        u = max_margin_point(span, count) @ walls
        assert call("largestBall", walls.tolist()) == pytest.approx(unit(u), abs=1e-6)


def test_the_ball_flies_as_the_package_s_does(live):
    rng = np.random.default_rng(40)
    walls = random_walls(rng, 3)
    span = FeatureSpan(walls @ walls.T)
    inside = unit(np.linalg.solve(walls, np.ones(3)))
    velocity = unit(np.cross(inside, rng.standard_normal(3)))
    a, b = (np.linalg.solve(walls.T, place) for place in (inside, velocity))
    star = unit(rng.standard_normal(3))
    run = reference_billiard(span, a, b, 200)
    positive, flown = run.flight_times((walls @ star)[:, None])
    shown = live().evaluate(
        """([walls, star, w, v]) => {
          const ball = versionSpace.makeBall(walls, star, w, v, null, 0), hit = [];
          for (let i = 0; i < 200; i++) { hit.push(ball.next.wall); versionSpace.bounce(ball); }
          return {hit, w: ball.w, share: ball.positive / ball.total, total: ball.total};
        }""",
        [part.tolist() for part in (walls, star, inside, velocity)],
    )
    assert shown["hit"] == run.walls.tolist()
    assert np.allclose(shown["w"], run.positions[-1] @ walls, atol=1e-8)
    assert shown["total"] == pytest.approx(flown.sum(), abs=1e-8)
    assert shown["share"] == pytest.approx(positive.sum() / flown.sum(), abs=1e-8)


@pytest.mark.parametrize("q", [0.0, 0.1, 0.4])
def test_the_chain_steps_as_the_package_s_does(call, q):
    rng = np.random.default_rng(50)
    for _ in range(20):
        walls = random_walls(rng, 5)
        w = unit(rng.standard_normal(3))
        v, u = unit(np.cross(w, rng.standard_normal(3))), rng.uniform()
        # In coordinates of the space itself, margins are what the "Gram matrix" makes of w.
        span = SimpleNamespace(gram=walls, norm=np.linalg.norm)
        step = gibbs_step(span, w, q, None, direction=v, u=u)
        shown = call("gibbsStep", walls.tolist(), w.tolist(), v.tolist(), u, q)
        assert np.allclose(shown, step.position, atol=1e-12)


def test_deterministic_balls_miss_on_the_orthant_and_refreshed_ones_arrive(live):
    page = live("orthant")
    walls, star = walls_of(page)
    exact = probability_positive(walls, star).value
    shares = """([bounces, refresh, seed]) => { const {run} = versionSpace.state();
        return versionSpace.billiardShare(run.walls, run.star, {bounces, refresh, seed}); }"""
    for seed in (1, 2, 3):
        early, late, refreshed = (
            np.array(page.evaluate(shares, [*how, seed]))
            for how in ((3000, False), (12000, False), (LIMIT, True))
        )
        assert np.abs(late - exact).max() > 0.1
        assert np.allclose(early, late, atol=0.002)  # four times the bounces, and no nearer
        assert np.abs(refreshed - exact).max() < 0.05


def test_one_seed_one_run(call):
    walls, star = np.eye(3).tolist(), unit(np.array([1.0, 2.0, -2.0])).tolist()
    options = [{"seed": seed, "bounces": 50, "refresh": True} for seed in (5, 5, 6)]
    one, again, other = (call("billiardShare", walls, star, option) for option in options)
    assert one == again and one != other
    assert len(set(one)) == len(one)  # each ball has a stream of its own


# ---------------------------------------------------------------- walls that come and go


def test_switches_have_their_law_given_the_line(live):
    rng = np.random.default_rng(80)
    walls, w = random_walls(rng, 6, empty=True), unit(rng.standard_normal(3))
    q, n = 0.2, 20_000
    off = live().evaluate(
        """([walls, w, q, n]) => {
          let state = 1;  // a generator of our own: the minimal standard
          const rng = () => (state = state * 48271 % 2147483647) / 2147483647;
          const off = walls.map(() => 0);
          for (let i = 0; i < n; i++)
            versionSpace.switches(walls, w, q, rng).forEach((on, j) => { off[j] += !on / n; });
          return off;
        }""",
        [walls.tolist(), w.tolist(), q, n],
    )
    right, r = walls @ w > 0, q / (1 - q)
    assert np.allclose(np.array(off)[~right], 1)
    # five standard errors: a false alarm in two million
    assert np.allclose(np.array(off)[right], r, atol=5 * np.sqrt(r * (1 - r) / n))
    assert 0 < right.sum() < 6


def test_a_wall_that_is_off_is_not_there(call):
    rng = np.random.default_rng(90)
    walls, w = random_walls(rng, 6), unit(rng.standard_normal(3))
    v = unit(np.cross(w, rng.standard_normal(3)))
    on = walls @ w > 0
    met = call("nextWall", walls.tolist(), w.tolist(), v.tolist(), -1, on.tolist())
    left = call("nextWall", walls[on].tolist(), w.tolist(), v.tolist(), -1)
    assert met == {"wall": int(np.flatnonzero(on)[left["wall"]]), "arc": left["arc"]}
    assert call("nextWall", walls.tolist(), w.tolist(), v.tolist(), -1, [False] * 6)["wall"] == -1


@pytest.mark.parametrize(("preset", "q"), [("noise", 0.1), ("wrong", 0.1), ("wrong", 0.3)])
def test_balls_find_the_posterior_of_the_package(live, preset, q):
    page = live(preset)
    set_noise(page, q)
    page.click("#end")
    (walls, star), run = walls_of(page), state(page)["run"]
    assert run["balls"] == pytest.approx([noisy_share(walls, star, q)] * 4, abs=0.04)
    assert run["wrong"] == pytest.approx(wrong_shares(walls, q), abs=0.02)
    shown = page.locator("#numbers tbody tr").all()[:-1]
    exactly = [float(row.locator("td").nth(4).text_content()) for row in shown]
    assert exactly == pytest.approx(wrong_shares(walls, q), abs=0.001)


# ---------------------------------------------------------------- by keyboard, pointer, number


def test_arrow_keys_move_a_point_and_p_follows(live):
    page = live("triangle")
    handle = page.get_by_role("button", name=re.compile("^Working point"))
    seen = [state(page)["exact"]]
    handle.focus()
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowRight"):
        page.keyboard.press(key)
        seen.append(state(page)["exact"])
        assert seen[-1] == pytest.approx(probability_positive(*walls_of(page)).value, abs=1e-9)
    assert all(a != b for a, b in pairwise(seen))
    assert "x 0.80, y 0.45" in handle.get_attribute("aria-label")


# ---------------------------------------------------------------- running


def test_a_screen_reader_hears_the_outcome_and_finds_the_run_as_a_table(live):
    page = live("orthant")
    page.click("#end")
    status = page.locator("#status")
    assert status.get_attribute("role") == "status"
    worst = max(abs(p - state(page)["exact"]) for p in state(page)["run"]["balls"])
    assert f"the farthest ball is off by {worst:.3f}" in status.inner_text()
    assert f"off by {worst:.3f}" in page.text_content("#description")
    page.get_by_text("The run as a table").click()
    counts = [row.split("\t")[0] for row in page.inner_text("#history").splitlines()[1:]]
    assert counts[0] == "1" and counts[-2:] == ["10\u202f000", "Exact"]


def test_an_empty_version_space_says_why_and_what_helps(live):
    page = live("wrong")
    set_noise(page, 0)
    warning = page.locator("#warning")
    assert "wrong about at least 1 of the points" in warning.inner_text()
    assert "raise the label noise" in warning.inner_text()
    assert page.locator("#run").is_disabled() and state(page)["exact"] is None
    set_noise(page, 0.1)
    assert not warning.is_visible()
    page.click("#end")
    now = state(page)
    assert now["exact"] == pytest.approx(noisy_share(*walls_of(page), 0.1), abs=1e-9)
    assert now["run"]["chain"] == pytest.approx(now["exact"], abs=0.03)


# ---------------------------------------------------------------- the question before the answer


def expected(preset, page):
    """The right choice by the package's numbers and the balls' on the page."""
    walls, star = walls_of(page)
    balls = np.array(state(page)["run"]["balls"])
    q = 0.1 if preset in ("noise", "wrong") else 0.0
    worst = np.abs(balls - noisy_share(walls, star, q)).max() if q else 0
    if preset in ("triangle", "orthant"):
        worst = np.abs(balls - probability_positive(walls, star).value).max()
        return int(worst > 0.001) + int(worst > 0.01)
    if preset == "six":
        whole = cone_volume(walls).value
        fewer = [cone_volume(np.delete(walls, i, axis=0)).value for i in range(6)]
        return min(2, int(np.isclose(fewer, whole, atol=1e-12).sum()))
    if preset == "wrong":
        return int(wrong_shares(walls, q).argmax())
    clean = page.evaluate(
        "() => { const {run} = versionSpace.state();"
        "return [versionSpace.billiardShare, versionSpace.gibbsShare].map(share =>"
        "[1, 2, 3, 4, 5].map(seed => share(run.walls, run.star, {seed}))); }"
    )
    exact = probability_positive(walls, star).value
    ball, chain = (np.abs(np.array(share) - exact) for share in clean)
    if preset == "sliver":
        ratio = chain.mean() / ball.mean()
        return 0 if ratio > 1.5 else 1 if ratio < 1 / 1.5 else 2
    return 0 if worst < 0.5 * ball[0].max() else 2 if worst > 2 * ball[0].max() else 1


@pytest.mark.parametrize("preset", ["triangle", "orthant", "sliver", "six", "noise", "wrong"])
def test_the_answer_is_hidden_until_the_reader_has_chosen_and_is_the_package_s(live, preset):
    page = live(preset)
    assert page.inner_text("#answer") == "" and not page.inner_text("#readout tbody")
    assert "You say first" in page.text_content("#plot")
    assert page.locator("#plot path[stroke^='var(--ball)']").count() == 0
    buttons = page.locator("#choices button")
    choices = buttons.all_inner_texts()
    assert choices.pop() == "Just show me" and len(choices) >= 3
    buttons.nth(0).click()  # without motion the end is there at once
    right = expected(preset, page)
    other = f"You said “{choices[0]}”, and it is “{choices[right]}”."
    assert page.inner_text("#answer").startswith(other if right else "As you said.")
    assert buttons.nth(0).get_attribute("aria-pressed") == "true" and buttons.nth(0).is_disabled()
    assert "You say first" not in page.text_content("#plot")
    page.check("#refresh")  # another question
    assert not page.locator("#ask").is_visible()


# ---------------------------------------------------------------- the address


# ---------------------------------------------------------------- access, themes, the book around

#: Contrast of the colours that lines and letters of the drawings have with both grounds.
CONTRASTS = """() => {
  const probe = document.createElement('span');
  document.body.append(probe);
  const light = name => {
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255);
    const linear = parts.map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const found = {};
  for (const name of ['text', 'quiet', 'plus', 'minus', 'ball', 'chain', 'line'])
    found[name] = Math.min(...['ground', 'panel'].map(ground => {
      const [a, b] = [light(name), light(ground)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }));
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_drawings_have_contrast(live, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = live("six")
    page.emulate_media(color_scheme=scheme)
    page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")
    for steps in (("#end",), ("[data-preset='wrong']",), ("[data-preset='triangle']", "#end")):
        for step in steps:
            page.click(step)
        found = axe.run(page).response["violations"]
        assert [(v["id"], [n["html"][:150] for n in v["nodes"]]) for v in found] == []
    contrasts = page.evaluate(CONTRASTS)
    assert contrasts.pop("line") >= 3  # lines alone; the others colour letters, too
    assert min(contrasts.values()) >= 4.5, contrasts


def test_everything_fits_on_a_narrow_screen(live):
    page = live("six")
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")
    page.click("#end")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_book_shows_it_in_its_own_theme_and_height(tab, sites, scheme):
    tab.goto(sites[scheme] + "book/live.html", wait_until="load")
    frame = next(f for f in tab.frames if PAGE in f.url)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    seen = []
    for theme in ("light", "dark"):
        tab.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        frame.wait_for_function(
            "theme => document.documentElement.dataset.theme === theme", arg=theme
        )
        seen.append(frame.evaluate(ground))
    assert seen[0] != seen[1]
    needed = frame.evaluate("() => document.documentElement.getBoundingClientRect().height")
    tab.wait_for_function(
        "needed => Math.abs(document.getElementById('version-space').offsetHeight - needed) < 9",
        arg=needed,
    )
    frame.click("[data-preset='orthant']")
    frame.wait_for_function("() => location.hash === '#orthant'")
    assert tab.troubles == []
