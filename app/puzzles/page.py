"""The Puzzles page: the sets at the left, the chosen set's puzzles and statistics at the right."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent, QUndoStack
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.frame.drops import level_paths
from spatial_workbench.app.puzzles import set_work as work
from spatial_workbench.app.puzzles.long_work import LongWork
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.puzzle_changing import PuzzleChanging
from spatial_workbench.app.puzzles.puzzle_list import PuzzleList
from spatial_workbench.app.puzzles.set_changing import SetChanging
from spatial_workbench.app.puzzles.set_list import SetList, shown_name
from spatial_workbench.app.puzzles.set_reading import SetReading
from spatial_workbench.app.puzzles.set_work import SetEntry, SetListing
from spatial_workbench.app.puzzles.statistics_view import StatisticsView
from spatial_workbench.app.puzzles.transfer import PuzzleTransfer
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs
    from spatial_workbench.app.background.project_service import ProjectService

READING = ("Reading the puzzles", "The first reading of a large set takes a moment.")
ADD_TIP = "A folder of your puzzles; it stays where it is"
IMPORT_TIP = "Puzzles from folders, zip files, PDFs, pictures or the clipboard; you can also drop them on this page"


class PuzzlesPage(QWidget):
    """Sets of puzzles: listed and counted; its parts add, change, import and export them.

    Attributes:
        sets: The list of sets.
        puzzles: The puzzles of the chosen set.
        set_changing, puzzle_changing, transfer: What changes sets and puzzles, and moves them in and out.

    Signals:
        message(str): a note for the status bar.
        annotate_requested(SetEntry, str): open the annotation of a puzzle, by its folder.
        review_requested(): open the review of the set.
        set_chosen(str): another set was chosen, by its name.
    """

    title = "Puzzles"
    icon_name = "list"
    message = Signal(str)
    annotate_requested = Signal(object, str)
    review_requested = Signal()
    set_chosen = Signal(str)

    def __init__(
        self, jobs: Jobs, project: ProjectService, parent: QWidget | None = None, begin_with: str = ""
    ) -> None:
        """begin_with: The name of the set that is shown first; without one, or if it is gone, the original puzzles."""
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self._project = project
        self._lane = PageLane("puzzles", self._show_note, self)
        self._is_closed = False
        self._reading = SetReading(self._lane, self)
        self.listing: SetListing | None = None
        self._shown: Path | None = None
        self.note = QLabel()
        self._make_parts(jobs)
        self._make_head()
        self._lay_out()
        self.puzzles.show_trouble(*READING)
        project.changed.connect(self._ask_states)
        self.load_sets(begin_with)

    @property
    def undo_stack(self) -> QUndoStack:
        """The removals of puzzles."""
        return self.puzzle_changing.undo_stack

    @property
    def entry(self) -> SetEntry | None:
        """The chosen set."""
        return self.sets.entry

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._reading.is_idle and not self.long_work.is_running

    def load_sets(self, choose: str = "") -> None:
        """Reads the list of sets again, and chooses one of them."""
        if choose:
            self.sets.choose_next(choose)
        self._lane.run("Reading the sets of puzzles", work.sets_shown, done=self._show_sets)

    def reload(self) -> None:
        """Reads the chosen set again."""
        entry = self.entry
        self._reading.stop()
        if entry is None or entry.trouble:
            self._show_trouble(entry)
            return
        self._reading.read_set(entry)

    def annotate(self) -> None:
        """Opens the selected puzzle."""
        entry = self.entry
        rows = self.puzzles.chosen_rows()
        if entry is not None and rows:
            self.annotate_requested.emit(entry, rows[0].folder)

    def close_page(self) -> None:
        """Ends background work."""
        self._is_closed = True
        self._project.changed.disconnect(self._ask_states)
        self.long_work.close_work()
        self.transfer.close()
        self._reading.close()
        self._lane.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The review may have gone on meanwhile.
        self._ask_states()
        if self.entry is not None and self.listing is not None and not self.entry.is_read_only:
            self._reading.look_for_kept(self.entry, self.listing)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if (data.hasUrls() or data.hasImage()) and not level_paths(data):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.transfer.offer_data(event.mimeData())

    # What is shown -----------------------------------------------------------------------------------------------

    def _show_sets(self, entries: tuple[SetEntry, ...]) -> None:
        added().refresh()
        self.sets.show_entries(entries)

    def _show_chosen(self) -> None:
        entry = self.entry
        if entry is None:
            return
        self.undo_stack.clear()
        if self._shown != entry.path:
            self._shown = entry.path
            self.set_chosen.emit(entry.name)
            self.listing = None
            self.puzzles.show_trouble(*READING)
        self.puzzles.model.states = {}
        self.heading.setText(shown_name(entry))
        self.place.setText("Read-only; shipped with the program" if entry.is_read_only else str(entry.path))
        self.place.setToolTip(str(entry.path))
        self.reload()
        self._enable_buttons()

    def _show_listing(self, listing: SetListing) -> None:
        self.listing = listing
        added().refresh()
        self._ask_states()
        self.statistics.show_statistics(listing.statistics)

    def _ask_states(self) -> None:
        entry = self.entry
        self._show_states(self.puzzles.model.states)
        if entry is not None and self._project.path is not None:
            self._project.ask(partial(work.states_of, entry.name), partial(self._take_states, entry))

    def _take_states(self, entry: SetEntry, states: Mapping[str, ReviewState]) -> None:
        if self.entry == entry and not self._is_closed and states != self.puzzles.model.states:
            self._show_states(states)

    def _show_states(self, states: Mapping[str, ReviewState]) -> None:
        if self.listing is not None:
            self.puzzles.show_rows(self.listing.rows, states)

    def _show_unread(self, text: str) -> None:
        self.listing = None
        self.puzzles.show_trouble("The set could not be read", text)
        self.note.setText("The set could not be read.")
        self.message.emit(text)

    def _show_trouble(self, entry: SetEntry | None) -> None:
        if entry is not None:
            self._show_unread(f"{entry.trouble}: {entry.path}. Bring it back, or choose Forget.")

    def _show_count(self, text: str) -> None:
        self.note.setText(text if self.listing is not None else "")
        self._enable_buttons()

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.message.emit(text)

    def _enable_buttons(self) -> None:
        may = self.puzzle_changing.is_possible
        rows = self.puzzles.chosen_rows()
        entry = self.entry
        for control, usable in (
            (self.new, may),
            (self.rename, may and len(rows) == 1),
            (self.remove, may and bool(rows)),
            (self.open, len(rows) == 1),
            (self.export, bool(self.puzzles.rows)),
            (self.review, entry is not None and not entry.trouble),
        ):
            control.setEnabled(usable)
        read_only = entry is not None and entry.is_read_only
        self.open.setText("Look at it" if read_only else "Annotate")

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_parts(self, jobs: Jobs) -> None:
        self.sets = SetList(
            (
                ("Add folder…", "open", lambda: self.set_changing.ask_folder(), ADD_TIP),
                ("Import…", "import", lambda: self.transfer.ask_import(), IMPORT_TIP),
                ("New set…", "place", lambda: self.set_changing.ask_new_set(), "An empty set"),
            ),
            lambda: self.set_changing.forget(),
        )
        self.puzzles = PuzzleList()
        self.statistics = StatisticsView()
        self.long_work = LongWork(jobs)
        self.set_changing = SetChanging(self, self._lane, self.sets, self.load_sets)
        self.puzzle_changing = PuzzleChanging(self, self._lane, self.sets, self.puzzles, self.reload)
        self.transfer = PuzzleTransfer(
            self, self._project, self.sets, self.puzzles, self.long_work, self.load_sets, self.set_changing.add_folder
        )
        self.sets.chosen.connect(self._show_chosen)
        self.puzzles.count_changed.connect(self._show_count)
        self.puzzles.selection_changed.connect(self._enable_buttons)
        self.puzzles.opened.connect(self.annotate)
        self.puzzles.originals_wanted.connect(lambda: self.sets.choose(SET_NAME))
        self.puzzles.add_key("Delete", self.puzzle_changing.remove_puzzles)
        self.puzzles.add_key("F2", self.puzzle_changing.ask_rename)
        self.puzzles.add_key("Ctrl+V", self.transfer.paste)
        self._reading.listed.connect(self._show_listing)
        self._reading.failed.connect(self._show_unread)
        self._reading.progressed.connect(self.note.setText)
        self.set_changing.message.connect(self.message)
        self.puzzle_changing.message.connect(self.message)
        self.long_work.ended.connect(self._show_note)
        self.long_work.refused.connect(self.message)
        self.long_work.interrupted.connect(self.load_sets)

    def _make_head(self) -> None:
        self.heading = QLabel("Puzzles")
        self.heading.setObjectName("pageTitle")
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.place = QLabel()
        self.place.setObjectName("caption")
        changing = self.puzzle_changing
        open_tip = "Write the steps of the selected puzzle (Enter)"
        self.open = make_button("Annotate", "pencil", self.annotate, open_tip, is_primary=True)
        self.new = make_button("New puzzle…", "place", changing.ask_new_puzzle, "A puzzle of your own")
        self.rename = make_button("Rename…", "", changing.ask_rename, "Another title (F2)")
        self.remove = make_button("Remove", "delete", changing.remove_puzzles, "Remove the selected puzzles (Delete)")
        self.review = make_button(
            "Review", "check", self.review_requested.emit, "Send puzzles to review, decide and settle"
        )
        self.export = make_button("Export…", "save", self.transfer.ask_export, "A set for fine-tuning models")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.heading, 1)
        for button in (self.rename, self.remove, self.export, self.new, self.review, self.open):
            head.addWidget(button)
        about = QHBoxLayout()
        about.setSpacing(4 * SPACE)
        about.addWidget(self.place)
        about.addWidget(self.note, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.puzzles, "Puzzles")
        self.tabs.addTab(self.statistics, "Statistics")
        right = QWidget()
        page = QVBoxLayout(right)
        page.setContentsMargins(6 * SPACE, 5 * SPACE, 6 * SPACE, 0)
        page.setSpacing(2 * SPACE)
        page.addLayout(head)
        page.addLayout(about)
        page.addWidget(self.long_work)
        page.addWidget(self.tabs, 1)
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(self.sets)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([230, 1000])
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
