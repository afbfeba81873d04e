"""The view of a page."""

import math

from PySide6.QtCore import QPoint, QPointF, Qt

from tests.widgets.sketch.conftest import LEFT, drag, shapes


def test_the_wheel_zooms_about_the_pointer_within_its_bounds(open_pad):
    pad = open_pad()
    pos = QPointF(200, 100)
    point = pad.view.on_page(pos)
    pad.view.zoom(1.25, pos)
    assert math.dist(pad.view.on_page(pos).toTuple(), point.toTuple()) < 1e-6
    pad.view.zoom(1e9, pos)
    assert pad.view.camera.scale == 16
    pad.view.zoom(1e-9, pos)
    assert pad.view.camera.scale == 0.1


def test_turning_and_mirroring_change_the_view_only(qtbot, open_pad):
    pad = open_pad()
    for key in (Qt.Key.Key_R, Qt.Key.Key_M):
        qtbot.keyClick(pad.view, key)
    qtbot.keyClick(pad.view, Qt.Key.Key_L)
    drag(qtbot, pad, (50, 50), (150, 90))
    start, end = shapes(pad)[0].points
    assert math.dist(start, (50, 50)) < 2
    assert math.dist(end, (150, 90)) < 2


def test_space_and_dragging_pans(qtbot, open_pad):
    pad = open_pad()
    before = pad.view.on_page(QPointF(100, 100))
    qtbot.keyPress(pad.view, Qt.Key.Key_Space)
    qtbot.mousePress(pad.view, LEFT, pos=QPoint(100, 100))
    qtbot.mouseMove(pad.view, QPoint(130, 120))
    qtbot.mouseRelease(pad.view, LEFT, pos=QPoint(130, 120))
    assert math.dist(pad.view.on_page(QPointF(130, 120)).toTuple(), before.toTuple()) < 1e-6
    assert shapes(pad) == ()
