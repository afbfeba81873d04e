"""Draws a chart from its description: pyqtgraph does the axes and the layout, and one item paints all marks.

This module is imported when the first chart is made: pyqtgraph takes a while to load.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.evaluation.results.charts import Chart, ChartKey, ChartMark, Kind, Series
from spatial_workbench.widgets.qt import sized_font
from spatial_workbench.widgets.theme import Theme

TITLE_PX, SMALL_PX = 15, 11
POINT_PX, LINE_PX, BEAM_PX = 4.5, 2.0, 3.5
ROW_PX = {Kind.BARS: 30, Kind.CELLS: 34}
LINES_PX, LINES_ROW_PX = 260, 30
"""The height of the plot of lines: of all, or of a category on its vertical axis."""
"""Height of a row of bars or cells."""
LEGEND_ROW_PX, SWATCH_PX, KEY_GAP_PX = 20, 12, 18
NAME_PX = 300
"""Longer names along an axis are cut."""
REACH_PX = 14
"""How far from a point the pointer may be to refer to it."""
_MARGIN_PX = 12
_TEXT_HEIGHT_PX = 13
_BEYOND_END_PX = 30
"""How far the text of a tick may extend beyond the end of its axis."""

Place = tuple[int, int]
"""Identifies a mark: the index of its series, and its index there."""


def height_of(chart: Chart, width: int) -> int:
    """The height at which a chart of this width is easy to read."""
    around = 132 + LEGEND_ROW_PX * len(list(_legend_rows(chart.keys, width - 3 * _MARGIN_PX)))
    rows = max(1, len(chart.y.ticks))
    if chart.kind is Kind.LINES:
        return around + (LINES_ROW_PX * rows if chart.y.is_category else LINES_PX)
    return around + ROW_PX[chart.kind] * rows


class Surface(pg.GraphicsLayoutWidget):
    """A drawn chart: title, sentence, legend, plot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        # Half of the text of a tick at the right end extends beyond the axis.
        self.ci.setContentsMargins(_MARGIN_PX, _MARGIN_PX, 2 * _MARGIN_PX, _MARGIN_PX)
        self.ci.setSpacing(4)
        self.marks: MarksItem | None = None
        self._chart: Chart | None = None
        self._legend: _Legend | None = None

    def set_chart(self, chart: Chart, theme: Theme) -> None:
        """Draws a chart in a theme's colours."""
        self.setBackground(QColor(theme.panel))
        self.ci.clear()
        self._chart = chart
        self.ci.addItem(_Text(chart.title, theme.text, TITLE_PX, bold=True), row=0, col=0)
        self.ci.addItem(_Text(chart.about, theme.secondary, SMALL_PX), row=1, col=0)
        self._legend = _Legend(chart.keys, theme)
        self.ci.addItem(self._legend, row=2, col=0)
        plot = _plot(chart, theme)
        self.marks = MarksItem(chart, theme)
        plot.addItem(self.marks, ignoreBounds=True)
        self.ci.addItem(plot, row=3, col=0)
        self._fit_legend()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_legend()

    def _fit_legend(self) -> None:
        # The base class's constructor calls this before there is a legend.
        legend = getattr(self, "_legend", None)
        if legend is not None:
            legend.fit(self.width() - 3 * _MARGIN_PX)


def picture(chart: Chart, theme: Theme, size: QSize, scale: float = 2.0) -> QImage:
    """The chart as a picture, on a panel's background."""
    surface = _laid_out(chart, theme, size)
    image = QImage(size * scale, QImage.Format.Format_ARGB32)
    image.fill(QColor(theme.panel))
    painter = QPainter(image)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    surface.scene().render(painter, QRectF(image.rect()), QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return image


def svg(chart: Chart, theme: Theme, size: QSize) -> str:
    """The chart as a drawing that scales, on a panel's background; its text remains text."""
    surface = _laid_out(chart, theme, size)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    # pyqtgraph keeps axes as QPictures, which are replayed at the resolution at which they were recorded.
    generator.setResolution(surface.logicalDpiX())
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(chart.title)
    generator.setDescription(chart.description)
    painter = QPainter(generator)
    area = QRectF(0, 0, size.width(), size.height())
    painter.fillRect(area, QColor(theme.panel))
    surface.scene().render(painter, area, area)
    painter.end()
    return bytes(QByteArray(buffer.data()).data()).decode("utf-8")


def _laid_out(chart: Chart, theme: Theme, size: QSize) -> Surface:
    surface = Surface()
    surface.resize(size)
    surface.set_chart(chart, theme)
    surface.setSceneRect(QRectF(0, 0, size.width(), size.height()))
    surface.ci.setGeometry(QRectF(0, 0, size.width(), size.height()))
    # Axes take up their final room only once they have been painted.
    blank = QImage(size, QImage.Format.Format_ARGB32)
    painter = QPainter(blank)
    surface.scene().render(painter)
    painter.end()
    return surface


def _plot(chart: Chart, theme: Theme) -> pg.PlotItem:
    plot = pg.PlotItem(enableMenu=False)
    plot.hideButtons()
    plot.setMouseEnabled(False, False)
    box = plot.getViewBox()
    box.setDefaultPadding(0.0)
    box.invertY(chart.y.is_category)
    low, high = (_along(value, chart.x.is_log) for value in (chart.x.low, chart.x.high))
    margin = 0.04 if chart.kind is Kind.LINES else 0.0
    # Without this, a tick exactly at the end would be left out.
    hair = 1e-3 * (high - low)
    plot.setRange(xRange=(low - hair, high + hair), yRange=(chart.y.low - margin, chart.y.high + margin), padding=0)
    for name, axis in (("bottom", chart.x), ("left", chart.y)):
        drawn = plot.getAxis(name)
        ticks = [(_along(value, axis.is_log), _cut(text)) for value, text in axis.ticks]
        drawn.setTicks([ticks, []])
        drawn.enableAutoSIPrefix(False)
        drawn.setStyle(tickFont=sized_font(SMALL_PX), tickLength=0 if axis.is_category else 4)
        drawn.setStyle(hideOverlappingLabels=_BEYOND_END_PX)
        if axis.is_category:
            drawn.setStyle(tickAlpha=0)
        line = QColor(0, 0, 0, 0) if axis.is_category else QColor(theme.line)
        drawn.setPen(line)
        drawn.setTickPen(line)
        drawn.setTextPen(QColor(theme.text if axis.is_category else theme.secondary))
        if axis.label:
            drawn.setLabel(axis.label, color=theme.secondary, **{"font-size": f"{SMALL_PX}px"})
        if name == "left":
            widest = max((_width(text, SMALL_PX) for _, text in ticks), default=0.0)
            drawn.setWidth(round(widest + 14 + (22 if axis.label else 0)))
    return plot


def _along(value: float, is_log: bool) -> float:
    return math.log10(value) if is_log else value


class MarksItem(pg.GraphicsObject):
    """Paints the marks of a chart, in pixels of the scene, so that points and texts keep their size."""

    def __init__(self, chart: Chart, theme: Theme) -> None:
        super().__init__()
        self._chart = chart
        self._theme = theme
        self._current: Place | None = None

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect())

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()
        self.update()

    def set_current(self, place: Place | None) -> None:
        """Puts a frame around a mark."""
        self._current = place
        self.update()

    def place_of(self, place: Place) -> QPointF:
        """The middle of a mark, in pixels of the scene."""
        mark = self._chart.series[place[0]].marks[place[1]]
        return self._pixel(mark.x, mark.y)

    def find(self, position: QPointF) -> Place | None:
        """The mark under a position in the scene, or the nearest point within reach."""
        if self._chart.kind is not Kind.LINES:
            return next(
                (place for place, mark in self._all() if mark.width and self._rect(mark).contains(position)), None
            )
        distances = [(_distance(self._pixel(mark.x, mark.y), position), place) for place, mark in self._all()]
        near = [(distance, place) for distance, place in distances if distance <= REACH_PX]
        return min(near)[1] if near else None

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.save()
        painter.setWorldTransform(self.sceneTransform().inverted()[0] * painter.worldTransform())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._chart.kind is Kind.LINES:
            self._paint_guides(painter)
            for series in self._chart.series:
                self._paint_line(painter, series)
            for series in self._chart.series:
                self._paint_points(painter, series)
            self._paint_texts(painter)
        else:
            for series in self._chart.series:
                for mark in series.marks:
                    self._paint_block(painter, mark, series)
        if self._current is not None:
            self._paint_frame(painter, self._current)
        painter.restore()

    def _all(self) -> Iterator[tuple[Place, ChartMark]]:
        for i, series in enumerate(self._chart.series):
            for j, mark in enumerate(series.marks):
                yield (i, j), mark

    def _pixel(self, x: float, y: float) -> QPointF:
        return QPointF(self.mapToScene(QPointF(_along(x, self._chart.x.is_log), y)))

    def _rect(self, mark: ChartMark) -> QRectF:
        first = self._pixel(mark.x - mark.width / 2, mark.y - mark.height / 2)
        second = self._pixel(mark.x + mark.width / 2, mark.y + mark.height / 2)
        return QRectF(first, second).normalized()

    def _paint_guides(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(self._theme.line), 1, Qt.PenStyle.DotLine))
        for value, _ in self._chart.y.ticks:
            left, right = (self.mapToScene(QPointF(x, value)) for x in _range(self.viewRect()))
            painter.drawLine(left, right)

    def _paint_line(self, painter: QPainter, series: Series) -> None:
        color = self._theme.mark(series.role)
        faint = QColor(color)
        faint.setAlphaF(0.55)
        painter.setPen(QPen(faint, 1.2))
        for mark in series.marks:
            if mark.low is not None and mark.high is not None:
                low, high = self._pixel(mark.x, mark.low), self._pixel(mark.x, mark.high)
                painter.drawLine(low, high)
                for end in (low, high):
                    painter.drawLine(end - QPointF(BEAM_PX, 0), end + QPointF(BEAM_PX, 0))
        painter.setPen(QPen(color, LINE_PX, Qt.PenStyle.DashLine if series.dashed else Qt.PenStyle.SolidLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if series.is_joined:
            painter.drawPolyline(QPolygonF([self._pixel(mark.x, mark.y) for mark in series.marks]))

    def _paint_points(self, painter: QPainter, series: Series) -> None:
        color = self._theme.mark(series.role)
        painter.setPen(QPen(color if series.dashed else QColor(self._theme.panel), 1.6))
        painter.setBrush(QColor(self._theme.panel) if series.dashed else color)
        for mark in series.marks:
            painter.drawEllipse(self._pixel(mark.x, mark.y), POINT_PX, POINT_PX)

    def _paint_texts(self, painter: QPainter) -> None:
        """Paints the texts beside points, where possible without covering another text or a point."""
        taken = [_around(self._pixel(mark.x, mark.y), POINT_PX + 1) for _, mark in self._all()]
        room = self.mapRectToScene(QRectF(self.viewRect()))
        for _, mark in self._all():
            if mark.text:
                area = _free_area(self._pixel(mark.x, mark.y), _width(mark.text, SMALL_PX), taken, room)
                taken.append(area)
                self._paint_text(painter, area, mark.text)

    def _paint_text(self, painter: QPainter, area: QRectF, text: str) -> None:
        path = QPainterPath()
        path.addText(area.left(), area.bottom() - 3, sized_font(SMALL_PX), text)
        painter.strokePath(path, QPen(QColor(self._theme.panel), 3))
        painter.fillPath(path, QColor(self._theme.secondary))

    def _paint_block(self, painter: QPainter, mark: ChartMark, series: Series) -> None:
        if mark.width <= 0:
            return
        rect = self._rect(mark)
        fill = blend(self._theme, mark.role or series.role, mark.strength)
        painter.setPen(QPen(QColor(self._theme.panel), 1))
        painter.setBrush(fill)
        if self._chart.kind is Kind.CELLS:
            painter.drawRoundedRect(rect, 3, 3)
        else:
            painter.drawRect(rect)
        if mark.text and _width(mark.text, SMALL_PX) + 4 <= rect.width():
            painter.setPen(readable_on(fill))
            painter.setFont(sized_font(SMALL_PX))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _paint_frame(self, painter: QPainter, place: Place) -> None:
        mark = self._chart.series[place[0]].marks[place[1]]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self._theme.text), 2))
        if mark.width > 0:
            painter.drawRect(self._rect(mark).adjusted(-1, -1, 1, 1))
        else:
            painter.drawEllipse(self._pixel(mark.x, mark.y), POINT_PX + 4, POINT_PX + 4)


class _Text(pg.GraphicsWidget):
    """A line of text, elided to the available width."""

    def __init__(self, text: str, color: str, size: int, bold: bool = False) -> None:
        super().__init__()
        self._text = text
        self._color = QColor(color)
        self._font = sized_font(size, bold)
        self.setFixedHeight(round(QFontMetricsF(self._font).height()) + 2)

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setFont(self._font)
        painter.setPen(self._color)
        shown = QFontMetricsF(self._font).elidedText(self._text, Qt.TextElideMode.ElideRight, self.rect().width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class _Legend(pg.GraphicsWidget):
    """Explains the colours, in as many rows as needed."""

    def __init__(self, keys: tuple[ChartKey, ...], theme: Theme) -> None:
        super().__init__()
        self._keys = keys
        self._theme = theme
        self._rows: list[list[ChartKey]] = []

    def fit(self, width: float) -> None:
        """Sets the height needed at this width."""
        self._rows = list(_legend_rows(self._keys, width))
        self.setFixedHeight(LEGEND_ROW_PX * len(self._rows) + 4)
        self.update()

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized_font(SMALL_PX))
        for row, keys in enumerate(self._rows):
            x = 0.0
            y = LEGEND_ROW_PX * (row + 0.5) + 2
            for key in keys:
                _paint_key(painter, key, QPointF(x, y), self._theme)
                x += _key_width(key)


def _paint_key(painter: QPainter, key: ChartKey, place: QPointF, theme: Theme) -> None:
    fill = blend(theme, key.role, key.strength)
    area = QRectF(place.x(), place.y() - SWATCH_PX / 2, SWATCH_PX, SWATCH_PX)
    path = QPainterPath()
    path.addRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    # Published results are hollow, as in the plot.
    painter.fillPath(path, QColor(theme.panel) if key.dashed else fill)
    painter.setPen(QPen(fill if key.dashed else QColor(theme.line), 1.6 if key.dashed else 1.0))
    painter.drawPath(path)
    painter.setPen(QColor(theme.text))
    painter.drawText(
        QRectF(area.right() + 6, place.y() - LEGEND_ROW_PX / 2, _width(key.text, SMALL_PX) + 4, LEGEND_ROW_PX),
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
        key.text,
    )


def _legend_rows(keys: tuple[ChartKey, ...], width: float) -> Iterator[list[ChartKey]]:
    row: list[ChartKey] = []
    used = 0.0
    for key in keys:
        if row and used + _key_width(key) > width:
            yield row
            row = []
            used = 0.0
        row.append(key)
        used += _key_width(key)
    if row:
        yield row


def _key_width(key: ChartKey) -> float:
    return SWATCH_PX + 6 + _width(key.text, SMALL_PX) + KEY_GAP_PX


def blend(theme: Theme, role: str, strength: float) -> QColor:
    """Blends a colour, at an opacity, with the panel's background."""
    over = theme.mark(role)
    ground = QColor(theme.panel)
    mixed = [strength * a + (1 - strength) * b for a, b in zip(_parts(over), _parts(ground), strict=True)]
    return QColor.fromRgbF(*mixed)


def _parts(color: QColor) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity, from 0 to 1."""
    return color.redF(), color.greenF(), color.blueF(), color.alphaF()


def readable_on(ground: QColor) -> QColor:
    """Black or white, whichever has more contrast with the background (WCAG relative luminance)."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _parts(ground)[:3]]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return QColor("#000000" if luminance > 0.179 else "#FFFFFF")


def _around(middle: QPointF, reach: float) -> QRectF:
    return QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)


def _free_area(point: QPointF, width: float, taken: Sequence[QRectF], room: QRectF) -> QRectF:
    """Where a text goes beside a point: the first corner in the plot that is free, or else the first one there."""
    right = point.x() + 6
    left = point.x() - 6 - width
    above = point.y() - 5 - _TEXT_HEIGHT_PX
    below = point.y() + 5
    corners = [QRectF(x, y, width, _TEXT_HEIGHT_PX) for y in (above, below) for x in (right, left)]
    inside = [area for area in corners if room.contains(area)] or corners
    free = (area for area in inside if not any(area.intersects(other) for other in taken))
    return next(free, inside[0])


def _range(rect: QRectF) -> tuple[float, float]:
    return rect.left(), rect.right()


def _distance(start: QPointF, end: QPointF) -> float:
    return math.hypot(start.x() - end.x(), start.y() - end.y())


def _width(text: str, size: int) -> float:
    return QFontMetricsF(sized_font(size)).horizontalAdvance(text)


def _cut(text: str) -> str:
    return QFontMetricsF(sized_font(SMALL_PX)).elidedText(text, Qt.TextElideMode.ElideMiddle, NAME_PX)
