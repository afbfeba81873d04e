"""Paints the shapes of a layer with Qt, so that they look as `figure_of` draws them for a set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from spatial_workbench.engine.puzzles.annotation.layers import (
    Area,
    Arrow,
    Ellipse,
    GridOverlay,
    Point,
    Rectangle,
    Shape,
    Stroke,
    Text,
    arrow_head,
    box_of,
    mask_of,
    stroke_widths,
)

_CAP = Qt.PenCapStyle.RoundCap
_JOIN = Qt.PenJoinStyle.RoundJoin


def paint_shape(painter: QPainter, shape: Shape, size: tuple[int, int]) -> None:
    """Paints a shape in the page's pixels; `size` is the page's width and height."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(shape.opacity)
    match shape:
        case Stroke():
            _paint_stroke(painter, shape)
        case Arrow():
            _paint_arrow(painter, shape)
        case Rectangle() | Ellipse():
            _paint_framed(painter, shape)
        case Area():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(shape.color))
            painter.drawPolygon(polygon(shape.points))
        case Text():
            _paint_text(painter, shape, size)
    painter.restore()


def box(shape: Shape) -> QRectF:
    """A box that holds a shape, in the page's pixels."""
    x0, y0, x1, y1 = box_of(shape)
    return QRectF(x0, y0, x1 - x0, y1 - y0)


def polygon(points: Sequence[Point]) -> QPolygonF:
    """Points as Qt has them."""
    return QPolygonF([QPointF(x, y) for x, y in points])


def pen_of(color: str, width: float) -> QPen:
    """A pen with round ends."""
    return QPen(QColor(color), width, Qt.PenStyle.SolidLine, _CAP, _JOIN)


def _paint_stroke(painter: QPainter, shape: Stroke) -> None:
    if len(shape.pressures) == len(shape.points) and len(shape.points) > 1:
        painter.fillPath(_swelling(shape), QBrush(QColor(shape.color)))
        return
    painter.setPen(pen_of(shape.color, shape.width))
    if len(shape.points) == 1:
        painter.drawPoint(QPointF(*shape.points[0]))
    else:
        painter.drawPath(_line_path(shape))


_PATHS: dict[int, tuple[Stroke, QPainterPath]] = {}
_MOST_PATHS = 4000


def _line_path(shape: Stroke) -> QPainterPath:
    """The line of a stroke. Paths are kept, since building one takes longer than painting it."""
    kept = _PATHS.get(id(shape))
    if kept is not None and kept[0] is shape:
        return kept[1]
    path = QPainterPath()
    path.addPolygon(polygon(shape.points))
    if shape.closed:
        path.closeSubpath()
    if len(_PATHS) >= _MOST_PATHS:
        _PATHS.clear()
    _PATHS[id(shape)] = shape, path
    return path


def _swelling(shape: Stroke) -> QPainterPath:
    """The outline of a stroke that follows the pen's pressure: a dot at each point, and a band between two of them."""
    widths = stroke_widths(shape.width, shape.pressures, len(shape.points))
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for (x, y), width in zip(shape.points, widths, strict=True):
        path.addEllipse(QPointF(x, y), width / 2, width / 2)
    bands = zip(pairwise(shape.points), widths[1:], strict=True)
    for (start, end), width in bands:
        path.addPolygon(_band(start, end, width))
        path.closeSubpath()
    return path


def _band(start: Point, end: Point, width: float) -> QPolygonF:
    """A rectangle along a line, its corners in the same sense as those of an ellipse in a path."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    nx, ny = -dy / length * width / 2, dx / length * width / 2
    (x0, y0), (x1, y1) = start, end
    return polygon([(x0 - nx, y0 - ny), (x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny)])


def _paint_arrow(painter: QPainter, shape: Arrow) -> None:
    left, right, neck = arrow_head(shape.start, shape.end, shape.width)
    line = QPainterPath(QPointF(*shape.start))
    line.lineTo(QPointF(*neck))
    whole = QPainterPath()
    whole.setFillRule(Qt.FillRule.WindingFill)
    whole.addPath(_outlined(line, shape.width))
    head = QPainterPath()
    head.addPolygon(polygon((shape.end, left, right)))
    head.closeSubpath()
    painter.fillPath(whole.united(head), QBrush(QColor(shape.color)))


def _outlined(path: QPainterPath, width: float) -> QPainterPath:
    from PySide6.QtGui import QPainterPathStroker

    stroker = QPainterPathStroker(pen_of("#000000", width))
    return stroker.createStroke(path)


def _paint_framed(painter: QPainter, shape: Rectangle | Ellipse) -> None:
    area = QRectF(QPointF(*shape.start), QPointF(*shape.end)).normalized()
    if shape.filled:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(shape.color))
    else:
        painter.setPen(QPen(QColor(shape.color), shape.width, Qt.PenStyle.SolidLine, _CAP, Qt.PenJoinStyle.MiterJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    if isinstance(shape, Rectangle):
        painter.drawRect(area)
    else:
        painter.drawEllipse(area)


def _paint_text(painter: QPainter, shape: Text, size: tuple[int, int]) -> None:
    if (drawn := _lettering(shape.model_copy(update={"opacity": 1.0}), size)) is not None:
        corner, picture = drawn
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(corner, picture)


@lru_cache(maxsize=256)
def _lettering(shape: Text, size: tuple[int, int]) -> tuple[QPoint, QImage] | None:
    """A text as a picture, with the letters that figures have."""
    drawn = mask_of(shape, size)
    if drawn is None:
        return None
    (x, y), mask = drawn
    width, height = mask.size
    alpha = QImage(mask.tobytes(), width, height, width, QImage.Format.Format_Alpha8)
    picture = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(QColor(shape.color))
    painter = QPainter(picture)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.drawImage(0, 0, alpha)
    painter.end()
    return QPoint(x, y), picture


def grid_lines(grid: GridOverlay, size: tuple[int, int], most: int = 400) -> list[tuple[QPointF, QPointF]]:
    """The lines of a grid that cross a page, in the page's pixels; none if there would be more than `most` a side."""
    width, height = size
    corners = [grid.position(x, y) for x, y in ((0, 0), (width, 0), (0, height), (width, height))]
    if any(corner is None for corner in corners):
        return []
    columns, rows = zip(*(corner for corner in corners if corner is not None), strict=True)
    c0, c1, r0, r1 = (round(edge) for edge in (min(columns), max(columns), min(rows), max(rows)))
    if c1 - c0 > most or r1 - r0 > most:
        return []
    upright = [(grid.point(c, r0), grid.point(c, r1)) for c in range(c0, c1 + 1)]
    level = [(grid.point(c0, r), grid.point(c1, r)) for r in range(r0, r1 + 1)]
    return [(QPointF(*a), QPointF(*b)) for a, b in (*upright, *level)]
