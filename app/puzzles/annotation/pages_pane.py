"""The left of the annotation page: the puzzle's pages to draw on, a flat figure, or words where there is neither."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from spatial_workbench.app.puzzles.annotation.figure_strip import FigureStrip
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.sketch import SketchPad


class PagesPane(QWidget):
    """The sketch pad with the pages of a puzzle, and a line above it while a flat figure is shown in their place.

    Attributes:
        pad: The sketch pad.
        no_page: What stands in its place where the puzzle has no page.
        flat_bar: The line above a flat figure.
        figure_strip: The line below the page about the figure that is made of a sketch.
    """

    def __init__(self, undo_stack: QUndoStack, is_read_only: bool) -> None:
        super().__init__()
        self.pad = SketchPad(undo_stack, offers_figures=not is_read_only)
        self.pad.desk.is_read_only = is_read_only
        self.no_page = EmptyState("", "", "Add page…")
        self.no_page.button.setVisible(not is_read_only)
        self._shown = QStackedWidget()
        self._shown.addWidget(self.pad)
        self._shown.addWidget(self.no_page)
        self.flat_bar = QFrame()
        self.flat_bar.setObjectName("banner")
        self._flat_words = QLabel()
        back = QPushButton("Back to the page")
        back.clicked.connect(self.close_flat)
        row = QHBoxLayout(self.flat_bar)
        row.addWidget(self._flat_words, 1)
        row.addWidget(back)
        self.flat_bar.hide()
        self.figure_strip = FigureStrip()
        self.figure_strip.setVisible(not is_read_only)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.flat_bar)
        column.addWidget(self._shown, 1)
        column.addWidget(self.figure_strip)

    def show_pages(self, has_pages: bool, faults: Sequence[str]) -> None:
        """Shows the pages; if there is none, says why: `faults` are what is wrong with pages that cannot be shown."""
        self._shown.setCurrentWidget(self.pad if has_pages else self.no_page)
        self.no_page.say("There is no page that can be shown", " ".join(faults) or "Add a picture of the puzzle.")

    def show_flat(self, name: str, png: bytes) -> None:
        """Shows a figure that has no layer as a flat picture."""
        self.pad.pages.set_figure(png)
        self._flat_words.setText(f"{name} has no sketch that can be changed; it is shown as a picture.")
        self.flat_bar.show()

    def close_flat(self) -> None:
        """Shows the page again in place of a flat figure."""
        self.pad.pages.set_figure(None)
        self.flat_bar.hide()
