"""The Puzzles page: the sets at the left, the chosen set's puzzles and statistics at the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.frame.controls import ChoiceButton
from spatial_workbench.app.puzzles import work
from spatial_workbench.app.puzzles.dialogs import (
    ExportDialog,
    ImportDialog,
    NewPuzzleDialog,
    NewSetDialog,
    RenameDialog,
)
from spatial_workbench.app.puzzles.model import HAS_ERRORS, HAS_WARNINGS, SOUND, PuzzleFilter, PuzzlesModel
from spatial_workbench.app.puzzles.page_lane import PageLane
from spatial_workbench.app.puzzles.statistics_view import StatisticsView
from spatial_workbench.app.puzzles.work import ExportOrder, ImportOrder, PuzzleRow, SetEntry, SetListing
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.annotation.review import ReviewState
from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.sets.importing import Imported
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME
from spatial_workbench.engine.puzzles.sets.tuning import TuningExport
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import dropped_paths
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.app.background.project_service import ProjectService

NO_PUZZLES = (
    "This set has no puzzles yet",
    "Make one with New puzzle, or import a folder, a zip file or PDF pages. You can also drop them here.",
)
NO_MATCH = ("No puzzle matches", "Remove a filter, or clear the search field.")
ROW_HEIGHT = 28
FILTERS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("state", "State", (("has errors", "has errors"), *((state.label, state.label) for state in ReviewState))),
    ("difficulty", "Difficulty", tuple((d.value, d.value) for d in PuzzleDifficulty)),
    ("tags", "Tags", tuple((tag.value, tag.label) for tag in (*Modality, *Skill))),
    (
        "problems",
        "Problems",
        ((HAS_ERRORS, "with errors"), (HAS_WARNINGS, "with warnings"), (SOUND, "without either")),
    ),
)


class PuzzlesPage(QWidget):
    """Sets of puzzles: added, imported, listed, counted and exported.

    Signals:
        message(str): a note for the status bar.
        annotate_requested(SetEntry, str): open the annotation of a puzzle, by its folder.
    """

    title = "Puzzles"
    icon_name = "list"
    message = Signal(str)
    annotate_requested = Signal(object, str)

    def __init__(self, jobs: Jobs, project: ProjectService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAcceptDrops(True)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(200)
        self._jobs = jobs
        self._project = project
        self._lane = PageLane("puzzles", self._failed, self)
        self._is_closed = False
        self._long: BackgroundJob | None = None
        self._listing_job: BackgroundJob | None = None
        self._to_choose = SET_NAME
        self._to_select: tuple[str, ...] = ()
        self.entries: tuple[SetEntry, ...] = ()
        self.listing: SetListing | None = None
        self.model = PuzzlesModel()
        self.filter = PuzzleFilter(self.model)
        self._make_sets()
        self._make_head()
        self._make_table()
        self._make_progress()
        self._lay_out()
        project.changed.connect(self._ask_states)
        self.load_sets()

    # Sets --------------------------------------------------------------------------------------------------------

    @property
    def entry(self) -> SetEntry | None:
        """The chosen set."""
        item = self.sets.currentItem()
        return None if item is None else cast("SetEntry", item.data(Qt.ItemDataRole.UserRole))

    @property
    def is_idle(self) -> bool:
        """Whether everything requested is shown."""
        return self._lane.is_idle and self._long is None

    def load_sets(self, choose: str = "") -> None:
        """Reads the list of sets again, and chooses one of them."""
        if choose:
            self._to_choose = choose
        self._lane.run("Reading the sets of puzzles", work.sets_shown, done=self._show_sets)

    def reload(self) -> None:
        """Reads the chosen set again."""
        entry = self.entry
        if self._listing_job is not None:
            self._lane.drop(self._listing_job)
        if entry is None or entry.trouble:
            self._show_trouble(entry)
            return
        self.note.setText("Reading…")
        self._listing_job = self._lane.run(
            f"Reading {entry.name}",
            work.listing,
            entry.path,
            entry.is_read_only,
            done=self._listed,
            failed=self._not_listed,
            progressed=lambda done, total, text: self.note.setText(f"Reading {done:.0f} of {total:.0f}"),
        )

    def add_folder(self, path: Path) -> None:
        """Adds a folder to the list of sets."""
        self._lane.run("Adding a set of puzzles", work.added_set, path, done=self.load_sets)

    def make_set(self, path: Path) -> None:
        """Makes an empty set in a new folder."""
        self._lane.run("Making a set of puzzles", work.new_set, path, done=self.load_sets)

    def forget(self) -> None:
        """Removes the chosen set from the list; its files stay."""
        entry = self.entry
        if entry is not None and not entry.is_read_only:
            self.message.emit(f"{entry.name} is no longer listed. Its files stay in {entry.path}.")
            self._lane.run("Forgetting a set", work.forgotten_set, entry.name, done=lambda _: self.load_sets(SET_NAME))

    def close_page(self) -> None:
        """Ends background work."""
        self._is_closed = True
        self._project.changed.disconnect(self._ask_states)
        if self._long is not None:
            self._long.cancel()
        self._lane.close()

    def _show_sets(self, entries: tuple[SetEntry, ...]) -> None:
        self.entries = entries
        added().refresh()
        self.sets.blockSignals(True)
        self.sets.clear()
        for entry in entries:
            item = QListWidgetItem(icon("lock" if entry.is_read_only else "open", "secondary"), _shown(entry))
            item.setData(Qt.ItemDataRole.UserRole, entry)
            item.setToolTip(entry.trouble or ("Shipped with the program" if entry.is_read_only else str(entry.path)))
            self.sets.addItem(item)
        names = [entry.name for entry in entries]
        self.sets.setCurrentRow(names.index(self._to_choose) if self._to_choose in names else 0)
        self.sets.blockSignals(False)
        self._set_chosen()

    def _set_chosen(self) -> None:
        entry = self.entry
        if entry is None:
            return
        self._to_choose = entry.name
        self.undo_stack.clear()
        self.model.states = {}
        self.heading.setText(_shown(entry))
        self.place.setText("Read-only; shipped with the program" if entry.is_read_only else str(entry.path))
        self.place.setToolTip(str(entry.path))
        self.reload()
        self._tell_buttons()

    def _listed(self, listing: SetListing) -> None:
        self._listing_job = None
        self.listing = listing
        added().refresh()
        self._ask_states()
        self.statistics.show_statistics(listing.statistics)

    def _ask_states(self) -> None:
        entry = self.entry
        self._show_states(self.model.states)
        if entry is not None and self._project.path is not None:
            self._project.ask(partial(work.states_of, entry.name), partial(self._take_states, entry))

    def _take_states(self, entry: SetEntry, states: Mapping[str, ReviewState]) -> None:
        if self.entry == entry and not self._is_closed and states != self.model.states:
            self._show_states(states)

    def _show_states(self, states: Mapping[str, ReviewState]) -> None:
        if self.listing is None:
            return
        chosen = self._to_select or tuple(row.folder for row in self.chosen_rows())
        self._to_select = ()
        self.model.show_rows(self.listing.rows, states)
        self.choose_puzzles(chosen)
        self._tell_count()

    def _not_listed(self, text: str) -> None:
        self._listing_job = None
        self.listing = None
        self.model.show_rows((), {})
        self._tell_count()
        self.note.setText("The set could not be read.")
        self.empty.say("The set could not be read", text)
        self.message.emit(text)

    def _show_trouble(self, entry: SetEntry | None) -> None:
        if entry is not None:
            self._not_listed(f"{entry.trouble}: {entry.path}. Bring it back, or choose Forget.")

    # Puzzles -----------------------------------------------------------------------------------------------------

    def chosen_rows(self) -> list[PuzzleRow]:
        """The selected puzzles, from the top."""
        indexes = self.table.selectionModel().selectedRows()
        return [self.model.rows[self.filter.mapToSource(i).row()] for i in sorted(indexes, key=lambda i: i.row())]

    def choose_puzzles(self, folders: Sequence[str]) -> None:
        """Selects puzzles by their folders."""
        flags = QItemSelectionModel.SelectionFlag
        wanted = set(folders)
        chosen = QItemSelection()
        indexes = [self.filter.index(i, 0) for i in range(self.filter.rowCount())]
        indexes = [i for i in indexes if self.model.rows[self.filter.mapToSource(i).row()].folder in wanted]
        for index in indexes:
            chosen.select(index, index)
        self.table.selectionModel().select(chosen, flags.Select | flags.Rows)
        if indexes:
            self.table.selectionModel().setCurrentIndex(indexes[-1], flags.NoUpdate)

    def annotate(self) -> None:
        """Opens the selected puzzle."""
        entry = self.entry
        rows = self.chosen_rows()
        if entry is not None and rows:
            self.annotate_requested.emit(entry, rows[0].folder)

    def make_puzzle(self, title: str, pages: Sequence[bytes | Path]) -> None:
        """Makes a puzzle in the chosen set."""
        self._change("Making a puzzle", work.new_puzzle, title, tuple(pages), done=self._changed)

    def rename_puzzle(self, folder: str, title: str, folder_follows: bool) -> None:
        """Gives a puzzle another title."""
        self._change("Renaming a puzzle", work.renamed_puzzle, folder, title, folder_follows, done=self._changed)

    def remove_puzzles(self) -> None:
        """Removes the selected puzzles; undo restores them."""
        entry = self.entry
        if entry is not None and not entry.is_read_only:
            for row in self.chosen_rows():
                self.undo_stack.push(_Removal(self, entry.path, row.folder))

    def _changed(self, folder: str) -> None:
        self._to_select = (folder,)
        self.reload()

    def _change(self, label: str, function: Callable[..., Any], *arguments: Any, done: Callable[[Any], None]) -> None:
        entry = self.entry
        if entry is not None and not entry.is_read_only:
            self._lane.run(label, function, entry.path, *arguments, done=done)

    # Import and export -------------------------------------------------------------------------------------------

    def offer_import(self, source: Path) -> None:
        """Looks into a file or folder, and asks what of it to import."""
        self._lane.run(f"Looking into {source.name}", work.preview, source, done=self._find_home)

    def run_import(self, order: ImportOrder) -> None:
        """Imports in the background."""
        label = f"Importing {order.source.name}"
        self._run_long(label, work.run_import, order, done=lambda imported: self._imported(order, imported))

    def run_export(self, order: ExportOrder) -> None:
        """Exports in the background."""
        self._run_long(
            "Exporting for fine-tuning", work.run_export, order, done=lambda done: self._exported(order.target, done)
        )

    def cancel_long(self) -> None:
        """Cancels the import or export; what is done stays."""
        if self._long is not None:
            self._long.cancel()
            self._long_ended("Cancelled. Everything done so far stays.")
            self.load_sets()

    def _find_home(self, preview: work.PuzzlesPreview) -> None:
        self._lane.run(
            "Choosing a folder",
            work.free_home,
            sets_home(),
            preview.source,
            done=lambda home: self._ask_import(preview, home),
        )

    def _ask_import(self, preview: work.PuzzlesPreview, home: Path) -> None:
        entry = self.entry
        dialog = ImportDialog(preview, self.entries, entry.name if entry else "", home, self)
        self._open(dialog).ordered.connect(self.run_import)

    def _imported(self, order: ImportOrder, imported: Imported) -> None:
        skipped = f" Left out: {'; '.join(imported.skipped)}." if imported.skipped else ""
        self._long_ended(f"{counted(len(imported.folders), 'puzzle')} imported.{skipped}")
        name = next((entry.name for entry in self.entries if entry.path == order.target), order.target.name)
        self.load_sets(name)

    def _exported(self, target: Path, export: TuningExport) -> None:
        left_out = f" Left out: {'; '.join(export.left_out)}." if export.left_out else ""
        self._long_ended(
            f"{export.train} puzzles for training and {export.test} for testing are in {target}.{left_out}"
        )

    def _run_long(self, label: str, function: Callable[..., Any], order: Any, done: Callable[[Any], None]) -> None:
        if self._long is not None:
            self.message.emit("Wait until the running import or export has ended, or cancel it.")
            return
        self.progress_text.setText(f"{label}…")
        self.progress.show()
        self._long = self._jobs.run(
            label, function, order, done=done, failed=self._long_failed, progressed=self._progressed
        )

    def _progressed(self, done: float, total: float, text: str) -> None:
        self.bar.setRange(0, max(1, int(total)))
        self.bar.setValue(int(done))
        self.progress_text.setText(text.replace("_", " "))

    def _long_failed(self, text: str) -> None:
        self._long_ended(text)
        self.load_sets()

    def _long_ended(self, text: str) -> None:
        self._long = None
        self.progress.hide()
        self.note.setText(text)
        self.message.emit(text)

    def _failed(self, text: str) -> None:
        self.note.setText(text)
        self.message.emit(text)

    # Dialogs and drops -------------------------------------------------------------------------------------------

    def ask_new_puzzle(self) -> None:
        """Asks for the title and the pages of a new puzzle."""
        dialog = NewPuzzleDialog([row.folder for row in self.model.rows], self)
        self._open(dialog).ordered.connect(self.make_puzzle)

    def ask_new_set(self) -> None:
        """Asks for the name and the place of a new set."""
        self._open(NewSetDialog(sets_home(), self)).ordered.connect(self.make_set)

    def ask_folder(self) -> None:
        """Asks for a folder to add."""
        if path := QFileDialog.getExistingDirectory(self, "A folder of puzzles"):
            self.add_folder(Path(path))

    def ask_import(self) -> None:
        """Asks for a zip file or a PDF."""
        path, _ = QFileDialog.getOpenFileName(self, "Import puzzles", "", "Zip files and PDFs (*.zip *.pdf)")
        if path:
            self.offer_import(Path(path))

    def ask_export(self) -> None:
        """Asks what to export for fine-tuning."""
        entry = self.entry
        if entry is None:
            return
        states = [(row, self.model.state_of(row)) for row in self.model.rows if not row.errors]
        verified = [row.folder for row, state in states if state is ReviewState.VERIFIED]
        dialog = ExportDialog(entry.path, verified, [row.folder for row, _ in states], self)
        self._open(dialog).ordered.connect(self.run_export)

    def ask_rename(self) -> None:
        """Asks for another title of the selected puzzle."""
        rows = self.chosen_rows()
        if rows and self._may_change():
            folder = rows[0].folder
            dialog = self._open(RenameDialog(rows[0].title, self))
            dialog.ordered.connect(lambda title, follows: self.rename_puzzle(folder, title, follows))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in dropped_paths(event):
            self.take_dropped(path)

    def take_dropped(self, path: Path) -> None:
        """Adds a folder as a set; a file, or a folder of PDFs, is offered for import."""
        self._lane.run("Looking at what was dropped", work.is_set, path, done=partial(self._take_kind, path))

    def _take_kind(self, path: Path, is_set: bool) -> None:
        if is_set:
            self.add_folder(path)
        else:
            self.offer_import(path)

    def _open(self, dialog: Any) -> Any:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def _may_change(self) -> bool:
        entry = self.entry
        return entry is not None and not entry.is_read_only and not entry.trouble

    # Parts -------------------------------------------------------------------------------------------------------

    def _tell_count(self) -> None:
        shown = self.filter.rowCount()
        total = len(self.model.rows)
        self.note.setText(f"{shown} of {total}" if shown != total else counted(total, "puzzle"))
        self.empty.say(*(NO_MATCH if total else NO_PUZZLES))
        self.stack.setCurrentIndex(0 if shown else 1)
        self._tell_buttons()

    def _tell_buttons(self) -> None:
        may = self._may_change()
        rows = self.chosen_rows()
        entry = self.entry
        for control, usable in (
            (self.new, may),
            (self.rename, may and len(rows) == 1),
            (self.remove, may and bool(rows)),
            (self.open, len(rows) == 1),
            (self.export, bool(self.model.rows)),
            (self.forget_button, entry is not None and not entry.is_read_only),
        ):
            control.setEnabled(usable)
        read_only = entry is not None and entry.is_read_only
        self.open.setText("Look at it" if read_only else "Annotate")

    def _make_sets(self) -> None:
        self.sets = QListWidget()
        self.sets.setAccessibleName("Sets of puzzles")
        self.sets.currentItemChanged.connect(lambda *_: self._set_chosen())
        self.forget_button = _button("Forget", "close", self.forget, "Remove the set from this list; its files stay")
        self.left = QWidget()
        self.left.setObjectName("panel")
        self.left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self.left)
        column.setContentsMargins(3 * SPACE, 4 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        title = QLabel("Sets")
        title.setObjectName("panelTitle")
        column.addWidget(title)
        column.addWidget(self.sets, 1)
        for button in (
            _button("Add folder…", "open", self.ask_folder, "A folder of your puzzles; it stays where it is"),
            _button("Import zip or PDF…", "down", self.ask_import, "Puzzles from a zip file or from PDF pages"),
            _button("New set…", "place", self.ask_new_set, "An empty set"),
            self.forget_button,
        ):
            column.addWidget(button)

    def _make_head(self) -> None:
        self.heading = QLabel("Puzzles")
        self.heading.setObjectName("pageTitle")
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.place = QLabel()
        self.place.setObjectName("caption")
        self.open = _button("Annotate", "pencil", self.annotate, "Write the steps of the selected puzzle (Enter)")
        self.open.setObjectName("primary")
        self.new = _button("New puzzle…", "place", self.ask_new_puzzle, "A puzzle of your own")
        self.rename = _button("Rename…", "", self.ask_rename, "Another title (F2)")
        self.remove = _button("Remove", "delete", self.remove_puzzles, "Remove the selected puzzles (Delete)")
        self.export = _button("Export…", "save", self.ask_export, "A set for fine-tuning models")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search titles, texts and steps")
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(320)
        self.search.textChanged.connect(self._search)
        self.filters: dict[str, ChoiceButton] = {}
        for name, title, options in FILTERS:
            self.filters[name] = button = ChoiceButton(title)
            button.set_options(options)
            button.changed.connect(lambda values, name=name: self._choose_filter(name, values))

    def _search(self, text: str) -> None:
        self.filter.search(text)
        self._tell_count()

    def _choose_filter(self, name: str, values: tuple[str, ...]) -> None:
        self.filter.choose(name, values)
        self._tell_count()

    def _make_table(self) -> None:
        self.table = table = QTableView()
        table.setModel(self.filter)
        table.setAccessibleName("Puzzles of the set")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setSortingEnabled(True)
        table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate((240, 120, 64, 80, 64, 96, 150)):
            table.setColumnWidth(column, width)
        table.horizontalHeader().setStretchLastSection(True)
        table.activated.connect(lambda _: self.annotate())
        table.selectionModel().selectionChanged.connect(lambda *_: self._tell_buttons())
        for keys, do in (("Delete", self.remove_puzzles), ("F2", self.ask_rename)):
            action = QAction(table)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, do=do: do())
            table.addAction(action)
        self.empty = EmptyState(*NO_PUZZLES)
        self.stack = QStackedWidget()
        self.stack.addWidget(table)
        self.stack.addWidget(self.empty)
        self.statistics = StatisticsView()

    def _make_progress(self) -> None:
        self.progress = QWidget()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(60 * SPACE, 2 * SPACE)
        self.progress_text = QLabel()
        self.progress_text.setObjectName("secondary")
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.cancel_long)
        row = QHBoxLayout(self.progress)
        row.setContentsMargins(0, 0, 0, 2 * SPACE)
        row.setSpacing(3 * SPACE)
        row.addWidget(self.bar)
        row.addWidget(self.progress_text, 1)
        row.addWidget(self.cancel)
        self.progress.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.heading)
        head.addSpacing(2 * SPACE)
        head.addWidget(self.note, 1)
        for button in (self.rename, self.remove, self.export, self.new, self.open):
            head.addWidget(button)
        bar = QHBoxLayout()
        bar.setSpacing(2 * SPACE)
        bar.addWidget(self.search, 1)
        for choice in self.filters.values():
            bar.addWidget(choice)
        bar.addStretch(1)
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(0, 3 * SPACE, 0, 0)
        column.setSpacing(3 * SPACE)
        column.addLayout(bar)
        column.addWidget(self.stack, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(listed, "Puzzles")
        self.tabs.addTab(self.statistics, "Statistics")
        right = QWidget()
        page = QVBoxLayout(right)
        page.setContentsMargins(6 * SPACE, 5 * SPACE, 6 * SPACE, 0)
        page.setSpacing(2 * SPACE)
        page.addLayout(head)
        page.addWidget(self.place)
        page.addWidget(self.progress)
        page.addWidget(self.tabs, 1)
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        splitter.addWidget(self.left)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([230, 1000])
        splitter.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)


class _Removal(QUndoCommand):
    """Removes a puzzle, and restores it."""

    def __init__(self, page: PuzzlesPage, path: Path, folder: str) -> None:
        super().__init__(f"removal of {folder.replace('_', ' ')}")
        self._page = page
        self._path = path
        self._folder = folder
        self._removed = ""

    def redo(self) -> None:
        self._page._lane.run(
            "Removing a puzzle", work.removed_puzzle, self._path, self._folder, done=self._store_removed
        )

    def undo(self) -> None:
        if self._removed:
            page = self._page
            page._lane.run("Restoring a puzzle", work.restored_puzzle, self._path, self._removed, done=page._changed)

    def _store_removed(self, removed: str) -> None:
        self._removed = removed
        self._page.message.emit(f"{self._folder} was removed. Undo brings it back.")
        self._page.reload()


def sets_home() -> Path:
    """Where new sets are made unless a person chooses another place."""
    from platformdirs import user_documents_path

    return user_documents_path() / "Puzzles"


def _shown(entry: SetEntry) -> str:
    return "Original puzzles" if entry.is_read_only else entry.name


def _button(text: str, icon_name: str, do: Callable[[], object], tip: str) -> QPushButton:
    button = QPushButton(icon(icon_name), text) if icon_name else QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _=False: do())
    return button
