"""The pointer, the pen and held keys over the view of a page: they draw, pan, zoom and enlarge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QTabletEvent, QWheelEvent

if TYPE_CHECKING:
    from spatial_workbench.widgets.sketch.tools.base import SketchTool
    from spatial_workbench.widgets.sketch.view import PageView

WHEEL_STEP = 1.25


class Touch:
    """A press, move or release of the pointer or the pen, in the page's pixels."""

    def __init__(
        self,
        pos: QPointF,
        point: QPointF,
        scale: float,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        pressure: float | None = None,
    ) -> None:
        self.pos = pos
        self.scale = scale
        self.modifiers = modifiers
        self.pressure = pressure
        self.point = (point.x(), point.y())

    def has(self, modifier: Qt.KeyboardModifier) -> bool:
        """Whether a modifier key is held."""
        return bool(self.modifiers & modifier)


class PagePointer(QObject):
    """Receives the view's events of the mouse, the pen and the keyboard before the view does.

    Signals:
        pressed(): the left button, or the pen, goes down to draw.
        pointed(object): the pointer is over this point of the page (x, y), or left it (None).
    """

    pressed = Signal()
    pointed = Signal(object)

    def __init__(self, view: PageView, hand: Callable[[], SketchTool]) -> None:
        """hand: returns the tool that draws now."""
        super().__init__(view)
        self._view = view
        self._hand = hand
        self._place: QPointF | None = None
        self._panned_from: QPointF | None = None
        self._is_drawing = False
        self._is_space_held = False
        self._is_lens_held = False
        view.installEventFilter(self)

    @property
    def lens_at(self) -> QPointF | None:
        """The place of the view around which the lens is held; None if it is not shown."""
        return self._place if self._is_lens_held else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            return self._handle_mouse(event)
        if isinstance(event, QTabletEvent):
            return self._handle_pen(event)
        if isinstance(event, QWheelEvent):
            self._turn_wheel(event)
            return True
        if isinstance(event, QKeyEvent):
            return event.type() != QEvent.Type.ShortcutOverride and self._handle_key(event)
        if event.type() == QEvent.Type.Leave:
            self._leave()
        elif event.type() == QEvent.Type.FocusOut:
            self._let_keys_go()
        return False

    def show_cursor(self) -> None:
        """Shows the cursor of the tool in hand."""
        self._view.setCursor(Qt.CursorShape.OpenHandCursor if self._is_space_held else self._hand().cursor)

    def hold_lens(self, held: bool) -> None:
        """Shows the lens at the pointer, or removes it."""
        self._is_lens_held = held
        if held and self._place is None:
            self._place = QPointF(self._view.mapFromGlobal(self._view.cursor().pos()))
        self._view.update()

    # What the pointer does ---------------------------------------------------------------------------------------

    def go_down(
        self, pos: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, pressure: float | None = None
    ) -> None:
        """A button of the mouse, or the pen, goes down at a place of the view."""
        self._view.setFocus()
        is_left = button == Qt.MouseButton.LeftButton
        if button == Qt.MouseButton.MiddleButton or (self._is_space_held and is_left):
            self._panned_from = pos
            self._view.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif is_left and self._view.tiles is not None:
            self._begin_drawing()
            self._hand().press(self._touch(pos, modifiers, pressure))

    def go_along(self, pos: QPointF, modifiers: Qt.KeyboardModifier, pressure: float | None = None) -> None:
        """It moves to a place of the view, whether it is down or not."""
        self._place = pos
        view = self._view
        if self._panned_from is not None:
            view.set_camera(view.camera.moved(pos - self._panned_from, view.room))
            self._panned_from = pos
            return
        if view.tiles is None:
            return
        touch = self._touch(pos, modifiers, pressure)
        if self._is_drawing:
            self._hand().move(touch)
        else:
            self._hand().hover(touch)
        if self._is_lens_held:
            view.update()
        self.pointed.emit(touch.point)

    def go_up(self, pos: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """It goes up."""
        if self._panned_from is not None:
            self._panned_from = None
            self.show_cursor()
        elif self._is_drawing:
            self._is_drawing = False
            self._hand().release(self._touch(pos, modifiers))

    def _go_down_again(self, pos: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier) -> None:
        """The second of two quick presses. It may begin a stroke of its own, so moves and a release follow."""
        if button != Qt.MouseButton.LeftButton or self._view.tiles is None or self._is_space_held:
            self.go_down(pos, button, modifiers)
            return
        self._view.setFocus()
        self._begin_drawing()
        self._hand().double_click(self._touch(pos, modifiers))

    def _begin_drawing(self) -> None:
        self._is_drawing = True
        self.pressed.emit()

    def _touch(self, pos: QPointF, modifiers: Qt.KeyboardModifier, pressure: float | None = None) -> Touch:
        return Touch(pos, self._view.on_page(pos), self._view.camera.scale, modifiers, pressure)

    # Events ------------------------------------------------------------------------------------------------------

    def _handle_mouse(self, event: QMouseEvent) -> bool:
        pos = event.position()
        modifiers = event.modifiers()
        match event.type():
            case QEvent.Type.MouseButtonPress:
                self.go_down(pos, event.button(), modifiers)
            case QEvent.Type.MouseButtonDblClick:
                self._go_down_again(pos, event.button(), modifiers)
            case QEvent.Type.MouseMove:
                self.go_along(pos, modifiers)
            case QEvent.Type.MouseButtonRelease:
                self.go_up(pos, modifiers)
            case _:
                return False
        return True

    def _handle_pen(self, event: QTabletEvent) -> bool:
        """The pen of a tablet, with its pressure; the events of a mouse that would follow are not made."""
        pos = event.position()
        modifiers = event.modifiers()
        match event.type():
            case QEvent.Type.TabletPress:
                self.go_down(pos, event.button(), modifiers, event.pressure())
            case QEvent.Type.TabletMove:
                self.go_along(pos, modifiers, event.pressure())
            case QEvent.Type.TabletRelease:
                self.go_up(pos, modifiers)
        event.accept()
        return True

    def _turn_wheel(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self._view.zoom(WHEEL_STEP**steps, event.position())
        event.accept()

    def _handle_key(self, event: QKeyEvent) -> bool:
        """Holds Space to pan, or Z for the lens."""
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return False
        if event.key() not in (Qt.Key.Key_Space, Qt.Key.Key_Z):
            return False
        is_held = event.type() == QEvent.Type.KeyPress
        if event.isAutoRepeat():
            return True
        if event.key() == Qt.Key.Key_Space:
            self._is_space_held = is_held
            self.show_cursor()
        else:
            self.hold_lens(is_held)
        return True

    def _leave(self) -> None:
        self._place = None
        self.pointed.emit(None)
        self._view.update()

    def _let_keys_go(self) -> None:
        self._is_space_held = False
        self._is_lens_held = False
        self.show_cursor()
        self._view.update()
