"""Paints flat scenes with QPainter: seen from above, with y up or down, on any paint device.

A Plane says where the scene lies on the device. Whatever has a height (boxes, voxels, meshes, height fields) is painted
from the lowest to the highest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPen, QPolygonF

from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    Ground,
    HeightField,
    Item,
    Label,
    Mesh,
    Picture,
    Points,
    Polygon,
    Polyline,
    RigidBodies,
    Scene,
    Voxels,
)
from spatial_workbench.widgets.render3d.bodies import MeshKey, corners_of, poses_of
from spatial_workbench.widgets.render3d.extent import bounds_of, box_points, rows_of, shown_bounds
from spatial_workbench.widgets.render3d.shapes import studs
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.scene_views.overlays import paint_words
from spatial_workbench.widgets.theme import LIGHT, Theme

MARGIN = 1.12
"""How much wider and higher than the scene's bounds the first view is."""

PATTERNS = {
    "hatch": Qt.BrushStyle.BDiagPattern,
    "cross": Qt.BrushStyle.DiagCrossPattern,
    "dots": Qt.BrushStyle.Dense5Pattern,
    "grid": Qt.BrushStyle.CrossPattern,
}
_TOP_CORNERS = [1, 3, 2, 0]
"""Of the eight corners of a box, those of one horizontal face, in order around it."""
_MANY = 200
"""More boxes than this are painted colour by colour if they have one height."""
_MOST_OUTLINED = 1000
"""More columns of cells than this are outlined together."""
_COLUMN_SPAN = 1 << 32
"""More than the cells along any axis, so that each column gets a number of its own."""
_FINE_PX = 4.0
"""Many boxes that are not wider than this are painted without outlines."""


@dataclass(frozen=True)
class Plane:
    """Where a flat scene lies on a device of `size` pixels: its point `center` is in the middle."""

    center: tuple[float, float]
    pixels_per_unit: float
    size: tuple[float, float]
    y_up: bool = True

    @property
    def _steps(self) -> Floats:
        return np.array([1.0, -1.0 if self.y_up else 1.0]) * self.pixels_per_unit

    def to_pixels(self, points: Floats) -> Floats:
        """Points (n, 2 or 3) of the scene in pixels, (n, 2)."""
        return (np.asarray(points, float)[:, :2] - self.center) * self._steps + np.asarray(self.size) / 2

    def to_scene(self, x: float, y: float) -> Floats:
        """The point (2,) of the scene at a pixel."""
        return np.asarray(self.center) + (np.array([x, y]) - np.asarray(self.size) / 2) / self._steps

    @classmethod
    def framing(cls, low: Floats, high: Floats, size: tuple[float, float], y_up: bool) -> Plane:
        """The plane that shows a box as large as possible."""
        extent = np.asarray(high, float)[:2] - np.asarray(low, float)[:2]
        extent = np.maximum(extent, 1e-9) if extent.any() else np.ones(2)
        scale = float((np.asarray(size) / extent).min()) / MARGIN
        center = (np.asarray(low)[:2] + np.asarray(high)[:2]) / 2
        return cls((float(center[0]), float(center[1])), min(scale, 1e7), size, y_up)


def flat_image(scene: Scene, size: tuple[int, int], theme: Theme = LIGHT, style: Style | None = None) -> QImage:
    """Draws a flat scene without a widget. Labels need a QGuiApplication."""
    image = QImage(*size, QImage.Format.Format_RGB32)
    low, high = shown_bounds(scene)
    plane = Plane.framing(low, high, size, scene.y_up)
    painter = QPainter(image)
    paint_background(painter, QRectF(0, 0, *size), theme)
    paint_flat(painter, scene, style or Style(theme), plane)
    painter.end()
    return image


def paint_background(painter: QPainter, area: QRectF, theme: Theme) -> None:
    """Paints the background of every view: a faint vertical gradient."""
    gradient = QLinearGradient(area.bottomLeft(), area.topLeft())
    gradient.setColorAt(0, theme.color("viewport_bottom"))
    gradient.setColorAt(1, theme.color("viewport_top"))
    painter.fillRect(area, gradient)


def paint_flat(painter: QPainter, scene: Scene, style: Style, plane: Plane) -> None:
    """Paints the ground and all items of a scene."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if scene.ground is not None:
        paint_ground(painter, scene.ground, style.theme, plane)
    paint_items(painter, scene.items, style, plane)


def paint_items(painter: QPainter, items: Iterable[Item], style: Style, plane: Plane) -> None:
    """Paints items in order, labels last."""
    labels = []
    for item in items:
        if isinstance(item, Label):
            labels.append(item)
        else:
            rgba = style.rgba(item)
            if rgba[:, 3].any():
                _PAINTERS[type(item)](painter, item, rgba, style, plane)
    shown = [label for label in labels if label.id not in style.hidden]
    if shown:
        paint_words(painter, shown, plane.to_pixels(np.array([label.position[:2] for label in shown])), style)


# Ground --------------------------------------------------------------------------------------------------------------


def paint_ground(painter: QPainter, ground: Ground, theme: Theme, plane: Plane) -> None:
    """Paints a grid at the ground's pitch; only every fifth line where lines would be too dense, and so on."""
    x0, y0, x1, y1 = ground.extent
    corners = plane.to_pixels(np.array([[x0, y0], [x1, y1]]))
    area = QRectF(QPointF(*corners[0]), QPointF(*corners[1])).normalized()
    fill = theme.color("field")
    fill.setAlphaF(0.75)
    painter.fillRect(area, fill)
    step = ground.pitch
    while step * plane.pixels_per_unit < 5:
        step *= 5
    color = theme.color("line")
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color, 1))
    for axis, (low, high) in enumerate(((x0, x1), (y0, y1))):
        places = np.arange(low, high + step * 1e-6, step)
        ends = np.zeros((len(places), 2, 2))
        ends[:, :, axis] = places[:, None]
        ends[:, :, 1 - axis] = (y0, y1) if axis == 0 else (x0, x1)
        lines = plane.to_pixels(ends.reshape(-1, 2)).reshape(-1, 4)
        for line in lines[_near(lines, plane.size)].tolist():
            painter.drawLine(QPointF(line[0], line[1]), QPointF(line[2], line[3]))
    painter.setPen(QPen(_mixed(color, theme.color("secondary"), 0.4), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _near(lines: Floats, size: tuple[float, float]) -> np.ndarray:
    """Which of the lines (x0, y0, x1, y1) touch the device."""
    low, high = np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])
    near: np.ndarray = np.all((high >= 0) & (low <= np.asarray(size)), axis=1)
    return near


# Items ---------------------------------------------------------------------------------------------------------------


def _polygon(painter: QPainter, item: Polygon, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    color = QColor(*rgba[0].tolist())
    shape = _shape(plane.to_pixels(item.points))
    outline = style.roles.get(item.id, item.outline)
    painter.setPen(Qt.PenStyle.NoPen)
    if item.pattern == "solid":
        painter.setBrush(color)
    else:
        faint = QColor(color)
        faint.setAlphaF(color.alphaF() * 0.28)
        painter.setBrush(faint)
        painter.drawPolygon(shape)
        painter.setBrush(QBrush(color, PATTERNS[item.pattern]))
    if outline is not None:
        marked = item.id in style.roles
        painter.setPen(
            _pen(_with_alpha(style.theme.color(outline), color.alphaF() if color.alpha() < 90 else 1), marked)
        )
    painter.drawPolygon(shape)


def _picture(painter: QPainter, item: Picture, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    corners = plane.to_pixels(item.points)
    area = QRectF(QPointF(*corners[0]), QPointF(*corners[2])).normalized()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setOpacity(rgba[0, 3] / 255)
    painter.drawImage(area, _decoded(item))
    painter.setOpacity(1.0)


_images: WeakKeyDictionary[Picture, QImage] = WeakKeyDictionary()


def _decoded(item: Picture) -> QImage:
    """Decoded once for each item, since items never change."""
    if item not in _images:
        _images[item] = QImage.fromData(item.png)
    return _images[item]


def _pen(color: QColor, strong: bool = False) -> QPen:
    pen = QPen(color, 2.4 if strong else 1.2)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


def _polyline(painter: QPainter, item: Polyline, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    points = plane.to_pixels(item.points)
    if len(points) < 2:
        return
    pen = QPen(QColor(*rgba[0].tolist()), item.width_px)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if not item.dashed else Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if item.dashed:
        pen.setDashPattern([4.0, 3.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if item.arrow and not item.closed:
        points = points.copy()
        head = arrow_head(points, item.width_px)
        points[-1] = (head[1] + head[2]) / 2
    else:
        head = None
    shape = _shape(points)
    if item.closed:
        painter.drawPolygon(shape)
    else:
        painter.drawPolyline(shape)
    if head is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pen.color())
        painter.drawPolygon(_shape(head))


def arrow_head(points: Floats, width_px: float) -> Floats:
    """The triangle at the end of a line in pixels, (3, 2): the tip first."""
    way = points[-1] - points[-2]
    way = way / (np.linalg.norm(way) or 1.0)
    across = np.array([-way[1], way[0]])
    length = 7 + 2 * width_px
    back = points[-1] - way * length
    return np.stack([points[-1], back + across * length * 0.42, back - across * length * 0.42])


def _points(painter: QPainter, item: Points, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    places = plane.to_pixels(np.asarray(item.positions).reshape(len(item.ids), -1))
    radius = item.size_px / 2
    painter.setPen(QPen(style.theme.color("viewport_top"), 1.2))
    for (x, y), color in zip(places.tolist(), rgba.tolist(), strict=True):
        if color[3]:
            painter.setBrush(QColor(*color))
            painter.drawEllipse(QPointF(x, y), radius, radius)


def _boxes(painter: QPainter, item: Boxes, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    corners = box_points(item)
    tops = corners[:, :, 2].max(axis=1) if len(corners) else np.empty(0)
    if len(corners) > _MANY and item.angles_deg is None and not item.studs and np.ptp(tops) == 0:
        _paint_alike(painter, plane.to_pixels(corners.reshape(-1, 3)).reshape(-1, 8, 2), rgba)
        return
    outlines = plane.to_pixels(corners[:, _TOP_CORNERS].reshape(-1, 3)).reshape(-1, 4, 2)
    for row in np.argsort(tops, kind="stable").tolist():
        color = QColor(*rgba[row].tolist())
        if not color.alpha():
            continue
        painter.setPen(_pen(_darker(color)))
        painter.setBrush(color)
        painter.drawPolygon(_shape(outlines[row]))
        if item.studs:
            _paint_studs(painter, item, row, color, plane)


def _paint_alike(painter: QPainter, corners: Floats, rgba: np.ndarray) -> None:
    """Paints many boxes of one height colour by colour, several times faster than one by one."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    places = np.concatenate([low, high - low], axis=1)
    has_outlines = np.median((high - low).min(axis=1)) > _FINE_PX
    colors, which = np.unique(rgba, axis=0, return_inverse=True)
    for index, value in enumerate(colors.tolist()):
        if value[3]:
            color = QColor(*value)
            painter.setPen(_pen(_darker(color)) if has_outlines else Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawRects([QRectF(*place) for place in places[which.ravel() == index].tolist()])


def _paint_studs(painter: QPainter, item: Boxes, row: int, color: QColor, plane: Plane) -> None:
    size = np.broadcast_to(item.sizes, (len(item.ids), 3))[row]
    angle = 0.0 if item.angles_deg is None else float(item.angles_deg[row])
    assert item.studs is not None
    center = np.asarray(item.centers, float)[row]
    places, sizes, _ = studs(center[None], size[None], np.array([angle]), item.studs)
    radius = float(sizes[0, 0]) / 2 * plane.pixels_per_unit
    painter.setBrush(color.lighter(108))
    for x, y in plane.to_pixels(places).tolist():
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _voxels(painter: QPainter, item: Voxels, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    """Paints the highest shown cell of each column."""
    cells = np.asarray(item.cells)
    shown = np.flatnonzero(rgba[:, 3])
    order = shown[np.argsort(cells[shown, 2], kind="stable")]
    columns = cells[order[::-1], :2].astype(np.int64)
    _, last = np.unique(columns[:, 0] * _COLUMN_SPAN + columns[:, 1], return_index=True)
    rows = order[::-1][last]
    low = plane.to_pixels(np.asarray(item.origin)[:2] + item.pitch * cells[rows, :2])
    high = plane.to_pixels(np.asarray(item.origin)[:2] + item.pitch * (cells[rows, :2] + 1))
    _paint_rects(painter, low, high, rgba[rows], item.edges)


def _paint_rects(painter: QPainter, low: Floats, high: Floats, rgba: np.ndarray, edges: bool) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    packed = np.ascontiguousarray(rgba, np.uint8).view(np.uint32).ravel()
    colors, first = np.unique(packed, return_index=True)
    for value, row in zip(colors, first.tolist(), strict=True):
        color = QColor(*rgba[row].tolist())
        chosen = packed == value
        corners = np.concatenate([np.minimum(low, high)[chosen], np.maximum(low, high)[chosen]], axis=1)
        wide = len(corners) and corners[0, 2] - corners[0, 0] > 4
        painter.setPen(QPen(_darker(color), 1) if edges and wide else QPen(color, 1))
        painter.setBrush(color)
        painter.drawRects([QRectF(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in corners.tolist()])
    painter.restore()


def _height_field(painter: QPainter, item: HeightField, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    """Paints cells from dark (low) to light (high)."""
    heights = np.asarray(item.heights, float)
    finite = np.isfinite(heights)
    low, high = (heights[finite].min(), heights[finite].max()) if finite.any() else (0.0, 1.0)
    share = (np.where(finite, heights, low) - low) / ((high - low) or 1.0)
    pixels = np.empty((*heights.shape, 4), np.uint8)
    pixels[..., :3] = np.clip(rgba[0, :3] * (0.6 + 0.55 * share[..., None]), 0, 255)
    pixels[..., 3] = np.where(finite, rgba[0, 3], 0)
    rows, columns = heights.shape
    corner = np.asarray(item.origin)[:2]
    ends = plane.to_pixels(np.array([corner, corner + item.pitch * np.array([columns, rows])]))
    if plane.y_up:
        pixels = pixels[::-1]
    pixels = np.ascontiguousarray(pixels)
    image = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
    painter.drawImage(QRectF(QPointF(*ends[0]), QPointF(*ends[1])).normalized(), image)


def _mesh(painter: QPainter, item: Mesh, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    """Paints triangles from the lowest to the highest."""
    vertices = np.asarray(item.vertices, float)
    faces = np.asarray(item.faces).reshape(-1, 3)
    color = QColor(*rgba[0].tolist())
    places = plane.to_pixels(vertices)
    painter.setPen(_pen(_darker(color)) if item.edges or item.wireframe else QPen(color, 0.6))
    painter.setBrush(Qt.BrushStyle.NoBrush if item.wireframe else color)
    for face in faces[np.argsort(vertices[faces, 2].mean(axis=1))]:
        painter.drawPolygon(_shape(places[face]))


def _rigid_bodies(painter: QPainter, item: RigidBodies, rgba: np.ndarray, style: Style, plane: Plane) -> None:
    """Paints bodies from the lowest to the highest, each as a mesh."""
    tops = corners_of(item)[:, :, 2].max(axis=1)
    matrices, positions = poses_of(item)
    for row in np.argsort(tops).tolist():
        if rgba[row, 3] and np.isfinite(tops[row]):
            vertices, triangles = MeshKey(item.meshes[row]).arrays
            placed = vertices @ matrices[row].T + positions[row]
            body = Mesh(id=item.ids[row], vertices=placed, faces=triangles, edges=item.edges)
            _mesh(painter, body, rgba[row : row + 1], style, plane)


_PAINTERS: dict[type, Callable[[QPainter, Any, np.ndarray, Style, Plane], None]] = {
    Boxes: _boxes,
    HeightField: _height_field,
    Mesh: _mesh,
    Picture: _picture,
    Points: _points,
    Polygon: _polygon,
    Polyline: _polyline,
    RigidBodies: _rigid_bodies,
    Voxels: _voxels,
}


# Outlines of what is hovered or selected -----------------------------------------------------------------------------


def paint_outlines(painter: QPainter, items: Sequence[Item], color: QColor, width_px: float, plane: Plane) -> None:
    """Paints outlines around items."""
    pen = QPen(color, width_px)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for item in items:
        if isinstance(item, Points):
            radius = item.size_px / 2 + width_px
            for x, y in plane.to_pixels(np.asarray(item.positions)).tolist():
                painter.drawEllipse(QPointF(x, y), radius, radius)
        elif isinstance(item, Polyline) and not item.closed:
            painter.setPen(QPen(color, item.width_px + width_px))
            painter.drawPolyline(_shape(plane.to_pixels(item.points)))
            painter.setPen(pen)
        elif isinstance(item, Voxels):
            _outline_columns(painter, item, plane)
        else:
            outlines = rings(item)
            ends = np.cumsum([len(ring) for ring in outlines])[:-1]
            points = plane.to_pixels(np.concatenate(outlines)) if outlines else np.empty((0, 2))
            for ring in np.split(points, ends):
                painter.drawPolygon(_shape(ring))


def _outline_columns(painter: QPainter, item: Voxels, plane: Plane) -> None:
    """Outlines each column of cells, or all columns together if there are many."""
    columns = np.unique(np.asarray(item.cells)[:, :2], axis=0)
    if len(columns) > _MOST_OUTLINED:
        ends = plane.to_pixels(np.asarray(item.origin)[:2] + item.pitch * border_lines(columns).reshape(-1, 2))
        painter.drawLines([QLineF(*ends) for ends in ends.reshape(-1, 4).tolist()])
        return
    low, high = _columns(item, plane)
    painter.drawRects([QRectF(QPointF(*a), QPointF(*b)) for a, b in zip(low, high, strict=True)])


def border_lines(columns: NDArray[np.integer]) -> NDArray[np.integer]:
    """The unit sides of columns (n, 2) that have no neighbour there: (m, 2 ends, 2)."""
    low = columns.min(axis=0)
    filled = np.zeros(np.ptp(columns, axis=0) + 3, bool)
    filled[tuple((columns - low + 1).T)] = True
    sides = []
    for axis in (0, 1):
        start = np.argwhere(np.diff(filled, axis=axis)) + low
        start[:, 1 - axis] -= 1
        end = start.copy()
        end[:, 1 - axis] += 1
        sides.append(np.stack([start, end], axis=1))
    return np.concatenate(sides)


def _columns(item: Voxels, plane: Plane) -> tuple[list[list[float]], list[list[float]]]:
    """Two opposite corners of each column of cells, in pixels."""
    cells = np.unique(np.asarray(item.cells)[:, :2], axis=0)
    low = plane.to_pixels(np.asarray(item.origin)[:2] + item.pitch * cells)
    high = plane.to_pixels(np.asarray(item.origin)[:2] + item.pitch * (cells + 1))
    return np.minimum(low, high).tolist(), np.maximum(low, high).tolist()


def rings(item: Item) -> list[Floats]:
    """The closed outlines of an item's elements, seen from above."""
    if isinstance(item, Polygon | Polyline | Picture):
        return [np.asarray(item.points, float)]
    if isinstance(item, Boxes):
        return list(box_points(item)[:, _TOP_CORNERS])
    if isinstance(item, RigidBodies):
        return [ring for row in range(len(item.ids)) for ring in _frame_around(rows_of(item, np.array([row])))]
    return _frame_around(item)


def _frame_around(item: Item) -> list[Floats]:
    bounds = bounds_of([item])
    if bounds is None:
        return []
    (x0, y0, _), (x1, y1, _) = bounds
    return [np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])]


def _shape(points: Floats) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _darker(color: QColor) -> QColor:
    return color.darker(150) if color.lightness() > 60 else color.lighter(170)


def _with_alpha(color: QColor, alpha: float) -> QColor:
    color.setAlphaF(alpha)
    return color


def _mixed(first: QColor, second: QColor, share: float) -> QColor:
    a, b = np.array(first.getRgbF()), np.array(second.getRgbF())
    return QColor.fromRgbF(*(a + (b - a) * share).tolist())
