"""The frames of a 3D viewport: when they are drawn, how fine they are, and the picture that is shown.

A coarse frame is drawn while something moves, a full one when it rests, an antialiased one a moment later. Everything
that follows the pointer is merged by depth over the last frame.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage

from spatial_workbench.engine.core.scene import Boxes, Label
from spatial_workbench.widgets.render3d.frames import Frames, Pace
from spatial_workbench.widgets.render3d.probe import NoRenderer
from spatial_workbench.widgets.render3d.renderer import Renderer3D

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

Bytes = NDArray[np.uint8]

FRAME_MS = 12
"""Requests within this time are answered by one frame; while a timeline plays, it sets the pace."""
STILL_MS = 300
"""How long the view has to rest before the antialiased frame is drawn."""
NEAR_SHARE = 0.005
"""Nothing hides a label that is nearer to it than this share of its distance."""
SAMPLES, SOFTWARE_SAMPLES, QUICK_SAMPLES = 8, 6, 2
"""Samples per pixel of an antialiased frame, on a graphics card, in software, and in haste."""
DONE = object()


class ViewportFrames:
    """Draws a view's scene when that is asked for.

    image: the picture that is shown; None while there is none.
    samples: samples per pixel of `picture`.
    problem: why nothing can be drawn; "" if it can.
    is_stale: whether the last frame shows another scene or another camera.
    """

    def __init__(self, view: Viewport3D) -> None:
        self.image: QImage | None = None
        self.samples = SAMPLES
        self.problem = ""
        self.is_stale = True
        self.pace = Pace()
        self._view = view
        self._frames: Frames | None = None
        self._pixels: Bytes | None = None
        self._smooth: Iterator[None] | None = None
        self._timer = self._single_shot(self._draw_requested)
        self._still = self._single_shot(self._draw_still)
        self._drawn: tuple[object, ...] | None = None
        self._closed = False

    @property
    def is_held(self) -> bool:
        """Whether graphics resources are held."""
        return self._frames is not None

    def request(self) -> None:
        """Asks for a new frame; requests in quick succession are answered by one."""
        self.request_in(0 if self._view.is_playing else FRAME_MS, quick=True)

    def add(self, items: Sequence[Boxes]) -> bool:
        """Shows items in addition to the last frame; False if there is none."""
        if self._frames is None:
            return False
        self._frames.add(items)
        self.compose()
        self.request_in(FRAME_MS * 3, quick=False)
        return True

    def show_marks(self) -> None:
        """Shows what follows the pointer, over the last frame if that is still good."""
        if self.is_stale:
            self.request()
        else:
            self.compose()

    def draw_now(self) -> None:
        """Draws a full frame at once, unless it would be the last one again."""
        self._timer.stop()
        if self.is_stale or self._view.is_playing or self._drawn != self._to_draw():
            self.draw(moving=False)

    def _to_draw(self) -> tuple[object, ...]:
        """What a frame depends on. Scenes are compared by identity: comparing millions of numbers costs more."""
        view = self._view
        shown = (id(view.scene), view.style_, view.camera, view.section, tuple(view.selection))
        return (*shown, view.width(), view.height(), view.devicePixelRatioF())

    def picture(self, width: int, height: int, scale: float) -> QImage:
        """An antialiased picture of some size in pixels, with marks and ghost."""
        frames = self.ready()
        if frames is None:
            return QImage()
        view = self._view
        frames.renderer.resize(width, height, scale)
        marked = frames.with_marks(frames.renderer.picture(self.samples), view.selection)
        pixels = np.ascontiguousarray(frames.with_ghost(marked, view.ghost, view.ghost_style))
        return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888).copy()

    def in_sight(self, labels: Sequence[Label], size: tuple[float, float]) -> list[Label]:
        """The labels where nothing in the last frame hides them; size of the view in pixels."""
        if self._frames is None or all(label.reach is None for label in labels):
            return list(labels)
        spots = [(label, spot) for label in labels for spot in (label.position, *label.spots)]
        hidden = self._hidden([(*spot, 0.0)[:3] for _, spot in spots], [label.reach for label, _ in spots], size)
        shown: dict[str, Label] = {}
        for (label, spot), is_hidden in zip(spots, hidden, strict=True):
            if not is_hidden and label.id not in shown:
                shown[label.id] = label if spot == label.position else replace(label, position=spot)
        return list(shown.values())

    def _hidden(
        self, points: Sequence[tuple[float, ...]], reaches: Sequence[float | None], size: tuple[float, float]
    ) -> list[bool]:
        """Whether something solid is in front of each point by more than a reach."""
        assert self._frames is not None
        renderer = self._frames.renderer
        places, depths = renderer.camera.project(np.array(points), size)
        is_seen: np.ndarray = np.all(np.isfinite(places), axis=1)
        found = renderer.distances(np.where(is_seen[:, None], places, 0.0) / size)
        most = np.array([np.inf if reach is None else reach for reach in reaches])
        hidden: list[bool] = (is_seen & (found < depths * (1 - NEAR_SHARE) - most)).tolist()
        return hidden

    def rest(self) -> None:
        """Stops making the current frame finer: the view is hidden."""
        self._still.stop()
        self._smooth = None

    def release(self) -> None:
        """Releases the graphics resources; the next frame makes them again."""
        self._smooth = None
        if self._frames is not None:
            self._frames.renderer.close()
        self._frames = None
        self.is_stale = True
        self.image = self._pixels = None

    def close(self) -> None:
        """Draws nothing any more."""
        self._closed = True
        self._timer.stop()
        self._still.stop()
        self.release()

    @property
    def drawing(self) -> Frames | None:
        """The drawing behind the view, made when it is first needed; None where no driver works."""
        if self._frames is None and not self.problem and not self._closed:
            try:
                self._frames = Frames(Renderer3D())
            except NoRenderer as error:
                self.problem = str(error)
        return self._frames

    def request_in(self, delay_ms: int, quick: bool) -> None:
        """Asks for a frame after a delay; the last one is still shown until then, unless it has to be `quick`."""
        self._smooth = None
        self._still.stop()
        if quick:
            self.is_stale = True
        if not self._timer.isActive():
            self._timer.start(delay_ms)

    def _draw_requested(self) -> None:
        if self._closed or not self._view.isVisible():
            return
        self._view.fly()
        is_moving = self._view.gestures.moving or self._view.is_playing
        self.draw(moving=is_moving or self._view.is_flying)
        if self._view.is_flying:
            self.request()
        elif not is_moving:
            self._still.start(STILL_MS)

    def draw(self, moving: bool) -> None:
        """Draws a frame at once; a coarse one if something moves and drawing is slow."""
        frames = self.ready()
        if frames is None:
            self._view.update()
            return
        start = time.perf_counter()
        resolution, coarse = self.pace.quality(self._stays_sharp) if moving else (1.0, False)
        frames.take(frames.renderer.draw(resolution, coarse), self._view.selection)
        self._drawn = self._to_draw() if not moving else None
        self.is_stale = False
        self.compose()
        took = 1000 * (time.perf_counter() - start)
        if moving:
            self.pace.record(took)
        self._view.frame_drawn.emit(took)

    @property
    def _stays_sharp(self) -> bool:
        """While the camera is not moved by hand, few sharp frames of what plays show more than many coarse ones."""
        return self._view.is_playing and self._view.plays_sharply and not self._view.gestures.moving

    def ready(self) -> Frames | None:
        """The drawing, with the current scene, style, size and camera."""
        frames = self.drawing
        if frames is None:
            return None
        ratio = self._view.devicePixelRatioF()
        renderer = frames.renderer
        renderer.resize(round(self._view.width() * ratio), round(self._view.height() * ratio), ratio)
        renderer.camera = self._view.camera
        renderer.set_section(self._view.section)
        renderer.set_scene(self._view.scene, self._view.style_)
        return frames

    def _draw_still(self) -> None:
        """Draws one sample of the antialiased frame, and the next when there is nothing else to do."""
        frames = self._frames
        if frames is None or self.is_stale or self._closed:
            return
        renderer = frames.renderer
        if self._smooth is None:
            self._smooth = renderer.antialias(SAMPLES if not renderer.is_software else SOFTWARE_SAMPLES)
        start = time.perf_counter()
        done = next(self._smooth, DONE) is DONE
        self._view.frame_drawn.emit(1000 * (time.perf_counter() - start))
        if not done:
            self._still.start(0)
            return
        self._smooth = None
        frames.take(renderer.colors, self._view.selection)
        self.compose()

    def compose(self) -> None:
        """Shows the last frame with what has changed since."""
        if self._frames is None:
            return
        hovered = (
            self._view.hover.id
            if self._view.hover is not None and self._view.hover.id not in self._view.selection
            else None
        )
        self._show_picture(self._frames.composed(self._view.ghost, self._view.ghost_style, hovered))
        if self._still.isActive():
            self._still.start(STILL_MS)  # Softer edges can wait until the pointer rests.

    def _show_picture(self, picture: Bytes) -> None:
        self._pixels = np.ascontiguousarray(picture)
        height, width, _ = picture.shape
        self.image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
        self._view.update()

    def _single_shot(self, slot: object) -> QTimer:
        timer = QTimer(self._view)
        timer.setSingleShot(True)
        timer.timeout.connect(slot)
        return timer
