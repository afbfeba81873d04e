"""Notices input of every kind."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWindow

from spatial_workbench.widgets.qt import the_application

_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        # The press of a key that is a shortcut never reaches a window.
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TabletPress,
        QEvent.Type.TabletMove,
        QEvent.Type.TouchBegin,
    }
)


class InputWatch(QObject):
    """Watches the events of every window that gets the focus (a QWindow has far fewer events than the application).

    Signals:
        noticed(): a key, a button, the wheel or the pointer was used.
    """

    noticed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        the_application().focusWindowChanged.connect(self._watch)
        self._watch(the_application().focusWindow())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self.noticed.emit()
        return False

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.removeEventFilter(self)
            window.installEventFilter(self)
