"""Where a view looks at a page: the place in its middle, the scale, quarter turns, and mirroring."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QTransform

LEAST_SCALE, GREATEST_SCALE = 0.1, 16.0
TINIEST_SCALE = 0.001
"""Of a page that is shown whole."""
PIXELS_FROM = 2.0
"""From this scale on, each pixel of the page is shown as a square."""


@dataclass(frozen=True)
class SketchCamera:
    """A view of a page; turning and mirroring concern the view only."""

    middle: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    quarters: int = 0
    mirrored: bool = False

    def transform(self, room: QSizeF) -> QTransform:
        """From the page's pixels to those of a widget of this size."""
        transform = QTransform.fromTranslate(room.width() / 2, room.height() / 2)
        transform.scale(-self.scale if self.mirrored else self.scale, self.scale)
        transform.rotate(90 * self.quarters)
        return transform.translate(-self.middle[0], -self.middle[1])

    def zoomed(self, factor: float, pos: QPointF, room: QSizeF, least: float = LEAST_SCALE) -> SketchCamera:
        """Larger by a factor, so that what is at `pos` of the widget stays there; never smaller than `least`."""
        scale = min(max(self.scale * factor, least), GREATEST_SCALE)
        fixed = self.on_page(pos, room)
        return replace(self, scale=scale).with_point_at(fixed, pos, room)

    def with_point_at(self, point: QPointF, pos: QPointF, room: QSizeF) -> SketchCamera:
        """The camera that shows a point of the page at `pos` of the widget."""
        now = self.on_page(pos, room)
        x, y = self.middle
        return replace(self, middle=(x + point.x() - now.x(), y + point.y() - now.y()))

    def moved(self, by: QPointF, room: QSizeF) -> SketchCamera:
        """The page is moved with the pointer, by so many pixels of the widget."""
        centre = QPointF(room.width() / 2, room.height() / 2)
        return self.with_point_at(self.on_page(centre, room), centre + by, room)

    def turned(self) -> SketchCamera:
        """Turned by 90° clockwise."""
        return replace(self, quarters=(self.quarters + (3 if self.mirrored else 1)) % 4)

    def flipped(self) -> SketchCamera:
        """Mirrored left to right, as it is seen now."""
        return replace(self, mirrored=not self.mirrored)

    def fitted(self, area: QRectF, room: QSizeF, margin: float = 16.0) -> SketchCamera:
        """Shows an area of the page as large as it can be."""
        width, height = area.width(), area.height()
        if self.quarters % 2:
            width, height = height, width
        scale = min((room.width() - 2 * margin) / max(width, 1), (room.height() - 2 * margin) / max(height, 1))
        scale = min(max(scale, TINIEST_SCALE), GREATEST_SCALE)
        return replace(self, middle=area.center().toTuple(), scale=scale)

    def on_page(self, pos: QPointF, room: QSizeF) -> QPointF:
        """Which point of the page is at `pos` of the widget."""
        inverse, _ = self.transform(room).inverted()
        return inverse.map(pos)
