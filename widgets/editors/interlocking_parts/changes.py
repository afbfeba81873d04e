"""How the parts of an answer are replaced: the steps that all commands on parts take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.interlocking_parts import Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY, MAX_PARTS
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editing.things import step_label
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly

BESIDE_MM = 20.0
"""Room between parts and their copies."""


class CageChanges:
    """Replaces parts, each time as one step of the history.

    Args:
        say: Shows a message until the next change.
        message: Shows why something was not done.
    """

    def __init__(
        self,
        assembly: Assembly,
        runner: Runner,
        say: Callable[[str], None],
        message: Callable[[str], object],
    ) -> None:
        self.assembly = assembly
        self.runner = runner
        self.say = say
        self.message = message
        self._assembly = assembly
        self._document = assembly.document

    @property
    def chosen(self) -> dict[int, Part]:
        """The selected parts, by number."""
        return {i: self._assembly.parts[i] for i in self._assembly.selected}

    def beside(self, around: tuple[Floats, Floats] | None, first: int = 1) -> Floats:
        """The move (4, 4) along x after which a box meets that of no part; with `first` 0 it may stay."""
        move = np.eye(4)
        if around is None:
            return move
        low, high = around
        boxes = [self._assembly.bounds_of(i) for i in range(len(self._assembly.parts))]
        for count in range(first, MAX_PARTS + 1):
            move[0, 3] = count * (high[0] - low[0] + BESIDE_MM)
            way = move[:3, 3]
            if not any(_meet((low + way, high + way), box) for box in boxes if box is not None):
                break
        return move

    def make_part(self, label: str, function: Callable[..., str], *arguments: Any, done: Callable[[str], None]) -> None:
        """Makes the contents of a part in the background, or says why not."""
        self.runner.run(label, function, *arguments, done=done, failed=self.refuse)

    def refuse(self, why: str) -> None:
        """Says why something was not done."""
        self.message(f"Not done. {why}")

    def adding(self, label: str) -> Callable[[str], None]:
        """A function that adds a part from STL text."""
        return lambda text: self.add_parts(label, [Part(fileContents=text, fileType=Form.STL, transform=IDENTITY)])

    def add_parts(self, label: str, new: Sequence[Part]) -> None:
        """Adds parts and selects them, unless there would be too many."""
        count = len(self._assembly.parts)
        if count + len(new) > MAX_PARTS:
            self.refuse(f"An answer may have at most {MAX_PARTS} parts.")
        elif new:
            self.replace_parts(label, [*self._assembly.parts, *new], range(count, count + len(new)))

    def move_parts(self, label: str, matrices: dict[int, Floats], merge: str = "") -> None:
        """Moves parts, by number, to other places (4, 4)."""
        parts = list(self._assembly.parts)
        for i, matrix in matrices.items():
            parts[i] = parts[i].placed(matrix)
        if matrices:
            self.replace_parts(parts_label(label, len(matrices)), parts, merge=merge)

    def replace_parts(
        self, label: str, parts: Sequence[Part], select: Iterable[int] | None = None, merge: str = ""
    ) -> None:
        """Replaces the parts, as one step of the history."""
        self.say("")
        reasoning = self._document.answer.reasoning
        self._document.edit(label, Parts(reasoning=reasoning, parts=tuple(parts)), merge)
        if select is not None:
            self._assembly.selection.select(select)


def parts_label(verb: str, count: int) -> str:
    """The label of a change of a number of parts."""
    return step_label(verb, count, marked("{verb} part"), marked("{verb} {count} parts"))


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> bool:
    return bool((first[0] < second[1]).all() and (second[0] < first[1]).all())
