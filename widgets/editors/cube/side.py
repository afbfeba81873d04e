"""Beside the cube: the net, the measures along the moves, and how long and how far a person has come."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.core.words import counted
from engine.cube.agent import MAX_SECONDS
from engine.cube.facelets import apply_moves
from engine.cube.letters import Colours
from widgets.cube_net import CubeNet
from widgets.editors.cube.graphs import RewardGraphs
from widgets.theme import SPACE

WARN_BEFORE_S = 120


class SidePanel(QWidget):
    """Net, graphs, and the time with the limits that agents have.

    Signals:
        warned(str): the time that an agent has is nearly over, or over.
    """

    warned = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.net = CubeNet()
        self.graphs = RewardGraphs()
        self.counts = QLabel()
        self.counts.setToolTip("An agent has 30 minutes; its moves are not limited")
        self.seconds = 0
        self._moves = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        self._captions = []
        for title, widget, stretch in (("Net", self.net, 3), ("Rewards", self.graphs, 0), ("By hand", self.counts, 0)):
            caption = QLabel(title)
            caption.setObjectName("caption")
            column.addWidget(caption)
            column.addWidget(widget, stretch)
            self._captions.append(caption)
        column.addStretch(1)
        self.setMinimumWidth(220)

    def show_moves(self, start: Colours, moves: Sequence[str], shows_state: bool) -> None:
        """Shows the state after the moves; without the state only the count, so that nothing is given away."""
        for widget in (self.net, self.graphs, *self._captions[:2]):
            widget.setVisible(shows_state)
        self._moves = len(moves)
        if shows_state:
            self.net.set_state(apply_moves(start, moves))
            self.graphs.show_moves(start, moves)
        self._tell()

    def show_seconds(self, seconds: int) -> None:
        """Shows the time that was worked since the last attempt; warns where an agent's time ends."""
        before, self.seconds = self.seconds, seconds
        if before < MAX_SECONDS - WARN_BEFORE_S <= seconds < MAX_SECONDS:
            self.warned.emit("Two minutes are left of the 30 that an agent has.")
        elif before < MAX_SECONDS <= seconds:
            self.warned.emit("The 30 minutes that an agent has are over; you may go on.")
        self._tell()

    def _tell(self) -> None:
        minutes, seconds = divmod(self.seconds, 60)
        self.counts.setText(f"{counted(self._moves, 'move')} · {minutes}:{seconds:02} of 30:00")
