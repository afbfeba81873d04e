"""Dialogs of sets and their puzzles: a new set, a new puzzle, another title."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from spatial_workbench.app.background.delivery import in_thread
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.puzzles.sets.folders import folder_name
from spatial_workbench.widgets.encoding import encoded
from spatial_workbench.widgets.qt import dropped_paths, the_application
from spatial_workbench.widgets.theme import SPACE

PICTURES = "Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.tif *.tiff *.webp)"


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
        self.title.textChanged.connect(self._show_folder)
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
        self._show_folder()

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
        self._show_folder()
        in_thread(lambda: (place, encoded(image)), self._encoded)

    def _encoded(self, delivered: tuple[int, bytes]) -> None:
        place, png = delivered
        self.pages[place] = png
        self._encoding -= 1
        self._show_folder()

    def _choose(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Pages of the puzzle", "", PICTURES)
        self.add_pages([Path(name) for name in names])

    def _show_folder(self) -> None:
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
