"""The unfolded cube: six faces of nine stickers in a plane, to look at or to paint."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, qGray
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.cube.geometry import LABELS, NET_CELLS
from spatial_workbench.engine.cube.letters import RGB, ColourLetter
from spatial_workbench.widgets.appearance import appearance

COLUMNS, ROWS = 9, 12
MARGIN = 10.0
UNKNOWN = "?"
DARK_GREY = 110
"""Letters are white on stickers whose grey value (0 to 255) is not above this."""


class CubeNet(QWidget):
    """Shows 54 colour letters in the environment's order; "?" is a sticker that is not painted yet.

    Signals:
        sticker_pressed(int): a sticker was pressed, or the pointer was dragged onto it.
    """

    sticker_pressed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = UNKNOWN * 54
        self._marked: Collection[str] = ()
        self._hovered: int | None = None
        self._pressed: int | None = None
        self.is_paintable = False
        self.shows_labels = False
        self.setMouseTracking(True)
        self.setMinimumSize(150, 190)
        self.setAccessibleName(tr("Unfolded cube"))

    def sizeHint(self) -> QSize:
        return QSize(240, 310)

    def set_state(self, state: str) -> None:
        """Shows another state."""
        self._state = state
        self.update()

    def set_marked(self, labels: Collection[str]) -> None:
        """Rings the stickers that a message refers to, by their labels ("F2")."""
        self._marked = labels
        self.update()

    def place_of(self, number: int) -> QRectF:
        """Where a sticker is in the widget."""
        column, row = NET_CELLS[number]
        pitch, left, top = self._layout()
        return QRectF(left + column * pitch, top + row * pitch, pitch, pitch)

    def sticker_at(self, point: QPointF) -> int | None:
        """The sticker at a place of the widget."""
        return next((i for i in range(54) if self.place_of(i).contains(point)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = appearance().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for i, letter in enumerate(self._state):
            place = self.place_of(i)
            inset = max(1.0, place.width() * 0.05)
            painter.setPen(QPen(theme.color("text"), 1.0))
            painter.setBrush(self._color(letter))
            painter.drawRoundedRect(place.adjusted(inset, inset, -inset, -inset), 3, 3)
            if LABELS[i] in self._marked or (self.is_paintable and i == self._hovered):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                role = "failed" if LABELS[i] in self._marked else "accent"
                painter.setPen(QPen(theme.color(role), 3.0))
                painter.drawRoundedRect(place.adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)
            if self.shows_labels or letter == UNKNOWN or i % 9 == 4:
                self._paint_label(painter, place, i, letter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.is_paintable:
            self._press(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        sticker = self.sticker_at(event.position())
        if sticker != self._hovered:
            self._hovered = sticker
            self.setToolTip("" if sticker is None else LABELS[sticker])
            self.update()
        if event.buttons() & Qt.MouseButton.LeftButton and self.is_paintable and sticker != self._pressed:
            self._press(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def _press(self, point: QPointF) -> None:
        self._pressed = self.sticker_at(point)
        if self._pressed is not None:
            self.sticker_pressed.emit(self._pressed)

    def _layout(self) -> tuple[float, float, float]:
        """Width of a sticker, and where the net begins."""
        pitch = min((self.width() - 2 * MARGIN) / COLUMNS, (self.height() - 2 * MARGIN) / ROWS)
        return pitch, (self.width() - COLUMNS * pitch) / 2, (self.height() - ROWS * pitch) / 2

    def _color(self, letter: str) -> QColor:
        if letter == UNKNOWN:
            return appearance().theme.color("panel")
        return QColor(*RGB[ColourLetter(letter)])

    def _paint_label(self, painter: QPainter, place: QRectF, i: int, letter: str) -> None:
        ground = self._color(letter)
        painter.setPen(QColor("#101010") if qGray(ground.rgb()) > DARK_GREY else QColor("#FFFFFF"))
        if letter == UNKNOWN:
            painter.setPen(appearance().theme.color("secondary"))
        font = painter.font()
        font.setPixelSize(max(8, round(place.width() * 0.42)))
        painter.setFont(font)
        text = LABELS[i] if self.shows_labels else LABELS[i][0] if i % 9 == 4 else ""
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
