"""Notices when there has been no input for a while."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QWindow

from spatial_workbench.widgets.qt import the_application

IDLE_AFTER_S = 60
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


class IdleWatch(QObject):
    """Watches the events of every window that gets the focus (a QWindow has far fewer events than the application).

    Signals:
        idle_changed(bool): there was no input for a minute, or there is input again.
    """

    idle_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.is_idle = False
        """Whether there was no input for `IDLE_AFTER_S` seconds."""
        self._timer = QTimer(self, singleShot=True, interval=1000 * IDLE_AFTER_S)
        self._timer.timeout.connect(self.end_input)
        self._timer.start()
        the_application().focusWindowChanged.connect(self._watch)
        self._watch(the_application().focusWindow())

    def note_input(self) -> None:
        """There is input now."""
        self._timer.start()
        self._set(False)

    def end_input(self) -> None:
        """There was no input for too long."""
        self._set(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self.note_input()
        return False

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.removeEventFilter(self)
            window.installEventFilter(self)

    def _set(self, idle: bool) -> None:
        if idle != self.is_idle:
            self.is_idle = idle
            self.idle_changed.emit(idle)
