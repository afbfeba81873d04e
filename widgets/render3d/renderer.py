"""Draws a scene off screen: a full frame with its depths, then quick changes on top of it.

A frame keeps its colours and depths. A ghost, new bricks and outlines are drawn alone, with the same camera, and merged
by depth. That takes a few milliseconds, however large the scene is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkCamera, vtkLight, vtkRenderer

from spatial_workbench.engine.core.scene import Floats, Item, Scene
from spatial_workbench.widgets.render3d import probe
from spatial_workbench.widgets.render3d.camera import VIEW_ANGLE_DEG, Bounds, Camera
from spatial_workbench.widgets.render3d.compose import merge_ghost, outline, sample_places
from spatial_workbench.widgets.render3d.drawing import RenderDrawing
from spatial_workbench.widgets.render3d.extent import bounds_of, named_parts, points_of, whole_bounds
from spatial_workbench.widgets.render3d.ground import GroundGrid
from spatial_workbench.widgets.render3d.section import CuttingPlane
from spatial_workbench.widgets.render3d.shading import Shading
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.render3d.window import OffscreenWindow, Rect

Bytes = NDArray[np.uint8]
Depths = NDArray[np.float32]

EDGE_PX = 0.8
"""Half the width of the line between two bricks, in the widget's pixels."""


class Renderer3D:
    """The drawing of one view: its scene, style, camera and size, and the last frame.

    Raises:
        NoRenderer: no OpenGL driver works here.
    """

    def __init__(self) -> None:
        self.window = OffscreenWindow()
        self.shading = Shading()
        self._vtk_camera = vtkCamera()
        self._vtk_camera.SetViewAngle(VIEW_ANGLE_DEG)
        self._solid, self._clear, self._alone = (self._new_renderer() for _ in range(3))
        self._clear.PreserveColorBufferOn()
        self._clear.PreserveDepthBufferOn()
        self._solid.GradientBackgroundOn()
        self.ground = GroundGrid(self.shading)
        self.drawing = RenderDrawing(self.shading, self._solid, self._clear)
        self._ghost = RenderDrawing(self.shading, self._alone, self._alone)
        self._marked = RenderDrawing(self.shading, self._alone, self._alone)
        self.scene = Scene(items=())
        self.style = Style()
        self.camera = Camera()
        self.section: CuttingPlane | None = None
        self.pixel_ratio = 1.0
        self.bounds: Bounds = whole_bounds(self.scene)
        self.colors: Bytes = np.zeros((1, 1, 4), np.uint8)
        self.clear_depths: Depths = np.ones((1, 1), np.float32)
        self.solid_depths: Depths = self.clear_depths
        self._confirmed = False

    def _new_renderer(self) -> vtkRenderer:
        renderer = self.window.new_renderer()
        renderer.SetActiveCamera(self._vtk_camera)
        light = vtkLight()
        light.SetLightTypeToHeadlight()
        renderer.AddLight(light)
        return renderer

    # What is drawn -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, style: Style) -> int:
        """Shows a scene in a style; returns how many items had to be updated."""
        if scene is not self.scene:
            self.bounds = whole_bounds(scene)
        self.scene = scene
        self.style = style
        self.ground.set_ground(scene.ground)
        self.ground.paint(style.theme)
        self._solid.SetBackground(*style.theme.rgb("viewport_bottom"))
        self._solid.SetBackground2(*style.theme.rgb("viewport_top"))
        return self.drawing.update(scene.items, style, first=[self.ground.part])

    def set_section(self, section: CuttingPlane | None) -> None:
        """Cuts the scene along a plane, or shows it whole again."""
        before = self.section
        self.section = section
        self.shading.set_section(section)
        if (before is None) != (section is None):
            self.drawing.cut()

    def resize(self, width: int, height: int, pixel_ratio: float = 1.0) -> None:
        """Sets the size of the picture in pixels, and the pixels per pixel of a line's width."""
        self.window.resize(width, height)
        self.pixel_ratio = pixel_ratio

    # Frames ------------------------------------------------------------------------------------------------------

    def draw(self, resolution: float = 1.0, coarse: bool = False, depths: bool = True) -> Bytes:
        """Draws a frame, smaller or without details if asked. Returns its colours, (h, w, 4)."""
        self._prepare(resolution, coarse)
        self._draw_all(depths)
        self.colors = self.window.colors().copy()
        self._confirm()
        return self.colors

    def _prepare(self, resolution: float, coarse: bool) -> None:
        self.window.set_resolution(resolution)
        self.drawing.set_coarse(coarse)
        self._aim(resolution)

    def _confirm(self) -> None:
        if not self._confirmed:
            self._confirmed = True
            probe.confirm(self.window.driver)

    def _draw_all(self, depths: bool) -> None:
        self.window.draw(self._solid)
        if depths:
            self.solid_depths = self.clear_depths = self.window.depths().copy()
        if self.drawing.has_clear:
            self.window.draw(self._clear)
            if depths:
                self.clear_depths = self.window.depths().copy()

    def antialias(self, samples: int) -> Iterator[None]:
        """Draws the frame `samples` times, each moved by a fraction of a pixel; `colors` is their mean in the end.

        Ghosts and outlines may be drawn between two samples.
        """
        self.draw()
        total = np.zeros(self.colors.shape, np.uint16)
        for x, y in sample_places(samples):
            total += self._sample(x, y, depths=False)
            yield
        self.colors = _mean_of(total, samples)

    def picture(self, samples: int) -> Bytes:
        """The frame with `samples` samples a pixel, and nothing in between. The depths are those of the first."""
        self._prepare(1.0, coarse=False)
        width, height = self.window.picture_size
        total = np.zeros((height, width, 4), np.uint16)
        for number, (x, y) in enumerate(sample_places(samples)):
            total += self._sample(x, y, depths=number == 0)
        self.colors = _mean_of(total, samples)
        self._confirm()
        return self.colors

    def _sample(self, x: float, y: float, depths: bool) -> Bytes:
        """The frame, moved by a part of a pixel."""
        width, height = self.window.picture_size
        self._vtk_camera.SetWindowCenter(2 * x / width, 2 * y / height)
        self._draw_all(depths)
        self._vtk_camera.SetWindowCenter(0.0, 0.0)
        return self.window.colors()

    def _aim(self, resolution: float) -> None:
        camera = self.camera
        axes = self.camera.axes
        held = self._vtk_camera
        held.SetPosition(*camera.position)
        held.SetFocalPoint(*camera.target)
        held.SetViewUp(*axes[1])
        held.SetParallelProjection(camera.orthographic)
        held.SetParallelScale(camera.half_height)
        held.SetClippingRange(*camera.clipping_range(self.bounds))
        self.shading.aim(camera)
        self.shading.aim_section(self._to_window())
        self.shading.set_line_width(EDGE_PX * self.pixel_ratio * resolution)
        height = self.window.picture_size[1]
        self.drawing.aim(camera, height, self.pixel_ratio * resolution)

    def distances(self, shares: Floats) -> Floats:
        """How far away, along the line of view, the first solid thing is in places of the last frame.

        shares: (n, 2), from 0 at the left and the top to 1.
        """
        height, width = self.solid_depths.shape
        columns, rows = (np.asarray(shares) * [width, height]).astype(int).T
        depths = self.solid_depths[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)].astype(float)
        near, far = self.camera.clipping_range(self.bounds)
        away = near + depths * (far - near) if self.camera.orthographic else near * far / (far - depths * (far - near))
        distances: Floats = np.where(depths < 1.0, away, np.inf)
        return distances

    def _to_window(self) -> Floats:
        """The matrix from the scene to pixels from the lower left and depths from 0 to 1, (4, 4)."""
        width, height = self.window.picture_size
        seen = self._vtk_camera.GetCompositeProjectionTransformMatrix(width / height, -1.0, 1.0)
        to_unit = np.array([seen.GetElement(row, column) for row in range(4) for column in range(4)]).reshape(4, 4)
        half = np.array([width / 2, height / 2, 0.5])
        window = np.diag([*half, 1.0])
        window[:3, 3] = half
        matrix: Floats = window @ to_unit
        return matrix

    # On top of a frame -------------------------------------------------------------------------------------------

    def with_ghost(self, under: Bytes, items: Sequence[Item], style: Style, opacity: float) -> Bytes:
        """A frame with items that are not part of the scene, hidden by whatever is in front of them."""
        rect = self._rect_of(items)
        if rect is None:
            return under
        colors, depths = self._draw_alone(self._ghost, items, style, rect)
        x, y, width, height = rect
        part = np.s_[y : y + height, x : x + width]
        out = under.copy()
        out[part] = merge_ghost(under[part], self.clear_depths[part], self.solid_depths[part], colors, depths, opacity)
        return out

    def outline_of(self, names: Sequence[str], width_px: float) -> tuple[Rect, Bytes] | None:
        """The outline of elements: its rectangle in the frame, and its opacity there, (h, w)."""
        items = named_parts(self.scene.items, set(names) - self.style.hidden)
        width = max(1, round(width_px * self.pixel_ratio * self.window.resolution))
        rect = self._rect_of(items, margin=width + 2)
        if rect is None:
            return None
        _, depths = self._draw_alone(self._marked, items, Style(self.style.theme), rect)
        return rect, outline(depths < 1.0, width)

    def _draw_alone(
        self, drawing: RenderDrawing, items: Sequence[Item], style: Style, rect: Rect
    ) -> tuple[Bytes, Depths]:
        drawing.update(items, style)
        drawing.aim(self.camera, self.window.picture_size[1], self.pixel_ratio * self.window.resolution)
        self.window.draw(self._alone)
        pixels = self.window.colors(rect), self.window.depths(rect)
        drawing.set_aside()
        return pixels

    def _rect_of(self, items: Sequence[Item], margin: int = 4) -> Rect | None:
        """The pixels that items may touch."""
        points = [points_of(item) for item in items]
        points = [p for p in points if len(p)]
        if not points:
            return None
        size = self.window.picture_size
        grow = 24 if any(not hasattr(item, "opacity") for item in items) else margin
        places, _ = self.camera.project(np.concatenate(points), size)
        if np.isnan(places).any():
            return 0, 0, *size
        low = np.floor(places.min(axis=0)).clip(-1e6, 1e6).astype(int) - grow - self._stud_px(items)
        high = np.ceil(places.max(axis=0)).clip(-1e6, 1e6).astype(int) + grow
        low, high = np.clip(low, 0, size), np.clip(high, 0, size)
        width, height = (high - low).tolist()
        return (int(low[0]), int(low[1]), width, height) if width > 0 and height > 0 else None

    def _stud_px(self, items: Sequence[Item]) -> int:
        """How many pixels studs may rise above their boxes: never more than half the height of a box."""
        studded = [item for item in items if getattr(item, "studs", None)]
        bounds = bounds_of(studded)
        if bounds is None:
            return 0
        sizes = np.concatenate([np.atleast_2d(item.sizes)[:, 2] for item in studded])  # type: ignore[union-attr]
        corner = np.stack([bounds[1], bounds[1] + [0, 0, 0.5 * float(sizes.max())]])
        places, _ = self.camera.project(corner, self.window.picture_size)
        return int(np.nan_to_num(np.abs(places[1] - places[0]).max(), nan=20.0)) + 1

    # End ---------------------------------------------------------------------------------------------------------

    @property
    def is_software(self) -> bool:
        """Whether the driver draws in software."""
        return probe.is_software(self.window.driver)

    def close(self) -> None:
        """Releases all graphics resources."""
        for drawing in (self.drawing, self._ghost, self._marked):
            drawing.remove()
        self.window.close()


def _mean_of(total: NDArray[np.uint16], samples: int) -> Bytes:
    return ((total + samples // 2) // samples).astype(np.uint8)
