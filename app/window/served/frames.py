"""What a window manager does elsewhere: dialogs get a frame, the keyboard, and their place in front."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QWindow
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QLabel, QToolButton, QWidget
from shiboken6 import isValid

from spatial_workbench.widgets.icons import icon

BAR_PX = 34
_LINE_PX = 1
_KINDS = frozenset({QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.MouseButtonPress})


class DialogFrame(QWidget):
    """A bar above a dialog with its title and a button that closes it, and a line around both. Dragging moves them."""

    def __init__(self, dialog: QWidget) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(dialog, flags)
        self.setObjectName("dialog-frame")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dialog = dialog
        self._grip: QPoint | None = None
        self.title = QLabel(dialog.windowTitle())
        dialog.windowTitleChanged.connect(self.title.setText)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "secondary"))
        self.close_button.setAccessibleName("Close")
        self.close_button.setToolTip("Close")
        self.close_button.clicked.connect(dialog.close)
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 0, 4, 0)
        bar.addWidget(self.title, 1)
        bar.addWidget(self.close_button)
        strip = QWidget(self)
        strip.setLayout(bar)
        self._strip = strip
        dialog.installEventFilter(self)

    def put_around(self) -> None:
        """Shows the frame around its dialog, in front of all other windows, and inside of the screen."""
        geometry = self._dialog.geometry()
        screen = self._dialog.screen().geometry()
        room = screen.adjusted(_LINE_PX, BAR_PX, -_LINE_PX, -_LINE_PX)
        left = max(min(geometry.x(), room.right() - geometry.width() + 1), room.left())
        top = max(min(geometry.y(), room.bottom() - geometry.height() + 1), room.top())
        self._dialog.move(left, top)
        self._follow()
        self.show()
        self.raise_()
        self._dialog.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._follow()
        elif event.type() is QEvent.Type.Hide:
            self.hide()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grip = event.globalPosition().toPoint() - self._dialog.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self._dialog.move(event.globalPosition().toPoint() - self._grip)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None
        self.put_around()

    def _follow(self) -> None:
        around = self._dialog.geometry().adjusted(-_LINE_PX, -BAR_PX, _LINE_PX, _LINE_PX)
        self.setGeometry(around)
        self._strip.setGeometry(_LINE_PX, _LINE_PX, around.width() - 2 * _LINE_PX, BAR_PX - _LINE_PX)


class WindowKeeper(QObject):
    """Frames the dialogs of an application, and gives the keyboard to the window that is used.

    window: the main window, which gets the keyboard back.
    """

    def __init__(self, application: QApplication, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in _KINDS:
            return False
        if kind is QEvent.Type.MouseButtonPress:
            if isinstance(watched, QWindow):
                _give_keyboard(watched)
        elif isinstance(watched, QDialog) and watched.isWindow():
            if kind is QEvent.Type.Show:
                # Only then does it have its place.
                QTimer.singleShot(0, watched, lambda: _bring_to_front(watched))
            else:
                QTimer.singleShot(0, self, self._hand_back)
        return False

    def _hand_back(self) -> None:
        """A dialog has gone: the window below gets the keyboard."""
        below = QApplication.activeModalWidget() or self._window
        if isValid(below) and below.isVisible():
            below.activateWindow()


def _bring_to_front(dialog: QDialog) -> None:
    if not dialog.isVisible():
        return
    frame = next((child for child in dialog.children() if isinstance(child, DialogFrame)), None)
    (frame or DialogFrame(dialog)).put_around()
    dialog.activateWindow()


def _give_keyboard(window: QWindow) -> None:
    """A window was clicked that may not have the keyboard yet."""
    is_ordinary = window.type() in (Qt.WindowType.Window, Qt.WindowType.Dialog, Qt.WindowType.Tool)
    if is_ordinary and not window.flags() & Qt.WindowType.WindowDoesNotAcceptFocus and not window.isActive():
        window.requestActivate()
