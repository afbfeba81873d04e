"""The history of a sketch."""

from PySide6.QtCore import Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    Stroke,
)
from tests.widgets.sketch.conftest import shapes


def test_undo_goes_back_two_hundred_steps(open_pad):
    pad = open_pad()
    for i in range(210):
        pad.toolbox.tools["Line"].add("Draw", Stroke(points=((i, 0), (i, 9))))
        pad.desk.begin_gesture()
    while pad.desk.undo_stack.canUndo():
        pad.desk.undo_stack.undo()
    assert len(shapes(pad)) == 10


def test_each_page_has_its_own_layer(qtbot, open_pad):
    pad = open_pad(("content.png", "content_1.png"))
    pad.toolbox.tools["Line"].add("Draw", Stroke(points=((5, 5), (9, 9))))
    qtbot.keyClick(pad.view, Qt.Key.Key_PageDown)
    assert (pad.pages.front, shapes(pad)) == ("content_1.png", ())
    pad.desk.undo_stack.undo()
    assert (pad.pages.front, pad.pages.layers()) == ("content.png", {})
