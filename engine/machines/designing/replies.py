"""What the roles of a workflow answer, read from their text (docs/machines.md).

Reading is generous: sections may be left open, their names may be written with underscores and in any case, lists of
steps may be numbered. What cannot be read is a ReplyError, whose sentence can be told to the role.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.reading.pipeline import is_object, read_data
from spatial_workbench.engine.machines.building.blocks import ROOT, block_types
from spatial_workbench.engine.machines.building.positions import read_positions
from spatial_workbench.engine.machines.building.tree import Tree, is_listing, read_tree

DEFECTS = "Summary of Design Defects"
STEPS = "Modification Steps"
MAX_STEPS = 200
_NAMED_FAULTS = 10
_LINE_START = re.compile(r"^[\s>*•\-–]*(?:\(?\d+[.):]\s*)?[\s*`\"'\[]*(?=(?:add|remove|move)\b)", re.IGNORECASE)
_REMARK = re.compile(r"[\"'`#;]|//|\s\(|\s[–—-]+\s")
_IDS = re.compile(r"\[\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)?\s*\]", re.ASCII)
_TYPES = re.compile(r"necessary[_ ]blocks\W*?\[([^\]]*)\]", re.IGNORECASE)


class ReplyError(ValueError):
    """A reply that is not what the role was asked for; says why."""


@dataclass(frozen=True)
class MachineStructure:
    """A part of a machine as the meta-designer plans it; `functions` say what it is for, `types` what it is made of."""

    name: str
    description: str
    functions: tuple[str, ...]
    types: tuple[int, ...]
    guidance: str


@dataclass(frozen=True)
class DesignPlan:
    """The meta-designer's plan: what the machine is, and its structures in the order in which they are built."""

    definition: str
    structures: tuple[MachineStructure, ...]


@dataclass(frozen=True)
class Inspection:
    """The inspector's report, the blocks that it names as defective, and whether the refiner should be told poses."""

    report: str
    defects: tuple[int, ...] = ()
    gives_information: bool = True


def section(text: str, name: str) -> str | None:
    """What stands in a section, the last of that name that is not empty; None if there is none.

    A section that is not closed ends at the next tag.
    """
    words = r"[\s_]+".join(map(re.escape, name.split()))
    tagged = re.findall(
        rf"<\s*{words}\s*>(.*?)(?=<\s*/?\s*[A-Za-z3][^<>\[\]{{}}]*>|\Z)", text, re.DOTALL | re.IGNORECASE
    )
    filled = [body.strip() for body in tagged if body.strip()]
    return filled[-1] if filled else "" if tagged else None


def read_machine(text: str) -> Tree:
    """The machine in a reply, as a tree or as global positions.

    Raises:
        ReplyError: there is none, or it breaks the rules of files.
    """
    try:
        data = read_data(text, is_listing)
    except AnswerError as error:
        raise ReplyError(f"The reply has no machine: {error}.") from None
    if isinstance(data, Mapping) and "blocks" in data:
        data = data["blocks"]
    is_placed = isinstance(data, list) and any(isinstance(row, dict) and "Position" in row for row in data)
    reading = read_positions(data) if is_placed else read_tree(data)
    if reading.tree is None:
        faults = (
            f"{'' if fault.entry is None else f'block {fault.entry}: '}{fault.sentence}"
            for fault in reading.faults[:_NAMED_FAULTS]
        )
        raise ReplyError(f"The list is no machine: {'; '.join(faults)}.")
    return reading.tree


def necessary_types(text: str) -> tuple[int, ...]:
    """The types that an idea names as `necessary_blocks [..]`."""
    listed = _TYPES.search(text)
    return tuple(int(word) for word in re.findall(r"\d{1,9}", listed.group(1), re.ASCII)) if listed else ()


def read_steps(text: str) -> tuple[str, ...]:
    """The edit commands in <Modification Steps>, without numbers and marks in front of them.

    Raises:
        ReplyError: there are none.
    """
    steps = section(text, STEPS)
    if steps is None:
        raise ReplyError(f"The section <{STEPS}> is missing.")
    lines = tuple(_bare(line) for line in steps.splitlines() if _LINE_START.match(line))
    if not lines:
        raise ReplyError(f"The section <{STEPS}> has no Add, Remove or Move in a line of its own.")
    if len(lines) > MAX_STEPS:
        raise ReplyError(f"The section <{STEPS}> has {len(lines):,} commands; at most {MAX_STEPS} are read.")
    return lines


def _bare(line: str) -> str:
    """A command without what stands before and after it."""
    return _REMARK.split(_LINE_START.sub("", line), maxsplit=1)[0].strip().rstrip("*,. ")


def read_inspection(text: str, tree: Tree) -> Inspection:
    """The inspector's report; ids that the machine does not have are left out.

    Raises:
        ReplyError: The section of defects is missing, or has no list of ids in brackets.
    """
    defects = section(text, DEFECTS)
    if defects is None:
        raise ReplyError(f"The section <{DEFECTS}> is missing.")
    lists = list(_IDS.finditer(defects))
    if not lists:
        raise ReplyError(f"The section <{DEFECTS}> has no block ids in square brackets.")
    ids = {int(word) for match in lists for word in re.findall(r"\d+", match.group(), re.ASCII)}
    wanted = section(text, "Give 3D Info")
    gives = wanted is None or not wanted.lower().startswith("false")
    return Inspection(text.strip(), tuple(sorted(ids & set(range(len(tree))))), gives)


def read_plan(text: str) -> DesignPlan:
    """The meta-designer's plan.

    The order of `machine_structure` stands in for a missing `build_order`; `reason` may be written for `guidance`.

    Raises:
        ReplyError: it is no plan; names the field.
    """
    data = _json_object(text)
    parts = data.get("machine_structure")
    if not isinstance(parts, Mapping) or not parts:
        raise ReplyError("“machine_structure” has to be an object with a structure or more.")
    order = data.get("build_order", list(parts))
    if not isinstance(order, list) or not order or not all(isinstance(name, str) for name in order):
        raise ReplyError("“build_order” has to be a list of names.")
    points = dict(_function_points(data.get("function_points")))
    described = _descriptions(data.get("design_structure"))
    by_name = {_folded(name): (name, part) for name, part in parts.items()}
    structures = []
    for name in dict.fromkeys(map(_folded, order)):
        if name not in by_name:
            raise ReplyError(f"“build_order” names “{name}”, which “machine_structure” does not have.")
        structures.append(_structure(*by_name[name], described.get(name, {}), points))
    return DesignPlan(str(data.get("definition", "")), tuple(structures))


def _structure(name: str, part: Any, described: Mapping[str, Any], points: Mapping[str, str]) -> MachineStructure:
    if not isinstance(part, Mapping):
        raise ReplyError(f"“machine_structure”, “{name}”: an object with “block_id” and “guidance” is expected.")
    related = described.get("related_function_points", [])
    names = [str(point) for point in related] if isinstance(related, list) else [str(related)]
    return MachineStructure(
        name=name,
        description=str(described.get("description", "")),
        functions=tuple(points.get(_folded(point), point) for point in names),
        types=_types_of(name, part.get("block_id")),
        guidance=str(part.get("guidance", part.get("reason", ""))),
    )


def _types_of(name: str, listed: Any) -> tuple[int, ...]:
    place = f"“machine_structure”, “{name}”, “block_id”"
    values = listed if isinstance(listed, list) else [listed]
    words = [str(value).strip() for value in values]
    unknown = [word for word in words if not (word.isdecimal() and len(word) < 10 and int(word) in block_types())]
    if unknown or not words:
        raise ReplyError(f"{place}: there is no block of type {', '.join(unknown)[:100] or 'none'}.")
    return tuple(dict.fromkeys(int(word) for word in words if int(word) != ROOT))


def _function_points(listed: Any) -> Iterator[tuple[str, str]]:
    """Names with what they stand for, of a list of words or objects, or of an object."""
    if isinstance(listed, Mapping):
        yield from ((_folded(str(name)), f"{name}: {words}") for name, words in listed.items())
    for number, point in enumerate(listed if isinstance(listed, list) else [], 1):
        words = ": ".join(map(str, point.values())) if isinstance(point, Mapping) else str(point)
        name = str(next(iter(point.values()), number)) if isinstance(point, Mapping) else words
        yield _folded(name), words
        yield str(number), words


def _descriptions(listed: Any) -> dict[str, Mapping[str, Any]]:
    rows = listed if isinstance(listed, list) else []
    return {_folded(str(row.get("function_name", ""))): row for row in rows if isinstance(row, Mapping)}


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").split()).casefold()


def _json_object(text: str) -> Mapping[str, Any]:
    try:
        data: Mapping[str, Any] = read_data(text, is_object)
    except AnswerError as error:
        raise ReplyError(f"The reply has no JSON object: {error}.") from None
    return data
