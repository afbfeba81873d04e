"""The 3D viewport: shows frames of an off-screen drawing, and turns the pointer's gestures into camera moves.

Frames are drawn on demand: a coarse one while something moves, a full one when it rests, an antialiased one a moment
later. Everything that follows the pointer is painted, or merged by depth, over the last frame.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QImage, QNativeGestureEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.scene import Floats, Scene
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.extent import centers_of, named_parts, points_of, whole_bounds
from spatial_workbench.widgets.render3d.frames import Frames, Pace, only_added
from spatial_workbench.widgets.render3d.picking import Sight, pick
from spatial_workbench.widgets.render3d.picture import first_camera, framed_points
from spatial_workbench.widgets.render3d.probe import NoRenderer
from spatial_workbench.widgets.render3d.renderer import Renderer3D
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.gizmo import AxesGizmo
from spatial_workbench.widgets.scene_views.interactive_view import InteractiveView
from spatial_workbench.widgets.scene_views.out_of_sight import out_of_sight
from spatial_workbench.widgets.scene_views.overlays import hint_box
from spatial_workbench.widgets.scene_views.view import Pick
from spatial_workbench.widgets.scene_views.view_gestures import ViewDrag

Bytes = NDArray[np.uint8]

FRAME_MS = 12
"""Requests within this time are answered by one frame; while a timeline plays, it sets the pace."""
STILL_MS = 300
"""How long the view has to rest before the antialiased frame is drawn."""
ANIMATION_S = 0.15
DEGREES_PER_PX = 0.35
SAMPLES, SOFTWARE_SAMPLES = 8, 6
"""Samples per pixel of an antialiased frame, on a graphics card and in software."""
DONE = object()


class Viewport3D(InteractiveView):
    """Draws a Scene in three dimensions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("3D view"))
        self.setAccessibleDescription(
            self.tr("Middle drag orbits, with Shift it pans; the wheel zooms; F frames; 1 to 7 are standard views.")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._camera = Camera()
        self.section: CuttingPlane | None = None
        self.problem = ""
        self._user_moved = False
        self._frames: Frames | None = None
        self._gizmo = AxesGizmo()
        self._framed = False
        self._image: QImage | None = None
        self._pixels: Bytes | None = None
        self._dirty = True
        self._pace = Pace()
        self._smooth: Iterator[None] | None = None
        self._flight: tuple[float, Camera, Camera] | None = None
        self._timer = self._single_shot(self._draw_requested)
        self._still = self._single_shot(self._draw_still)
        self._closed = False

    def _single_shot(self, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer

    @property
    def frames(self) -> Frames | None:
        """The drawing behind the view, made when it is first needed; None where no driver works."""
        if self._frames is None and not self.problem and not self._closed:
            try:
                self._frames = Frames(Renderer3D())
            except NoRenderer as error:
                self.problem = str(error)
        return self._frames

    # What is shown -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, reset_view: bool = False) -> None:
        added = only_added(self.scene, scene) if not self._dirty else ()
        first = not self._framed or reset_view
        self.scene = scene
        if first and not self._closed:
            self._framed = bool(scene.items)
            self._user_moved = False
            self._show_whole()
        if added and not first and self._frames is not None:
            self._frames.add(added)
            self._compose()
            self._request(delay_ms=FRAME_MS * 3, quick=False)
        else:
            self.request_render()
        self.gestures.hover_again()

    def set_playing(self, playing: bool) -> None:
        super().set_playing(playing)
        if not playing:
            self.request_render()

    def _show_whole(self) -> None:
        camera = self._fitted(first_camera(self.scene, self._aspect()), framed_points(self.scene))
        self._flight = None
        self.camera = camera if self.scene.flat else replace(camera, orthographic=self.camera.orthographic)

    def set_section(self, section: CuttingPlane | None) -> None:
        """Cuts the scene along a plane, or shows it whole again."""
        if section != self.section:
            self.section = section
            self.request_render()

    def _style_changed(self) -> None:
        self.request_render()

    def _ghost_changed(self) -> None:
        if self._dirty:
            self.request_render()
        else:
            self._compose()

    def hover_changed(self) -> None:
        if not self._dirty:
            self._compose()

    # Frames ------------------------------------------------------------------------------------------------------

    def request_render(self) -> None:
        """Asks for a new frame; requests in quick succession are answered by one."""
        self._request(0 if self.is_playing else FRAME_MS, quick=True)

    def _request(self, delay_ms: int, quick: bool) -> None:
        self._smooth = None
        self._still.stop()
        if quick:
            self._dirty = True
        if not self._timer.isActive():
            self._timer.start(delay_ms)

    def _draw_requested(self) -> None:
        if self._closed or not self.isVisible():
            return
        self._step_flight()
        is_moving = self.gestures.moving or self.is_playing
        self._draw(moving=is_moving or self._flight is not None)
        if self._flight is not None:
            self.request_render()
        elif not is_moving:
            self._still.start(STILL_MS)

    def _draw(self, moving: bool) -> None:
        frames = self._ready()
        if frames is None:
            self.update()
            return
        start = time.perf_counter()
        resolution, coarse = self._pace.quality if moving else (1.0, False)
        frames.take(frames.renderer.draw(resolution, coarse), self.selection)
        self._dirty = False
        self._compose()
        took = 1000 * (time.perf_counter() - start)
        if moving:
            self._pace.record(took)
        self.frame_drawn.emit(took)

    def _ready(self) -> Frames | None:
        """The drawing, with the present scene, style, size and camera."""
        frames = self.frames
        if frames is None:
            return None
        ratio = self.devicePixelRatioF()
        renderer = frames.renderer
        renderer.resize(round(self.width() * ratio), round(self.height() * ratio), ratio)
        renderer.camera = self.camera
        renderer.set_section(self.section)
        renderer.set_scene(self.scene, self.style_)
        return frames

    def _draw_still(self) -> None:
        """Draws one sample of the antialiased frame, and the next when there is nothing else to do."""
        frames = self._frames
        if frames is None or self._dirty or self._closed:
            return
        renderer = frames.renderer
        if self._smooth is None:
            self._smooth = renderer.antialias(SAMPLES if not renderer.is_software else SOFTWARE_SAMPLES)
        start = time.perf_counter()
        done = next(self._smooth, DONE) is DONE
        self.frame_drawn.emit(1000 * (time.perf_counter() - start))
        if not done:
            self._still.start(0)
            return
        self._smooth = None
        frames.take(renderer.colors, self.selection)
        self._compose()

    def _compose(self) -> None:
        """Shows the last frame with what has changed since."""
        if self._frames is None:
            return
        hovered = self.hover.id if self.hover is not None and self.hover.id not in self.selection else None
        self._show(self._frames.composed(self.ghost, self.ghost_style, hovered))
        if self._still.isActive():
            self._still.start(STILL_MS)  # Softer edges can wait until the pointer rests.

    def _show(self, picture: Bytes) -> None:
        self._pixels = np.ascontiguousarray(picture)
        height, width, _ = picture.shape
        self._image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
        self.update()

    def flush(self) -> None:
        self._finish_flight()
        self._timer.stop()
        self._draw(moving=False)

    def image(self, scale: float = 1.0) -> QImage:
        frames = self._ready()
        if frames is None:
            return QImage()
        renderer = frames.renderer
        width, height = round(self.width() * scale), round(self.height() * scale)
        renderer.resize(width, height, scale)
        for _ in renderer.antialias(SAMPLES):
            pass
        picture = frames.with_ghost(frames.with_marks(renderer.colors, self.selection), self.ghost, self.ghost_style)
        picture = np.ascontiguousarray(picture)
        image = QImage(picture.data, width, height, 4 * width, QImage.Format.Format_RGBX8888).copy()
        painter = QPainter(image)
        painter.scale(scale, scale)
        self.paint_labels(painter)
        self._gizmo.paint(painter, self.rect(), self.camera, self.scene, self.theme)
        painter.end()
        self.request_render()
        return image

    # Painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.problem:
            painter.fillRect(self.rect(), self.theme.color("viewport_bottom"))
            words = self.tr("3D view unavailable") + "\n\n" + self.problem
            overlays.paint_empty(painter, self.rect(), words, self.theme)
        elif self._image is None:
            painter.fillRect(self.rect(), self.theme.color("viewport_bottom"))
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self._image)
            self.paint_labels(painter)
            if self.scene.items:
                self._gizmo.paint(painter, self.rect(), self.camera, self.scene, self.theme)
        self.paint_overlays(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._framed and not self._user_moved:
            self.camera = self._fitted(self.camera, framed_points(self.scene))
        self.request_render()

    def showEvent(self, event: QEvent) -> None:
        out_of_sight().remove(self)
        self.request_render()

    def hideEvent(self, event: QHideEvent) -> None:
        self._still.stop()
        self._smooth = None
        if self._frames is not None:
            out_of_sight().add(self)

    def release(self) -> None:
        """Releases the graphics resources; the next frame makes them again."""
        self._smooth = None
        if self._frames is not None:
            self._frames.renderer.close()
        self._frames = None
        self._dirty = True
        self._image = self._pixels = None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom_at(1.0 / max(0.2, 1.0 + event.value()), event.position())
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.request_render()
        super().changeEvent(event)

    # Camera ------------------------------------------------------------------------------------------------------

    def _size(self) -> tuple[float, float]:
        return float(max(1, self.width())), float(max(1, self.height()))

    def _aspect(self) -> float:
        width, height = self._size()
        return width / height

    @property
    def camera(self) -> Camera:
        """Where the view looks from."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if camera != self._camera:
            self._camera = camera
            self.view_changed.emit()

    def view_state(self) -> object:
        return self.camera

    def set_view_state(self, state: object) -> None:
        assert isinstance(state, Camera)
        self.set_camera(state)

    def set_camera(self, camera: Camera, animate: bool = False) -> None:
        """Moves the camera, in flight if `animate`."""
        self._user_moved = True
        if animate and not self.reduce_motion and self.isVisible():
            self._flight = time.perf_counter(), self.camera, camera
        else:
            self._flight = None
            self.camera = camera
        self.request_render()

    def _step_flight(self) -> None:
        if self._flight is None:
            return
        begun, start, end = self._flight
        share = min(1.0, (time.perf_counter() - begun) / ANIMATION_S)
        self.camera = start.towards(end, share * share * (3 - 2 * share))
        if share >= 1.0:
            self._finish_flight()

    def _finish_flight(self) -> None:
        if self._flight is not None:
            self.camera = self._flight[2]
            self._flight = None

    def frame(self, ids: Iterable[str] | None = None, animate: bool = True) -> None:
        self.set_camera(self._fitted(self._goal(), self._points(ids)), animate)

    def show_hint(self, text: str) -> None:
        """Also makes room below the scene, which stays when the hint goes: nothing jumps under the pointer."""
        super().show_hint(text)
        if text and self._framed and not self._user_moved:
            self._show_whole()
            self.request_render()

    def _fitted(self, camera: Camera, points: Floats) -> Camera:
        """A camera that shows points above the hint, if there is one."""
        height = max(1, self.height())
        top = hint_box(self.rect(), self.font(), self.texts.hint).top() if self.texts.hint else height
        foot = min(height - top, height / 3) / height
        framed = camera.framing(points, self._aspect() / (1 - foot))
        return replace(framed, distance=framed.distance / (1 - foot)).panned(0, -foot / 2, 1)

    def _framed_points(self) -> Floats:
        return framed_points(self.scene)

    def _points(self, ids: Iterable[str] | None) -> Floats:
        parts = [] if ids is None else named_parts(self.scene.items, ids)
        points = np.concatenate([np.empty((0, 3)), *map(points_of, parts)])
        return points if len(points) else framed_points(self.scene)

    def standard_view(self, name: str) -> None:
        points = self._points(self.selection or None)
        self.set_camera(self._fitted(self._goal().looking(name), points), animate=True)

    def toggle_projection(self) -> None:
        camera = self._goal()
        self.set_camera(replace(camera, orthographic=not camera.orthographic))

    def _goal(self) -> Camera:
        """Where the camera is, or where it is flying to."""
        return self._flight[2] if self._flight is not None else self.camera

    def move_view(self, drag: ViewDrag, step: QPointF) -> None:
        self._finish_flight()
        self._user_moved = True
        if drag is ViewDrag.PAN:
            self.camera = self.camera.panned(step.x(), step.y(), self._size()[1])
        else:
            self.camera = self.camera.orbited(-step.x() * DEGREES_PER_PX, step.y() * DEGREES_PER_PX)
        self.request_render()

    def view_rests(self) -> None:
        self.request_render()

    def zoom_at(self, factor: float, pos: QPointF) -> None:
        self._finish_flight()
        self._user_moved = True
        hit = self.pick(pos)
        self.camera = self.camera.zoomed(factor, np.array(hit.position) if hit else self._beside_target(pos))
        self.request_render()

    def _beside_target(self, pos: QPointF) -> Floats:
        """The point under the pointer that is as far away as the target."""
        origin, direction = self.ray(pos)
        back = self.camera.axes[2]
        depth = float((np.asarray(self.camera.target) - origin) @ back) / float(direction @ back)
        return origin + depth * direction

    def press_gizmo(self, pos: QPointF) -> bool:
        view = self._gizmo.view_at(pos, self.rect(), self.camera)
        if view and self.scene.items:
            self.standard_view(view)
            return True
        return False

    # Queries -----------------------------------------------------------------------------------------------------

    def pick(self, pos: QPointF) -> Pick | None:
        sight = Sight.through(self.camera, self._size(), (pos.x(), pos.y())).cut(self.section)
        hit = pick(self.scene.items, sight, self.style_.hidden)
        return Pick(hit.id, hit.item, hit.position, hit.normal) if hit else None

    def pick_box(self, first: QPointF, second: QPointF) -> tuple[str, ...]:
        box = QRectF(first, second).normalized()
        picked: list[str] = []
        for item in self.scene.items:
            if item.pickable and item.name not in self.style_.hidden:
                names, centers = centers_of(item)
                places = self.project(centers) if len(names) else np.empty((0, 2))
                inside = (places >= [box.left(), box.top()]).all(axis=1)
                inside &= (places <= [box.right(), box.bottom()]).all(axis=1)
                picked += [names[i] for i in np.flatnonzero(inside) if names[i] not in self.style_.hidden]
        return tuple(picked)

    def ray(self, pos: QPointF) -> tuple[Floats, Floats]:
        origin, direction = self.camera.ray(pos.x(), pos.y(), self._size())
        if self.camera.orthographic:
            # Parallel lines of sight have no natural origin; this one is in front of everything.
            low, high = whole_bounds(self.scene)
            origin = origin - direction * 4 * (self.camera.distance + float(np.linalg.norm(high - low)))
        return origin, direction

    def project(self, points: Floats) -> Floats:
        points = np.atleast_2d(np.asarray(points, float))
        if points.shape[1] == 2:
            points = np.pad(points, ((0, 0), (0, 1)))
        return self.camera.project(points, self._size())[0]

    def close_view(self) -> None:
        super().close_view()
        self._closed = True
        self._timer.stop()
        self._still.stop()
        out_of_sight().remove(self)
        self.release()
        self.update()
