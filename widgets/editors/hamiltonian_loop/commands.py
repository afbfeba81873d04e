"""Commands of gestures, buttons and keys on the links: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.hamiltonian_loop import LoopAnswer, loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import filled, flipped, forced, started_at, toggled
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Links, reversed_steps
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editors.hamiltonian_loop.workpiece import LoopLinks


class LoopCommands:
    """The commands; `say` shows why one is not done."""

    def __init__(self, document: AnswerDocument[LoopAnswer], loop: LoopLinks, say: Callable[[str], object]) -> None:
        self._document = document
        self._loop = loop
        self._say = say

    def accept_forced(self) -> None:
        """Draws every forced link."""
        forced_links = forced(self._loop.grid, self._loop.links)
        if forced_links:
            self._loop.replace_links("Accept forced links", self._loop.links | forced_links)
        else:
            self._say("No link is forced here.")

    def reverse(self) -> None:
        """Walks every piece the other way."""
        if self._loop.links:
            self._document.edit("Reverse", loop_answer(reversed_steps(self._loop.links, self._loop.answered)))

    def start_at(self, cell: Cell) -> None:
        """Makes the loop start at a cell."""
        if self._loop.tally.loops == 1 and not self._loop.tally.paths and cell in self._loop.answered:
            self._document.edit("Start here", loop_answer(started_at(self._loop.steps, cell)))
        else:
            self._say("The cursor has to be on a single closed loop.")

    def clear(self) -> None:
        """Removes all links."""
        self._document.edit("Clear", loop_answer(()))

    def flip(self, corner: Cell) -> None:
        """Swaps two parallel links around a point."""
        self._replace_or_explain("Swap links", flipped(self._loop.grid, self._loop.links, corner))

    def toggle(self, pair: Link) -> None:
        """Adds a link, or removes it."""
        self._replace_or_explain("Unlink" if pair in self._loop.links else "Link", toggled(self._loop.links, pair))

    def fill_rectangle(self, first: Cell, last: Cell) -> None:
        """Fills the rectangle between two corners row by row."""
        self._replace_or_explain("Fill", filled(self._loop.grid, self._loop.links, first, last))

    def unlink(self, cell: Cell) -> None:
        """Removes the links of a cell."""
        self._loop.replace_links("Unlink the cell", frozenset(pair for pair in self._loop.links if cell not in pair))

    def _replace_or_explain(self, label: str, result: tuple[Links, str]) -> None:
        links, reason = result
        if reason:
            self._say(reason)
        else:
            self._loop.replace_links(label, links)
