"""The annotation of a puzzle: its pages and sketches at the left; steps, fields, checks and aids at the right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent, QUndoStack
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.annotation import work
from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.checking import AnnotationChecks
from spatial_workbench.app.puzzles.annotation.disk_watch import DiskWatch
from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.figures import AnnotationFigures
from spatial_workbench.app.puzzles.annotation.pages_pane import PagesPane
from spatial_workbench.app.puzzles.annotation.recovery import AnnotationRecovery
from spatial_workbench.app.puzzles.annotation.request_strip import RequestStrip
from spatial_workbench.app.puzzles.annotation.saving import AnnotationSaving
from spatial_workbench.app.puzzles.annotation.side_pane import AnnotationSide
from spatial_workbench.app.puzzles.annotation.step_editing import Steps
from spatial_workbench.app.puzzles.annotation.work import Opened, SaveOutcome
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.set_dialogs import PICTURES
from spatial_workbench.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from spatial_workbench.app.puzzles.set_work import SetEntry

UNDO_LIMIT = 200
READING = ("Opening the puzzle", "Its pages are being read.")


class AnnotationPage(QWidget):
    """Writes the annotation of one puzzle; its parts check it, save it, keep what is not saved, and make figures.

    Attributes:
        left, pad: The puzzle's pages, and the sketch pad that shows them.
        side: Its steps and fields, checks and aids.
        edited: The puzzle as it is shown and as it is stored.
        checks: What is wrong with it.
        figures: The figures of its steps.
        request: What a reviewer wants to be changed.
        saving, recovery, watch: What writes it, keeps it aside, and compares it with its files.

    Signals:
        message(str): a note for the status bar.
        saved(SetEntry): the puzzle was saved.
        review_wanted(): the review of the puzzle is to be shown.
    """

    icon_name = "pencil"
    message = Signal(str)
    saved = Signal(object)
    review_wanted = Signal()

    def __init__(self, entry: SetEntry, folder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.entry = entry
        self.folder = folder
        self.reopened_by = ("", "")
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._is_closed = False
        self._lane = PageLane("annotation", self.message.emit, self)
        self.left = PagesPane(self.undo_stack, entry.is_read_only)
        self.pad = self.left.pad
        self.side = AnnotationSide(entry.is_read_only)
        self.request = RequestStrip()
        self.banner = Banner()
        self.edited = EditedPuzzle(entry, folder, self.undo_stack, self.pad.pages.layers, self)
        self.title = self.edited.title
        self.side.heading.setText(self.title)
        self.checks = AnnotationChecks(self.edited)
        self.figures = AnnotationFigures(self.edited, self._lane, self.left, self.side.steps)
        self.saving = AnnotationSaving(self.edited, self._lane)
        self.recovery = AnnotationRecovery(self.edited, self._lane, self.pad, self.banner)
        self.watch = DiskWatch(self, self.edited, self._lane, self.saving, self.banner)
        self._lay_out()
        self._connect_widgets()
        self._connect_parts()
        self.open()

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is done and shown."""
        return self._lane.is_idle and self.figures.is_idle and not self.checks.is_waiting

    # Opening and closing -----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Reads the puzzle; what is shown is replaced."""
        edited = self.edited
        edited.is_open = False
        self._lane.run(
            f"Opening {self.title}",
            work.open_puzzle,
            edited.set_path,
            edited.folder,
            edited.is_read_only,
            done=self._show_opened,
            failed=self._show_failure,
        )

    def _show_opened(self, opened: Opened) -> None:
        self.edited.take_opened(opened)
        self.recovery.forget()
        self.pad.pages.replace(opened.pages)
        self.undo_stack.clear()
        self.edited.show_puzzle(opened.annotation.puzzle)
        self.checks.run()
        self._stack.setCurrentIndex(0)
        faults = [fault for fault in self.edited.files.pages.values() if fault]
        self.left.show_pages(bool(opened.pages), faults)
        if opened.side is not None:
            self.recovery.offer(opened.side)
        if not self.edited.is_read_only:
            self.recovery.start()
            self.watch.start()

    def _show_failure(self, text: str) -> None:
        self.empty.say("The puzzle cannot be opened", text)
        self._stack.setCurrentIndex(1)
        self.message.emit(text)

    def _reload(self) -> None:
        """Shows the puzzle as stored on the disk, without unsaved changes."""
        self.recovery.discard()
        self.open()

    def close_page(self) -> None:
        """Backs up unsaved changes, and ends background work."""
        self._is_closed = True
        self.recovery.keep_at_end()
        for part in (self.checks, self.recovery, self.watch):
            part.stop()
        self._lane.close()
        self.figures.close()
        self.pad.close_pad()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self._is_closed:
            self.recovery.keep()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.edited.is_read_only:
            self.watch.look()

    # Pages -------------------------------------------------------------------------------------------------------

    def ask_pages(self) -> None:
        """Asks for pictures to add as pages."""
        names, _ = QFileDialog.getOpenFileNames(self, "Pages of the puzzle", "", PICTURES)
        if names:
            self.add_pages(tuple(Path(name) for name in names))

    def add_pages(self, pages: tuple[bytes | Path, ...]) -> None:
        """Adds pages to the puzzle; what was typed is saved first."""
        edited = self.edited
        if edited.is_edited:
            self.saving.save(then=lambda: self.add_pages(pages))
            return
        self._lane.run("Adding pages", work.add_page, edited.set_path, edited.folder, pages, done=lambda _: self.open())

    # What is shown -----------------------------------------------------------------------------------------------

    def _show_puzzle(self) -> None:
        self.side.show_puzzle(self.edited.puzzle, self.edited.thumbnails)
        self._tell_state()

    def _change_steps(self, steps: Steps, label: str, key: str) -> None:
        self.edited.change(replace(self.edited.puzzle, reasoning=steps), label, key)

    def _show_saved(self) -> None:
        self.recovery.forget()
        self.banner.hide()
        self.checks.run()
        self._tell_state()
        self.message.emit(f"{self.title} is saved.")
        self.saved.emit(self.entry)

    def _show_refusal(self, outcome: SaveOutcome) -> None:
        self._tell_state()
        if outcome.is_changed_on_disk:
            self.watch.show_changed_elsewhere()
            return
        place = f" What you typed is kept in {outcome.kept_at}." if outcome.kept_at else ""
        place = place or " It could not be kept elsewhere either; leave this window open."
        self.banner.offer(f"Not saved. {outcome.trouble}.{place}", {"Try again": self.saving.save})
        self.message.emit(f"Not saved. {outcome.trouble}.{place}")

    def _tell_state(self) -> None:
        edited = self.edited
        words = "Read-only" if edited.is_read_only else "Not saved" if edited.is_edited else "Saved"
        self.side.state.setText(words)
        self.side.save_button.setEnabled(edited.is_open and not edited.is_read_only and edited.is_edited)
        self.side.heading.setText(edited.puzzle.title.strip() or self.title)

    def _find_anagrams(self, text: str) -> None:
        self._lane.run(
            "Looking up words",
            work.find_anagrams,
            text,
            done=lambda words: self.side.aids.show_anagrams(text, words),
            failed=lambda _: None,
        )

    # Wiring ------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.empty = EmptyState(*READING)
        across = QSplitter()
        across.setHandleWidth(1)
        across.addWidget(self.left)
        across.addWidget(self.side)
        across.setSizes([720, 560])
        across.setStretchFactor(0, 1)
        across.setChildrenCollapsible(False)
        self._stack = QStackedWidget()
        self._stack.addWidget(across)
        self._stack.addWidget(self.empty)
        self._stack.setCurrentIndex(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.request)
        layout.addWidget(self.banner)
        layout.addWidget(self._stack, 1)

    def _connect_widgets(self) -> None:
        side = self.side
        side.save_button.clicked.connect(lambda: self.saving.save())
        QShortcut(QKeySequence.StandardKey.Save, self, lambda: self.saving.save())
        for button in (side.pages_button, self.left.no_page.button):
            button.clicked.connect(self.ask_pages)
        side.steps.changed.connect(self._change_steps)
        side.steps.figure_opened.connect(self.figures.open_figure)
        side.figures_button.clicked.connect(lambda: self.figures.offer_to_look(side.figures_button))
        side.steps.figure_asked.connect(self.figures.choose_figure)
        side.fields.changed.connect(self.edited.change)
        self.request.review_wanted.connect(self.review_wanted)
        side.aids.anagrams_wanted.connect(self._find_anagrams)
        self.pad.figure_wanted.connect(self.figures.make_figure)
        self.pad.desk.layer_changed.connect(lambda _: self.checks.run_soon())

    def _connect_parts(self) -> None:
        self.edited.changed.connect(self._show_puzzle)
        self.checks.found.connect(lambda findings: self.side.show_findings(findings, self.edited.has_grid))
        self.figures.message.connect(self.message)
        self.figures.entered.connect(lambda: self.saving.save())
        self.saving.begun.connect(lambda: self.side.state.setText("Saving…"))
        self.saving.saved.connect(self._show_saved)
        self.saving.refused.connect(self._show_refusal)
        self.saving.crashed.connect(self.recovery.keep_again)
        self.recovery.message.connect(self.message)
        self.watch.reload_wanted.connect(self._reload)
