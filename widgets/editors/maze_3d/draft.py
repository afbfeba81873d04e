"""The maze, with what a gesture has done so far; it becomes a step of the history when the button is released."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy, study
from spatial_workbench.engine.tasks.maze_3d.maze import Maze, Rules
from spatial_workbench.widgets.editing.document import AnswerDocument


class MazeDraft:
    """A document's maze and its routes.

    changed: called when another maze is shown.
    is_judged, measures: whether faults, and whether figures may be told.
    """

    def __init__(
        self,
        document: AnswerDocument[MazeText],
        changed: Callable[[], object],
        is_judged: bool,
        measures: bool,
    ) -> None:
        self.rules = Rules.of(document.instance.parameters)
        self.is_judged = is_judged
        self._document = document
        self._changed = changed
        self._measures = measures
        self._shown: Maze | None = None
        self._known: tuple[Maze, MazeStudy] | None = None
        self._read: tuple[str, Maze] | None = None

    @property
    def maze(self) -> Maze:
        """The maze, with what a gesture has done so far."""
        if self._shown is not None:
            return self._shown
        text = self._document.answer.maze
        if self._read is None or self._read[0] != text:
            self._read = text, Maze.read(text, self.rules)
        return self._read[1]

    @property
    def routes(self) -> MazeStudy:
        """The routes of the maze as it is shown."""
        maze = self.maze
        if self._known is None or self._known[0] is not maze:
            self._known = maze, study(maze)
        return self._known[1]

    @property
    def shown_routes(self) -> MazeStudy:
        """The routes that may be shown: the path if measuring is allowed, and its faults if judging is."""
        return self.routes.limited(self._measures, self.is_judged)

    def preview(self, maze: Maze) -> None:
        """Shows what a gesture has done so far."""
        self._shown = maze
        self._changed()

    def commit(self, label: str, merge: str = "") -> None:
        """Applies the result of the gesture to the answer, as a step of the history."""
        draft = self._shown
        self._shown = None
        if draft is not None and draft.text != self.maze.text:
            self._document.edit(label, MazeText.of(draft), merge)
        else:
            self._changed()

    def drop(self) -> None:
        """Discards what the gesture has done."""
        if self._shown is not None:
            self._shown = None
            self._changed()

    def replace_maze(self, label: str, maze: Maze, merge: str = "") -> None:
        """Replaces the maze."""
        self._shown = maze
        self.commit(label, merge)
