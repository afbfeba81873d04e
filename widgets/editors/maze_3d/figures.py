"""What a maze has by now, against what the instance asks for."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.core.words import counted
from engine.tasks.maze_3d.graph import Study
from engine.tasks.maze_3d.maze import Maze, Rules, words_of
from widgets.editors.maze_3d.histogram import Histogram
from widgets.meter import Meter
from widgets.theme import SPACE


class Figures(QWidget):
    """Path, jumps, uniqueness, and how often each height is used.

    Signals:
        height_clicked(int): a bar of the histogram was clicked.
    """

    height_clicked = Signal(int)

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules
        self.meters = {name: Meter() for name in ("cells", "jumps", "unique")}
        self.histogram = Histogram(rules.most_alike)
        self.histogram.height_clicked.connect(self.height_clicked)
        caption = QLabel(f"Cells of each height, at most {rules.most_alike}")
        caption.setObjectName("caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for meter in self.meters.values():
            column.addWidget(meter)
        column.addSpacing(2 * SPACE)
        column.addWidget(caption)
        column.addWidget(self.histogram)

    def show_maze(self, maze: Maze, found: Study) -> None:
        """Shows the figures of a maze."""
        rules, cells, jumps = self._rules, len(found.path), len(found.jump_steps)
        share = f"{counted(cells, 'cell')} · {cells / rules.cells:.0%}"
        self.meters["cells"].show_figure(share, f"at least {rules.least_visited}", cells >= rules.least_visited)
        self.meters["jumps"].show_figure(counted(jumps, "jump"), f"at least {rules.jumps}", jumps >= rules.jumps)
        self.meters["unique"].show_figure(*_ways(found), found.is_unique)
        self.histogram.show_counts(maze.histogram.tolist())


def status_of(maze: Maze, found: Study, rules: Rules) -> str:
    """What the status bar says: what is left to fill, the path, and where a second one leaves it."""
    left = int((maze.heights < 0).sum())
    words = [counted(left, "empty cell")] if left else []
    if found.path:
        share = len(found.path) / rules.cells
        jumps = counted(len(found.jump_steps), "jump")
        words.append(f"path of {counted(len(found.path), 'cell')} ({share:.0%}), {jumps}")
    else:
        words.append(f"no path yet: {_reach(found)}")
    if found.detour:
        words.append(f"a second route leaves it at {words_of(found.detour.leaves)}")
    return " · ".join(words)


def _ways(found: Study) -> tuple[str, str]:
    """Whether there is a path and only one, and what follows from it."""
    if not found.path:
        return "No path", _reach(found)
    if found.is_unique:
        return "One path", "no way around any step"
    return "Ambiguous", f"{counted(len(found.loose), 'step')} can be avoided (red)"


def _reach(found: Study) -> str:
    others = len(found.reached) - 1
    return f"A reaches {counted(others, 'other cell')}" if others > 0 else "A reaches no other cell"
