"""Where copied things go and pasted ones come from: the system's clipboard, unless a window keeps them to itself."""

from __future__ import annotations

import atexit
from functools import cache
from typing import Protocol

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

_OWN_CLIPBOARDS = ("offscreen", "minimal", "vnc")
"""Platforms whose clipboard is the program's own."""


class ClipboardKeeper(Protocol):
    """Keeps what is copied in place of the system's clipboard."""

    def keep(self, data: QMimeData) -> None:
        """Takes what was copied, or drops it."""

    def kept(self) -> QMimeData:
        """What is to be pasted; empty if nothing may be."""


_keeper: ClipboardKeeper | None = None


def keep_with(keeper: ClipboardKeeper | None) -> None:
    """From now on, `keeper` has what is copied; None: the system's clipboard has it."""
    global _keeper
    _keeper = keeper


def copy_data(data: QMimeData) -> None:
    """Puts data where pasting finds it."""
    if _keeper is None:
        QGuiApplication.clipboard().setMimeData(data)
        _empty_at_exit()
    else:
        _keeper.keep(data)


@cache
def _empty_at_exit() -> None:
    """Empties a clipboard that ends with the program before Python ends.

    Qt would delete what was copied after that, which asks Python and ends in a segmentation fault. The system's
    clipboard is left alone: what was copied can be pasted elsewhere.
    """
    if QGuiApplication.platformName() in _OWN_CLIPBOARDS:
        atexit.register(_empty)


def _empty() -> None:
    if QGuiApplication.instance() is not None:
        QGuiApplication.clipboard().clear()


def copy_text(text: str) -> None:
    """Puts a text where pasting finds it."""
    data = QMimeData()
    data.setText(text)
    copy_data(data)


def copy_image(image: QImage) -> None:
    """Puts a picture where pasting finds it."""
    data = QMimeData()
    data.setImageData(image)
    copy_data(data)


def pasted() -> QMimeData:
    """What is to be pasted; empty if there is nothing."""
    if _keeper is not None:
        return _keeper.kept()
    return QGuiApplication.clipboard().mimeData() or QMimeData()
