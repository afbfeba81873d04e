"""What the annotation page is made of: its fields, panels and buttons, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.puzzles.annotation.aids import AidsPanel
from spatial_workbench.app.puzzles.annotation.banner import Banner
from spatial_workbench.app.puzzles.annotation.fields import MetadataFields
from spatial_workbench.app.puzzles.annotation.marks import FindingsPanel
from spatial_workbench.app.puzzles.annotation.step_list import StepList
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.sketch import SketchPad
from spatial_workbench.widgets.theme import SPACE

READING = ("Opening the puzzle", "Its pages are being read.")


class AnnotationLayout(QWidget):
    """The widgets of the annotation page, without what they do: pages at the left, the annotation at the right."""

    def __init__(self, undo_stack: QUndoStack, read_only: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._make_parts(undo_stack, read_only)
        self._lay_out()

    def _make_parts(self, undo_stack: QUndoStack, read_only: bool) -> None:
        self.heading = QLabel()
        self.heading.setObjectName("panelTitle")
        self.state = QLabel()
        self.state.setObjectName("secondary")
        self.save_button = QPushButton(icon("save"), "Save")
        self.save_button.setObjectName("primary")
        self.save_button.setToolTip("Save the puzzle (Ctrl+S)")
        self.pages_button = QPushButton("Add page…")
        self.pages_button.setVisible(not read_only)
        self.pad = SketchPad(undo_stack, offers_figures=not read_only)
        self.pad.desk.is_read_only = read_only
        self.no_page = EmptyState("", "", "Add page…")
        self.left = QStackedWidget()
        self.left.addWidget(self.pad)
        self.left.addWidget(self.no_page)
        self.banner = Banner()
        self.flat_bar = FlatFigureBar()
        self.steps = StepList()
        self.steps.set_read_only(read_only)
        self.fields = MetadataFields()
        self.fields.set_read_only(read_only)
        self.panel = FindingsPanel()
        self.aids = AidsPanel()
        self.empty = EmptyState(*READING)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 3 * SPACE, 2 * SPACE, SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(self.heading)
        head.addWidget(self.state, 1)
        head.addWidget(self.pages_button)
        head.addWidget(self.save_button)
        self.above, self.below = QTabWidget(), QTabWidget()
        for tabs, parts in (
            (self.above, (("Steps", self.steps), ("Puzzle", self.fields))),
            (self.below, (("Checks", self.panel), ("Aids", self.aids))),
        ):
            tabs.setDocumentMode(True)
            for name, part in parts:
                tabs.addTab(part, name)
        column = QSplitter(Qt.Orientation.Vertical)
        column.setHandleWidth(1)
        column.addWidget(self.above)
        column.addWidget(self.below)
        column.setSizes([560, 220])
        column.setStretchFactor(0, 1)
        column.setChildrenCollapsible(False)
        right = QWidget()
        side = QVBoxLayout(right)
        side.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        side.setSpacing(SPACE)
        side.addLayout(head)
        side.addWidget(column, 1)
        pages = QWidget()
        shown = QVBoxLayout(pages)
        shown.setContentsMargins(0, 0, 0, 0)
        shown.setSpacing(0)
        shown.addWidget(self.flat_bar)
        shown.addWidget(self.left, 1)
        across = QSplitter()
        across.setHandleWidth(1)
        across.addWidget(pages)
        across.addWidget(right)
        across.setSizes([720, 560])
        across.setStretchFactor(0, 1)
        across.setChildrenCollapsible(False)
        self.stack = QStackedWidget()
        self.stack.addWidget(across)
        self.stack.addWidget(self.empty)
        self.stack.setCurrentIndex(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addWidget(self.stack, 1)


class FlatFigureBar(QFrame):
    """A line above a figure that is shown as a flat picture in place of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.text = QLabel()
        self.back = QPushButton("Back to the page")
        row = QHBoxLayout(self)
        row.addWidget(self.text, 1)
        row.addWidget(self.back)
        self.hide()

    def show_name(self, name: str) -> None:
        """Says which figure is shown, and why it is flat."""
        self.text.setText(f"{name} has no sketch that can be changed; it is shown as a picture.")
        self.show()
