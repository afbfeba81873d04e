"""The gallery of the machines of a level."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.workspace.gallery import Gallery, published_words
from spatial_workbench.engine.machines.results.published import published_best
from spatial_workbench.engine.store import Actor, AttemptRow
from tests.app.conftest import open_instance, solve, submit, trigger

LEFT = Qt.MouseButton.LeftButton


def attempt(number, metres, score=0.5, name="Ann"):
    return AttemptRow(
        number=number,
        address="machine_movement:0",
        actor=Actor.PERSON,
        actor_name=name,
        submitted_at=datetime(2026, 1, 1, tzinfo=UTC),
        seconds=None,
        edit_count=0,
        score=score,
        passed=False,
        measured=metres,
    )


@pytest.fixture
def gallery(qtbot):
    panel = Gallery("M1")
    qtbot.addWidget(panel, before_close_func=lambda w: w.close_panel())
    return panel


def test_the_best_machine_comes_first_and_is_marked(gallery):
    gallery.show_attempts([(attempt(1, 3.0), ""), (attempt(2, 43.9), ""), (attempt(3, None, score=None), "")])
    texts = [gallery.list.item(place).text() for place in range(3)]
    assert texts[0].startswith("Best: 43.9")
    assert [text.startswith("Best") for text in texts] == [True, False, False]
    assert "checking" in texts[2]


def test_a_machine_that_got_nowhere_is_not_the_best(gallery):
    gallery.show_attempts([(attempt(1, 0.0, score=0.0), "")])
    assert not gallery.list.item(0).text().startswith("Best")


def test_the_published_results_of_the_level_stand_below():
    assert published_best("T2")[0].metres == 21.95
    assert "not to be ranked with these" in published_words("M1")
    assert published_words("T5") == ""


@pytest.mark.slow
def test_a_click_in_the_gallery_plays_the_attempt_over_the_draft(open_window, qtbot):
    pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    window = open_window()
    workspace = open_instance(window, qtbot, "machine_movement:0")
    solve(window, qtbot)
    submit(window, qtbot)
    gallery = workspace.attempts.gallery
    gallery.parentWidget().raise_()
    qtbot.waitUntil(lambda: gallery.list.count() == 1, timeout=20_000)
    item = gallery.list.item(0)
    qtbot.mouseClick(gallery.list.viewport(), LEFT, pos=gallery.list.visualItemRect(item).center())
    editor = workspace.editor
    qtbot.waitUntil(lambda: editor.timeline.isVisible(), timeout=30_000)
    editor.timeline.pause()
    editor.timeline.go_to(40)
    assert "earlier machine" in {drawn.name for drawn in editor.view.scene.items}
    qtbot.waitUntil(lambda: gallery.pictures.is_idle, timeout=30_000)
    trigger(window, "task.clear")
    qtbot.mouseClick(gallery.open_button, LEFT)
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) > 1)


def test_tasks_without_machines_have_no_gallery(window, workspace):
    assert workspace.attempts.gallery is None
