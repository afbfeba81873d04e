"""Operations on the shapes of a layer: hitting, moving and removing them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt

from spatial_workbench.engine.puzzles.annotation.layers import (
    Area,
    Arrow,
    Ellipse,
    Point,
    PuzzleLayer,
    Rectangle,
    Shape,
    Stroke,
    Text,
    mask_of,
)
from spatial_workbench.widgets.sketch.painting import box, polygon

FARTHEST_PX = 90_000.0
"""No shape is moved farther from the page's corner than this."""


def is_hit(shape: Shape, point: Point, within: float) -> bool:
    """Whether a point is on a shape, or at most `within` pixels from its line."""
    if not box(shape).adjusted(-within, -within, within, within).contains(QPointF(*point)):
        return False
    reach = within + shape.width / 2
    match shape:
        case Stroke():
            return _distance(shape.points, point, shape.closed) <= reach
        case Arrow():
            return _distance((shape.start, shape.end), point) <= reach + shape.width
        case Rectangle():
            return _is_on_frame(shape, point, reach)
        case Ellipse():
            return _is_on_ellipse(shape, point, reach)
        case Area():
            return polygon(shape.points).containsPoint(QPointF(*point), Qt.FillRule.OddEvenFill)
        case Text():
            return text_box(shape).adjusted(-within, -within, within, within).contains(QPointF(*point))


def text_box(shape: Text) -> QRectF:
    """The box around the letters of a text."""
    far = 100_000
    offset = 20_000.0
    moved_in = shape.model_copy(update={"position": (offset, offset), "opacity": 1.0, "text": shape.text[:200]})
    drawn = mask_of(moved_in, (far, far))
    inked = None if drawn is None else drawn[1].getbbox()
    if drawn is None or inked is None:
        return QRectF(*shape.position, 1, 1)
    x, y = drawn[0]
    x0, y0, x1, y1 = inked
    left, top = shape.position[0] - offset + x + x0, shape.position[1] - offset + y + y0
    return QRectF(left, top, x1 - x0, y1 - y0)


def outline_box(shape: Shape) -> QRectF:
    """The box that is shown around a selected shape."""
    match shape:
        case Text():
            return text_box(shape)
        case Stroke() | Area():
            margin = shape.width / 2 if isinstance(shape, Stroke) else 0.0
            return polygon(shape.points).boundingRect().adjusted(-margin, -margin, margin, margin)
        case _:
            half = shape.width / 2
            area = QRectF(QPointF(*shape.start), QPointF(*shape.end)).normalized()
            return area.adjusted(-half, -half, half, half)


def moved(shape: Shape, by: Point) -> Shape:
    """A shape at another place; none is moved outside the bounds of a layer."""
    area = box(shape)
    dx = min(max(by[0], -FARTHEST_PX - area.left()), FARTHEST_PX - area.right())
    dy = min(max(by[1], -FARTHEST_PX - area.top()), FARTHEST_PX - area.bottom())
    match shape:
        case Stroke() | Area():
            return shape.model_copy(update={"points": tuple((x + dx, y + dy) for x, y in shape.points)})
        case Text():
            return shape.model_copy(update={"position": (shape.position[0] + dx, shape.position[1] + dy)})
        case _:
            start, end = shape.start, shape.end
            update = {"start": (start[0] + dx, start[1] + dy), "end": (end[0] + dx, end[1] + dy)}
            return shape.model_copy(update=update)


def without(layer: PuzzleLayer, indices: Iterable[int]) -> PuzzleLayer:
    """A layer without some of its shapes."""
    gone = set(indices)
    return layer.model_copy(update={"shapes": tuple(s for i, s in enumerate(layer.shapes) if i not in gone)})


def _distance(points: tuple[Point, ...], point: Point, closed: bool = False) -> float:
    """How far a point is from a line through points."""
    line = np.array((*points, points[0]) if closed else points, float)
    if len(line) == 1:
        return float(np.hypot(*(line[0] - point)))
    start = line[:-1]
    along = np.diff(line, axis=0)
    lengths = np.maximum((along * along).sum(axis=1), 1e-12)
    shares = np.clip(((point - start) * along).sum(axis=1) / lengths, 0, 1)
    return float(np.hypot(*(start + shares[:, None] * along - point).T).min())


def _is_on_frame(shape: Rectangle, point: Point, reach: float) -> bool:
    area = QRectF(QPointF(*shape.start), QPointF(*shape.end)).normalized()
    inside = area.adjusted(reach, reach, -reach, -reach)
    is_hollow = not shape.filled and inside.isValid() and inside.contains(QPointF(*point))
    return area.adjusted(-reach, -reach, reach, reach).contains(QPointF(*point)) and not is_hollow


def _is_on_ellipse(shape: Ellipse, point: Point, reach: float) -> bool:
    area = QRectF(QPointF(*shape.start), QPointF(*shape.end)).normalized()
    dx, dy = point[0] - area.center().x(), point[1] - area.center().y()
    outer = np.hypot(dx / (area.width() / 2 + reach), dy / (area.height() / 2 + reach))
    rx, ry = area.width() / 2 - reach, area.height() / 2 - reach
    is_hollow = not shape.filled and rx > 0 and ry > 0 and np.hypot(dx / rx, dy / ry) < 1
    return bool(outer <= 1 and not is_hollow)
