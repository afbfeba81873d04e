"""The editor of lego_hemisphere in a real window, and functions that drive it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import task
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, BrickShell, Structure
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors.lego_hemisphere import LegoEditor
from tests.editors.driving import SynchronousRunner
from tests.widgets.test_viewport3d import LEFT, _move

TASK = task("lego_hemisphere")
INSTANCE = TASK.instances()[0]
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHELL = BrickShell(40, 70)
FRONT = Brick.at(0, -56, 4.8)
ON_FRONT = Brick.at(8, -56, 14.4)
RIGHT = Brick.at(56, 0, 4.8, 90)
BACK = Brick.at(0, 56, 4.8)
PARTED = Brick.at(3, -56, 14.4)
"""On top of FRONT, but 3 mm off its studs."""


@pytest.fixture
def open_editor(qtbot):
    def opened(*bricks, judged=True, size=(1000, 560), aids=ALL_AIDS):
        document = AnswerDocument(TASK, INSTANCE, Structure(bricks=bricks))
        if judged:
            judge(document)
        editor = LegoEditor(document, SynchronousRunner(), aids=aids)
        qtbot.addWidget(editor, before_close_func=lambda w: w.close_editor())
        qtbot.addWidget(editor.tools)
        editor.view.reduce_motion = True
        editor.resize(*size)
        editor.tools.show()
        with qtbot.waitExposed(editor):
            editor.show()
        editor.view.flush()
        editor.draw_later()
        editor.view.setFocus()
        return editor

    return opened


@pytest.fixture
def editor(open_editor):
    return open_editor(FRONT, RIGHT)


@pytest.fixture
def selecting(editor):
    editor.placing.use(editor.select_tool)
    return editor


def judge(document):
    document.set_verdict(TASK.verify(document.instance, document.answer))


def at(view, point):
    x, y = view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def click(qtbot, view, point, held=NONE):
    place = at(view, point)
    QApplication.sendEvent(view, _move(view, place, Qt.MouseButton.NoButton, held))
    qtbot.mouseClick(view, LEFT, held, place)


def hover(view, point, held=NONE):
    QApplication.sendEvent(view, _move(view, at(view, point), Qt.MouseButton.NoButton, held))


def key(qtbot, editor, which, held=NONE):
    qtbot.keyClick(QApplication.focusWidget() or editor.view, which, held)


def poses(editor):
    return [tuple(row) for row in editor.piece.poses.poses.tolist()]


def steps(editor):
    return editor.document.undo_stack.count()


def undo(editor):
    editor.document.undo_stack.undo()
