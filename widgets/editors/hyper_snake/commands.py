"""Commands of gestures, buttons and keys on the path: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hyper_snake import SnakePath
from spatial_workbench.engine.tasks.hyper_snake.editing import extend
from spatial_workbench.engine.tasks.hyper_snake.field import way_name, written
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.hyper_snake.path import GrownPath


class SnakeCommands:
    """The commands.

    say: shows why a command is not done.
    axes_changed: called when another axis of sweeps was chosen. refresh: shows the numbers of the panel again.
    """

    def __init__(
        self,
        document: AnswerDocument[SnakePath],
        path: GrownPath,
        runner: Runner,
        say: Callable[[str], object],
        axes_changed: Callable[[], object],
        refresh: Callable[[], object],
    ) -> None:
        self.axes = [Setting(k, axes_changed) for k in range(3)]
        """The axes that were chosen for sweeps; the last one may be none."""
        self.runner = runner
        self._document = document
        self._path = path
        self._say = say
        self._refresh = refresh

    @property
    def sweep_axes(self) -> tuple[int, ...]:
        """The axes of a sweep."""
        chosen = (setting.value for setting in self.axes)
        return tuple(dict.fromkeys(axis for axis in chosen if axis < self._path.field.axes))

    def step(self, way: int) -> None:
        """Goes one cell further."""
        if reason := self._path.walk.refusal(way):
            self._say(f"{way_name(way)}: {reason}.")
        else:
            self._path.replace_path("Step", self._path.walk.after(way))

    def go_straight(self, way: int) -> None:
        """Goes straight on until something is in the way."""
        if reason := self._path.walk.refusal(way):
            self._say(f"{way_name(way)}: {reason}.")
        else:
            self._path.replace_path("Run ahead", self._path.walk.run(way))

    def go_to(self, number: int, cuts: bool) -> None:
        """Goes straight to a cell; with `cuts`, a cell of the path is where the path is cut."""
        if number in self._path.walk.place:
            if cuts:
                self.cut(self._path.walk.place[number] + 1)
            return
        walk, reason = self._path.walk.toward(number)
        if walk is not self._path.walk:
            self._path.replace_path("Step" if len(walk.path) == len(self._path.walk.path) + 1 else "Run ahead", walk)
        if reason:
            self._say(f"{reason[0].upper()}{reason[1:]}.")

    def cut(self, length: int, label: str = "Cut path") -> None:
        """Cuts the path to its first cells."""
        if self._path.walk.path and (length < len(self._path.walk.path) or self._path.walk.fault is not None):
            self._path.replace_path(label, self._path.walk.cut(length))

    def step_back(self) -> None:
        """Removes the last cell."""
        self.cut(len(self._path.walk.path) - 1, "Step back")

    def cut_at_fault(self) -> None:
        """Cuts the path before the first step that breaks a rule."""
        if self._path.walk.fault is None and self._path.walk.path:
            self._say("No step of the path breaks a rule.")
            return
        self._path.replace_path(
            "Cut at fault", self._path.walk.with_path(self._path.walk.path or [self._path.field.first])
        )

    def sweep(self) -> None:
        """Fills the block along the chosen axes."""
        walk = self._path.walk.swept(self.sweep_axes)
        if walk is self._path.walk:
            self._say("The head cannot move along these axes.")
        else:
            self._path.replace_path("Sweep", walk)

    def bite(self, number: int) -> None:
        """Reverses everything after a neighbour of the head."""
        walk = self._path.walk.bitten(number)
        if walk is None:
            self._say(f"{written(self._path.field.cell(number))} is not an earlier path cell beside the head.")
        else:
            self._path.replace_path("Backbite", walk)

    def bite_best(self) -> None:
        """Backbites so that the new head has the most free neighbours."""
        free = self.prospects_of_heads()
        if free:
            self.bite(max(free, key=lambda number: free[number]))
        else:
            self._say("There is no earlier path cell beside the head.")

    def prospects_of_heads(self) -> dict[int, int]:
        """The number of free neighbours of the new head, for each cell at which the head can backbite."""
        walk = self._path.walk
        heads = {number: walk.path[walk.place[number] + 1] for number in walk.bites()}
        return {
            n: sum(bool(walk.unvisited[other]) for other in self._path.field.beside(head)) for n, head in heads.items()
        }

    def extend(self) -> None:
        """Looks for a longer path in the background, starting with the current one."""
        if self._path.walk.fault is not None or not self._path.walk.path:
            self._say("The path breaks a rule: cut it there first.")
            return
        revision = self._document.revision
        before = len(self._path.walk.path)

        def take(path: list[int]) -> None:
            if self._document.revision != revision:
                self._say("Not done: the path has changed in the meantime.")
            elif path == list(self._path.walk.path):
                self._say("No better path was found.")
            else:
                self._path.replace_path("Continue", self._path.walk.with_path(path))
                self._say(f"{counted(len(path) - before, 'cell')} longer.")

        self.runner.run("Looking for a longer path", extend, self._path.field, list(self._path.walk.path), done=take)

    def length(self) -> int:
        """How many cells the path has, as a field shows it."""
        return max(1, len(self._path.walk.path))

    def cut_to(self, length: float) -> None:
        """Cuts the path to a typed length, or says why not."""
        if length > len(self._path.walk.path):
            self._say(f"The path has only {counted(len(self._path.walk.path), 'cell')}. Add steps to make it longer.")
            self._refresh()
        else:
            self.cut(int(length))

    def cut_to_start(self) -> None:
        """Cuts the path to its first cell."""
        self.cut(1, "Cut to start")
