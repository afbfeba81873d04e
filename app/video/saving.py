"""Writes a video to a file. The window runs this in a child process, since drawing takes long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.app.video.choices import VideoChoices, VideoError, format_of
from spatial_workbench.app.video.films import FilmSource
from spatial_workbench.app.video.writers import Bytes, write_pictures
from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import replacing


@dataclass(frozen=True)
class SavedVideo:
    """A video that was saved: how many pictures it has, and how long it lasts."""

    pictures: int
    seconds: float


def save_video(source: FilmSource, path: Path, choices: VideoChoices, progress: Progress = silent) -> SavedVideo:
    """Draws a film and writes it; the suffix of the path says in which format. An existing file is replaced at the end.

    Raises:
        VideoError: Nothing moves, nothing can be drawn or encoded here, or the file cannot be written.
        Cancelled: Raised by `progress`; there is no file then.
    """
    kind = format_of(path)
    film = source.film(progress)
    from spatial_workbench.app.video.pictures import FilmDrawer
    from spatial_workbench.widgets.render3d.probe import NoRenderer

    try:
        drawer = FilmDrawer(film, choices)
    except NoRenderer as error:
        raise VideoError(f"Nothing can be drawn here: {error}") from None
    count = len(drawer.moments)

    def draw(number: int) -> Bytes:
        progress(number, count, f"picture {number + 1} of {count}")
        return drawer.picture(number)

    try:
        with replacing(path) as part:
            write_pictures(part, kind.suffix, draw, count, choices.size, choices.rate)
    except OSError as error:
        raise VideoError(f"“{path}” could not be written: {error.strerror or error}. Nothing was changed.") from None
    finally:
        drawer.close()
    return SavedVideo(count, count / choices.rate)
