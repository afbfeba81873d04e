"""What a reviewer looks at: the puzzle's pages, or the figure of the step that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.widgets.sketch import SketchPad
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.puzzles.puzzle import Puzzle

CHANGED = (
    "Your folder holds another version of this puzzle than the one under review. You see the pages of your folder; "
    "Apply results brings the annotation there, unless you have edited it."
)
NOT_HERE = "This annotation is not in your folder yet; Apply results brings it there, with its figures."


@dataclass(frozen=True)
class ReviewedPages:
    """The pages of a puzzle as PNG by file name, the version of its folder, and whether no step is written there."""

    pages: Mapping[str, bytes]
    version: str
    is_bare: bool


def read_pages(path: Path, name: str, progress: Progress = silent) -> ReviewedPages:
    """Reads the pages of a puzzle.

    Raises:
        SetError: They cannot be read.
    """
    folder = PuzzleSet(path).folder(name)
    is_bare = not any(step.explanation.strip() for step in folder.read().puzzle.reasoning)
    return ReviewedPages({page: folder.bytes_of(page) for page in folder.pages()}, folder.version(), is_bare)


def read_figure(path: Path, name: str, figure: str, progress: Progress = silent) -> bytes:
    """Reads a figure of a puzzle.

    Raises:
        SetError: It cannot be read.
    """
    return PuzzleSet(path).folder(name).bytes_of(figure)


class ReviewPictures(QWidget):
    """The pages of the puzzle under review, which cannot be drawn on, and the figures of its steps."""

    def __init__(self, jobs: Jobs, path: Path) -> None:
        super().__init__()
        self._jobs = jobs
        self._path = path
        self._started: list[BackgroundJob] = []
        self._folder = ""
        self._version = ""
        self._figures: tuple[str | None, ...] = ()
        self.step = 0
        self.pad = SketchPad(offers_tools=False)
        self.pad.desk.is_read_only = True
        self.caption = QLabel()
        self.caption.setObjectName("secondary")
        self.caption.setWordWrap(True)
        self.back = QPushButton("Show the pages")
        self.back.clicked.connect(lambda: self.choose_step(0))
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self._lay_out()
        self._show_caption("Pages")

    def show_puzzle(self, folder: str, version: str, puzzle: Puzzle, anew: bool = False) -> None:
        """Shows the pages of a puzzle; `version` is the one that was sent to review; empty: any.

        anew: Whether the pages are read again although they are already shown.
        """
        self._figures = tuple(step.figure for step in puzzle.reasoning)
        if (folder, version) == (self._folder, self._version) and not anew:
            self.choose_step(0)
            return
        self._folder = folder
        self._version = version
        self.read_again()

    def read_again(self) -> None:
        """Reads the pages from the folder, which may have changed."""
        self._cancel()
        self.step = 0
        self.note.hide()
        self._show_caption("Pages")
        if not self._folder:
            return
        folder = self._folder
        self.pad.pages.wait_for_pages()
        self._read(
            "Opening the pages",
            read_pages,
            folder,
            done=lambda read: self._show_pages(read) if self._folder == folder else None,
        )

    def choose_step(self, number: int) -> None:
        """Shows the figure of a step, counted from 1; without a figure, and for 0, the pages."""
        if number == self.step:
            return
        self.step = number
        figure = self._figures[number - 1] if 1 <= number <= len(self._figures) else None
        if figure is None:
            self.pad.pages.set_figure(None)
            self._show_caption(f"Pages · step {number} has no figure" if number else "Pages")
            return
        self._show_caption(f"Figure of step {number} · {figure}", is_figure=True)
        self._read(
            "Opening a figure",
            read_figure,
            self._folder,
            figure,
            done=lambda png: self.pad.pages.set_figure(png) if self.step == number else None,
            failed=lambda text: self._lack_figure(number, text),
        )

    def close_pictures(self) -> None:
        """Ends running work."""
        self._cancel()
        self.pad.close_pad()

    def _show_pages(self, read: ReviewedPages) -> None:
        self.pad.pages.replace(read.pages)
        if self._version and read.version != self._version:
            self._warn(NOT_HERE if read.is_bare else CHANGED)

    def _lack_figure(self, number: int, text: str) -> None:
        if self.step == number:
            self.pad.pages.set_figure(None)
            where = "is not in your folder yet" if self.note.text() == NOT_HERE else f"cannot be shown. {text}"
            self._show_caption(f"Pages · the figure of step {number} {where}.")

    def _warn(self, text: str) -> None:
        self.note.setText(text)
        self.note.show()

    def _show_caption(self, caption: str, is_figure: bool = False) -> None:
        self.caption.setText(caption)
        self.back.setVisible(is_figure)

    def _read(
        self,
        label: str,
        function: Callable[..., Any],
        *arguments: Any,
        done: Callable[[Any], None],
        failed: Callable[[str], None] | None = None,
    ) -> None:
        job = self._jobs.live.run(
            label, function, self._path, *arguments, done=done, failed=failed or self._warn, quiet=True
        )
        self._started = [*(earlier for earlier in self._started if earlier.is_pending), job]

    def _cancel(self) -> None:
        for job in self._started:
            if job.is_pending:
                job.cancel()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 2 * SPACE, 0)
        row.addWidget(self.caption, 1)
        row.addWidget(self.back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addWidget(self.pad, 1)
        self.note.hide()
