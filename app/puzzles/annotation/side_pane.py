"""The right of the annotation page: the title with its state; steps and fields; checks and aids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.annotation.aids import AidsPanel
from spatial_workbench.app.puzzles.annotation.fields import MetadataFields
from spatial_workbench.app.puzzles.annotation.marks import FindingsPanel, findings_words
from spatial_workbench.app.puzzles.annotation.step_list import StepList
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding
    from spatial_workbench.engine.puzzles.puzzle import Puzzle


class AnnotationSide(QWidget):
    """What is said of a puzzle, and what is wrong with it.

    Attributes:
        steps, fields: What the person writes, in the tabs `above`.
        panel, aids: What is wrong, and what helps, in the tabs `below`.
        heading, state: The title of the puzzle, and whether it is saved.
    """

    def __init__(self, is_read_only: bool) -> None:
        super().__init__()
        self.heading = QLabel()
        self.heading.setObjectName("panelTitle")
        self.state = QLabel()
        self.state.setObjectName("secondary")
        self.save_button = QPushButton(icon("save", "on_accent"), "Save")
        self.save_button.setObjectName("primary")
        self.save_button.setToolTip("Save the puzzle (Ctrl+S)")
        self.pages_button = QPushButton("Add page…")
        self.pages_button.setVisible(not is_read_only)
        self.figures_button = QPushButton("Figures…")
        self.figures_button.setToolTip("Look at a picture of the puzzle's folder, such as a page of its solution")
        self.steps = StepList()
        self.steps.set_read_only(is_read_only)
        self.fields = MetadataFields()
        self.fields.set_read_only(is_read_only)
        self.panel = FindingsPanel()
        self.panel.field_wanted.connect(self.go_to)
        self.aids = AidsPanel()
        self.aids.inserted.connect(self.steps.insert_text)
        self.above = _tabs({"Steps": self.steps, "Puzzle": self.fields})
        self.below = _tabs({"Checks": self.panel, "Aids": self.aids})
        self._lay_out()

    def show_puzzle(self, puzzle: Puzzle, thumbnails: Mapping[str, QPixmap]) -> None:
        """Shows the fields and the steps; `thumbnails` are small pictures of the steps' figures."""
        self.fields.show_puzzle(puzzle)
        self.steps.show_steps(puzzle.reasoning, thumbnails)

    def show_findings(self, findings: Sequence[PuzzleFinding], has_grid: bool) -> None:
        """Shows what is wrong, at its place and in the list; `has_grid`: whether a grid lies over a page."""
        self.fields.mark(findings)
        self.steps.mark(findings)
        self.panel.show_findings(findings)
        self.fields.suggest(has_grid)
        self.below.setTabText(0, f"Checks · {findings_words(findings)}")
        # Each tab shows how many problems it has, since only one of them is visible.
        in_steps = [f for f in findings if f.path[:1] == ("reasoning",)]
        in_fields = [f for f in findings if f not in in_steps]
        for place, (name, faults) in enumerate((("Steps", in_steps), ("Puzzle", in_fields))):
            self.above.setTabText(place, f"{name} · {findings_words(faults)}" if faults else name)

    def go_to(self, path: tuple[Any, ...]) -> None:
        """Goes to the field that a finding is about."""
        if path[:1] == ("reasoning",):
            self.above.setCurrentIndex(0)
            self.steps.focus_step(path[1] if len(path) > 1 else 0)
        elif path:
            self.above.setCurrentIndex(1)
            self.fields.focus_field(str(path[0]))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 3 * SPACE, 2 * SPACE, SPACE)
        head.setSpacing(2 * SPACE)
        head.addWidget(self.heading)
        head.addWidget(self.state, 1)
        head.addWidget(self.figures_button)
        head.addWidget(self.pages_button)
        head.addWidget(self.save_button)
        tabs = QSplitter(Qt.Orientation.Vertical)
        tabs.setHandleWidth(1)
        tabs.addWidget(self.above)
        tabs.addWidget(self.below)
        tabs.setSizes([560, 220])
        tabs.setStretchFactor(0, 1)
        tabs.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 0, 2 * SPACE, 0)
        column.setSpacing(SPACE)
        column.addLayout(head)
        column.addWidget(tabs, 1)


def _tabs(parts: Mapping[str, QWidget]) -> QTabWidget:
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    for name, part in parts.items():
        tabs.addTab(part, name)
    return tabs
