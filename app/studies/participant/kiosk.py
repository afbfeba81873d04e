"""Keeps the window to itself: input is watched, nothing can be dropped, other screens are black."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QScreen
from PySide6.QtWidgets import QApplication, QWidget

TRAVEL_PX = 3
"""A pointer that moved less was not moved by somebody."""
POINTER_MS = 100
"""The least time between two reported positions of the pointer."""
_PRESSED = frozenset(
    {
        QEvent.Type.KeyPress,
        # The press of a key that is a shortcut never reaches a window.
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.TabletPress,
        QEvent.Type.TouchBegin,
    }
)
_DROPS = frozenset({QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop})


class KioskWatch(QObject):
    """Reports keys, buttons, wheel and pointer, and prevents drops into the window.

    acted: called with each of them. pointed: called with where the pointer is, ten times a second at most.
    """

    def __init__(
        self, application: QApplication, acted: Callable[[], None], pointed: Callable[[int, int], None]
    ) -> None:
        super().__init__(application)
        self._pointed = pointed
        self._since_pointed = QElapsedTimer()
        self._acted = acted
        self._application = application
        self._last: QPointF | None = None
        application.installEventFilter(self)

    def stop(self) -> None:
        """Watches no longer."""
        self._application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _DROPS:
            event.ignore()
            return True
        # Events come to the window first, and then to the widget: one of them is enough.
        if watched.isWindowType() and (kind in _PRESSED or self._moved(event)):
            self._acted()
        return False

    def _moved(self, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.MouseMove or not isinstance(event, QMouseEvent):
            return False
        place = event.globalPosition()
        if self._last is None or (place - self._last).manhattanLength() > TRAVEL_PX:
            moved = self._last is not None
            self._last = place
            self._point(place)
            return moved
        return False

    def _point(self, place: QPointF) -> None:
        if not self._since_pointed.isValid() or self._since_pointed.elapsed() >= POINTER_MS:
            self._since_pointed.start()
            self._pointed(round(place.x()), round(place.y()))


class Kiosk:
    """Makes a window cover its screen, with all other screens black, and an ordinary window again."""

    def __init__(self, window: QWidget) -> None:
        self.is_on = False
        self._window = window
        self._before = QRect()
        self._black: list[QWidget] = []

    def enter(self) -> None:
        """Covers the screen on which the window is."""
        if self.is_on:
            return
        self.is_on = True
        self._before = self._window.geometry()
        # Where no window manager runs, nobody else makes it as large as the screen.
        self._window.setGeometry(self._window.screen().geometry())
        self._window.showFullScreen()
        self._black = black_screens(self._window.screen())
        self._window.raise_()
        self._window.activateWindow()

    def leave(self) -> None:
        """Restores the window, and uncovers the other screens."""
        if self.is_on:
            self.is_on = False
            self.uncover_screens()
            self._window.showNormal()
            self._window.setGeometry(self._before)

    def uncover_screens(self) -> None:
        """Uncovers the other screens."""
        for cover in self._black:
            cover.close()
            cover.deleteLater()
        self._black = []


def black_screens(own: QScreen) -> list[QWidget]:
    """Black windows over all screens but one."""
    covers = []
    for screen in QGuiApplication.screens():
        if screen is not own:
            cover = QWidget(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus)
            cover.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            cover.setStyleSheet("background: black")
            # Separate desktops all begin at 0, 0, so that a place does not say which screen is meant.
            cover.setScreen(screen)
            cover.setGeometry(screen.geometry())
            cover.showFullScreen()
            covers.append(cover)
    return covers
