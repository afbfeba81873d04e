"""Paints a page from its tiles as a camera sees it, and a lens over it."""

from __future__ import annotations

import time

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPen, QTransform

from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.camera import PIXELS_FROM, SketchCamera
from spatial_workbench.widgets.sketch.tiles import Tiles

LENS_SCALE = 4.0
LENS_PX = 240
PAINTING_S = 0.008
"""How long new tiles are painted within a frame; the others follow in the next ones."""


def paint_page(
    painter: QPainter, tiles: Tiles, camera: SketchCamera, transform: QTransform, area: QRect, ratio: float
) -> bool:
    """Paints a page with its finished shapes; returns whether all tiles are there.

    transform: From the page's pixels to those of the painter.
    area: What is painted, in the painter's pixels.
    ratio: Pixels of the screen for each of the painter's.
    """
    level = tiles.picture.level_for(camera.scale * ratio)
    inverse, _ = transform.inverted()
    shown = inverse.mapRect(QRectF(area))
    until = time.perf_counter() + PAINTING_S
    painter.save()
    is_smooth = camera.scale < PIXELS_FROM and (camera.scale != 1.0 or ratio != 1.0)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, is_smooth)
    ready = list(tiles.tiles_in(level, shown, until))
    is_complete = all(tile is not None for _, tile in ready)
    if not is_complete:
        coarse = tiles.picture.coarse_level
        _draw_tiles(painter, tiles, coarse, list(tiles.tiles_in(coarse, shown)), transform)
    _draw_tiles(painter, tiles, level, ready, transform)
    painter.restore()
    return is_complete


def _draw_tiles(
    painter: QPainter, tiles: Tiles, level: int, ready: list[tuple[QRect, QImage | None]], transform: QTransform
) -> None:
    size = tiles.picture.levels[level].size()
    full = tiles.picture.size
    scaled = QTransform.fromScale(full.width() / size.width(), full.height() / size.height()) * transform
    for place, tile in ready:
        if tile is not None:
            painter.setTransform(_snapped(scaled, QRectF(place)), combine=False)
            painter.drawImage(0, 0, tile)


def paint_lens(painter: QPainter, tiles: Tiles, camera: SketchCamera, room: QSizeF, pos: QPointF, ratio: float) -> bool:
    """Paints a round part of the page about a place of the view, enlarged; returns whether all tiles are there."""
    enlarged = camera.zoomed(LENS_SCALE, pos, room)
    around = QRectF(pos.x() - LENS_PX / 2, pos.y() - LENS_PX / 2, LENS_PX, LENS_PX)
    picture = QImage(LENS_PX, LENS_PX, QImage.Format.Format_RGB32)
    theme = appearance().theme
    picture.fill(theme.color("viewport_bottom"))
    inside = QPainter(picture)
    transform = enlarged.transform(room) * QTransform.fromTranslate(-around.x(), -around.y())
    is_complete = paint_page(inside, tiles, enlarged, transform, picture.rect(), ratio)
    inside.end()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrushOrigin(around.topLeft())
    painter.setBrush(picture)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.drawEllipse(around)
    return is_complete


def _snapped(transform: QTransform, place: QRectF) -> QTransform:
    """Where a tile goes: its edges on whole pixels, so that there is no gap between it and the next."""
    target = transform.mapRect(place)
    left, top, right, bottom = round(target.left()), round(target.top()), round(target.right()), round(target.bottom())
    corner = transform.map(place.topLeft())
    across = transform.map(place.topRight()) - corner
    x = left if abs(corner.x() - target.left()) < abs(corner.x() - target.right()) else right
    y = top if abs(corner.y() - target.top()) < abs(corner.y() - target.bottom()) else bottom
    wide, high = (right - left), (bottom - top)
    x_step, y_step = (wide if x == left else -wide), (high if y == top else -high)
    if abs(across.x()) >= abs(across.y()):
        return QTransform(x_step / place.width(), 0, 0, y_step / place.height(), x, y)
    return QTransform(0, y_step / place.width(), x_step / place.height(), 0, x, y)
