"""The 3D viewport: shows frames of an off-screen drawing, and turns the pointer's gestures into camera moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHideEvent, QImage, QNativeGestureEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats, Label, Scene
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.render3d.extent import centers_of, named_parts, points_of, whole_bounds
from spatial_workbench.widgets.render3d.frames import only_added
from spatial_workbench.widgets.render3d.picking import Sight, pick
from spatial_workbench.widgets.render3d.picture import first_camera, framed_points
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.flight import CameraFlight
from spatial_workbench.widgets.scene_views.gizmo import AxesGizmo
from spatial_workbench.widgets.scene_views.interactive_view import InteractiveView
from spatial_workbench.widgets.scene_views.out_of_sight import out_of_sight
from spatial_workbench.widgets.scene_views.overlays import hint_box
from spatial_workbench.widgets.scene_views.view import Pick
from spatial_workbench.widgets.scene_views.view_gestures import ViewDrag
from spatial_workbench.widgets.scene_views.viewport_frames import ViewportFrames

DEGREES_PER_PX = 0.35


class Viewport3D(InteractiveView):
    """Draws a Scene in three dimensions.

    It has more than 25 methods since it is the public interface of a view, Qt's handlers of events, and the camera,
    each a line or a few: frames are drawn by `picture`, flights are in `CameraFlight`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("3D view"))
        self.setAccessibleDescription(
            tr("Middle drag orbits, with Shift it pans; the wheel zooms; F frames; 1 to 7 are standard views.")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._camera = Camera()
        self.section: CuttingPlane | None = None
        self.picture = ViewportFrames(self)
        self._user_moved = False
        self._gizmo = AxesGizmo()
        self._framed = False
        self._flight = CameraFlight()
        self._closed = False

    # What is shown -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, reset_view: bool = False) -> None:
        added = only_added(self.scene, scene) if not self.picture.is_stale else ()
        first = not self._framed or reset_view
        self.scene = scene
        if first and not self._closed:
            self._framed = bool(scene.items)
            self._user_moved = False
            self._show_whole()
        if not added or first or not self.picture.add(added):
            self.request_render()
        self.gestures.hover_again()

    def set_playing(self, playing: bool) -> None:
        super().set_playing(playing)
        if not playing:
            self.request_render()

    def _show_whole(self) -> None:
        camera = self._fitted(first_camera(self.scene, self._aspect()), framed_points(self.scene))
        self._flight.end()
        self.camera = camera if self.scene.flat else replace(camera, orthographic=self.camera.orthographic)

    def set_section(self, section: CuttingPlane | None) -> None:
        """Cuts the scene along a plane, or shows it whole again."""
        if section != self.section:
            self.section = section
            self.request_render()

    def _style_changed(self) -> None:
        self.request_render()

    def _ghost_changed(self) -> None:
        self.picture.show_marks()

    def hover_changed(self) -> None:
        if not self.picture.is_stale:
            self.picture.compose()

    # Frames ------------------------------------------------------------------------------------------------------

    def request_render(self) -> None:
        """Asks for a new frame; requests in quick succession are answered by one."""
        self.picture.request()

    def flush(self) -> None:
        self._finish_flight()
        self.picture.draw_now()

    def image(self, scale: float = 1.0) -> QImage:
        image = self.picture.picture(round(self.width() * scale), round(self.height() * scale), scale)
        if image.isNull():
            return image
        painter = QPainter(image)
        painter.scale(scale, scale)
        self.paint_labels(painter)
        self._gizmo.paint(painter, self.rect(), self.camera, self.scene, self.theme)
        painter.end()
        self.request_render()
        return image

    def paint_labels(self, painter: QPainter) -> None:
        """Paints the scene's labels, without those that stand behind something that hides them."""
        labels = [item for item in self.scene.items if isinstance(item, Label)]
        overlays.paint_labels(painter, self, self.picture.in_sight(labels, self._size()), self.style_)

    # Painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.picture.problem:
            painter.fillRect(self.rect(), self.theme.color("viewport_bottom"))
            words = tr("3D view unavailable") + "\n\n" + self.picture.problem
            overlays.paint_empty(painter, self.rect(), words, self.theme)
        elif self.picture.image is None:
            painter.fillRect(self.rect(), self.theme.color("viewport_bottom"))
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(self.rect()), self.picture.image)
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
        self.picture.rest()
        if self.picture.is_held:
            out_of_sight().add(self)

    def release(self) -> None:
        """Releases the graphics resources; the next frame makes them again."""
        self.picture.release()

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
            self._flight.begin(self.camera, camera)
        else:
            self._flight.end()
            self.camera = camera
        self.request_render()

    @property
    def is_flying(self) -> bool:
        """Whether the camera flies."""
        return self._flight.is_on

    def fly(self) -> None:
        """Moves the camera on, if it flies."""
        camera = self._flight.step()
        if camera is not None:
            self.camera = camera

    def _finish_flight(self) -> None:
        if self._flight.goal is not None:
            self.camera = self._flight.goal
            self._flight.end()

    def _aim(self) -> Camera:
        """Where the camera is, or where it is flying to."""
        return self._flight.goal or self.camera

    def frame(self, ids: Iterable[str] | None = None, animate: bool = True) -> None:
        self.set_camera(self._fitted(self._aim(), self._points(ids)), animate)

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
        self.set_camera(self._fitted(self._aim().looking(name), points), animate=True)

    def toggle_projection(self) -> None:
        camera = self._aim()
        self.set_camera(replace(camera, orthographic=not camera.orthographic))

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
        out_of_sight().remove(self)
        self.picture.close()
        self.update()
