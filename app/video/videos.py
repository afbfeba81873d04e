"""*Save as video…*: asks the page in front what it plays, and saves that in the background."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from spatial_workbench.app.video.films import FilmSource, OffersFilm
from spatial_workbench.app.video.saving import SavedVideo, save_video
from spatial_workbench.engine.core.files import part_of
from spatial_workbench.widgets.scene_views.timeline import Timeline

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob
    from spatial_workbench.app.frame.host import Host
    from spatial_workbench.app.video.choices import VideoChoices
    from spatial_workbench.app.video.dialog import VideoDialog

VIDEO_TIP = "Save what plays as a video: MP4, WebM or GIF"
NOTHING_MOVES = "Nothing plays on this page. A video can be made of simulations, replays and comparisons."
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')


class Videos(QObject):
    """Saves videos, one after the other, in a process that draws."""

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self._begun: list[tuple[BackgroundJob, Path]] = []
        self.dialog: VideoDialog | None = None
        """The dialog that is open."""
        window.jobs.videos.changed.connect(self._clear_up)

    def follow_front(self) -> None:
        """Gives the timelines of the page in front a button for videos."""
        front = self._window.pages.front
        if isinstance(front, OffersFilm):
            for timeline in front.findChildren(Timeline):
                timeline.offer(self._window.actions_registry["view.video"])

    def save_front(self) -> None:
        """Asks how to save what the page in front plays, and where, then saves it."""
        front = self._window.pages.front
        if isinstance(front, OffersFilm):
            front.offer_film(self.ask)
        else:
            self._window.show_message(NOTHING_MOVES)

    def ask(self, source: FilmSource | str) -> None:
        """Asks how a film is saved; a sentence is shown instead."""
        if isinstance(source, str):
            self._window.show_message(source)
            return
        from spatial_workbench.app.video.dialog import VideoDialog

        self.dialog = VideoDialog(source, self._window.settings, self._window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.accepted.connect(partial(self._ask_where, source, self.dialog))
        self.dialog.open()

    def save(self, source: FilmSource, path: Path, choices: VideoChoices) -> None:
        """Saves a film in the background."""
        job = self._window.jobs.videos.run(
            f"Saving {path.name}",
            save_video,
            source,
            path,
            choices,
            done=partial(self._say_saved, path),
            failed=lambda why: self._window.warn("No video was saved", why),
        )
        self._begun.append((job, path))

    def close(self) -> None:
        """Removes what videos that were not finished have left; called when their process has been ended."""
        for _, path in self._begun:
            part_of(path).unlink(missing_ok=True)
        self._begun.clear()

    def _ask_where(self, source: FilmSource, dialog: VideoDialog) -> None:
        kind = dialog.kind
        proposed = f"{_NOT_IN_NAMES.sub(' ', source.title).strip()}{kind.suffix}"
        wanted = f"{kind.title} (*{kind.suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save as video", proposed, wanted)
        if not chosen:
            return
        path = Path(chosen)
        if path.suffix.lower() != kind.suffix:
            # The file dialog has asked about a file of the name without the suffix only.
            path = path.with_name(path.name + kind.suffix)
            if path.exists() and not self._may_replace(path):
                return
        self.save(source, path, dialog.choices)

    def _may_replace(self, path: Path) -> bool:
        question = f"“{path.name}” exists already. Replace it?"
        return QMessageBox.question(self._window, "Save as video", question) == QMessageBox.StandardButton.Yes

    def _say_saved(self, path: Path, saved: SavedVideo) -> None:
        self._window.show_message(f"The video is in {path}: {saved.seconds:.1f} s, {saved.pictures:,} pictures.")

    def _clear_up(self) -> None:
        """Removes what jobs have left that were cancelled, or whose process died."""
        for job, path in self._begun:
            if not job.is_pending:
                part_of(path).unlink(missing_ok=True)
        self._begun = [(job, path) for job, path in self._begun if job.is_pending]
