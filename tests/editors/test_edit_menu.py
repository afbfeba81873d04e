"""Cutting, copying, pasting and selecting: the same in all editors of placed things, and between two tabs of a task."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from spatial_workbench.app.studies.participant.clipboard_guard import ClipboardGuard
from spatial_workbench.engine.core import task
from spatial_workbench.widgets.editing.controls import Verb
from tests.editors.driving import steps
from tests.sweeps import some

CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = Qt.Key
PLACED = {
    "lego_hemisphere": "bricks",
    "pack_prisms": "boxes",
    "hide_and_seek": "people",
    "interlocking_parts": "parts",
    "tetrahedra_shadow": "tetrahedrons",
    "machine_throw": "blocks",
}


def small(job, instance):
    """A part of the reference solution, so that there is room for more."""
    answer = job.solve(instance)
    field = PLACED[job.id]
    if job.id == "machine_throw":
        return answer
    return answer.model_copy(update={field: getattr(answer, field)[:2]})


def things(editor):
    return getattr(editor.document.answer, PLACED[editor.task.id])


def choose(editor):
    """Selects the last thing that stands by itself, and no others: no beam between two blocks."""
    editor.panel.verbs[Verb.SELECT_ALL].trigger()
    names = sorted(editor.view.selection, key=lambda name: int(name.split()[1]))
    alone = [
        name
        for name, thing in zip(names, things(editor), strict=True)
        if not hasattr(thing, "keys") or "parent" in thing
    ]
    editor.view.set_selection(alone[-1:])


def press(qtbot, editor, key):
    editor.activateWindow()
    editor.view.setFocus()
    qtbot.waitUntil(editor.view.hasFocus)
    qtbot.keyClick(editor.view, key, CONTROL)


@pytest.fixture(params=some(list(PLACED)))
def opened(request, show_editor):
    job = task(request.param)
    instance = job.instances()[0]
    return show_editor(job, instance, small(job, instance)), show_editor(job, instance, small(job, instance))


def test_what_is_copied_in_one_tab_is_pasted_in_another_as_one_step_and_is_selected(qtbot, opened):
    first, second = opened
    choose(first)
    before = things(second)
    press(qtbot, first, KEY.Key_C)
    press(qtbot, second, KEY.Key_V)
    assert len(things(second)) == len(before) + 1
    assert steps(second) == 1
    assert [int(name.split()[1]) for name in second.view.selection] == [len(before)]
    second.document.undo_stack.undo()
    assert things(second) == before


def test_cutting_deletes_and_pasting_brings_it_back(qtbot, opened):
    editor, _ = opened
    choose(editor)
    count = len(things(editor))
    editor.panel.verbs[Verb.CUT].trigger()
    assert len(things(editor)) < count
    editor.panel.verbs[Verb.PASTE].trigger()
    assert len(things(editor)) == count


def test_everything_is_selected_and_the_selection_inverted(opened):
    editor, _ = opened
    choose(editor)
    editor.panel.verbs[Verb.INVERT].trigger()
    assert len(editor.view.selection) == len(things(editor)) - 1
    editor.panel.verbs[Verb.SELECT_ALL].trigger()
    assert len(editor.view.selection) == len(things(editor))


def test_duplicating_is_one_step(opened):
    editor, _ = opened
    choose(editor)
    count = len(things(editor))
    editor.panel.verbs[Verb.DUPLICATE].trigger()
    assert len(things(editor)) == count + 1
    assert steps(editor) == 1


def test_nothing_is_pasted_from_another_task_or_from_plain_text(qtbot, opened):
    editor, _ = opened
    before = editor.document.answer
    QGuiApplication.clipboard().setText(editor.task.format(before))
    with qtbot.waitSignal(editor.message):
        editor.panel.verbs[Verb.PASTE].trigger()
    assert editor.document.answer == before


@pytest.mark.parametrize(("mode", "is_copied"), [("off", False), ("inside", True)])
def test_a_study_s_rules_for_the_clipboard_hold_for_things_too(qtbot, qapp, show_editor, mode, is_copied):
    job = task("pack_prisms")
    instance = job.instances()[0]
    editor = show_editor(job, instance, small(job, instance))
    QGuiApplication.clipboard().clear()
    guard = ClipboardGuard(qapp, lambda *words, **named: None)
    guard.mode = mode
    choose(editor)
    press(qtbot, editor, KEY.Key_C)
    assert QGuiApplication.clipboard().text() == ""
    press(qtbot, editor, KEY.Key_V)
    assert len(things(editor)) == (3 if is_copied else 2)
    guard.stop()
