"""The pictures on the catalogue's cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from spatial_workbench.app.studio.drawing import drawer
from spatial_workbench.engine.core import tasks
from spatial_workbench.engine.core.files import write_whole

THUMBNAIL = (528, 300)


def make_thumbnails(folder: Path, only: Sequence[str] = ()) -> Iterator[Path]:
    """Draws the catalogue's pictures of these tasks (none named: all), in both themes; yields the files."""
    folder.mkdir(parents=True, exist_ok=True)
    for task in tasks():
        if only and task.id not in only:
            continue
        # A small picture has no room for coordinates, nor for the margin that an editor wants.
        scene = replace(task.thumbnail(), bounds=None, axes=("", "", ""))
        for theme in ("light", "dark"):
            path = folder / f"{task.id}-{theme}.png"
            write_whole(path, drawer().picture(scene, THUMBNAIL, theme))
            yield path
