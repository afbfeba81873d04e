"""Dialogs of sets of puzzles: what an import brings, a new set, a new puzzle, another title, an export."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from spatial_workbench.app.background.delivery import in_thread
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.puzzles.work import ExportOrder, ImportOrder, PuzzlesPreview, SetEntry
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.puzzles.sets.folders import folder_name, shown_folder
from spatial_workbench.engine.puzzles.sets.importing import PdfMatch, name_similarity
from spatial_workbench.engine.puzzles.sets.tuning import SEED
from spatial_workbench.widgets.encoding import encoded
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.qt import dropped_paths, the_application, top_items
from spatial_workbench.widgets.theme import SPACE

PICTURES = "Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.tif *.tiff *.webp)"
WITHOUT = "without a solution"


class ImportDialog(FormDialog):
    """A preview of an import, and the choice of its set. Pairs of PDFs can be changed before the import.

    Signals:
        ordered(ImportOrder): import this.
    """

    ordered = Signal(object)

    def __init__(
        self,
        preview: PuzzlesPreview,
        sets: Sequence[SetEntry],
        chosen: str,
        new_home: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(f"Import {preview.source.name}", preview.words, "Import", parent)
        self.resize(720, 460)
        self.preview = preview
        self.list = _matches(preview) if preview.matches else _names(preview)
        self.body.insertWidget(1, self.list, 1)
        self.target = QComboBox()
        for entry in sets:
            if not entry.is_read_only and not entry.trouble:
                self.target.addItem(entry.name, (entry.path, False))
        self.target.addItem(f"a new set in {new_home}", (new_home, True))
        self.target.setCurrentIndex(max(0, self.target.findText(chosen)))
        self.form.addRow("Into", self.target)

    def order(self) -> None:
        """Requests the ticked choices."""
        matches = tuple(_chosen_matches(self.list)) if isinstance(self.list, QTreeWidget) else ()
        if self.preview.matches and not matches:
            self.show_trouble("Tick at least one puzzle.")
            return
        path, is_new = self.target.currentData()
        self.ordered.emit(ImportOrder(self.preview.source, path, matches, is_new))
        self.accept()


def _names(preview: PuzzlesPreview) -> QListWidget:
    box = QListWidget()
    box.setAccessibleName("Puzzles to import")
    box.addItems([shown_folder(name) for name in preview.names])
    return box


def _matches(preview: PuzzlesPreview) -> QTreeWidget:
    tree = QTreeWidget()
    tree.setAccessibleName("PDF files and their solutions")
    tree.setRootIsDecorated(False)
    tree.setHeaderLabels(["Puzzle", "Solution", "Names alike"])
    for match in preview.matches:
        item = QTreeWidgetItem(tree, [match.title, "", _likeness(match)])
        item.setData(0, Qt.ItemDataRole.UserRole, match)
        item.setCheckState(0, Qt.CheckState.Checked)
        box = QComboBox()
        box.setAccessibleName(f"Solution of {match.title}")
        box.addItem(WITHOUT, None)
        for solution in preview.solutions:
            box.addItem(solution.name, solution)
        box.setCurrentIndex(0 if match.solution is None else 1 + preview.solutions.index(match.solution))
        box.currentIndexChanged.connect(lambda _, item=item, box=box: _rematched(item, box))
        tree.setItemWidget(item, 1, box)
    tree.setColumnWidth(0, 260)
    tree.setColumnWidth(1, 280)
    return tree


def _rematched(item: QTreeWidgetItem, box: QComboBox) -> None:
    match: PdfMatch = item.data(0, Qt.ItemDataRole.UserRole)
    solution = box.currentData()
    similarity = name_similarity(match.puzzle.stem, solution.stem) if solution else 0.0
    changed = PdfMatch(match.puzzle, solution, similarity)
    item.setData(0, Qt.ItemDataRole.UserRole, changed)
    item.setText(2, _likeness(changed))


def _likeness(match: PdfMatch) -> str:
    return f"{match.similarity:.0f} %" if match.solution is not None else "–"


def _chosen_matches(tree: QTreeWidget) -> list[PdfMatch]:
    ticked = [item for item in top_items(tree) if item.checkState(0) == Qt.CheckState.Checked]
    return [item.data(0, Qt.ItemDataRole.UserRole) for item in ticked]


class NewSetDialog(FormDialog):
    """The name and the place of a new set.

    Signals:
        ordered(Path): make this folder.
    """

    ordered = Signal(object)

    def __init__(self, home: Path, parent: QWidget | None = None) -> None:
        about = "A set is a folder with one folder for each puzzle. It starts empty."
        super().__init__("New set", about, "Make set", parent)
        self.resize(560, 0)
        self.name = QLineEdit("My puzzles")
        self.name.selectAll()
        self.home = QLineEdit(str(home))
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.home, 1)
        row.addWidget(browse)
        self.form.addRow("Name", self.name)
        self.form.addRow("In the folder", row)

    def order(self) -> None:
        """Asks for the folder."""
        if self.name.text().strip() and self.home.text().strip():
            self.ordered.emit(Path(self.home.text().strip()) / folder_name(self.name.text()))
            self.accept()

    def _browse(self) -> None:
        if path := QFileDialog.getExistingDirectory(self, "The folder of the set", self.home.text()):
            self.home.setText(path)


class NewPuzzleDialog(FormDialog):
    """The title and the pages of a new puzzle; pages are chosen, pasted or dropped.

    Signals:
        ordered(str, object): the title, and the pages: paths, or the content of pictures.
    """

    ordered = Signal(str, object)

    def __init__(self, taken: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__("New puzzle", "The page can be added later, too.", "Make puzzle", parent)
        self.resize(560, 360)
        self.setAcceptDrops(True)
        self._taken = taken
        self.pages: list[bytes | Path] = []
        self._encoding = 0
        """How many pasted pictures are still being turned into files."""
        self.title = QLineEdit()
        self.title.setPlaceholderText("As it is printed on the page")
        self.title.textChanged.connect(self._tell_folder)
        self.folder = QLabel("–")
        self.folder.setObjectName("secondary")
        self.list = QListWidget()
        self.list.setAccessibleName("Pages")
        self.list.setMinimumHeight(80)
        choose = QPushButton("Choose pictures…")
        paste = QPushButton("Paste")
        choose.clicked.connect(self._choose)
        paste.clicked.connect(self.paste)
        paste.setToolTip("The picture on the clipboard (Ctrl+Shift+V)")
        QShortcut(QKeySequence("Ctrl+Shift+V"), self, self.paste)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(choose)
        row.addWidget(paste)
        hint = QLabel("or drop pictures here")
        hint.setObjectName("secondary")
        row.addWidget(hint, 1)
        self.form.addRow("Title", self.title)
        self.form.addRow("Folder", self.folder)
        self.form.addRow("Pages", self.list)
        self.form.addRow("", row)
        self._tell_folder()

    def add_pages(self, paths: Sequence[Path]) -> None:
        """Adds picture files in their order."""
        for path in paths:
            self.pages.append(path)
            self.list.addItem(path.name)

    def paste(self) -> None:
        """Adds the picture of the clipboard."""
        self._add_image(the_application().clipboard().image())

    def order(self) -> None:
        """Asks for the puzzle."""
        self.ordered.emit(self.title.text(), tuple(self.pages))
        self.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        data = event.mimeData()
        if data.hasUrls():
            self.add_pages(dropped_paths(event))
        elif data.hasImage():
            self._add_image(QImage(data.imageData()))
        event.acceptProposedAction()

    def _add_image(self, image: QImage) -> None:
        if image.isNull():
            self.show_trouble("There is no picture on the clipboard.")
            return
        self.show_trouble("")
        place = len(self.pages)
        self.pages.append(b"")
        self.list.addItem(f"pasted picture, {image.width()} × {image.height()} px")
        self._encoding += 1
        self._tell_folder()
        in_thread(lambda: (place, encoded(image)), self._encoded)

    def _encoded(self, delivered: tuple[int, bytes]) -> None:
        place, png = delivered
        self.pages[place] = png
        self._encoding -= 1
        self._tell_folder()

    def _choose(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Pages of the puzzle", "", PICTURES)
        self.add_pages([Path(name) for name in names])

    def _tell_folder(self) -> None:
        title = self.title.text().strip()
        self.folder.setText(folder_name(title, self._taken) if title else "–")
        self.go.setEnabled(bool(title) and not self._encoding)


class RenameDialog(FormDialog):
    """Another title for a puzzle, and whether its folder follows.

    Signals:
        ordered(str, bool): the title; whether the folder is renamed too.
    """

    ordered = Signal(str, bool)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("Rename puzzle", "", "Rename", parent)
        self.resize(480, 0)
        self.title = QLineEdit(title)
        self.title.selectAll()
        self.follows = QCheckBox("Rename the folder as well")
        self.follows.setChecked(True)
        self.title.textChanged.connect(lambda text: self.go.setEnabled(bool(text.strip())))
        self.form.addRow("Title", self.title)
        self.form.addRow("", self.follows)

    def order(self) -> None:
        """Asks for the title."""
        self.ordered.emit(self.title.text(), self.follows.isChecked())
        self.accept()


class ExportDialog(FormDialog):
    """Which puzzles are exported for fine-tuning, and where to.

    Signals:
        ordered(ExportOrder): export this.
    """

    ordered = Signal(object)

    def __init__(
        self, path: Path, verified: Sequence[str], sound: Sequence[str], parent: QWidget | None = None
    ) -> None:
        about = (
            "Writes train_answer.jsonl, train_reasoning.jsonl and test.jsonl in the form that LLaMA-Factory reads, "
            "with the pages. A puzzle keeps its part when you export to the same folder again."
        )
        super().__init__("Export for fine-tuning", about, "Export", parent)
        self.resize(560, 320)
        self._path = path
        self._verified = tuple(verified)
        self._sound = tuple(sound)
        self.unverified = QCheckBox("Also export puzzles without errors that are not verified")
        self.unverified.toggled.connect(self._show_count)
        self.figures = QCheckBox("Name the figures in the steps, as in [figure_1]")
        self.seed = inset(QSpinBox())
        self.seed.setRange(0, 10**9 - 1)
        self.seed.setValue(SEED)
        self.target = QLineEdit(str(path.parent / f"{path.name}-tuning"))
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.target, 1)
        row.addWidget(browse)
        self.count = QLabel()
        self.form.addRow("Puzzles", self.count)
        self.form.addRow("", self.unverified)
        self.form.addRow("", self.figures)
        self.form.addRow("Seed of the split", self.seed)
        self.form.addRow("Into the folder", row)
        self._show_count()

    @property
    def names(self) -> tuple[str, ...]:
        """The folders that would be exported."""
        return self._sound if self.unverified.isChecked() else self._verified

    def order(self) -> None:
        """Asks for the export."""
        target = Path(self.target.text().strip())
        self.ordered.emit(ExportOrder(self._path, self.names, target, self.seed.value(), self.figures.isChecked()))
        self.accept()

    def _show_count(self) -> None:
        kind = "without errors" if self.unverified.isChecked() else "verified"
        self.count.setText(f"{counted(len(self.names), 'puzzle')} {kind}")
        self.go.setEnabled(bool(self.names))

    def _browse(self) -> None:
        if path := QFileDialog.getExistingDirectory(self, "The folder of the export", self.target.text()):
            self.target.setText(path)
