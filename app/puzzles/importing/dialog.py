"""The dialog that imports puzzles from files, folders, zip files and the clipboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.puzzles.importing import work
from spatial_workbench.app.puzzles.importing.draft import ImportDraft
from spatial_workbench.app.puzzles.importing.looking_strip import LookingStrip
from spatial_workbench.app.puzzles.importing.plan_tree import PlanTree
from spatial_workbench.app.puzzles.importing.puzzle_strip import PuzzleStrip
from spatial_workbench.app.puzzles.importing.sources import PastedPictures, image_in, paths_in
from spatial_workbench.app.puzzles.importing.target_box import TargetBox
from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.import_plan import DuplicateChoice, PuzzlesPlan, too_many_pages
from spatial_workbench.engine.puzzles.sets.import_survey import PuzzleSurvey
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.clipboard import pasted
from spatial_workbench.widgets.theme import SPACE

ABOUT = (
    "Folders of puzzles, zip files, PDFs and pictures. Files with “solution” in their names, or in a folder of that "
    "name, are paired with puzzles; nothing is written before you click Import."
)
FILES = "Puzzles (*.zip *.pdf *.png *.jpg *.jpeg *.bmp *.gif *.tif *.tiff *.webp)"
_LEFT_OUT_ROWS = 4
NOTHING_PASTED = "There is no picture and no file on the clipboard."
NAMES_ALIKE = (
    "Names alike: how far the file names of a puzzle and of its solution agree, the word “solution” aside. From 80 % "
    "on they are paired; another solution can be chosen for the selected puzzle."
)


class ImportDialog(FormDialog):
    """What is imported, what is left out and why, what is there already, and the set.

    sets: All sets.
    chosen: The name of the set where the person stands.
    home: The folder in which new sets are made.
    pictures: Keeps what is pasted until it has been imported.

    Attributes:
        draft: What was found, with what the person has changed.

    Signals:
        ordered(ImportOrder): import this.
        folder_wanted(Path): list this folder as a set, and leave it where it is.
    """

    ordered = Signal(object)
    folder_wanted = Signal(object)

    def __init__(
        self, sets: Sequence[SetEntry], chosen: str, home: Path, pictures: PastedPictures, parent: QWidget | None = None
    ) -> None:
        super().__init__("Import puzzles", ABOUT, "Import", parent)
        self.resize(960, 620)
        self.setAcceptDrops(True)
        self.sources: list[Path] = []
        self.draft = ImportDraft()
        self._home = home
        self._pictures = pictures
        self._looked = 0
        """How many of the sources have been looked into."""
        self.tree = PlanTree(self.draft)
        self.strip = PuzzleStrip(self.draft)
        self.target = TargetBox(sets, chosen, home)
        self.looking = LookingStrip()
        self._make_parts()
        self._lay_out()
        self._connect()
        self._show_state()
        self.add_files.setFocus()

    @property
    def is_idle(self) -> bool:
        """Whether everything that was added is shown."""
        return not self.looking.is_running

    # What is added -----------------------------------------------------------------------------------------------

    def add(self, paths: Sequence[Path]) -> None:
        """Looks into further files and folders."""
        new = [path for path in paths if path not in self.sources]
        if new:
            self.show_trouble("")
            self.sources += new
            self._look()

    def take(self, data: QMimeData) -> None:
        """Adds what was dropped or pasted: files, folders, their paths as text, or a picture."""
        image = image_in(data)
        if paths := paths_in(data):
            self.add(paths)
        elif not image.isNull():
            self._pictures.keep(image, self._take_pasted)
        else:
            self.show_trouble(NOTHING_PASTED)

    def paste(self) -> None:
        """Adds what is on the clipboard."""
        self.take(pasted())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take(event.mimeData())

    def order(self) -> None:
        """Requests the import as it stands."""
        if self.target.is_in_place:
            self.folder_wanted.emit(self.sources[0])
        else:
            self.ordered.emit(self.draft.order(self.target.path, self.target.is_new))
        self.accept()

    def done(self, result: int) -> None:
        self.looking.close_work()
        super().done(result)

    def _take_pasted(self, written: tuple[Path, ...]) -> None:
        self.add(written)

    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Files of puzzles", "", FILES)
        self.add([Path(name) for name in names])

    def _choose_folder(self) -> None:
        if name := QFileDialog.getExistingDirectory(self, "A folder with puzzles"):
            self.add([Path(name)])

    # Looking and planning ----------------------------------------------------------------------------------------

    def _look(self) -> None:
        join = self.join_pictures.isChecked()
        arguments = (tuple(self.sources), join, self._home)
        self.looking.run("Looking into files", work.look, arguments, self._take_look)

    def _take_look(self, look: work.SourcesLook) -> None:
        self._looked = len(self.sources)
        self.draft.survey = look.survey
        self.draft.plan = None
        self.join_pictures.setVisible(look.survey.has_numbered)
        self.target.offer(look.free_home, look.is_set)
        self._plan()

    def _plan(self) -> None:
        self.draft.plan = None
        self.tree.show_puzzles(self.draft.planned)
        arguments = (self.draft.puzzles, self.target.path)
        self.looking.run("Comparing with the set", work.plan, arguments, self._take_plan)

    def _take_plan(self, plan: PuzzlesPlan) -> None:
        self.draft.plan = plan
        self.tree.show_puzzles(plan.puzzles)

    def _forget_newest(self) -> None:
        """Forgets what was added since the last look, which was stopped."""
        self.sources = self.sources[: self._looked]

    # What is shown -----------------------------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Shows what follows from the draft and from the work that runs."""
        self.strip.show_selected(self.tree.selected)
        left_out = self.draft.left_out
        self.left_out.clear()
        self.left_out.addItems([entry.words for entry in left_out])
        self.left_out.setVisible(bool(left_out))
        self.left_out.setFixedHeight(SPACE + min(len(left_out), _LEFT_OUT_ROWS) * self.left_out.sizeHintForRow(0))
        self.left_out_title.setVisible(bool(left_out))
        self.left_out_title.setText(f"Left out: {counted(len(left_out), 'file or puzzle', 'files and puzzles')}")
        self.names_alike.setVisible(bool(self.draft.survey.solutions))
        self._show_count()

    def _show_count(self) -> None:
        draft = self.draft
        wanted = draft.wanted
        skipped = [e for e in wanted if e.duplicate and draft.choice_of(e) is DuplicateChoice.SKIP]
        long = [e for e in draft.planned if too_many_pages(e.puzzle)]
        count = len(wanted) - len(skipped)
        words = [f"{counted(count, 'puzzle')} will be imported"]
        words += [f"{len(skipped)} skipped, because they are there already"] if skipped else []
        words += [f"{len(long)} left out until a range of at most 100 pages is given"] if long else []
        self.show_note("; ".join(words) + "." if draft.survey != PuzzleSurvey() and not self.target.is_in_place else "")
        is_ready = self.is_idle and draft.plan is not None
        self.go.setEnabled(is_ready and (bool(count) or self.target.is_in_place))
        self.go.setText("Add the folder" if self.target.is_in_place else "Import")

    def _refresh(self) -> None:
        self.tree.refresh()
        self._show_state()

    # Parts -------------------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        self.add_files = make_button("Add files…", "import", self._choose_files, "Zip files, PDFs and pictures")
        self.add_folder = make_button("Add folder…", "open", self._choose_folder, "With all folders in it")
        self.paste_button = make_button("Paste", "", self.paste, "Files or a picture from the clipboard (Ctrl+V)")
        QShortcut(QKeySequence(QKeySequence.StandardKey.Paste), self, self.paste)
        self.join_pictures = QCheckBox("Pictures whose names differ by a number at the end are pages of one puzzle")
        self.join_pictures.setChecked(True)
        self.join_pictures.hide()
        self.names_alike = QLabel(NAMES_ALIKE)
        self.names_alike.setObjectName("caption")
        self.names_alike.setWordWrap(True)
        self.left_out_title = QLabel()
        self.left_out = QListWidget()
        self.left_out.setAccessibleName("What is left out, and why")

    def _lay_out(self) -> None:
        adding = QHBoxLayout()
        adding.setSpacing(2 * SPACE)
        hint = QLabel("or drop files and folders here")
        hint.setObjectName("secondary")
        for button in (self.add_files, self.add_folder, self.paste_button):
            adding.addWidget(button)
        adding.addWidget(hint, 1)
        self.form.addRow("Into", self.target)
        self.body.insertLayout(1, adding)
        parts = (self.tree, self.strip, self.names_alike, self.join_pictures, self.left_out_title, self.left_out)
        for place, part in enumerate((*parts, self.looking), 2):
            self.body.insertWidget(place, part, 1 if part is self.tree else 0)

    def _connect(self) -> None:
        self.tree.ticked.connect(self._show_count)
        self.tree.picked.connect(lambda: self.strip.show_selected(self.tree.selected))
        self.strip.changed.connect(self._refresh)
        self.strip.renamed.connect(self._plan)
        self.strip.refused.connect(self.show_trouble)
        self.join_pictures.toggled.connect(lambda _: self._look())
        self.target.changed.connect(self._plan)
        self.looking.changed.connect(self._show_state)
        self.looking.failed.connect(self.show_trouble)
        self.looking.stopped.connect(self._forget_newest)
