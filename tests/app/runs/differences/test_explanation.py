"""A difference is explained on the page: what decides, the figures, the rule, the code, and what only one counts."""

import pytest

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.scene import Polygon
from spatial_workbench.engine.evaluation.laboratory import known_differences
from spatial_workbench.engine.store import Actor
from spatial_workbench.widgets.qt import top_items

SHOWN = (
    ("delaunay", "key-before-rounding"),
    ("terrain_levelling", "other-simulation"),
    ("two_segments", "slivers"),
    ("hamiltonian_loop", "fractional-coordinates"),
)


def fill(project):
    """The examples of some known differences, in the order of SHOWN."""
    for task, id in SHOWN:
        known = next(each for each in known_differences(task) if each.id == id)
        judged, instance = resolve(known.example.address)
        answer = known.example.answer
        verdicts = tuple(judged.verify(instance, answer, name) for name in ("default", "published"))
        project.attempts.add(instance, answer, Actor.MODEL, "birch", verdicts=verdicts)


@pytest.fixture
def page(window, qtbot):
    window.project.tell(fill, announce=True)
    window.project.flush()
    window.actions_registry["runs.disagreements"].trigger()
    page = window.tabs.currentWidget()
    page.filters.known.setChecked(True)
    qtbot.waitUntil(lambda: page.is_idle)
    return page


@pytest.fixture
def show(page, qtbot):
    """Chooses the difference of a task of SHOWN, and waits until it is explained."""

    def choose(task):
        number = [each for each, _ in SHOWN].index(task) + 1
        (difference,) = (each for each in page._all if each.attempt == number)
        page.contrast.show_difference(difference)
        explanation = page.contrast.explanation
        qtbot.waitUntil(lambda: page.is_idle and explanation.known.text() != "" and not explanation.known.isHidden())
        qtbot.waitUntil(lambda: "Select a check" not in explanation.why.toPlainText())
        return page.contrast

    return choose


@pytest.mark.slow
def test_what_decides_is_said_above_the_checks_with_the_known_difference(show):
    explanation = show("two_segments").explanation
    assert "They part at “no slivers”. default: failed (region 0 is too small" in explanation.decides.text()
    assert explanation.known.text() == "Known as “slivers”: A region with next to no area is not noticed."


@pytest.mark.slow
def test_the_deciding_check_is_chosen_and_its_rule_and_code_are_read(show):
    explanation = show("two_segments").explanation
    assert explanation.checks.currentItem().text(0) == "no slivers"
    why = explanation.why.toPlainText()
    assert "every region has at least tol / 2 of the frame's area" in why
    assert "region 0 is too small" in why
    assert '.step("no slivers")' in why


@pytest.mark.slow
def test_every_problem_is_listed_unabridged_below_its_check(show):
    checks = show("hamiltonian_loop").explanation.checks
    row = next(row for row in top_items(checks) if row.text(0) == "whole coordinates")
    assert row.childCount() == 32
    assert row.child(0).text(1) == "Step 0: x = 0.5 is not a whole number"


@pytest.mark.slow
def test_a_difference_of_score_alone_shows_its_figures_with_their_difference(show):
    explanation = show("terrain_levelling").explanation
    figures = explanation.figures
    first = figures.topLevelItem(0)
    assert first.font(0).bold()
    assert first.text(3).startswith(("+", "-"))
    names = [row.text(0) for row in top_items(figures)]
    assert names[-1] in ("blasts", "largest flat region before", "rock moved")
    assert "differ" in explanation.tabs.tabText(1)


def test_what_only_one_counts_is_drawn_with_its_colours_named(show):
    counted = show("terrain_levelling").counted
    assert not counted.isHidden()
    assert [name.text() for name in counted.names] == ["default", "published", "both"]
    assert "The largest flat region has" in counted.says.text()


def test_the_triangles_that_the_published_key_lacks_are_understood_from_the_page(show):
    contrast = show("delaunay")
    assert "1-15-18" in contrast.counted.says.text()
    drawn = {item.id for item in contrast.counted.stage._scene.items if isinstance(item, Polygon)}
    assert "triangle 1-15-18" in drawn


@pytest.mark.slow
def test_a_task_that_cannot_say_what_counts_has_no_third_drawing(show):
    assert show("two_segments").counted.isHidden()
