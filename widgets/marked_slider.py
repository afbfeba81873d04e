"""A slider with ticks where something happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QToolTip, QWidget

from spatial_workbench.widgets.appearance import appearance

REACH_PX = 4
"""How near to a tick the pointer has to be."""
TICK_PX = (2.0, 12.0)
MOST_TEXTS = 6


@dataclass(frozen=True)
class SliderMark:
    """A tick: where it is drawn, which may be between two values; the value that a click on it chooses; its text."""

    place: float
    value: int
    text: str


class MarkedSlider(QSlider):
    """A horizontal slider. A click on a tick chooses the tick's value, a click on the groove the value there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setMouseTracking(True)
        self.marks: Sequence[SliderMark] = ()

    def set_marks(self, marks: Sequence[SliderMark]) -> None:
        """Replaces the ticks."""
        self.marks = tuple(marks)
        self.setAccessibleDescription("; ".join(mark.text for mark in marks))
        self.update()

    def x_of(self, place: float) -> float:
        """Where a place between the lowest and the highest value is, in pixels."""
        first, span = self._span()
        share = (place - self.minimum()) / max(1, self.maximum() - self.minimum())
        return first + span * min(max(share, 0.0), 1.0)

    def marks_at(self, x: float) -> list[SliderMark]:
        """The marks whose ticks are within reach, the nearest first."""
        distances = {mark: abs(self.x_of(mark.place) - x) for mark in self.marks}
        return sorted((mark for mark in self.marks if distances[mark] <= REACH_PX), key=lambda mark: distances[mark])

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.marks:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(appearance().theme.color("failed"))
        middle = self._part(QStyle.SubControl.SC_SliderHandle).center().y() + 0.5
        width, height = TICK_PX
        for mark in self.marks:
            tick = QRectF(0, 0, width, height)
            tick.moveCenter(QPointF(self.x_of(mark.place), middle))
            painter.drawRoundedRect(tick, 1, 1)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            x = event.position().x()
            marks = self.marks_at(x)
            if marks:
                self.setValue(marks[0].value)
            elif not self._part(QStyle.SubControl.SC_SliderHandle).contains(event.position().toPoint()):
                self.setValue(self._value_at(x))
        super().mousePressEvent(event)  # The handle is under the pointer now, and can be dragged on.

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self.isSliderDown():
            over_tick = bool(self.marks_at(event.position().x()))
            self.setCursor(Qt.CursorShape.PointingHandCursor if over_tick else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            texts = list(dict.fromkeys(mark.text for mark in self.marks_at(event.pos().x())))
            if len(texts) > MOST_TEXTS:
                texts = [*texts[: MOST_TEXTS - 1], f"and {len(texts) - MOST_TEXTS + 1} more"]
            QToolTip.showText(event.globalPos(), "\n".join(texts), self)
            return True
        return super().event(event)

    def _value_at(self, x: float) -> int:
        first, span = self._span()
        share = min(max((x - first) / max(1.0, span), 0.0), 1.0)
        return round(self.minimum() + share * (self.maximum() - self.minimum()))

    def _span(self) -> tuple[float, float]:
        """Where the handle's middle is at the lowest value, and how far it can go, in pixels."""
        groove = self._part(QStyle.SubControl.SC_SliderGroove)
        handle = self._part(QStyle.SubControl.SC_SliderHandle)
        return groove.left() + handle.width() / 2, float(groove.width() - handle.width())

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
