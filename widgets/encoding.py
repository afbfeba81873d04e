"""Pictures of Qt as the bytes of a file."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

BEST = -1
"""Whatever Qt takes for the best."""


def encoded(image: QImage, kind: Literal["PNG", "JPEG"] = "PNG", quality: int = BEST) -> bytes:
    """The picture as a file of a kind; a large page takes a second as PNG.

    Raises:
        ValueError: The picture is empty.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # The stubs of Qt ask for bytes here, which Qt does not take.
    name: Any = kind
    if not image.save(buffer, name, quality):
        raise ValueError("an empty picture cannot be written")
    return bytes(buffer.data().data())
