"""Commands of buttons and keys on the selected blocks: each is one step of the history, or says why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.machines.building.blocks import ROOT
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.building import arrayed, pasted
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import mirrored
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.editing.things import Things
from spatial_workbench.widgets.editors.machine.workbench import Workbench


class MachineCommands:
    """The commands; `say` shows why one is not done."""

    def __init__(self, bench: Workbench, selection: NumberedSelection, say: Callable[[str], object]) -> None:
        self._bench = bench
        self._selection = selection
        self._say = say

    def delete(self) -> None:
        """Removes the selected blocks, and all that hangs on them, as one step."""
        if self._bench.assembly is None or not self._selection.in_order:
            self._say("Select a block to delete it.")
        elif self._selection.in_order == [ROOT]:
            self._say("The starting block stays.")
        elif self._bench.apply_built(self._bench.without(self._selection.in_order)):
            self._selection.select(())

    def mirror(self) -> None:
        """Copies the selected blocks, with all that hangs on them, to the other side, as one step."""
        if self._bench.assembly is None or not self._selection.in_order:
            self._say("Select a block to mirror it.")
        else:
            self._bench.apply_built(mirrored(self._bench.assembly, self._selection.in_order, self._bench.level))

    def array(self) -> None:
        """Copies the selected block, with all that hangs on it, to the other faces along its beam, as one step."""
        block = self.copied_block()
        if self._bench.assembly is None or block is None:
            self._say("Select a block to repeat it along its beam.")
        else:
            self._bench.apply_built(arrayed(self._bench.assembly, block, self._bench.level))

    def copied_block(self) -> int | None:
        """The block that is copied: the first selected one but the starting block."""
        return next((block for block in self._selection.in_order if block != ROOT), None)

    def select_subtree(self) -> None:
        """Adds to the selection what hangs on it."""
        if self._bench.assembly is not None:
            members = {k for block in self._selection.in_order for k in self._bench.assembly.subtree(block)}
            self._selection.select(sorted(members))

    def _paste(self, answer: MachineAnswer, blocks: Sequence[int]) -> None:
        """Hangs blocks of another machine, with all that hangs on them, on the selected block; else on any that can."""
        source = answer.reading.tree
        if self._bench.assembly is None or source is None or not blocks:
            self._say("Only blocks other than the starting block of a machine can be pasted, onto a machine.")
            return
        count = len(self._bench.assembly.tree)
        selected = [block for block in self._selection.in_order if block < count]
        built = pasted(
            self._bench.assembly, MachineAssembly(source), blocks, selected or range(count), self._bench.level
        )
        if self._bench.apply_built(built):
            self._selection.select(built.new)

    def things(self, document: AnswerDocument[MachineAnswer]) -> Things:
        """How blocks are cut, copied and pasted."""
        return Things(
            name="blocks",
            selection=self._selection,
            part=lambda chosen: (document.answer, [block for block in chosen if block != ROOT]),
            add=lambda _, answer, blocks: self._paste(answer, blocks),
            delete=self.delete,
        )
