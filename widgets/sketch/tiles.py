"""Tiles of a page with its shapes, painted when they come into view and kept."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from spatial_workbench.engine.puzzles.annotation.layers import Shape
from spatial_workbench.widgets.sketch.painting import box, paint_shape
from spatial_workbench.widgets.sketch.pictures import PagePicture

TILE_PX = 512
MOST_TILES = 160
"""Kept tiles: 160 of one megabyte."""
Key = tuple[int, int, int]
"""Level, column and row."""


class Tiles:
    """A page with shapes over it, cut into tiles at each of its scales."""

    def __init__(self, picture: PagePicture) -> None:
        self.picture = picture
        self.shapes: tuple[Shape, ...] = ()
        self._boxes: dict[int, QRectF] = {}
        self._tiles: OrderedDict[Key, QImage] = OrderedDict()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the page."""
        size = self.picture.size
        return size.width(), size.height()

    def set_shapes(self, shapes: Sequence[Shape]) -> QRectF:
        """Shows other shapes; returns the area of the page that changed."""
        before = self.shapes
        after = tuple(shapes)
        start, end = _common(before, after)
        gone = before[start : len(before) - end]
        come = after[start : len(after) - end]
        self.shapes = after
        self._boxes = {id(shape): self._boxes.get(id(shape)) or box(shape) for shape in after}
        if not gone and not end:
            self._paint_over(come)
        else:
            self._drop([box(shape) for shape in (*gone, *come)])
        return united(box(shape) for shape in (*gone, *come))

    def tiles_in(self, level: int, area: QRectF, until: float = math.inf) -> Iterator[tuple[QRect, QImage | None]]:
        """The tiles of a level that meet an area of the page, with their places in that level's pixels.

        A tile that is not there yet is painted. Tiles that would be begun after `until` (`time.perf_counter`) are
        None, but one is painted in any case.
        """
        has_painted = False
        step = TILE_PX * 2**level
        whole = area.intersected(QRectF(0, 0, *self.size))
        if whole.isEmpty():
            return
        for row in range(int(whole.top() // step), int(whole.bottom() // step) + 1):
            for column in range(int(whole.left() // step), int(whole.right() // step) + 1):
                place = self._place((level, column, row))
                key = level, column, row
                if not place.isEmpty():
                    is_kept = key in self._tiles
                    is_ready = is_kept or not has_painted or time.perf_counter() < until
                    has_painted |= is_ready and not is_kept
                    yield place, self._tile(key, place) if is_ready else None

    def pictured(self) -> QImage:
        """The page with its shapes, at full size."""
        return self._painted(0, QRect(0, 0, *self.size))

    def _place(self, key: Key) -> QRect:
        level, column, row = key
        return QRect(column * TILE_PX, row * TILE_PX, TILE_PX, TILE_PX) & self.picture.levels[level].rect()

    def _tile(self, key: Key, place: QRect) -> QImage:
        tile = self._tiles.get(key)
        if tile is None:
            tile = self._tiles[key] = self._painted(key[0], place)
            while len(self._tiles) > MOST_TILES:
                self._tiles.popitem(last=False)
        self._tiles.move_to_end(key)
        return tile

    def _painted(self, level: int, place: QRect) -> QImage:
        tile = self.picture.levels[level].copy(place)
        meeting = [shape for shape in self.shapes if self._boxes[id(shape)].intersects(self._area(level, place))]
        if meeting:
            self._paint(tile, level, place, meeting)
        return tile

    def _paint(self, tile: QImage, level: int, place: QRect, shapes: Iterable[Shape]) -> None:
        painter = QPainter(tile)
        painter.translate(-place.x(), -place.y())
        size = self.picture.levels[level].size()
        full = self.picture.size
        painter.scale(size.width() / full.width(), size.height() / full.height())
        for shape in shapes:
            paint_shape(painter, shape, self.size)
        painter.end()

    def _paint_over(self, shapes: Sequence[Shape]) -> None:
        """Paints new shapes over the tiles that there are; those below them stay as they are."""
        for key, tile in self._tiles.items():
            place = self._place(key)
            area = self._area(key[0], place)
            meeting = [shape for shape in shapes if self._boxes[id(shape)].intersects(area)]
            if meeting:
                self._paint(tile, key[0], place, meeting)

    def _drop(self, boxes: Sequence[QRectF]) -> None:
        for key in list(self._tiles):
            area = self._area(key[0], self._place(key))
            if any(changed.intersects(area) for changed in boxes):
                del self._tiles[key]

    def _area(self, level: int, place: QRect) -> QRectF:
        """The part of the page that a tile shows."""
        step = 2**level
        return QRectF(place.x() * step, place.y() * step, place.width() * step, place.height() * step)


def united(boxes: Iterable[QRectF]) -> QRectF:
    """The smallest rectangle around others; an empty one if there are none."""
    whole = QRectF()
    for part in boxes:
        whole = whole.united(part)
    return whole


def _common(before: Sequence[Shape], after: Sequence[Shape]) -> tuple[int, int]:
    """How many shapes are the same objects at the beginning and, after those, at the end."""
    least = min(len(before), len(after))
    start = next((i for i in range(least) if before[i] is not after[i]), least)
    rest = least - start
    end = next((i for i in range(rest) if before[-1 - i] is not after[-1 - i]), rest)
    return start, end
