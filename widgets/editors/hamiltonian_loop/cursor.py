"""The cursor: keys move it, and draw and link from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from spatial_workbench.engine.tasks.hamiltonian_loop.editing import extended
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, link
from spatial_workbench.widgets.editing.controls import Action, Keys
from spatial_workbench.widgets.editors.hamiltonian_loop.commands import LoopCommands
from spatial_workbench.widgets.editors.hamiltonian_loop.workpiece import LoopLinks

ARROWS: dict[str, tuple[str, str, str, Cell]] = {
    "Right": ("Cursor right", "Draw right", "Link right", (1, 0)),
    "Left": ("Cursor left", "Draw left", "Link left", (-1, 0)),
    "Up": ("Cursor up", "Draw up", "Link up", (0, -1)),
    "Down": ("Cursor down", "Draw down", "Link down", (0, 1)),
}
"""What the arrow keys do, what they do with Shift, and with Ctrl."""


class LoopCursor:
    """A cell of the grid; `moved` is called when it or the first corner of a rectangle is set."""

    def __init__(
        self, loop: LoopLinks, commands: LoopCommands, say: Callable[[str], object], moved: Callable[[], None]
    ) -> None:
        self.cell: Cell = loop.grid.free[0]
        self.corner: Cell | None = None
        """The first corner of a rectangle to be filled by key."""
        self._loop = loop
        self._commands = commands
        self._say = say
        self._moved = moved

    def go_to(self, cell: Cell) -> None:
        """Moves the cursor to a cell."""
        self.cell = cell
        self._moved()

    def beyond(self, way: Cell) -> Cell:
        """The cell next to the cursor, or the cursor at the border."""
        x, y = self.cell[0] + way[0], self.cell[1] + way[1]
        return (x, y) if self._loop.grid.holds((x, y)) else self.cell

    def step(self, way: Cell) -> None:
        """Moves the cursor by a cell."""
        self.go_to(self.beyond(way))

    def draw_link(self, way: Cell) -> None:
        """Draws to the neighbour, or erases the last link, and moves the cursor there."""
        head = self.cell
        to = self.beyond(way)
        links, reason = extended(self._loop.grid, self._loop.links, self._loop.steps, head, to)
        if reason:
            self._say(reason)
            return
        self._loop.replace_links("Draw", links, merge="draw by key")
        self.go_to(to)

    def link(self, way: Cell) -> None:
        """Links the cell to its neighbour, or removes that link."""
        to = self.beyond(way)
        if to in self._loop.grid.neighbours.get(self.cell, ()):
            self._commands.toggle(link(self.cell, to))

    def fill_by_key(self) -> None:
        """Makes the cursor the first corner; the second call fills from that corner to the cursor."""
        if self.corner is None:
            self.corner = self.cell
            self._say("Now put the cursor on the opposite corner and press Enter.")
        else:
            first = self.corner
            self.corner = None
            self._commands.fill_rectangle(first, self.cell)
        self._moved()

    def type_coordinate(self, axis: int, value: float) -> None:
        """Sets a coordinate of the cursor, as it was typed."""
        x, y = self.cell
        self.go_to(
            (min(int(value), self._loop.grid.width), y) if axis == 0 else (x, min(int(value), self._loop.grid.height))
        )

    def numbers(self) -> tuple[int, ...]:
        """The cell, and the first corner of a rectangle if there is one."""
        return *self.cell, *(self.corner or ())

    def put(self, numbers: Sequence[int]) -> None:
        """Puts the cursor and the first corner where they were.

        Raises:
            ValueError: They leave the grid.
        """
        places = list(zip(numbers[::2], numbers[1::2], strict=True))
        if len(places) not in (1, 2) or not all(map(self._loop.grid.holds, places)):
            raise ValueError("no such cursor")
        self.corner = places[1] if len(places) == 2 else None
        self.go_to(places[0])

    def keys(self) -> Keys:
        """The actions that only have keys."""
        actions: list[Action] = []
        for key, (move, draw, join, way) in ARROWS.items():
            actions += (
                Action(move, partial(self.step, way), key),
                Action(draw, partial(self.draw_link, way), f"Shift+{key}"),
                Action(join, partial(self.link, way), f"Ctrl+{key}"),
            )
        return Keys(
            *actions,
            Action("Unlink the cell", lambda: self._commands.unlink(self.cell), "Delete, Backspace"),
            Action("Swap links to the lower right", lambda: self._commands.flip(self.cell), "X"),
            Action("Fill from here, to here", self.fill_by_key, "Return, Enter"),
        )
