"""What is pasted and dropped, as files that can be imported."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QImage

from spatial_workbench.app.background.delivery import in_thread
from spatial_workbench.widgets.encoding import encoded


def paths_in(data: QMimeData) -> list[Path]:
    """The files and folders of this computer that are named by a drop or by the clipboard: as such, or line by line."""
    if data.hasUrls():
        return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    lines = [line.strip().strip('"') for line in data.text().splitlines() if line.strip()]
    paths = [Path(QUrl(line).toLocalFile() if line.startswith("file:") else line).expanduser() for line in lines]
    return paths if all(path.is_absolute() for path in paths) else []


def image_in(data: QMimeData) -> QImage:
    """The picture of a drop or of the clipboard; empty if there is none."""
    return QImage(data.imageData()) if data.hasImage() else QImage()


class PastedPictures:
    """Pictures that were pasted, as files in a folder that lasts as long as this."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0

    def keep(self, image: QImage, done: Callable[[tuple[Path, ...]], None]) -> None:
        """Writes a picture in the background and calls `done`, a method of an object of Qt, with (its path,)."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="spatial-workbench-")
        self._count += 1
        path = Path(self._folder.name) / f"Pasted picture {self._count}.png"

        def write() -> tuple[Path, ...]:
            path.write_bytes(encoded(image))
            return (path,)

        in_thread(write, done)

    def close(self) -> None:
        """Deletes the files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
