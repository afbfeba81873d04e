"""The site in a real browser: drawings that turn, filters, search, themes, keys, and the rules of accessibility."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.reporting.site.choice import SiteChoice
from spatial_workbench.engine.reporting.site.publishing import publish
from spatial_workbench.engine.store import Actor, Project
from tests.app.serving.browser import PROGRAM, browser
from tests.reporting.site.hostile import fill, tools

pytestmark = [pytest.mark.skipif(PROGRAM is None, reason="there is no browser"), pytest.mark.slow]

FAILED, PLAYED = "lego_hemisphere:0", "cube_full_symbolic:3"
PAGES = (
    *("index", "tasks", "tasks/shikaku", "runs", "runs/oak", "attempts", "attempts/FAILED", "attempts/PLAYED"),
    *("compare", "studies", "studies/study-1", "search", "about"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site with a study, with an attempt in space that failed, and with one that can be played."""
    folder = tmp_path_factory.mktemp("site")
    with Project.create(folder / "runs.workbench") as project:
        fill(project, folder / "results")
        _add_failed(project)
        publish(project, folder / "site", SiteChoice(studies=("Open loops",)), tools(folder / "kept"))
    return folder / "site"


def _add_failed(project):
    task, instance = resolve(FAILED)
    bricks = task.solve(instance).model_dump(mode="json")
    name = next(name for name, value in bricks.items() if isinstance(value, list))
    bricks[name].append({"Centroid": [900, 0, 4.8], "RotationDegrees": 0})
    answer = json.dumps(bricks)
    project.attempts.add(instance, answer, Actor.MODEL, "oak", 1.0, (task.verify(instance, answer),))


def address_of(site, page):
    for word, address in (("FAILED", FAILED), ("PLAYED", PLAYED)):
        if page.endswith(word):
            listed = json.loads((site / "attempts.json").read_text("utf-8"))
            names = {f"{listed['tasks'][row[1]][0]}{row[2]}": row[0] for row in listed["rows"]}
            page = page.replace(word, str(names[address]))
    path, question, query = page.partition("?")
    return (site / f"{path}.html").as_uri() + question + query


def visit(site, page, *steps, size=(1280, 800)):
    """What the steps give on a page: expressions, or functions of the tab."""
    return visit_all(site, [page], *steps, size=size)[page]


def visit_all(site, pages, *steps, size=(1280, 800)):
    """What the steps give on each page, one after the other in one browser."""

    async def go():
        found = {}
        async with browser(size) as tab:
            for page in pages:
                await tab.open(address_of(site, page))
                found[page] = [await (step(tab) if callable(step) else tab.value(step)) for step in steps]
        return found

    return asyncio.run(go())


def until(expression):
    async def wait(tab):
        await tab.until(expression)

    return wait


def opening(site, page):
    async def go(tab):
        await tab.open(address_of(site, page))

    return go


STARTED = until("!!document.querySelector('figure[data-shown]')")


def test_an_answer_in_space_is_drawn_and_turns_by_key(site):
    turn = "figure.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))"
    _, items, before, _, after = visit(
        site,
        "attempts/FAILED",
        STARTED,
        "figure.dataset.shown",
        "figure.viewer.view.yaw",
        turn,
        "figure.viewer.view.yaw",
    )
    assert int(items) > 0
    assert before != after


def test_what_is_drawn_is_seen(site):
    pixels = """(() => {
      const { view } = figure.viewer;
      view.draw();
      const { width, height } = view.canvas, data = new Uint8Array(4 * width * height);
      view.gl.readPixels(0, 0, width, height, view.gl.RGBA, view.gl.UNSIGNED_BYTE, data);
      return data.reduce((count, value, k) => count + (k % 4 === 3 && value > 200), 0) / (width * height);
    })()"""
    _, share = visit(site, "attempts/FAILED", STARTED, pixels)
    assert 0.05 < share < 0.9


def test_a_check_points_at_its_elements(site):
    press = "document.querySelector('button.check:not([hidden])').click()"
    _, _, pointed, pressed = visit(
        site, "attempts/FAILED", STARTED, press, "figure.dataset.pointed",
        "document.querySelector('button.check:not([hidden])').getAttribute('aria-pressed')",
    )  # fmt: skip
    assert int(pointed) > 0
    assert pressed == "true"


def test_moves_are_replayed(site):
    play = "figure.viewer.toggle()"
    ended = until("!figure.viewer.playing && figure.viewer.frame === figure.viewer.scene.frames.length - 1")
    _, frames, _, _, caption = visit(
        site, "attempts/PLAYED", STARTED, "figure.viewer.scene.frames.length", play, ended,
        "document.querySelector('.controls output').textContent",
    )  # fmt: skip
    assert frames > 1
    assert caption


def test_keys_play_and_step_and_a_button_turns(site):
    press = "figure.viewer.canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'KEY' }))"
    moment = "figure.viewer.frame"
    _, last, _, before, _, playing, _, _, still = visit(
        site, "attempts/PLAYED", STARTED, moment, press.replace("KEY", ","), moment,
        press.replace("KEY", " "), "figure.viewer.playing",
        "figure.viewer.turn.click()", until("figure.viewer.view.yaw > -0.88"),
        "figure.viewer.stopTurning(), figure.viewer.turn.getAttribute('aria-pressed')",
    )  # fmt: skip
    assert before == last - 1
    assert playing
    assert still == "false"


def test_attempts_are_filtered_and_the_address_says_how(site):
    rows = "document.querySelectorAll('#list tbody tr').length"
    (one,) = visit(site, "attempts?task=maze_3d", rows)
    everything, _, few, query = visit(
        site, "attempts", rows,
        "form.elements.outcome.value = 'failed', form.dispatchEvent(new Event('input'))", rows, "location.search",
    )  # fmt: skip
    assert one == 1
    assert 0 < few < everything
    assert query == "?outcome=failed"


def test_any_two_runs_can_be_compared_and_the_address_says_which(site):
    text = "document.getElementById('compared').innerText"
    runs, first, query, _, second = visit(
        site, "compare", "form.elements.first.length", text, "location.search",
        "form.elements.first.selectedIndex = 1, form.elements.second.selectedIndex = 0, show()", text,
    )  # fmt: skip
    assert runs > 1
    assert "in common" in first or "subtasks that both have a score for" in first
    assert query.startswith("?first=")
    assert first != second


def test_runs_without_common_subtasks_are_not_said_to_have_flipped_none(site):
    _, text = visit(
        site, "compare", "data.runs.forEach((run) => { run.scores = [] }), show()",
        "document.getElementById('compared').innerText",
    )  # fmt: skip
    assert "no subtask in common" in text
    assert "Flipped" not in text


def test_the_search_finds_without_a_server(site):
    found, none = (
        visit(site, f"search?q={words}", "[...document.querySelectorAll('#found a')].map((link) => link.textContent)")[
            0
        ]
        for words in ("shikaku", "nothing+of+that+name")
    )
    assert "Shikaku rectangles" in found
    assert none == []


def test_the_theme_is_chosen_and_stays(site):
    press = "document.getElementById('theme').click()"
    ground = "getComputedStyle(document.body).backgroundColor"
    light, _, dark, _, still = visit(site, "index", ground, press, ground, opening(site, "tasks"), ground)
    assert light != dark
    assert still == dark


@pytest.mark.parametrize("size", [(1280, 800), (390, 800)], ids=["desk", "phone"])
def test_no_page_scrolls_sideways(site, size):
    found = visit_all(site, PAGES, "document.documentElement.scrollWidth - innerWidth", size=size)
    assert {page: over for page, (over,) in found.items() if over > 0} == {}


AXE = Path(sys.prefix, "npm", "node_modules", "axe-core", "axe.min.js")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not here: run.py test installs it on machines with npm")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(site, theme):
    set_theme = f"document.documentElement.dataset.theme = {theme!r}"
    settle = "new Promise((done) => setTimeout(done, 400))"
    run = """axe.run().then(({ violations }) => violations.map((one) =>
      `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`))"""
    found = visit_all(site, PAGES, set_theme, f"{AXE.read_text('utf-8')};0", settle, run)
    assert {page: steps[-1] for page, steps in found.items() if steps[-1]} == {}
