"""Commands of buttons and keys on the maze: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.editing import fill, mend, path_only, with_height, with_marker, with_steps
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Cell
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.maze_3d.cells import MazeCells
from spatial_workbench.widgets.editors.maze_3d.draft import MazeDraft


class MazeCommands:
    """The commands. Heights and repairs that take longer are looked for in the background.

    say: shows why a command is not done.
    changed: called when the brush has another height.
    """

    def __init__(
        self,
        document: AnswerDocument[MazeText],
        draft: MazeDraft,
        cells: MazeCells,
        runner: Runner,
        say: Callable[[str], object],
        changed: Callable[[], object],
    ) -> None:
        self.brush = Setting(5, changed)
        """The height of the brush."""
        self._document = document
        self._draft = draft
        self._cells = cells
        self._runner = runner
        self._say = say

    def raise_cells(self, cells: Sequence[Cell], step: int, merge: str) -> None:
        """Changes heights by a step; consecutive changes are one step of the history."""
        self._draft.replace_maze("Change height", with_steps(self._draft.maze, cells, step), merge)

    def type_height(self, height: int) -> None:
        """Sets the height of the brush and of the selected cells."""
        self.brush.put(height)
        self.set_height(height)

    def set_height(self, height: int) -> None:
        """Sets the height of the selected cells, or empties them."""
        if self._cells.selected and all(map(self._cells.marker_at, self._cells.selected)):
            self._say("The heights of A and B are given by the task.")
        label = "Empty cells" if height == BLANK else f"Set height {height}"
        self._draft.replace_maze(label, with_height(self._draft.maze, self._cells.selected, height))

    def move_marker(self, marker: str) -> None:
        """Moves A or B to the cursor."""
        if not self._cells.selected:
            self._say(f"Select the cell where {marker} should go.")
            return
        moved = with_marker(self._draft.maze, marker, self._cells.selected[-1], self._draft.rules)
        if moved is None:
            self._say("A and B cannot share a cell.")
        else:
            self._draft.replace_maze(f"Move {marker}", moved)

    def fill_rest(self) -> None:
        """Fills the empty cells in the background."""
        if not self._draft.routes.path:
            self._say("There is no path from A to B yet. Draw it first, then fill the rest.")
            return
        text = self._draft.maze.text

        def arrived(filled: str | None) -> None:
            if filled is None:
                self._say("The rest cannot be filled without a second path to B. Empty a few more cells.")
            elif self._draft.maze.text == text:
                self._document.edit("Fill the rest", MazeText(maze=filled))

        self._runner.run(
            "Filling the rest", fill, self._document.instance.parameters, text, self._document.revision, done=arrived
        )

    def keep_path(self) -> None:
        """Empties all cells that are not on the path."""
        if self._draft.routes.path:
            self._draft.replace_maze("Keep path only", path_only(self._draft.maze))
        else:
            self._say("There is no path from A to B yet.")

    def mend(self) -> None:
        """Looks in the background for a cell to change so that only one path remains."""
        if not self._draft.routes.detour:
            self._say("There is nothing to repair: no second route leads to B.")
            return
        text = self._draft.maze.text

        def arrived(repaired: tuple[str, Cell] | None) -> None:
            if repaired is None:
                self._say("No change of a single cell leaves exactly one path.")
            elif self._draft.maze.text == text:
                self._document.edit("Repair", MazeText(maze=repaired[0]))
                self._cells.select([repaired[1]])

        self._runner.run("Looking for a cell to change", mend, self._document.instance.parameters, text, done=arrived)
