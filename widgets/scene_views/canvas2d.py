"""The 2D canvas: shows flat scenes from above in a pyqtgraph view box with equal scales, and pans and zooms it.

This module is imported when the first canvas is made: pyqtgraph takes a while to load.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats, Scene
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.extent import bounds_of, centers_of, named_parts, shown_bounds
from spatial_workbench.widgets.render3d.picking import Sight, pick
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.canvas2d_items import (
    Plane,
    paint_background,
    paint_flat,
    paint_items,
    paint_outlines,
)
from spatial_workbench.widgets.scene_views.interactive_view import InteractiveView
from spatial_workbench.widgets.scene_views.out_of_sight import out_of_sight
from spatial_workbench.widgets.scene_views.rulers import paint_rulers
from spatial_workbench.widgets.scene_views.view import CONTEXT, Pick
from spatial_workbench.widgets.scene_views.view_gestures import ViewDrag
from spatial_workbench.widgets.theme import Theme

GHOST_OPACITY = 0.7
OUTLINE_PX = 2.4
_PICK_SIZE = 100.0
"""Side, in pixels, of the part of the picture around the pointer in which elements are picked."""


class Canvas2D(InteractiveView):
    """Draws a flat Scene.

    It has more than 25 methods since it is the public interface of a view and Qt's handlers of events, each a line or
    a few: `canvas2d_items` paints, and `Plane` knows where the scene lies.
    """

    flat = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("2D canvas"))
        self.setAccessibleDescription(tr("Middle drag pans, the wheel zooms, F frames the selection or all."))
        self._surface = _Surface(self)
        self._box = pg.ViewBox(lockAspect=True, enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self._surface.setCentralItem(self._box)
        self._box.sigRangeChanged.connect(self._view_changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._surface)
        self._base: QImage | None = None
        self._framed = False
        self._user_moved = False
        self.rulers = True
        """Whether coordinates stand along the left and the lower edge."""

    # What is shown -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, reset_view: bool = False) -> None:
        first = not self._framed or reset_view
        self.scene = scene
        self._box.invertY(not scene.y_up)
        if first:
            self._framed = bool(scene.items or scene.ground)
            self._user_moved = False
            self._show_bounds(*shown_bounds(scene))
        self._style_changed()
        self.gestures.hover_again()

    def _style_changed(self) -> None:
        self._base = None
        self.update()

    def _view_changed(self) -> None:
        self._style_changed()
        self.view_changed.emit()

    def _ghost_changed(self) -> None:
        self.update()

    def update(self, *area: object) -> None:
        """Schedules a repaint."""
        self._surface.viewport().update()

    # Painting ----------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """Paints the cached picture of the scene and the overlays."""
        start = time.perf_counter()
        drawn = self._base is None
        if self._base is None:
            self._base = self._picture(self.devicePixelRatioF())
        painter.drawImage(QRectF(self.rect()), self._base)
        self._paint_marks(painter)
        self.paint_overlays(painter)
        if drawn:
            self.frame_drawn.emit(1000 * (time.perf_counter() - start))

    def _picture(self, scale: float) -> QImage:
        image = QImage(
            max(1, round(self.width() * scale)), max(1, round(self.height() * scale)), QImage.Format.Format_RGB32
        )
        painter = QPainter(image)
        painter.scale(scale, scale)
        paint_background(painter, QRectF(self.rect()), self.theme)
        paint_flat(painter, self.scene, self.style_, self.plane)
        self._paint_selection(painter)
        if self.rulers and self.scene.items and any(self.scene.axes):
            paint_rulers(painter, self.plane, self.scene, self.theme)
        painter.end()
        return image

    def _paint_marks(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = self.theme.color("accent")
        if self.ghost:
            painter.setOpacity(GHOST_OPACITY)
            paint_items(painter, self.ghost, self.ghost_style, self.plane)
            painter.setOpacity(1.0)
        if self.hover is not None and self.hover.id not in self.selection:
            accent.setAlphaF(0.75)
            under = named_parts(self.scene.items, {self.hover.id})
            paint_outlines(painter, under, accent, OUTLINE_PX * 0.7, self.plane)

    def _paint_selection(self, painter: QPainter) -> None:
        """Paints into the cached picture, so that pointer moves cost nothing."""
        chosen = named_parts(self.scene.items, set(self.selection) - self.style_.hidden)
        paint_outlines(painter, chosen, self.theme.color("accent"), OUTLINE_PX, self.plane)

    def image(self, scale: float = 1.0) -> QImage:
        picture = self._picture(scale)
        painter = QPainter(picture)
        painter.scale(scale, scale)
        hover = self.hover
        self.hover = None
        self._paint_marks(painter)
        self.hover = hover
        painter.end()
        return picture

    def flush(self) -> None:
        self._base = None
        self._surface.viewport().repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._surface.resize(self.size())
        if self._framed and not self._user_moved:
            self._show_bounds(*shown_bounds(self.scene))
        self._style_changed()

    def showEvent(self, event: QShowEvent) -> None:
        out_of_sight().remove(self)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._base is not None:
            out_of_sight().add(self)

    def release(self) -> None:
        """Frees the cached picture; it is drawn again when needed."""
        self._base = None

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._style_changed()
        super().changeEvent(event)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._style_changed()

    # Camera ------------------------------------------------------------------------------------------------------

    @property
    def plane(self) -> Plane:
        """Where the scene lies in the widget, from the view box's range."""
        (x0, x1), (y0, y1) = self._box.viewRange()
        width, height = max(1, self.width()), max(1, self.height())
        # Before its first layout the box has another aspect ratio, and widens one of the two ranges.
        scale = max(width / ((x1 - x0) or 1.0), height / ((y1 - y0) or 1.0))
        return Plane(((x0 + x1) / 2, (y0 + y1) / 2), scale, (width, height), self.scene.y_up)

    def set_plane(self, plane: Plane) -> None:
        """Shows another part of the scene."""
        half = np.array([self.width(), self.height()]) / 2 / plane.pixels_per_unit
        x, y = plane.center
        dx, dy = half
        self._box.setRange(xRange=(x - dx, x + dx), yRange=(y - dy, y + dy), padding=0, disableAutoRange=True)
        self._style_changed()

    def view_state(self) -> object:
        return self.plane

    def set_view_state(self, state: object) -> None:
        assert isinstance(state, Plane)
        self._user_moved = True
        self.set_plane(state)

    def show_hint(self, text: str) -> None:
        """Also makes room below the scene, which stays when the hint goes: nothing jumps under the pointer."""
        super().show_hint(text)
        if text and self._framed and not self._user_moved:
            self._show_bounds(*shown_bounds(self.scene))

    def _show_bounds(self, low: Floats, high: Floats) -> None:
        width, height = max(1, self.width()), max(1, self.height())
        foot = min(self._hint_height(), height / 3)
        plane = Plane.framing(low, high, (width, height - foot), self.scene.y_up)
        raised = plane.to_scene(width / 2, height / 2)
        self.set_plane(replace(plane, center=(float(raised[0]), float(raised[1])), size=(width, height)))

    def _hint_height(self) -> float:
        """The height of the hint at the bottom."""
        return (
            self.height() - overlays.hint_box(self.rect(), self.font(), self.texts.hint).top()
            if self.texts.hint
            else 0.0
        )

    def frame(self, ids: Iterable[str] | None = None, animate: bool = True) -> None:
        parts = [] if ids is None else named_parts(self.scene.items, ids)
        self._user_moved = bool(parts)
        self._show_bounds(*(bounds_of(parts) or shown_bounds(self.scene)))

    def _frame_with_room(self, names: tuple[str, ...], context: tuple[str, ...], animate: bool) -> None:
        low, high = bounds_of(named_parts(self.scene.items, names)) or shown_bounds(self.scene)
        least, most = shown_bounds(self.scene)
        room = (CONTEXT - 1) / 2 * max((high - low)[:2])
        low = np.maximum(low - room, np.minimum(least, low))
        high = np.minimum(high + room, np.maximum(most, high))
        around = bounds_of(named_parts(self.scene.items, context))
        if around is not None:
            low = np.minimum(low, around[0])
            high = np.maximum(high, around[1])
        self._user_moved = True
        self._show_bounds(low, high)

    def standard_view(self, name: str) -> None:
        self.frame()

    def move_view(self, drag: ViewDrag, step: QPointF) -> None:
        plane = self.plane
        middle = np.asarray(plane.size) / 2
        center = plane.to_scene(middle[0] - step.x(), middle[1] - step.y())
        self._user_moved = True
        self.set_plane(Plane((float(center[0]), float(center[1])), plane.pixels_per_unit, plane.size, plane.y_up))

    def zoom_at(self, factor: float, pos: QPointF) -> None:
        plane = self.plane
        anchor = plane.to_scene(pos.x(), pos.y())
        center = anchor + (np.asarray(plane.center) - anchor) * factor
        self._user_moved = True
        scale = float(np.clip(plane.pixels_per_unit / factor, 1e-6, 1e7))
        self.set_plane(Plane((float(center[0]), float(center[1])), scale, plane.size, plane.y_up))

    # Queries -----------------------------------------------------------------------------------------------------

    def pick(self, pos: QPointF) -> Pick | None:
        plane = self.plane
        x, y = plane.to_scene(pos.x(), pos.y())
        low, high = bounds_of(self.scene.items) or (np.zeros(3), np.zeros(3))
        half = _PICK_SIZE / 2 / plane.pixels_per_unit
        camera = (
            Camera((x, y, 0.0), orthographic=True)
            .looking("top")
            .framing(np.array([[x - half, y - half, low[2]], [x + half, y + half, high[2]]]), 1.0)
        )
        size = 2 * camera.half_height * plane.pixels_per_unit
        sight = Sight.through(_above(camera, high[2]), (size, size), (size / 2, size / 2))
        hit = pick(self.scene.items, sight, self.style_.hidden)
        return Pick(hit.id, hit.item, (float(x), float(y), hit.position[2])) if hit else None

    def pick_box(self, first: QPointF, second: QPointF) -> tuple[str, ...]:
        box = QRectF(first, second).normalized()
        picked: list[str] = []
        for item in self.scene.items:
            if item.pickable and item.name not in self.style_.hidden:
                names, centers = centers_of(item)
                inside = [name for name, place in zip(names, self.project(centers), strict=True) if _holds(box, place)]
                picked += [name for name in inside if name not in self.style_.hidden]
        return tuple(picked)

    def ray(self, pos: QPointF) -> tuple[Floats, Floats]:
        x, y = self.plane.to_scene(pos.x(), pos.y())
        return np.array([x, y, 0.0]), np.array([0.0, 0.0, -1.0])

    def project(self, points: Floats) -> Floats:
        return self.plane.to_pixels(np.atleast_2d(np.asarray(points, float)))

    def close_view(self) -> None:
        super().close_view()
        out_of_sight().remove(self)
        self.release()
        self._box.sigRangeChanged.disconnect(self._view_changed)
        self._surface.close()


def _above(camera: Camera, top: float) -> Camera:
    """The same camera, raised above everything."""
    return replace(camera, target=(camera.target[0], camera.target[1], float(top)))


def _holds(box: QRectF, place: Floats) -> bool:
    return box.contains(QPointF(float(place[0]), float(place[1])))


class _Surface(pg.GraphicsView):
    """The pyqtgraph widget; the canvas paints it and takes the pointer's events."""

    def __init__(self, canvas: Canvas2D) -> None:
        super().__init__(canvas, background=None)
        self._canvas = canvas
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(canvas.accessibleName())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        self._canvas.paint(painter)
        painter.end()
