"""The view of a page: zooms, pans, turns and mirrors it, with a lens, and shows what is being drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent, QTransform
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.camera import LEAST_SCALE, SketchCamera
from spatial_workbench.widgets.sketch.page_painting import paint_lens, paint_page
from spatial_workbench.widgets.sketch.pictures import PagePicture
from spatial_workbench.widgets.sketch.pointer import PagePointer
from spatial_workbench.widgets.sketch.tiles import Tiles

if TYPE_CHECKING:
    from spatial_workbench.widgets.sketch.tools.base import SketchTool


class PageView(QWidget):
    """Shows a page with its finished shapes, and lets a tool draw.

    Attributes:
        pointer: What the mouse, the pen and held keys do over the page.

    Signals:
        view_changed(): the camera moved.
        frame_drawn(float): a frame was drawn; milliseconds that it took.
    """

    view_changed = Signal()
    frame_drawn = Signal(float)

    def __init__(self, hand: Callable[[], SketchTool]) -> None:
        """hand: returns the tool that draws now."""
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("Page"))
        self.setAccessibleDescription(
            tr("The wheel zooms, the middle button or Space and dragging pans, Z held shows a lens.")
        )
        self.camera = SketchCamera()
        self.tiles: Tiles | None = None
        self.message = ""
        """The text in the middle while there is no page."""
        self.marks: list[Callable[[QPainter, PageView], None]] = []
        """Functions that paint between the shapes and what is being drawn, in the page's pixels."""
        self.pointer = PagePointer(self, hand)
        self._hand = hand
        self._frame: QImage | None = None
        self._fits = True
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        appearance().changed.connect(self.refresh)

    # What is shown -----------------------------------------------------------------------------------------------

    def set_picture(self, picture: PagePicture | None, message: str = "") -> None:
        """Shows a page, or a message in its place."""
        self.tiles = Tiles(picture) if picture is not None else None
        self.message = message
        if self._fits:
            self.fit()
        self.refresh()

    def set_camera(self, camera: SketchCamera, fits: bool = False) -> None:
        """Looks from elsewhere. With `fits`, the page is fitted again when the widget changes its size."""
        self._fits = fits
        if camera != self.camera:
            self.camera = camera
            self.refresh()
            self.view_changed.emit()

    def fit(self) -> None:
        """Shows the whole page."""
        if self.tiles is not None:
            self.set_camera(self.camera.fitted(QRectF(0, 0, *self.tiles.size), self.room), fits=True)

    def zoom(self, factor: float, pos: QPointF | None = None) -> None:
        """Zooms about a place of the widget; None: its middle. The whole page can always be seen."""
        at = QPointF(self.rect().center()) if pos is None else pos
        self.set_camera(self.camera.zoomed(factor, at, self.room, self._least_scale))

    @property
    def _least_scale(self) -> float:
        if self.tiles is None:
            return LEAST_SCALE
        return min(LEAST_SCALE, self.camera.fitted(QRectF(0, 0, *self.tiles.size), self.room).scale)

    def show_actual_size(self) -> None:
        """One pixel of the page for each of the screen."""
        self.zoom(1.0 / self.camera.scale)

    def turn(self) -> None:
        """Turns the view by 90°."""
        self.set_camera(self.camera.turned())
        self.fit()

    def mirror(self) -> None:
        """Mirrors the view."""
        self.set_camera(self.camera.flipped(), self._fits)

    def refresh(self) -> None:
        """Draws everything again."""
        self._frame = None
        self.update()

    def finish(self) -> None:
        """Paints at once whatever is still to be painted."""
        if self.tiles is not None:
            level = self.tiles.picture.level_for(self.camera.scale * self.devicePixelRatioF())
            inverse, _ = self.transform.inverted()
            list(self.tiles.tiles_in(level, inverse.mapRect(QRectF(self.rect()))))
            self.refresh()

    def refresh_area(self, area: QRectF) -> None:
        """Draws an area of the page again."""
        if self._frame is not None:
            self._paint_frame(self._frame, self.on_widget(area))
        self.update()

    @property
    def room(self) -> QSizeF:
        """The size of the widget."""
        return QSizeF(self.size())

    @property
    def transform(self) -> QTransform:
        """From the page's pixels to the widget's."""
        return self.camera.transform(self.room)

    def on_page(self, pos: QPointF) -> QPointF:
        """Which point of the page is at a place of the widget."""
        return self.camera.on_page(pos, self.room)

    def on_widget(self, area: QRectF) -> QRect:
        """Where an area of the page is in the widget, with a margin for smooth edges."""
        return self.transform.mapRect(area).toAlignedRect().adjusted(-2, -2, 2, 2)

    def update_area(self, area: QRectF) -> None:
        """Schedules a repaint of the unfinished stroke in an area of the page."""
        self.update(self.on_widget(area))

    # Painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        start = time.perf_counter()
        ratio = self.devicePixelRatioF()
        if self._frame is None or self._frame.size() != self.size() * ratio:
            self._frame = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
            self._frame.setDevicePixelRatio(ratio)
            self._paint_frame(self._frame, self.rect())
        painter = QPainter(self)
        area = event.rect()
        painter.drawImage(
            QRectF(area), self._frame, QRectF(QPointF(area.topLeft()) * ratio, QSizeF(area.size()) * ratio)
        )
        if self.tiles is not None:
            self._paint_live(painter)
            if (pos := self.pointer.lens_at) is not None:
                self._draw_rest_later(paint_lens(painter, self.tiles, self.camera, self.room, pos, ratio))
        painter.end()
        self.frame_drawn.emit(1000 * (time.perf_counter() - start))

    def _paint_live(self, painter: QPainter) -> None:
        painter.save()
        painter.setTransform(self.transform, combine=True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._hand().paint(painter, self)
        painter.restore()

    def _paint_frame(self, frame: QImage, area: QRect) -> None:
        """Paints the page, its shapes and the marks into the kept picture."""
        painter = QPainter(frame)
        painter.setClipRect(area)
        theme = appearance().theme
        painter.fillRect(area, theme.color("viewport_bottom"))
        if self.tiles is None:
            painter.setPen(theme.color("secondary"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, said(self.message))
        else:
            ratio = self.devicePixelRatioF()
            self._draw_rest_later(paint_page(painter, self.tiles, self.camera, self.transform, area, ratio))
            painter.setTransform(self.transform, combine=True)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for mark in self.marks:
                mark(painter, self)
        painter.end()

    def _draw_rest_later(self, is_complete: bool) -> None:
        """Draws again soon if tiles are missing."""
        if not is_complete:
            self._later.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fits:
            self.fit()
        self.refresh()

    def close_view(self) -> None:
        """Releases the page and its connections."""
        appearance().changed.disconnect(self.refresh)
        self.tiles = None
