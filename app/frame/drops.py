"""Files that are dropped on the window, whichever page is in front."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

LEVEL_SUFFIX = ".level.json"


def level_paths(data: QMimeData) -> list[Path]:
    """The files of levels that are dragged; none if anything else is dragged with them.

    Pages leave these to the window, which opens them.
    """
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    is_levels = bool(paths) and all(path.name.endswith(LEVEL_SUFFIX) for path in paths)
    return paths if is_levels else []
