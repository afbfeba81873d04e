"""A picture in the room that there is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget


class FittedPicture(QWidget):
    """A picture, as large as there is room for it, but no larger than it is.

    name: its accessible name.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.pixmap = QPixmap()
        self.setMinimumWidth(120)
        self.setAccessibleName(name)

    def show_picture(self, data: bytes) -> None:
        """Shows a PNG or JPEG file."""
        self.pixmap = QPixmap()
        self.pixmap.loadFromData(data)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.pixmap.isNull():
            return
        room = QSizeF(self.size()).boundedTo(QSizeF(self.pixmap.size()))
        size = QSizeF(self.pixmap.size()).scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        left = (self.width() - size.width()) / 2
        target = QRectF(left, 0, size.width(), size.height())
        painter.drawPixmap(target, self.pixmap, QRectF(self.pixmap.rect()))
        painter.end()
