"""Nothing moves under the pointer: what is pressed next stands where it stood."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QSlider

from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.widgets.editing.controls import Verb
from tests.sweeps import some_tasks

TASKS = all_tasks()
PRESSED = (QAbstractButton, QAbstractSpinBox, QComboBox, QSlider)
BARELY_PX = 2


@pytest.fixture(params=some_tasks(TASKS, 10), ids=lambda task: task.id)
def editor(request, show_editor):
    editor = show_editor(request.param, request.param.instances()[0], size=(900, 700))
    editor.tools.resize(320, 900)
    return editor


def places(editor):
    """Where the controls are that somebody sees, in pixels from the corner of the editor or its panel."""
    QApplication.processEvents()
    return {
        control: control.mapTo(root, QPoint())
        for root in (editor, editor.tools)
        for kind in PRESSED
        for control in root.findChildren(kind)
        if control.isVisibleTo(root) and not isinstance(control.parent(), QAbstractSpinBox | QComboBox)
    }


def what_somebody_does(editor):
    """Loads a solution, selects, takes every tool and turns every switch; yields what was done."""
    document = editor.document
    actions = editor.panel.actions
    start = document.answer
    document.edit("Load reference solution", document.task.solve(document.instance))
    yield "Load reference solution"
    for verb in (Verb.SELECT_ALL, Verb.INVERT):
        if verb in editor.panel.verbs:
            editor.panel.verbs[verb].trigger()
            yield verb
    for name, action in actions.items():
        if action.isCheckable() and action.isEnabled() and action.isVisible():
            action.trigger()
            yield name
    document.edit("Start again", start)
    yield "Start again"


def test_no_control_moves_while_somebody_builds(editor):
    before = places(editor)
    moved = []
    for deed in what_somebody_does(editor):
        after = places(editor)
        moved += [
            (deed, control.accessibleName() or type(control).__name__, before[control].toTuple())
            for control in before.keys() & after.keys()
            if (after[control] - before[control]).manhattanLength() > BARELY_PX
        ]
        before = after
    assert moved == []
