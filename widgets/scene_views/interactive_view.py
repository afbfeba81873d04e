"""The common part of the two views: gestures, selection, hover, what is marked, and what is painted on top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Floats, Item, Scene
from spatial_workbench.widgets.editing.focus import is_typing
from spatial_workbench.widgets.render3d.extent import named_parts, shown_bounds
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.view import Describe, Pick, SceneView, Tool
from spatial_workbench.widgets.scene_views.view_gestures import ViewDrag, ViewGestures
from spatial_workbench.widgets.scene_views.view_texts import ViewTexts
from spatial_workbench.widgets.theme import Theme

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


class InteractiveView(SceneView):
    """A SceneView with what both views share; subclasses draw, pick and move the view.

    It has more than 25 methods since it is the public interface of a view and Qt's handlers of events, each a line or
    a few: what the pointer does is in `gestures`, what is written over the picture in `texts`.
    """

    flat = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.style_ = Style(self.theme)
        self.ghost: tuple[Item, ...] = ()
        self.ghost_reason = ""
        self._guides: frozenset[str] = frozenset()
        self.hover: Pick | None = None
        self.gestures = ViewGestures(self)
        self.texts = ViewTexts(self)
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
            action = QAction(said(text), self)
            action.setObjectName(f"view.{name}")
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            action.triggered.connect(lambda _=False, name=name: self._perform_action(name))
            self.view_actions[name] = action
            self.addAction(action)

    def _perform_action(self, name: str) -> None:
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
        self.gestures.reset()
        self.update()

    def let_go(self) -> None:
        self.gestures.let_go()

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
        """The points in view when everything is framed: (n, 3)."""
        return np.array(list(product(*zip(*shown_bounds(self.scene), strict=True))))

    # Text on top -------------------------------------------------------------------------------------------------

    def set_describe(self, describe: Describe) -> None:
        self.texts.describe = describe

    def show_hint(self, text: str) -> None:
        self.texts.hint = text
        self.update()

    def set_empty_text(self, text: str) -> None:
        self.texts.empty = text
        self.update()

    def paint_labels(self, painter: QPainter) -> None:
        """Paints the scene's labels."""
        overlays.paint_labels(painter, self, self.scene.items, self.style_)

    def paint_overlays(self, painter: QPainter) -> None:
        """Paints what lies over the picture: overlays, texts, the box of a selection."""
        for overlay in self._overlays:
            painter.save()
            overlay(painter, self)
            painter.restore()
        box = self.gestures.box
        if box is not None:
            overlays.paint_box(painter, box, self.theme)
        self.texts.paint(painter)

    # The pointer -------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        was_typing = is_typing(QApplication.focusWidget())
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self.texts.hint:
            self.show_hint("")
        self.gestures.press(event, was_typing)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.gestures.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.gestures.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.gestures.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.gestures.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.gestures.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.tool.takes_key(event):
            self.gestures.key(event)
        elif event.key() == Qt.Key.Key_Escape:
            if self.texts.hint:
                self.show_hint("")
            self.tool.stop()
            self.gestures.reset()
            self.update()
            event.ignore()
        else:
            super().keyPressEvent(event)

    def press_gizmo(self, pos: QPointF) -> bool:
        """Whether a press was meant for something that the view paints on top, such as the axes."""
        return False

    def move_view(self, drag: ViewDrag, step: QPointF) -> None:
        """Orbits or pans by some pixels."""
        raise NotImplementedError

    def view_rests(self) -> None:
        """Called when a drag of the view has ended."""

    def zoom_at(self, factor: float, pos: QPointF) -> None:
        """Zooms so that what is under the pointer stays there."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.tool.takes_key(event):
            event.accept()
            return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Only the menu key comes through here; for the right button, mouseReleaseEvent asks for the menu."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.context_requested.emit(None, event.globalPos())
        event.accept()

    def hover_changed(self) -> None:
        """Called when another element is under the pointer."""

    def close_view(self) -> None:
        self.tool.stop()
        self.tool = Tool()
        self._overlays.clear()
        self.scene = Scene(items=())
        self.ghost = ()
        self.hover = None
