"""The panels beside the cube: its net, graphs of rewards, and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.cube.facelets import apply_moves
from spatial_workbench.engine.cube.letters import Colours
from spatial_workbench.widgets.cube_net import CubeNet
from spatial_workbench.widgets.editing.controls import Bars, CustomPart
from spatial_workbench.widgets.editors.cube.graphs import RewardGraphs
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.theme import SPACE

SIDE_PX = 220


class CubeSide(QWidget):
    """The column beside the cube. It shows the cube after some of the moves while they are played.

    shows_figures: returns whether figures about all 54 stickers give nothing away.
    """

    def __init__(self, start: Colours, shows_figures: Callable[[], bool]) -> None:
        super().__init__()
        self.moves: Sequence[str] = ()
        """The moves after which net and graphs show the cube."""
        self.seconds = 0
        """How long somebody has been working."""
        self._start = start
        self._shows_figures = shows_figures
        self._column = column(self, margin=2 * SPACE, spacing=SPACE)
        self._column.addStretch(1)
        self.setMinimumWidth(SIDE_PX)

    @property
    def state(self) -> Colours:
        """The cube after the moves that are shown."""
        return apply_moves(self._start, self.moves)

    def hide_if_empty(self) -> None:
        """Hides the column while nothing in it is shown."""
        parts = self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        self.setVisible(any(not part.isHidden() for part in parts))

    def bars(self) -> Iterable[Bars]:
        """The panels beside the cube, as controls."""
        limits = "An agent has 30 minutes; its moves are not limited"
        shown = self._shows_figures
        net = CustomPart("Net", CubeNet, aid=Aid.VIEWING, shown=shown, caption="Net", refresh=self._show_net)
        yield Bars(net, place=partial(self._add_widget, share=3))
        yield Bars(
            CustomPart(
                "Rewards", RewardGraphs, aid=Aid.JUDGING, shown=shown, caption="Rewards", refresh=self._show_rewards
            ),
            CustomPart("By hand", QLabel, limits, Aid.MEASURING, caption="By hand", refresh=self._show_counts),
            place=self._add_widget,
        )

    def _add_widget(self, widget: QWidget, share: int = 0) -> None:
        self._column.insertWidget(self._column.count() - 1, widget, share)

    def _show_net(self, net: CubeNet) -> None:
        net.set_state(apply_moves(self._start, self.moves))

    def _show_rewards(self, graphs: RewardGraphs) -> None:
        graphs.show_moves(self._start, self.moves)

    def _show_counts(self, counts: QLabel) -> None:
        minutes, seconds = divmod(self.seconds, 60)
        counts.setText(said(f"{counted(len(self.moves), 'move')} · {minutes}:{seconds:02} of 30:00"))
