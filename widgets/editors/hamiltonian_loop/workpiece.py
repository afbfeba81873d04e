"""The links of the answer, with what a gesture has done so far, and what is known about them."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop import LoopAnswer, loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import (
    DeadEnds,
    Tally,
    dead_ends_of,
    extended,
    forced,
    tally_of,
)
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import Cell, Link, LoopGrid
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Links, linked, links_of, steps_of
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.scene_views.view import Pick


class LoopLinks:
    """The links that are drawn; `changed` is called when others are shown.

    is_judged: whether it may be told what cannot be finished.
    """

    def __init__(self, document: AnswerDocument[LoopAnswer], is_judged: bool, changed: Callable[[], None]) -> None:
        self.grid = LoopGrid.of(document.instance.parameters)
        self.shows_forced = Setting(False, changed)
        """Whether the links are shown that every way to finish the drawing contains."""
        self.forced: frozenset[Link] = frozenset()
        self.dead_ends = DeadEnds((), ())
        self._document = document
        self._is_judged = is_judged
        self._changed = changed
        self._preview: Links | None = None

    @property
    def has_jumps(self) -> bool:
        """Whether the answer is shown, and contains more than links: jumps, or steps that do nothing."""
        return self._preview is None and self.steps != self.answered

    def update_findings(self) -> None:
        """Updates which links are forced and what cannot be finished."""
        links = self.links
        self.forced = forced(self.grid, links) if self.shows_forced.value else frozenset()
        if self._is_judged:
            self.dead_ends = dead_ends_of(self.grid, links)

    @property
    def links(self) -> Links:
        """The shown links: the answer's, or those of the preview."""
        return links_of(self.grid, self._document.answer.cells) if self._preview is None else self._preview

    @property
    def steps(self) -> list[Cell]:
        """The links as steps, in the order of the answer so far."""
        return steps_of(self.links, self.answered)

    @property
    def tally(self) -> Tally:
        """How far the drawing has got."""
        return tally_of(self.grid, self.links)

    def preview(self, links: Links) -> None:
        """Shows other links, without a step of the history."""
        self._preview = links
        self._changed()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        if self._preview is not None:
            self._preview = None
            self._changed()

    def commit(self, label: str) -> None:
        """Applies the preview to the answer, as a step of the history."""
        if self._preview is None:
            return
        links = self._preview
        self._preview = None
        self.replace_links(label, links)
        self._changed()

    def replace_links(self, label: str, links: Links, merge: str = "") -> None:
        """Replaces the links, as a step of the history."""
        if links != links_of(self.grid, self._document.answer.cells):
            self._document.edit(label, loop_answer(steps_of(links, self.answered)), merge)

    def extend(self, head: Cell, to: Cell) -> str:
        """Previews a pencil stroke to a neighbour; returns why it is not possible, or ""."""
        links, reason = extended(self.grid, self.links, self.steps, head, to)
        if not reason:
            self.preview(links)
        return reason

    @property
    def answered(self) -> list[Cell]:
        """The steps of the answer."""
        return [(int(x), int(y)) for x, y in self._document.answer.cells]

    def words(self, cell: Cell) -> str:
        """A description of a cell."""
        if cell in self.grid.blocked:
            return "Blocked"
        uses = [i for i, step in enumerate(self.steps) if step == cell]
        if not uses:
            return "Not visited"
        links = len(linked(self.links)[cell])
        return f"Step {', '.join(map(str, uses))} of {len(self.steps)} · {counted(links, 'link')}"

    def dead_ends_in_words(self) -> str:
        """The parts that cannot be finished, in words."""
        sentences = []
        if self.dead_ends.starved:
            sentences.append(f"{counted(len(self.dead_ends.starved), 'cell')} cannot have two links")
        if self.dead_ends.cut_off:
            sentences.append(f"{counted(len(self.dead_ends.cut_off), 'part is', 'parts are')} cut off")
        return " · ".join(sentences)

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for a cell."""
        kind, _, name = pick.id.partition(" ")
        if kind != "cell":
            return pick.id, ""
        x, y = map(int, name.split(","))
        return f"({x}, {y})", self.words((x, y))
