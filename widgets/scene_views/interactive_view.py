"""What the two views share: the pointer's gestures, selection, hover, what is marked, and what is painted on top.

The tool is offered each event first. What it does not use, the view handles: a drag with the middle button, or with Alt
and the left one, moves the view; a click selects; a drag from an empty place selects in a box; a right click opens the
context menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from itertools import product

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from spatial_workbench.engine.core.scene import Floats, Item, Scene
from spatial_workbench.widgets.editing.focus import is_typing
from spatial_workbench.widgets.render3d.extent import named_parts, shown_bounds
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import Describe, Pick, PointerEvent, SceneView, Tool
from spatial_workbench.widgets.theme import Theme

_LEFT = Qt.MouseButton.LeftButton
CLICK_PX = 4
"""A press that moves less than this is a click."""

VIEW_ACTIONS = (
    ("frame", "Frame selection or all", "F"),
    ("isometric", "Isometric view", "1"),
    ("front", "Front view", "2"),
    ("back", "Back view", "3"),
    ("left", "Left view", "4"),
    ("right", "Right view", "5"),
    ("top", "Top view", "6"),
    ("bottom", "Bottom view", "7"),
    ("projection", "Perspective or orthographic", "O"),
)


class ViewDrag(Enum):
    """What a held button does."""

    NONE = 0
    TOOL = 1
    ORBIT = 2
    PAN = 3
    SELECT = 4
    BOX = 5
    MENU = 6
    NOTHING = 7
    """The click only took the focus from a field."""


class InteractiveView(SceneView):
    """A SceneView with the gestures of both views; subclasses draw, pick and move the view."""

    flat = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.style_ = Style(self.theme)
        self.ghost: tuple[Item, ...] = ()
        self.ghost_reason = ""
        self._guides: frozenset[str] = frozenset()
        self.hover: Pick | None = None
        self._empty_text = ""
        self._hint = ""
        self._drag = ViewDrag.NONE
        self._drag_start = QPointF()
        self._is_in_tool = False
        """Whether the tool handles an event."""
        self._is_click = False
        """Whether the pointer is still where a button went down."""
        self._pointer: QPointF | None = None
        self._describe: Describe = lambda pick: (pick.id, "")
        self.setMouseTracking(True)
        # mousePressEvent takes the focus itself, since it has to know first which widget had it.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumSize(80, 60)
        self._add_actions()

    def sizeHint(self) -> QSize:
        return QSize(640, 480)

    def _add_actions(self) -> None:
        for name, text, key in VIEW_ACTIONS:
            if self.flat and name != "frame":
                continue
            action = QAction(self.tr(text), self)
            action.setObjectName(f"view.{name}")
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _=False, name=name: self._do(name))
            self.view_actions[name] = action
            self.addAction(action)

    def _do(self, name: str) -> None:
        if name == "frame":
            self.frame(self.selection or None, animate=not self.reduce_motion)
        elif name == "projection":
            self.toggle_projection()
        else:
            self.standard_view(name)

    def toggle_projection(self) -> None:
        """Switches between perspective and orthographic; a canvas has only one projection."""

    # What is marked ----------------------------------------------------------------------------------------------

    def set_highlight(self, roles: Mapping[str, str], fade_rest: bool = False) -> None:
        self._restyle(replace(self.style_, roles=dict(roles), fade_rest=fade_rest))

    def set_selection(self, ids: Iterable[str]) -> None:
        chosen = tuple(dict.fromkeys(ids))
        if chosen == self.selection:
            return
        self.selection = chosen
        self._restyle(replace(self.style_, selected=frozenset(chosen)))
        self.selection_changed.emit(chosen)

    def set_hidden(self, ids: Iterable[str]) -> None:
        self._restyle(replace(self.style_, hidden=frozenset(ids)))

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._restyle(replace(self.style_, theme=theme))

    def _restyle(self, style: Style) -> None:
        if style.changes(self.style_):
            self.style_ = style
            self._style_changed()

    def _style_changed(self) -> None:
        """Called when the style has changed; draws again."""
        raise NotImplementedError

    def set_ghost(self, items: Sequence[Item], reason: str = "", guides: Sequence[Item] = ()) -> None:
        ghost = (*items, *guides)
        if ghost == self.ghost and reason == self.ghost_reason:
            return
        self.ghost, self.ghost_reason = ghost, reason
        self._guides = frozenset(item.name for item in guides)
        self._ghost_changed()

    def _ghost_changed(self) -> None:
        """Called when the ghost has changed; draws it."""
        raise NotImplementedError

    @property
    def ghost_style(self) -> Style:
        """How the ghost looks: in the accent colour, or in the failed one if it may not be placed."""
        role = "failed" if self.ghost_reason else "accent"
        return Style(self.theme, roles={item.name: role for item in self.ghost if item.name not in self._guides})

    def set_tool(self, tool: Tool) -> None:
        super().set_tool(tool)
        self._drag = ViewDrag.NONE
        self.update()

    def let_go(self) -> None:
        if self._is_in_tool:
            return
        if self._drag is ViewDrag.TOOL:
            self.tool.stop()
            self._drag = ViewDrag.NONE
        else:
            self.tool.leave()
        self.hover = None
        self._hover_changed()

    # Camera ------------------------------------------------------------------------------------------------------

    def go_to(self, ids: Iterable[str], context: Iterable[str] = (), animate: bool = True) -> bool:
        names = tuple(ids)
        if not named_parts(self.scene.items, names):
            return False
        self._frame_with_room(names, tuple(context), animate)
        return True

    def _frame_with_room(self, names: tuple[str, ...], context: tuple[str, ...], animate: bool) -> None:
        """Frames elements with enough around them to see where they are."""
        self.frame((*names, *context), animate)

    def shows_everything(self) -> bool:
        places = self.project(self._framed_points())
        inside = (places >= -1) & (places <= np.array([self.width() + 1, self.height() + 1]))
        return bool(inside.all())

    def _framed_points(self) -> Floats:
        """What is in view when everything is framed: (n, 3)."""
        return np.array(list(product(*zip(*shown_bounds(self.scene), strict=True))))

    # Text on top -------------------------------------------------------------------------------------------------

    def set_describe(self, describe: Describe) -> None:
        self._describe = describe

    def show_hint(self, text: str) -> None:
        self._hint = text
        self.update()

    def set_empty_text(self, text: str) -> None:
        self._empty_text = text
        self.update()

    def paint_labels(self, painter: QPainter) -> None:
        """Paints the scene's labels."""
        overlays.paint_labels(painter, self, self.scene.items, self.style_)

    @property
    def _described(self) -> Pick | None:
        """The element under the pointer, if the view names elements."""
        return self.hover if self.names_hovered else None

    def paint_overlays(self, painter: QPainter) -> None:
        """Paints what lies over the picture: overlays, texts, the box of a selection."""
        for overlay in self._overlays:
            painter.save()
            overlay(painter, self)
            painter.restore()
        if self._drag is ViewDrag.BOX and self._pointer is not None:
            overlays.paint_box(painter, QRectF(self._drag_start, self._pointer).normalized(), self.theme)
        if self.ghost_reason and self._pointer is not None:
            overlays.paint_note(painter, self.rect(), self._pointer, (self.ghost_reason, ""), self.theme, "failed")
        elif self._described is not None and self._pointer is not None and self._drag is ViewDrag.NONE:
            overlays.paint_note(painter, self.rect(), self._pointer, self._describe(self._described), self.theme)
        if self._described is not None:
            overlays.paint_status(painter, self.rect(), self._status(self._described), self.theme)
        if not self.scene.items and self._empty_text:
            overlays.paint_empty(painter, self.rect(), self._empty_text, self.theme)
        if self._hint:
            overlays.paint_hint(painter, self.rect(), self._hint, self.theme)

    def _status(self, pick: Pick) -> str:
        axes = self.scene.axes[:2] if self.flat else self.scene.axes
        place = "  ".join(f"{axis} {value:.4g}" for axis, value in zip(axes, pick.position, strict=False))
        return f"{pick.id}   {place} {self.scene.unit}".rstrip()

    # The pointer -------------------------------------------------------------------------------------------------

    def _event(self, event: QMouseEvent) -> PointerEvent:
        return PointerEvent(self, event.position(), event.button(), event.buttons(), event.modifiers())

    def _offer(self, handle: Callable[[PointerEvent], bool], event: PointerEvent) -> bool:
        """Lets the tool handle an event; what it changes itself does not interrupt it."""
        self._is_in_tool = True
        try:
            return handle(event)
        finally:
            self._is_in_tool = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        was_typing = is_typing(QApplication.focusWidget())
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pointer = self._drag_start = event.position()
        if self._hint:
            self.show_hint("")
        if self._drag is not ViewDrag.NONE:
            return
        if self.press_gizmo(event.position()):
            return
        self._is_click = True
        self._drag = ViewDrag.NOTHING if was_typing and event.button() == _LEFT else self._drag_for(event)

    def press_gizmo(self, pos: QPointF) -> bool:
        """Whether a press was meant for something that the view paints on top, such as the axes."""
        return False

    def _drag_for(self, event: QMouseEvent) -> ViewDrag:
        button = event.button()
        held = event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        if button == Qt.MouseButton.MiddleButton:
            return ViewDrag.PAN if shift or self.flat else ViewDrag.ORBIT
        alt = button == Qt.MouseButton.LeftButton and bool(held & Qt.KeyboardModifier.AltModifier)
        if (self.tool.uses_alt or not alt) and self._offer(self.tool.press, self._event(event)):
            return ViewDrag.TOOL
        if alt:
            return ViewDrag.PAN if shift or self.flat else ViewDrag.ORBIT
        if button == Qt.MouseButton.RightButton:
            return ViewDrag.MENU
        return ViewDrag.SELECT if button == Qt.MouseButton.LeftButton else ViewDrag.NONE

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        before = self._pointer or event.position()
        self._pointer = event.position()
        moved = (event.position() - self._drag_start).manhattanLength() >= CLICK_PX
        if self._drag is ViewDrag.MENU and moved:
            self._drag = ViewDrag.PAN if self.flat else ViewDrag.ORBIT
        elif self._drag is ViewDrag.SELECT and moved:
            self._drag = ViewDrag.BOX if self.box_select else ViewDrag.NONE
        if self._drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            self._move_view(self._drag, event.position() - before)
        elif self._drag is ViewDrag.NONE or self._left_its_place(moved):
            used = self._offer(self.tool.move, self._event(event))
            self._hover_at(None if used and self._drag is ViewDrag.TOOL else event.position())
        self.update()

    def _left_its_place(self, moved: bool) -> bool:
        """Whether a drag of the tool has become more than a click."""
        self._is_click &= not moved
        return self._drag is ViewDrag.TOOL and not self._is_click

    def _move_view(self, drag: ViewDrag, step: QPointF) -> None:
        """Orbits or pans by some pixels."""
        raise NotImplementedError

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag = self._drag
        if event.buttons() & ~event.button() and drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            return
        self._drag = ViewDrag.NONE
        self._pointer = event.position()
        if drag in (ViewDrag.TOOL, ViewDrag.NONE):
            self._offer(self.tool.release, self._released(event))
        elif drag is ViewDrag.SELECT:
            self._click(event)
        elif drag is ViewDrag.BOX:
            picked = self.pick_box(self._drag_start, event.position())
            self.set_selection(self._combined(picked, event.modifiers()))
        elif drag is ViewDrag.MENU:
            self.context_requested.emit(self.pick(event.position()), event.globalPosition().toPoint())
        elif drag in (ViewDrag.ORBIT, ViewDrag.PAN):
            self._view_rests()
        self.update()

    def _released(self, event: QMouseEvent) -> PointerEvent:
        """The event that ends a tool's gesture; a click ends where it began."""
        place = self._drag_start if self._is_click else event.position()
        return PointerEvent(self, place, event.button(), event.buttons(), event.modifiers())

    def _view_rests(self) -> None:
        """Called when a drag of the view has ended."""

    def _click(self, event: QMouseEvent) -> None:
        hit = self.pick(event.position())
        self.set_selection(self._combined((hit.id,) if hit else (), event.modifiers()))

    def _combined(self, picked: tuple[str, ...], held: Qt.KeyboardModifier) -> tuple[str, ...]:
        """Control toggles, shift adds, neither replaces."""
        if held & Qt.KeyboardModifier.ControlModifier:
            return tuple(i for i in self.selection if i not in picked) + tuple(
                i for i in picked if i not in self.selection
            )
        return self.selection + picked if held & Qt.KeyboardModifier.ShiftModifier else picked

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.press_gizmo(event.position()):
            return
        if self._offer(self.tool.double_click, self._event(event)):
            return
        if event.button() == Qt.MouseButton.LeftButton and (hit := self.pick(event.position())):
            self.activated.emit(hit.id)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120 or event.pixelDelta().y() / 60
        none = Qt.MouseButton.NoButton
        pointer = PointerEvent(self, event.position(), none, event.buttons(), event.modifiers())
        if not self._offer(lambda turned: self.tool.wheel(turned, steps), pointer) and steps:
            self._zoom(0.85**steps, event.position())
        event.accept()

    def _zoom(self, factor: float, pos: QPointF) -> None:
        """Zooms so that what is under the pointer stays there."""
        raise NotImplementedError

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self._hover_at(None)
        self.tool.leave()
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.tool.takes_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.tool.takes_key(event):
            self._is_in_tool = True
            try:
                self.tool.key(event)
            finally:
                self._is_in_tool = False
            self.update()
            return
        if event.key() == Qt.Key.Key_Escape:
            if self._hint:
                self.show_hint("")
            self.tool.stop()
            self._drag = ViewDrag.NONE
            self.update()
            event.ignore()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Only the menu key comes through here; for the right button, mouseReleaseEvent asks for the menu."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.context_requested.emit(None, event.globalPos())
        event.accept()

    def _hover_at(self, pos: QPointF | None) -> None:
        hit = self.pick(pos) if pos is not None else None
        changed = (hit and hit.id) != (self.hover and self.hover.id)
        self.hover = hit
        if changed:
            self._hover_changed()
            self.hovered.emit(hit)

    def _hover_again(self) -> None:
        """Updates the hovered element after the scene has changed."""
        if self.hover is not None:
            self._hover_at(self._pointer if self._drag is ViewDrag.NONE else None)

    def _hover_changed(self) -> None:
        """Called when another element is under the pointer."""

    @property
    def moving(self) -> bool:
        """Whether a drag moves the view."""
        return self._drag in (ViewDrag.ORBIT, ViewDrag.PAN)

    def close_view(self) -> None:
        self.tool.stop()
        self.tool = Tool()
        self._overlays.clear()
        self.scene = Scene(items=())
        self.ghost = ()
        self.hover = None
