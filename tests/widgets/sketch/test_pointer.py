"""The pointer, the pen and held keys over the view of a page."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QPointingDevice, QTabletEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.widgets.sketch.conftest import on_screen

NONE = Qt.KeyboardModifier.NoModifier


def pen_event(kind, pos, pressure):
    """An event of a tablet's pen at a place of the view."""
    buttons = (Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton)
    return QTabletEvent(
        kind, QPointingDevice.primaryPointingDevice(), pos, pos, pressure, 0, 0, 0, 0, 0, NONE, *buttons
    )


def test_the_lens_is_at_the_pointer_while_z_is_held(qtbot, open_pad):
    view = open_pad().view
    qtbot.mouseMove(view, QPoint(90, 80))
    qtbot.keyPress(view, Qt.Key.Key_Z)
    assert view.pointer.lens_at == QPointF(90, 80)
    qtbot.keyRelease(view, Qt.Key.Key_Z)
    assert view.pointer.lens_at is None


def test_the_lens_goes_when_the_view_loses_the_focus(qtbot, open_pad):
    view = open_pad().view
    view.pointer.hold_lens(True)
    view.clearFocus()
    assert view.pointer.lens_at is None


def test_the_wheel_zooms_by_a_quarter_at_each_step(open_pad):
    view = open_pad().view
    before = view.camera.scale
    pos = QPointF(100, 100)
    step = QPoint(0, 120)
    wheel = QWheelEvent(pos, pos, QPoint(), step, Qt.MouseButton.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(view, wheel)
    assert view.camera.scale == pytest.approx(1.25 * before)


def test_the_pen_of_a_tablet_draws_with_its_pressure(open_pad):
    pad = open_pad()
    spots = [QPointF(on_screen(pad, point)) for point in ((30, 30), (90, 60))]
    QApplication.sendEvent(pad.view, pen_event(QEvent.Type.TabletPress, spots[0], 0.25))
    QApplication.sendEvent(pad.view, pen_event(QEvent.Type.TabletMove, spots[1], 0.75))
    QApplication.sendEvent(pad.view, pen_event(QEvent.Type.TabletRelease, spots[1], 0.0))
    assert pad.desk.current.shapes[0].pressures == (0.25, 0.75)


def test_the_point_below_the_pointer_is_forgotten_when_it_leaves(qtbot, open_pad):
    view = open_pad().view
    qtbot.mouseMove(view, QPoint(50, 50))
    with qtbot.waitSignal(view.pointer.pointed) as pointed:
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert pointed.args == [None]
