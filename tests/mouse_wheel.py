"""The wheel of a mouse."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest


def turn_wheel(widget, notches, modifiers=Qt.KeyboardModifier.NoModifier, at=None):
    """Turns the wheel over a widget in a window that is shown; away from oneself if `notches` is positive.

    at: where, in the widget; None is the middle of what is visible of it.
    """
    window = widget.window()
    place = QPointF(widget.visibleRegion().boundingRect().center() if at is None else at)
    QTest.wheelEvent(window.windowHandle(), widget.mapTo(window, place), QPoint(0, 120 * notches), stateKey=modifiers)
