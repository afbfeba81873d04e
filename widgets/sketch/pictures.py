"""Decoded pages: a picture at several scales, from which tiles of a view are cut."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRunnable, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage

from spatial_workbench.engine.puzzles.sets.pages import PictureError, open_picture

SMALLEST_PX = 100
"""A picture is halved until its longer side is shorter than twice this."""
COARSE_PX = 1600
"""The longer side, at most, of the version that is painted while better tiles are not there yet."""


@dataclass(frozen=True, eq=False)
class PagePicture:
    """A page at full size, and halved again and again for views from afar."""

    levels: tuple[QImage, ...]

    @property
    def size(self) -> QSize:
        """Width and height in pixels."""
        return self.levels[0].size()

    @property
    def coarse_level(self) -> int:
        """The finest level that is small enough to be painted at once."""
        sides = [max(level.width(), level.height()) for level in self.levels]
        return next((i for i, side in enumerate(sides) if side <= COARSE_PX), len(sides) - 1)

    def level_for(self, scale: float) -> int:
        """The coarsest level that still has a pixel for each of the screen's, at this scale."""
        level = 0
        while level + 1 < len(self.levels) and scale * 2 ** (level + 1) <= 1.0:
            level += 1
        return level


def decoded(png: bytes, name: str) -> PagePicture:
    """A page from its file.

    Raises:
        PictureError: It cannot be read.
    """
    picture = open_picture(png, name)
    width, height = picture.size
    raw = picture.tobytes("raw", "BGRX")
    return halved(QImage(raw, width, height, 4 * width, QImage.Format.Format_RGB32).copy())


def halved(picture: QImage) -> PagePicture:
    """A picture with its smaller versions."""
    levels = [picture]
    while max(levels[-1].width(), levels[-1].height()) >= 2 * SMALLEST_PX:
        last = levels[-1]
        half = QSize(max(1, (last.width() + 1) // 2), max(1, (last.height() + 1) // 2))
        levels.append(
            last.scaled(half, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
        )
    return PagePicture(tuple(levels))


class Decoder(QObject):
    """Decodes pages in other threads.

    Signals:
        decoded(str, PagePicture): a page is ready.
        failed(str, str): a page cannot be read; its name and a sentence.
    """

    decoded = Signal(str, object)
    failed = Signal(str, str)
    _done = Signal(int, str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._round = 0
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._done.connect(self._arrived)

    def forget(self) -> None:
        """Ignores what is still being decoded."""
        self._round += 1

    def ask(self, name: str, png: bytes) -> None:
        """Decodes a page; one of the signals follows."""
        self._pool.start(_Decoding(self, self._round, name, png))

    def wait(self) -> None:
        """Waits until everything is decoded, and reports it."""
        self._pool.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def _arrived(self, asked_in: int, name: str, outcome: object) -> None:
        if asked_in != self._round:
            return
        if isinstance(outcome, PagePicture):
            self.decoded.emit(name, outcome)
        else:
            self.failed.emit(name, str(outcome))


class _Decoding(QRunnable):
    def __init__(self, decoder: Decoder, asked_in: int, name: str, png: bytes) -> None:
        super().__init__()
        self._decoder = decoder
        self._asked_in = asked_in
        self._name = name
        self._png = png

    def run(self) -> None:
        outcome: PagePicture | str
        try:
            outcome = decoded(self._png, self._name)
        except (PictureError, MemoryError) as error:
            outcome = str(error) or f"{self._name} needs more memory than there is"
        try:
            self._decoder._done.emit(self._asked_in, self._name, outcome)
        except RuntimeError:
            return  # The pad was closed in the meantime.
