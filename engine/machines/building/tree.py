"""The construction tree: the ordered list of blocks that is a machine, its reading and its rules (docs/machines.md)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spatial_workbench.engine.machines.building.blocks import ROOT, block_types
from spatial_workbench.engine.machines.building.settings import (
    KEPT_KEY,
    PARAMETERS_KEY,
    BlockSettings,
    ParameterValue,
    read_settings,
    write_settings,
)

MAX_BLOCKS = 2000
"""More do not fit into the largest machine."""
MAX_DIGITS = 9


@dataclass(frozen=True)
class MachineBlock:
    """A block on one face of its parent; the starting block has parent and face -1."""

    type: int
    id: int
    parent: int
    face: int
    settings: BlockSettings | None = None


@dataclass(frozen=True)
class Link:
    """A linear block between two faces."""

    type: int
    id: int
    parent_a: int
    face_a: int
    parent_b: int
    face_b: int
    settings: BlockSettings | None = None


Entry = MachineBlock | Link
Tree = tuple[Entry, ...]


@dataclass(frozen=True)
class Fault:
    """Why a machine is refused, or a warning: a code of docs/machines.md, the entry (None: the whole), a sentence."""

    code: str
    entry: int | None
    sentence: str


@dataclass(frozen=True)
class MachineReading:
    """What was read: the tree where the file is valid, else its faults."""

    tree: Tree | None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


_PAPER = ("type", "id", "parent", "face_id"), ("type", "id", "parent_a", "face_id_a", "parent_b", "face_id_b")
_REFERENCE = ("id", "order_id", "parent", "bp_id"), ("id", "order_id", "parent_a", "bp_id_a", "parent_b", "bp_id_b")


def is_listing(data: Any) -> bool:
    """Whether data may be a list of blocks, or an answer that holds one."""
    if isinstance(data, dict):
        return isinstance(data.get("blocks"), list)
    return isinstance(data, list) and all(isinstance(row, dict) for row in data)


def read_tree(data: Any) -> MachineReading:
    """Reads a construction tree in either naming, and checks the rules of files."""
    if not isinstance(data, list) or not data or not all(isinstance(entry, dict) for entry in data):
        return MachineReading(None, (Fault("NOT_A_LIST", None, "A list of blocks is expected"),))
    if len(data) > MAX_BLOCKS:
        return MachineReading(
            None, (Fault("NOT_A_LIST", None, f"{len(data):,} blocks; at most {MAX_BLOCKS:,} are read"),)
        )
    forms = _REFERENCE if any("order_id" in entry for entry in data) else _PAPER
    entries: list[Entry | None] = []
    faults: list[Fault] = []
    warnings: list[Fault] = []
    for place, row in enumerate(data):
        entry, fault = _read_entry(place, row, forms, warnings)
        if entry is not None and place == 0:
            entry, fault = _as_root(entry, warnings)
        fault = fault or _first_fault(place, entry, entries)
        entries.append(entry if fault is None else None)
        if fault is not None:
            faults.append(fault)
    if faults:
        return MachineReading(None, tuple(faults), tuple(warnings))
    return MachineReading(tuple(entry for entry in entries if entry is not None), (), tuple(warnings))


def write_tree(tree: Sequence[Entry]) -> list[dict[str, Any]]:
    """The tree as data, in the paper's naming."""
    return [_row(entry) for entry in tree]


def without_settings(tree: Sequence[Entry]) -> Tree:
    """The same machine of usual blocks."""
    return tuple(entry if entry.settings is None else replace(entry, settings=None) for entry in tree)


def with_parameter(entry: Entry, name: str, value: ParameterValue) -> Entry:
    """An entry with another value of a parameter."""
    values = entry.settings.values() if entry.settings is not None else {}
    kept = entry.settings.kept if entry.settings is not None else None
    return replace(entry, settings=BlockSettings.of(values | {name: value}, kept))


def _row(entry: Entry) -> dict[str, Any]:
    *numbers, settings = vars(entry).values()
    return dict(zip(_PAPER[isinstance(entry, Link)], numbers, strict=True)) | write_settings(settings)


def _read_entry(
    place: int,
    row: Mapping[str, Any],
    forms: tuple[tuple[str, ...], tuple[str, ...]],
    warnings: list[Fault],
) -> tuple[Entry | None, Fault | None]:
    form = next((form for form in forms if set(row) >= set(form)), None)
    if form is None:
        wanted = " or ".join(", ".join(form) for form in forms)
        return None, Fault("BAD_KEYS", place, f"The keys have to be {wanted}")
    warnings += ignored_keys(place, row, (*form, PARAMETERS_KEY, KEPT_KEY))
    numbers = [_integer(row[name]) for name in form]
    for name, number in zip(form, numbers, strict=True):
        if number is None:
            return None, Fault("BAD_NUMBER", place, f"“{name}” is no whole number")
    whole = [number for number in numbers if number is not None]
    settings, ignored = read_settings(whole[0], row)
    warnings += [Fault("BAD_PARAMETER", place, f"Block {place}: {sentence}; ignored") for sentence in ignored]
    kind, number, *ends = whole
    if form is forms[0]:
        return MachineBlock(kind, number, ends[0], ends[1], settings), None
    return Link(kind, number, ends[0], ends[1], ends[2], ends[3], settings), None


def ignored_keys(place: int, row: Mapping[str, Any], known: Collection[str]) -> list[Fault]:
    """A warning about the keys of an entry that mean nothing."""
    unknown = ", ".join(f"“{str(name)[:40]}”" for name in list(row)[:9] if name not in known)
    sentence = f"Block {place}: {unknown} is not known and was ignored"
    return [Fault("BAD_KEYS", place, sentence)] if unknown else []


def _integer(value: Any) -> int | None:
    if isinstance(value, str):
        text = value.strip()
        return int(text) if re.fullmatch(rf"[+-]?\d{{1,{MAX_DIGITS}}}", text, re.ASCII) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if abs(value) < 10**MAX_DIGITS else None


def _as_root(entry: Entry, warnings: list[Fault]) -> tuple[Entry | None, Fault | None]:
    if not isinstance(entry, MachineBlock) or entry.type != ROOT:
        return None, Fault("BAD_ROOT", 0, "The first block has to be the starting block, type 0")
    if (entry.parent, entry.face) != (-1, -1):
        warnings.append(Fault("BAD_ROOT", 0, "The starting block has no parent; its parent and face are taken as -1"))
    return replace(entry, parent=-1, face=-1), None


def _first_fault(place: int, entry: Entry | None, before: Sequence[Entry | None]) -> Fault | None:
    """The first rule that an entry breaks; entries before it that are illegal are None."""
    if entry is None:
        return None
    kind = block_types().get(entry.type)
    if entry.id != place:
        return Fault("BAD_ID", place, f"Its id is {entry.id}, but it is number {place} in the list")
    if kind is None:
        return Fault("UNKNOWN_TYPE", place, f"There is no block of type {entry.type}")
    if place == 0:
        return None
    if entry.type == ROOT:
        return Fault("SECOND_ROOT", place, "There is one starting block only")
    if kind.is_linear != isinstance(entry, Link):
        parents = "two parents" if kind.is_linear else "one parent"
        return Fault("LINEAR_MISMATCH", place, f"A block of type {entry.type}, {kind.name}, has {parents}")
    for parent, face in ends_of(entry):
        fault = _fault_of_end(place, parent, face, before)
        if fault is not None:
            return fault
    return None


def ends_of(entry: Entry) -> tuple[tuple[int, int], ...]:
    """The (parent, face) that an entry hangs on; none for the starting block."""
    if isinstance(entry, Link):
        return (entry.parent_a, entry.face_a), (entry.parent_b, entry.face_b)
    return ((entry.parent, entry.face),) if entry.parent >= 0 else ()


def _fault_of_end(place: int, parent: int, face: int, before: Sequence[Entry | None]) -> Fault | None:
    if not 0 <= parent < place:
        return Fault("BAD_PARENT", place, f"Its parent {parent} does not come before it")
    above = before[parent]
    if above is None:
        return Fault("PARENT_INVALID", place, f"Its parent {parent} is illegal")
    kind = block_types()[above.type]
    if kind.is_linear:
        return Fault("BAD_PARENT", place, f"Its parent {parent} is a {kind.name.lower()}, which has no faces")
    if not 0 <= face < len(kind.faces):
        return Fault("NO_SUCH_FACE", place, f"Block {parent}, {kind.name}, has no face {face}")
    return None
