"""What the pointer does in a view: which drag it has begun, and the element that it hovers over.

The tool is offered each event first. What it does not use, the view handles: a drag with the middle button, or with Alt
and the left one, moves the view; a click selects; a drag from an empty place selects in a box; a right click opens the
context menu.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from spatial_workbench.widgets.scene_views.view import PointerEvent

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.interactive_view import InteractiveView


class ViewDrag(Enum):
    """The effect of a held button."""

    NONE = 0
    TOOL = 1
    ORBIT = 2
    PAN = 3
    SELECT = 4
    BOX = 5
    MENU = 6
    NOTHING = 7
    """The click only took the focus from a field."""


CLICK_PX = 4
"""A press that moves less than this is a click."""
_LEFT = Qt.MouseButton.LeftButton


class ViewGestures:
    """The gestures in a view.

    drag: what the held button does. start: where it went down. pointer: where the pointer is, in the view.
    """

    def __init__(self, view: InteractiveView) -> None:
        self.drag = ViewDrag.NONE
        self.start = QPointF()
        self.pointer: QPointF | None = None
        self._view = view
        self._is_in_tool = False
        """Whether the tool handles an event."""
        self._is_click = False
        """Whether the pointer is still where a button went down."""

    @property
    def box(self) -> QRectF | None:
        """The box in which elements are being selected."""
        if self.drag is not ViewDrag.BOX or self.pointer is None:
            return None
        return QRectF(self.start, self.pointer).normalized()

    def reset(self) -> None:
        """Forgets the drag."""
        self.drag = ViewDrag.NONE

    def let_go(self) -> None:
        """Cancels a drag of the tool, and forgets what is under the pointer, unless the tool itself makes a change."""
        if self._is_in_tool:
            return
        if self.drag is ViewDrag.TOOL:
            self._view.tool.stop()
            self.drag = ViewDrag.NONE
        else:
            self._view.tool.leave()
        self._view.hover = None
        self._view.hover_changed()

    def key(self, event: QKeyEvent) -> None:
        """A key that the tool takes was pressed."""
        self._is_in_tool = True
        try:
            self._view.tool.key(event)
        finally:
            self._is_in_tool = False
        self._view.update()

    def press(self, event: QMouseEvent, was_typing: bool) -> None:
        """A button went down; a click that only takes the focus from a field does nothing else."""
        self.pointer = self.start = event.position()
        if self.drag is not ViewDrag.NONE:
            return
        if self._view.press_gizmo(event.position()):
            return
        self._is_click = True
        self.drag = ViewDrag.NOTHING if was_typing and event.button() == _LEFT else self._drag_for(event)

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved."""
        before = self.pointer or event.position()
        self.pointer = event.position()
        moved = (event.position() - self.start).manhattanLength() >= CLICK_PX
        if self.drag is ViewDrag.MENU and moved:
            self.drag = ViewDrag.PAN if self._view.flat else ViewDrag.ORBIT
        elif self.drag is ViewDrag.SELECT and moved:
            self.drag = ViewDrag.BOX if self._view.box_select else ViewDrag.NONE
        if self.drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            self._view.move_view(self.drag, event.position() - before)
        elif self.drag is ViewDrag.NONE or self._left_its_place(moved):
            used = self._offer(self._view.tool.move, self._event(event))
            self._hover_at(None if used and self.drag is ViewDrag.TOOL else event.position())
        self._view.update()

    def release(self, event: QMouseEvent) -> None:
        """A button went up."""
        drag = self.drag
        if event.buttons() & ~event.button() and drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            return
        self.drag = ViewDrag.NONE
        self.pointer = event.position()
        if drag in (ViewDrag.TOOL, ViewDrag.NONE):
            self._offer(self._view.tool.release, self._released(event))
        elif drag is ViewDrag.SELECT:
            self._click(event)
        elif drag is ViewDrag.BOX:
            picked = self._view.pick_box(self.start, event.position())
            self._view.set_selection(self._combined(picked, event.modifiers()))
        elif drag is ViewDrag.MENU:
            self._view.context_requested.emit(self._view.pick(event.position()), event.globalPosition().toPoint())
        elif drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            self._view.view_rests()
        self._view.update()

    def double_click(self, event: QMouseEvent) -> None:
        """A second press at the same place."""
        if self._view.press_gizmo(event.position()):
            return
        if self._offer(self._view.tool.double_click, self._event(event)):
            return
        if event.button() == Qt.MouseButton.LeftButton and (hit := self._view.pick(event.position())):
            self._view.activated.emit(hit.id)
        else:
            self._view.mousePressEvent(event)

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned."""
        steps = event.angleDelta().y() / 120 or event.pixelDelta().y() / 60
        none = Qt.MouseButton.NoButton
        pointer = PointerEvent(self._view, event.position(), none, event.buttons(), event.modifiers())
        if not self._offer(lambda turned: self._view.tool.wheel(turned, steps), pointer) and steps:
            self._view.zoom_at(0.85**steps, event.position())

    def leave(self) -> None:
        """The pointer left the view."""
        self.pointer = None
        self._hover_at(None)
        self._view.tool.leave()
        self._view.update()

    def _event(self, event: QMouseEvent) -> PointerEvent:
        return PointerEvent(self._view, event.position(), event.button(), event.buttons(), event.modifiers())

    def _offer(self, handle: Callable[[PointerEvent], bool], event: PointerEvent) -> bool:
        """Lets the tool handle an event; what it changes itself does not interrupt it."""
        self._is_in_tool = True
        try:
            return handle(event)
        finally:
            self._is_in_tool = False

    def _drag_for(self, event: QMouseEvent) -> ViewDrag:
        button = event.button()
        held = event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        if button == Qt.MouseButton.MiddleButton:
            return ViewDrag.PAN if shift or self._view.flat else ViewDrag.ORBIT
        alt = button == Qt.MouseButton.LeftButton and bool(held & Qt.KeyboardModifier.AltModifier)
        if (self._view.tool.uses_alt or not alt) and self._offer(self._view.tool.press, self._event(event)):
            return ViewDrag.TOOL
        if alt:
            return ViewDrag.PAN if shift or self._view.flat else ViewDrag.ORBIT
        if button == Qt.MouseButton.RightButton:
            return ViewDrag.MENU
        return ViewDrag.SELECT if button == Qt.MouseButton.LeftButton else ViewDrag.NONE

    def _left_its_place(self, moved: bool) -> bool:
        """Whether a drag of the tool has become more than a click."""
        self._is_click &= not moved
        return self.drag is ViewDrag.TOOL and not self._is_click

    def _released(self, event: QMouseEvent) -> PointerEvent:
        """The event that ends a tool's gesture; a click ends where it began."""
        place = self.start if self._is_click else event.position()
        return PointerEvent(self._view, place, event.button(), event.buttons(), event.modifiers())

    def _click(self, event: QMouseEvent) -> None:
        hit = self._view.pick(event.position())
        self._view.set_selection(self._combined((hit.id,) if hit else (), event.modifiers()))

    def _combined(self, picked: tuple[str, ...], held: Qt.KeyboardModifier) -> tuple[str, ...]:
        """Control toggles, shift adds, neither replaces."""
        if held & Qt.KeyboardModifier.ControlModifier:
            return tuple(i for i in self._view.selection if i not in picked) + tuple(
                i for i in picked if i not in self._view.selection
            )
        return self._view.selection + picked if held & Qt.KeyboardModifier.ShiftModifier else picked

    def _hover_at(self, pos: QPointF | None) -> None:
        hit = self._view.pick(pos) if pos is not None else None
        changed = (hit and hit.id) != (self._view.hover and self._view.hover.id)
        self._view.hover = hit
        if changed:
            self._view.hover_changed()
            self._view.hovered.emit(hit)

    def hover_again(self) -> None:
        """Updates the hovered element after the scene has changed."""
        if self._view.hover is not None:
            self._hover_at(self.pointer if self.drag is ViewDrag.NONE else None)

    @property
    def moving(self) -> bool:
        """Whether a drag moves the view."""
        return self.drag in (ViewDrag.ORBIT, ViewDrag.PAN)
