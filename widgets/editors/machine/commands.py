"""Commands of buttons and keys on the selected blocks: each is one step of the history, or says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from spatial_workbench.engine.machines.building.blocks import ROOT
from spatial_workbench.engine.machines.building.settings import PARAMETERS, ParameterValue, usual_value
from spatial_workbench.engine.machines.building.tree import Entry, with_parameter
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.building import Built, arrayed, pasted
from spatial_workbench.engine.tasks.machine.editing import MachineAssembly
from spatial_workbench.engine.tasks.machine.mirroring import mirrored, with_parameter_on_both_sides
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

    def parameter(self, name: str) -> ParameterValue | None:
        """The value of a parameter of the first selected block that has it and can use it here; None: there is none."""
        entry = next(iter(self._having(name)), None)
        values = entry.settings.values() if entry is not None and entry.settings is not None else {}
        return None if entry is None else values.get(name, usual_value(name))

    def set_parameter(self, name: str, value: ParameterValue) -> None:
        """Gives the selected blocks that have a parameter another value, as one step; on both sides if wanted."""
        if self._bench.assembly is None:
            return
        chosen = self._having(name)
        changed: dict[int, Entry] = {}
        if self._bench.is_symmetric:
            images = (with_parameter_on_both_sides(self._bench.assembly, entry.id, name, value) for entry in chosen)
            changed = {image.id: image for image in images if image is not None}
        changed |= {entry.id: with_parameter(entry, name, value) for entry in chosen}
        tree = tuple(changed.get(entry.id, entry) for entry in self._bench.assembly.tree)
        if tree != self._bench.assembly.tree:
            self._bench.apply_built(Built(tree, (f"Set {name.replace('_', ' ')} of {_listed(changed)}",)))

    def has_meaning(self, name: str) -> bool:
        """Whether a parameter counts in the level; keys always do, in free play."""
        return PARAMETERS[name].form == "key" or name in self._bench.level.parameters

    def _having(self, name: str) -> list[Entry]:
        """The selected blocks with a parameter that counts."""
        if self._bench.assembly is None or not self.has_meaning(name):
            return []
        tree = self._bench.assembly.tree
        chosen = [tree[block] for block in self._selection.in_order if block < len(tree)]
        return [entry for entry in chosen if entry.type in PARAMETERS[name].types]

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


def _listed(blocks: Iterable[int]) -> str:
    numbers = ", ".join(map(str, blocks))
    return f"block {numbers}"
