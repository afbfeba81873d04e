"""The answer of the machine tasks: a list of blocks, as a construction tree or as global positions."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, WithJsonSchema

from spatial_workbench.engine.core.answer import ReasonedAnswer, at_most
from spatial_workbench.engine.machines.building.positions import read_positions
from spatial_workbench.engine.machines.building.tree import MAX_BLOCKS, MachineReading, Tree, read_tree, write_tree

_BLOCK = {
    "type": "object",
    "properties": {name: {"type": "integer"} for name in ("type", "id", "parent", "face_id")},
    "required": ["type", "id", "parent", "face_id"],
}
_LINEAR = {
    "type": "object",
    "properties": {
        name: {"type": "integer"} for name in ("type", "id", "parent_a", "face_id_a", "parent_b", "face_id_b")
    },
    "required": ["type", "id", "parent_a", "face_id_a", "parent_b", "face_id_b"],
}

Row = Annotated[dict[str, Any], WithJsonSchema({"anyOf": [_BLOCK, _LINEAR]})]


class MachineAnswer(ReasonedAnswer):
    """A machine, as it was listed: whether the list is a machine is for the verdict to say."""

    is_asked_as_list: ClassVar[bool] = True

    blocks: Annotated[tuple[Row, ...], at_most(MAX_BLOCKS, "blocks")] = Field(
        description="The construction tree: the starting block first, parents before their children"
    )

    @classmethod
    def of(cls, tree: Tree, reasoning: str = "") -> MachineAnswer:
        """The answer that lists a tree."""
        return cls(blocks=tuple(write_tree(tree)), reasoning=reasoning)

    @property
    def reading(self) -> MachineReading:
        """The tree that the list means, or why it means none."""
        rows = [dict(row) for row in self.blocks]
        return read_positions(rows) if any("Position" in row for row in rows) else read_tree(rows)
