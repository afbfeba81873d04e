"""The bar above the grid: cells visited, open ends, loops, and how many dark and light cells are left."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import DeadEnds, Tally
from spatial_workbench.widgets.panels.meter import Meter
from spatial_workbench.widgets.theme import SPACE


class ProgressMeters(QWidget):
    """A strip of figures that follow the pencil.

    Args:
        judges: Whether it shows what is right, and what cannot be finished.
    """

    def __init__(self, judges: bool) -> None:
        super().__init__()
        self._judges = judges
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Progress of the drawing"))
        self.visited = Meter()
        self.ends = Meter()
        self.pieces = Meter()
        self.balance = Meter()
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        layout.setSpacing(6 * SPACE)
        for meter in self.meters:
            layout.addWidget(meter)
        layout.addWidget(self.note, 1)

    @property
    def meters(self) -> tuple[Meter, ...]:
        """All figures, from the left."""
        return self.visited, self.ends, self.pieces, self.balance

    def show_tally(self, tally: Tally, dead_ends: DeadEnds) -> None:
        """Shows how far a drawing has got, and what cannot be finished."""
        everywhere = tally.visited == tally.needed and self._judges
        done = tally.is_done and self._judges
        self.visited.show_figure(f"{tally.visited} / {tally.needed}", "cells visited", everywhere or None)
        self.ends.show_figure(str(tally.open_ends), "open ends", done or None)
        pieces = tally.loops + tally.paths
        kinds = f"{counted(tally.paths, 'path')}, {counted(tally.loops, 'loop')}"
        self.pieces.show_figure(str(pieces), kinds, True if done else False if tally.loops and self._judges else None)
        self.balance.show_figure(f"{tally.balance:+d}" if tally.balance else "0", "dark minus light cells left", None)
        note = "One loop through every free cell." if done else _words(dead_ends)
        visited = f"{tally.visited} of {tally.needed:,} cells"
        self.note.setText(said(note))
        counts = (visited, counted(tally.open_ends, "open end"), kinds)
        self.setAccessibleDescription(f"{', '.join(map(said, counts))}. {said(note)}")


def _words(dead_ends: DeadEnds) -> str:
    if dead_ends.cut_off:
        return "The hatched cells cannot be reached and left again."
    if dead_ends.starved:
        return "The framed cells can no longer have two links."
    return ""
