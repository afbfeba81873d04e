"""Pictures of tasks, cropped to the size of a card."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from spatial_workbench.engine.core import Task


@lru_cache(maxsize=48)
def _thumbnail(task: Task[Any], theme: str) -> QImage | None:
    """A task's thumbnail as it was drawn; kept once for all windows, since a wider card crops it again."""
    source = task.resources().joinpath("thumbnails", f"{task.id}-{theme}.png")
    return QImage.fromData(source.read_bytes()) if source.is_file() else None


@lru_cache(maxsize=128)
def rounded_thumbnail(task: Task[Any], theme: str, size: tuple[int, int], ratio: float) -> QImage | None:
    """A task's thumbnail as a card shows it, or None; kept, since each window shows the cards several times.

    size: in logical pixels. ratio: how many pixels a logical pixel is wide.
    """
    picture = _thumbnail(task, theme)
    return None if picture is None else _rounded(picture, QSize(*size), ratio)


def _rounded(picture: QImage, size: QSize, ratio: float) -> QImage:
    """Crops the picture to the card's upper half, with the card's rounded corners."""
    target = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    target.setDevicePixelRatio(ratio)
    target.fill(Qt.GlobalColor.transparent)
    painter = QPainter(target)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    path = QPainterPath()
    path.addRoundedRect(0, 0, size.width(), size.height() + 8, 5, 5)
    painter.setClipPath(path)
    scaled = picture.scaled(
        size * ratio, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    scaled.setDevicePixelRatio(ratio)
    painter.drawImage(
        round((size.width() - scaled.width() / ratio) / 2), round((size.height() - scaled.height() / ratio) / 2), scaled
    )
    painter.end()
    return target
