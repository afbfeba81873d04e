"""The view of a page: zooms, pans, turns and mirrors it, with a lens, and shows what is being drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTabletEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.sketch.camera import PIXELS_FROM, SketchCamera
from spatial_workbench.widgets.sketch.pictures import PagePicture
from spatial_workbench.widgets.sketch.tiles import Tiles

WHEEL_STEP = 1.25
LENS_SCALE = 4.0
LENS_PX = 240
PAINTING_S = 0.008
"""How long new tiles are painted within a frame; the others follow in the next ones."""


class Touch:
    """A press, move or release of the pointer or the pen, in the page's pixels."""

    def __init__(
        self,
        pos: QPointF,
        point: QPointF,
        scale: float,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        pressure: float | None = None,
    ) -> None:
        self.pos = pos
        self.scale = scale
        self.modifiers = modifiers
        self.pressure = pressure
        self.point = (point.x(), point.y())

    def has(self, modifier: Qt.KeyboardModifier) -> bool:
        """Whether a modifier key is held."""
        return bool(self.modifiers & modifier)


class Hand(Protocol):
    """What the view tells about the pointer: the active tool."""

    cursor: Qt.CursorShape

    def press(self, touch: Touch) -> None:
        """The left button, or the pen, went down."""

    def move(self, touch: Touch) -> None:
        """It moved while it was down."""

    def release(self, touch: Touch) -> None:
        """It went up."""

    def hover(self, touch: Touch) -> None:
        """The pointer moved with no button down."""

    def double_click(self, touch: Touch) -> None:
        """A second press at the same place."""

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed; returns whether it was used."""

    def paint(self, painter: QPainter, view: PageView) -> None:
        """Paints what is being drawn, in the page's pixels."""


class PageView(QWidget):
    """Shows a page with its finished shapes, and lets a tool draw.

    Signals:
        view_changed(): the camera moved.
        pointed(object): the pointer is over this point of the page (x, y), or left it (None).
        frame_drawn(float): a frame was drawn; milliseconds that it took.
        pressed(): the left button, or the pen, goes down to draw.
    """

    view_changed = Signal()
    pointed = Signal(object)
    frame_drawn = Signal(float)
    pressed = Signal()

    def __init__(self, hand: Callable[[], Hand]) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Page")
        self.setAccessibleDescription(
            "The wheel zooms, the middle button or Space and dragging pans, Z held shows a lens."
        )
        self.camera = SketchCamera()
        self.tiles: Tiles | None = None
        self.message = ""
        """The text in the middle while there is no page."""
        self.marks: list[Callable[[QPainter, PageView], None]] = []
        """Functions that paint between the shapes and what is being drawn, in the page's pixels."""
        self._hand = hand
        self._frame: QImage | None = None
        self._panned_from: QPointF | None = None
        self._is_drawing = False
        self._space_held = self._lens_held = False
        self._pointer: QPointF | None = None
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
        """Zooms about a place of the widget; None: its middle."""
        self.set_camera(self.camera.zoomed(factor, QPointF(self.rect().center()) if pos is None else pos, self.room))

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
            if self._lens_held and self._pointer is not None:
                self._paint_lens(painter, self._pointer)
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
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.message)
        else:
            self._paint_page(painter, self.tiles, self.camera, self.transform, area)
            painter.setTransform(self.transform, combine=True)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for mark in self.marks:
                mark(painter, self)
        painter.end()

    def _paint_page(
        self, painter: QPainter, tiles: Tiles, camera: SketchCamera, transform: QTransform, area: QRect
    ) -> None:
        level = tiles.picture.level_for(camera.scale * self.devicePixelRatioF())
        inverse, _ = transform.inverted()
        smooth = camera.scale < PIXELS_FROM and (camera.scale != 1.0 or self.devicePixelRatioF() != 1.0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        size = tiles.picture.levels[level].size()
        full = tiles.picture.size
        scaled = QTransform.fromScale(full.width() / size.width(), full.height() / size.height()) * transform
        shown = inverse.mapRect(QRectF(area))
        until = time.perf_counter() + PAINTING_S
        ready = list(tiles.tiles_in(level, shown, until))
        if any(tile is None for _, tile in ready):
            self._paint_coarsely(painter, tiles, transform, shown)
            self._later.start()
        for place, tile in ready:
            if tile is not None:
                painter.setTransform(_snapped(scaled, QRectF(place)), combine=False)
                painter.drawImage(0, 0, tile)
        painter.restore()

    def _paint_coarsely(self, painter: QPainter, tiles: Tiles, transform: QTransform, shown: QRectF) -> None:
        """Paints the page in a coarse version, where tiles are still missing."""
        level = tiles.picture.coarse_level
        size = tiles.picture.levels[level].size()
        full = tiles.picture.size
        scaled = QTransform.fromScale(full.width() / size.width(), full.height() / size.height()) * transform
        for place, tile in tiles.tiles_in(level, shown):
            if tile is not None:
                painter.setTransform(_snapped(scaled, QRectF(place)), combine=False)
                painter.drawImage(0, 0, tile)

    def _paint_lens(self, painter: QPainter, pos: QPointF) -> None:
        """A round part of the page about the pointer, enlarged."""
        assert self.tiles is not None
        camera = self.camera.zoomed(LENS_SCALE, pos, self.room)
        around = QRectF(pos.x() - LENS_PX / 2, pos.y() - LENS_PX / 2, LENS_PX, LENS_PX)
        picture = QImage(LENS_PX, LENS_PX, QImage.Format.Format_RGB32)
        theme = appearance().theme
        picture.fill(theme.color("viewport_bottom"))
        inside = QPainter(picture)
        transform = camera.transform(self.room) * QTransform.fromTranslate(-around.x(), -around.y())
        self._paint_page(inside, self.tiles, camera, transform, picture.rect())
        inside.end()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrushOrigin(around.topLeft())
        painter.setBrush(picture)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawEllipse(around)

    # The pointer -------------------------------------------------------------------------------------------------

    def touch(self, pos: QPointF, modifiers: Qt.KeyboardModifier, pressure: float | None = None) -> Touch:
        """A touch at a place of the widget."""
        return Touch(pos, self.on_page(pos), self.camera.scale, modifiers, pressure)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go_down(event.position(), event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go_along(event.position(), event.modifiers())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._go_up(event.position(), event.modifiers())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second of two quick presses. It may begin a stroke of its own, so moves and a release follow."""
        if event.button() == Qt.MouseButton.LeftButton and self.tiles is not None and not self._space_held:
            self.setFocus()
            self._is_drawing = True
            self.pressed.emit()
            self._hand().double_click(self.touch(event.position(), event.modifiers()))
        else:
            self.mousePressEvent(event)

    def tabletEvent(self, event: QTabletEvent) -> None:
        """The pen of a tablet, with its pressure; the events of a mouse that would follow are not made."""
        pos = event.position()
        modifiers = event.modifiers()
        pressure = event.pressure()
        if event.type() == QEvent.Type.TabletPress:
            self._go_down(pos, event.button(), modifiers, pressure)
        elif event.type() == QEvent.Type.TabletMove:
            self._go_along(pos, modifiers, pressure)
        elif event.type() == QEvent.Type.TabletRelease:
            self._go_up(pos, modifiers)
        event.accept()

    def _go_down(
        self, pos: QPointF, button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, pressure: float | None = None
    ) -> None:
        self.setFocus()
        if button == Qt.MouseButton.MiddleButton or (self._space_held and button == Qt.MouseButton.LeftButton):
            self._panned_from = pos
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif button == Qt.MouseButton.LeftButton and self.tiles is not None:
            self._is_drawing = True
            self.pressed.emit()
            self._hand().press(self.touch(pos, modifiers, pressure))

    def _go_along(self, pos: QPointF, modifiers: Qt.KeyboardModifier, pressure: float | None = None) -> None:
        self._pointer = pos
        if self._panned_from is not None:
            self.set_camera(self.camera.moved(pos - self._panned_from, self.room))
            self._panned_from = pos
            return
        if self.tiles is None:
            return
        touch = self.touch(pos, modifiers, pressure)
        if self._is_drawing:
            self._hand().move(touch)
        else:
            self._hand().hover(touch)
        if self._lens_held:
            self.update()
        self.pointed.emit(touch.point)

    def _go_up(self, pos: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._panned_from is not None:
            self._panned_from = None
            self.show_cursor()
        elif self._is_drawing:
            self._is_drawing = False
            self._hand().release(self.touch(pos, modifiers))

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self.zoom(WHEEL_STEP**steps, event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.pointed.emit(None)
        self.update()

    def show_cursor(self) -> None:
        """Shows the cursor of the tool in hand."""
        self.setCursor(Qt.CursorShape.OpenHandCursor if self._space_held else self._hand().cursor)

    def close_view(self) -> None:
        """Releases the page and its connections."""
        appearance().changed.disconnect(self.refresh)
        self.tiles = None

    # Keys --------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._hold(event, True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self._hold(event, False):
            super().keyReleaseEvent(event)

    def _hold(self, event: QKeyEvent, held: bool) -> bool:
        """Holds Space to pan, or Z for the lens."""
        if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return False
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space_held = held
                self.show_cursor()
            return True
        if event.key() == Qt.Key.Key_Z:
            if not event.isAutoRepeat():
                self.hold_lens(held)
            return True
        return False

    def hold_lens(self, held: bool) -> None:
        """Shows the lens at the pointer, or removes it."""
        self._lens_held = held
        if held and self._pointer is None:
            self._pointer = QPointF(self.mapFromGlobal(self.cursor().pos()))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space_held = self._lens_held = False
        self.show_cursor()
        self.update()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fits:
            self.fit()
        self.refresh()


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
