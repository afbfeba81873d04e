"""The answer of the machine tasks: a list of blocks, as a construction tree or as global positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from engine.core.answer import ReasonedAnswer, at_most, parse_json_answer
from engine.core.limits import check_length, decode
from engine.machines.positions import read_positions
from engine.machines.tree import MAX_BLOCKS, Reading, Tree, read_text, read_tree, write_tree

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

    blocks: Annotated[tuple[Row, ...], at_most(MAX_BLOCKS, "blocks")] = Field(
        description="The construction tree: the starting block first, parents before their children"
    )

    @classmethod
    def of(cls, tree: Tree, reasoning: str = "") -> MachineAnswer:
        """The answer that lists a tree."""
        return cls(blocks=tuple(write_tree(tree)), reasoning=reasoning)

    @property
    def reading(self) -> Reading:
        """The tree that the list means, or why it means none."""
        rows = [dict(row) for row in self.blocks]
        return read_positions(rows) if any("Position" in row for row in rows) else read_tree(rows)


def parse_machine(raw: Any) -> MachineAnswer:
    """Reads a machine from a text, plain data, or an answer.

    A text is read by the rules of machine files; where these find no data, as every other answer is.

    Raises:
        AnswerError: It is no list of blocks.
    """
    if isinstance(raw, MachineAnswer):
        return raw
    if isinstance(raw, bytes):
        raw = decode(raw)
    if isinstance(raw, str):
        check_length(raw)
        try:
            raw = read_text(raw)
        except ValueError:
            return parse_json_answer(MachineAnswer, raw)
    if isinstance(raw, list | tuple) and not _is_whole_answer(raw):
        raw = {"blocks": list(raw)}
    return parse_json_answer(MachineAnswer, raw)


def _is_whole_answer(data: Sequence[Any]) -> bool:
    """Whether a list holds an answer instead of blocks."""
    return len(data) == 1 and isinstance(data[0], Mapping) and "blocks" in data[0]
