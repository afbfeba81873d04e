"""Machines in files of the game, `.bsg` (docs/files.md).

A file is XML: `Machine` with `Global` (position and rotation of the whole), `Data`, and `Blocks`, whose `Block`s have a
`Transform` in the machine's frame and `Data`, entries with a kind, a key and a value. Entries that this program
understands become parameters of the block; all are kept and written again. What it cannot carry is named by block.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import uuid4
from xml.etree import ElementTree
from xml.parsers import expat

from spatial_workbench.engine.machines.building.blocks import BRACE, ROOT, SPRING, Vector, block_types, quaternions
from spatial_workbench.engine.machines.building.poses import Pose, face_of, link_ends, plus, poses_of
from spatial_workbench.engine.machines.building.positions import (
    REACH_M,
    Placed,
    Quaternion,
    assembled,
    facing_of,
    product,
    rotated,
)
from spatial_workbench.engine.machines.building.settings import (
    MOST_KEPT,
    MOST_KEPT_CHARS,
    BlockSettings,
    GameEntry,
    ParameterValue,
    fault_in,
    parameters_of,
    usual_value,
)
from spatial_workbench.engine.machines.building.tree import MAX_BLOCKS, Entry, Link, MachineBlock, Tree, ends_of

MAX_BYTES = 5_000_000
MOST_NAMED = 20
"""As many blocks that cannot be carried are named."""

_GLOBAL: tuple[Vector, Quaternion] = ((0.0, 5.05, 0.0), (0.0, 0.0, 0.0, 1.0))
_NAME = "Spatial Workbench"
_ENTRIES: Mapping[int, tuple[GameEntry, ...]] = {
    0: (("Integer", "bmt-version", "1"),),
    9: (("Single", "bmt-slider", "10"), ("StringArray", "bmt-contract", "L"), ("Boolean", "bmt-toggle", "False")),
    22: (
        ("Integer", "bmt-version", "1"),
        ("Single", "bmt-speed", "1"),
        ("Single", "bmt-acceleration", "Infinity"),
        ("Boolean", "bmt-auto-brake", "True"),
        ("Boolean", "flipped", "False"),
    ),
    35: (("Single", "bmt-mass", "3"),),
    2: (("Boolean", "bmt-automatic", "True"), ("Boolean", "bmt-auto-brake", "False")),
    46: (("Boolean", "bmt-automatic", "True"), ("Boolean", "bmt-auto-brake", "False")),
}
"""What a block has that comes from no file, by type."""

_SCALES: Mapping[tuple[str, int], tuple[str, float]] = {
    ("speed", 2): ("bmt-speed", 1.0),
    ("speed", 46): ("bmt-speed", 1.0),
    ("speed", 22): ("bmt-speed", 1.0),
    ("strength", 9): ("bmt-slider", 10.0),
    ("mass", 35): ("bmt-mass", 1.0),
}
"""The entry of a number, and its value where the parameter is 1."""

_FLIPPED = "flipped"
_ENDS = ("start-position", "end-position", "end-rotation")
_FACES = "workbench-faces"
_WHOLE = "Machine"
"""The kind of what is kept of the file as a whole, among the entries of the starting block."""
_XML, _BESIDE, _BESIDE_ALL = "XML", "BesideData", "BesideBlocks"
"""The kinds of elements that are kept as they stand: among the entries, beside these, and beside the blocks."""


class GameFileError(ValueError):
    """A file that cannot be carried; the message names why, with the blocks."""


@dataclass(frozen=True)
class _Listed:
    """A block of a file: its number in the file, its type, its place, and its entries."""

    number: int
    type: int
    position: Vector
    rotation: Quaternion
    end: Vector | None
    entries: tuple[GameEntry, ...]


# Writing -------------------------------------------------------------------------------------------------------------


def write_game_file(tree: Tree) -> bytes:
    """A machine as a file of the game.

    Raises:
        GameFileError: Its places do not say which block stands on which; names the blocks.
    """
    ends = [ends_of(entry) for entry in tree]
    data = _document(tree, has_hints=False)
    if [ends_of(entry) for entry in _read_again(data)] == ends:
        return data
    data = _document(tree, has_hints=True)
    if [ends_of(entry) for entry in _read_again(data)] != ends:
        raise GameFileError("Two blocks of the machine stand in the same place, which the file cannot tell apart")
    return data


def _read_again(data: bytes) -> Tree:
    try:
        return read_game_file(data)
    except GameFileError as error:
        raise GameFileError(f"The machine cannot be told from the places of its blocks. {error}") from None


def _document(tree: Tree, has_hints: bool) -> bytes:
    """The file; hints name the faces that blocks stand on, for faces that lie in the same place."""
    poses = poses_of(tree)
    whole = _whole_of(tree[0])
    position, rotation = _floats(whole.get("root-position"), 3), _floats(whole.get("root-rotation"), 4)
    frame = _Frame(_three(position or [0.0] * 3), _four(rotation or [0.0, 0.0, 0.0, 1.0]))
    machine = ElementTree.Element("Machine", version="1", bsgVersion="1.3", name=whole.get("name", _NAME))
    placed = ElementTree.SubElement(machine, "Global")
    _add_place(
        placed,
        _three(_floats(whole.get("position"), 3) or list(_GLOBAL[0])),
        _four(_floats(whole.get("rotation"), 4) or list(_GLOBAL[1])),
    )
    data = ElementTree.SubElement(machine, "Data")
    _add_entries(data, _machine_entries(tree[0]))
    machine.extend(_elements(_kept_of(tree[0]), _BESIDE_ALL))
    blocks = ElementTree.SubElement(machine, "Blocks")
    for entry in tree:
        _add_block(blocks, tree, poses, entry, frame, has_hints)
    ElementTree.indent(machine)
    written: bytes = ElementTree.tostring(machine, "utf-8", xml_declaration=True)
    return written + b"\n"


@dataclass(frozen=True)
class _Frame:
    """The place of the starting block in the file, from which all others are seen."""

    position: Vector
    rotation: Quaternion

    def place(self, point: Vector) -> Vector:
        return plus(self.position, rotated(self.rotation, point))


def _add_block(
    blocks: ElementTree.Element,
    tree: Tree,
    poses: Sequence[Pose | None],
    entry: Entry,
    frame: _Frame,
    has_hints: bool,
) -> None:
    block = ElementTree.SubElement(blocks, "Block", id=str(entry.type), guid=str(uuid4()))
    transform = ElementTree.SubElement(block, "Transform")
    data = ElementTree.SubElement(block, "Data")
    pose = poses[entry.id]
    if isinstance(entry, Link):
        first, second = (frame.place(end) for end in link_ends(tree, poses, entry))
        _add_place(transform, first, _GLOBAL[1])
        zero = (0.0, 0.0, 0.0)
        for key, value in zip(_ENDS, (zero, _minus(second, first), zero), strict=True):
            _add_vector(data, key, value)
    else:
        assert pose is not None
        _add_place(transform, frame.place(pose.position), product(frame.rotation, quaternions()[pose.facing]))
    _add_numbers(ElementTree.SubElement(transform, "Scale"), "xyz", (1.0, 1.0, 1.0))
    _add_entries(data, _entries_of(entry, pose))
    block.extend(_elements(_kept_of(entry), _BESIDE))
    if has_hints and ends_of(entry):
        faces = "\n".join(f"{number} {face}" for number, face in ends_of(entry))
        _add_entries(data, [("StringArray", _FACES, faces)])


def _entries_of(entry: Entry, pose: Pose | None) -> list[GameEntry]:
    """The entries of a block: those that it had, changed where they do not say its parameters."""
    settings = entry.settings or BlockSettings()
    kept = [row for row in settings.kept or () if row[0] not in (_WHOLE, _BESIDE, _BESIDE_ALL)]
    is_flipped = pose is not None and _is_flipped(entry.type, pose)
    rows = kept if settings.kept is not None else _usual_entries(entry.type, is_flipped)
    for name, value in (
        {row.name: usual_value(row.name) for row in parameters_of(entry.type)} | settings.values()
    ).items():
        if _meaning(entry.type, rows, is_flipped).get(name, usual_value(name)) != value:
            rows = _with(rows, _entry_for(entry.type, name, value, is_flipped))
    return rows


def _usual_entries(kind: int, is_flipped: bool) -> list[GameEntry]:
    rows = list(_ENTRIES.get(kind, ()))
    return _with(rows, ("Boolean", _FLIPPED, "True")) if is_flipped else rows


def _entry_for(kind: int, name: str, value: ParameterValue, is_flipped: bool) -> GameEntry:
    if name == "reversed":
        return "Boolean", _FLIPPED, str(is_flipped != bool(value))
    if isinstance(value, str):
        return "StringArray", _key_entry(kind, name), value or ("L" if _key_entry(kind, name) == "bmt-contract" else "")
    key, scale = _SCALES.get((name, kind), (f"workbench-{name}", 1.0))
    return "Single", key, _number(float(value) * scale)


def _with(rows: Sequence[GameEntry], row: GameEntry) -> list[GameEntry]:
    """The entries, with one in the place of that of its key, or at the end."""
    if all(key != row[1] for _, key, _ in rows):
        return [*rows, row]
    return [row if key == row[1] else (kind, key, value) for kind, key, value in rows]


def _key_entry(kind: int, name: str) -> str:
    return "bmt-contract" if (kind, name) == (SPRING, "key") else f"workbench-{name.replace('_', '-')}"


def _is_flipped(kind: int, pose: Pose) -> bool:
    """Whether a wheel has to be flipped where it stands, so that it pushes forward."""
    motor = block_types()[kind].joint.motor
    return motor is not None and motor.flip_when_facing == pose.facing


def _add_place(parent: ElementTree.Element, position: Vector, rotation: Quaternion) -> None:
    _add_numbers(ElementTree.SubElement(parent, "Position"), "xyz", position)
    _add_numbers(ElementTree.SubElement(parent, "Rotation"), "xyzw", rotation)


def _add_numbers(element: ElementTree.Element, names: str, values: Sequence[float]) -> None:
    for name, value in zip(names, values, strict=True):
        element.set(name, _number(value))


def _add_vector(data: ElementTree.Element, key: str, value: Vector) -> None:
    vector = ElementTree.SubElement(data, "Vector3", key=key)
    for name, number in zip("XYZ", value, strict=True):
        ElementTree.SubElement(vector, name).text = _number(number)


def _kept_of(entry: Entry) -> tuple[GameEntry, ...]:
    return entry.settings.kept or () if entry.settings is not None else ()


def _elements(rows: Sequence[GameEntry], kind: str) -> list[ElementTree.Element]:
    """The elements that are kept as they stand."""
    return [_parsed(value.encode()) for row_kind, _, value in rows if row_kind == kind]


def _add_entries(data: ElementTree.Element, rows: Sequence[GameEntry]) -> None:
    for kind, key, value in rows:
        if kind == _XML:
            data.append(_parsed(value.encode()))
            continue
        if kind == "Vector3" and (numbers := _floats(value, 3)) is not None:
            _add_vector(data, key, _three(numbers))
            continue
        element = ElementTree.SubElement(data, kind, key=key)
        if kind == "StringArray":
            for text in value.splitlines():
                ElementTree.SubElement(element, "String").text = text
        else:
            element.text = value


def _number(value: float) -> str:
    return f"{round(value, 9) + 0.0:.10g}"


# Reading -------------------------------------------------------------------------------------------------------------


def read_game_file(data: bytes) -> Tree:
    """The machine in a file of the game; ids follow the order of the file where that is possible.

    Raises:
        GameFileError: It is no such file, or holds something that a machine cannot carry; names it, block by block.
    """
    machine = _parsed(data)
    if machine.tag != "Machine":
        raise GameFileError(f"The file holds “{machine.tag[:40]}”, not a machine")
    found = machine.findall("./Blocks/Block")
    if not found:
        raise GameFileError("The file holds no blocks")
    if len(found) > MAX_BLOCKS:
        raise GameFileError(f"The file holds {len(found):,} blocks; at most {MAX_BLOCKS:,} are read")
    problems: list[str] = []
    blocks = [block for k, element in enumerate(found) if (block := _block(k, element, problems)) is not None]
    _refuse(problems)
    root = _root_of(blocks)
    problems += [sentence for block in blocks for sentence in _problems_of_rotation(root, block)]
    _refuse(problems)
    placed = {block.number: _placed(block) for block in blocks}
    reading, places = assembled(list(placed.values()), placed[root.number])
    problems += [f"block {fault.entry}: {fault.sentence}" for fault in reading.faults]
    _refuse(problems)
    assert reading.tree is not None
    tree, numbers = _in_order(_hinted(reading.tree, blocks, places), places)
    listed = {block.number: block for block in blocks}
    poses = poses_of(tree)
    whole = _whole(machine, root)
    return tuple(
        replace(entry, settings=_settings(entry, pose, listed[number].entries, whole if entry.id == 0 else ()))
        for entry, pose, number in zip(tree, poses, numbers, strict=True)
    )


def _parsed(data: bytes) -> ElementTree.Element:
    if len(data) > MAX_BYTES:
        raise GameFileError(f"The file is {len(data) / 1e6:.1f} MB long; at most {MAX_BYTES / 1e6:.0f} MB are read")
    scan = expat.ParserCreate()
    scan.StartDoctypeDeclHandler = _refuse_doctype
    try:
        scan.Parse(data, True)
        return ElementTree.fromstring(data)
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise GameFileError(f"The file is not XML: {error}") from None
    except (LookupError, ValueError) as error:
        raise GameFileError(f"The file cannot be read: {error}") from None


def _refuse_doctype(*declaration: object) -> None:
    raise GameFileError("The file declares a document type, which may name other files; such files are not read")


def _refuse(problems: Sequence[str]) -> None:
    """Raises with the first problems, if there are any."""
    if problems:
        more = len(problems) - MOST_NAMED
        rest = [f"… and {more} more"] if more > 0 else []
        raise GameFileError("\n".join(["This cannot be carried:", *problems[:MOST_NAMED], *rest]))


def _block(number: int, element: ElementTree.Element, problems: list[str]) -> _Listed | None:
    """A block of the file; None, with its problems, where it cannot be read."""
    kind = element.get("id", "")
    known = int(kind) if kind.isascii() and kind.isdigit() and len(kind) < 10 else -1
    if known not in block_types():
        problems.append(f"block {number}: type {kind[:20] or 'without a number'} is not among the 27 types")
        return None
    position = _attributes(element.find("./Transform/Position"), "xyz")
    rotation = _attributes(element.find("./Transform/Rotation"), "xyzw")
    name = block_types()[known].name
    if position is None or rotation is None or not 0.5 < math.hypot(*rotation) < 2.0:
        problems.append(f"block {number}, {name}: its position or rotation cannot be read")
        return None
    scale = element.find("./Transform/Scale")
    sizes = [1.0] * 3 if scale is None else _attributes(scale, "xyz")
    if sizes is None or any(abs(size - 1) > 1e-6 for size in sizes):
        words = "cannot be read" if sizes is None else f"is {' × '.join(f'{size:g}' for size in sizes)}, not 1"
        problems.append(f"block {number}, {name}: its scale {words}")
        return None
    entries = _entries(element.find("./Data"), _beside(element, ("Transform", "Data"), _BESIDE))
    if entries is None:
        problems.append(f"block {number}, {name}: its entries are too many or too long")
        return None
    turn = _four([value / math.hypot(*rotation) for value in rotation])
    return _with_end(_Listed(number, known, _three(position), turn, None, entries), problems)


def _with_end(block: _Listed, problems: list[str]) -> _Listed | None:
    """The block, with the far end of a linear one."""
    if block.type not in (BRACE, SPRING):
        return block
    values = {key: value for kind, key, value in block.entries if kind == "Vector3"}
    begin = _floats(values.get("start-position", "0 0 0"), 3)
    end = _floats(values.get("end-position"), 3)
    if begin is None or end is None:
        problems.append(f"block {block.number}, {block_types()[block.type].name}: its ends cannot be read")
        return None
    first, second = (plus(block.position, rotated(block.rotation, _three(point))) for point in (begin, end))
    entries = tuple(row for row in block.entries if row[1] not in _ENDS)
    return replace(block, position=first, end=second, rotation=_GLOBAL[1], entries=entries)


def _root_of(blocks: Sequence[_Listed]) -> _Listed:
    roots = [block for block in blocks if block.type == ROOT]
    if len(roots) != 1:
        raise GameFileError(f"There are {len(roots)} starting blocks; there has to be one")
    return roots[0]


def _problems_of_rotation(root: _Listed, block: _Listed) -> Iterator[str]:
    if block.end is None and facing_of(root.rotation, block.rotation) is None:
        turn = ", ".join(f"{value:.3g}" for value in block.rotation)
        yield f"block {block.number}, {block_types()[block.type].name}: its rotation ({turn}) is that of no face"


def _placed(block: _Listed) -> Placed:
    return Placed(block.number, block.type, block.position, block.rotation, block.end)


def _in_order(tree: Tree, places: Sequence[int]) -> tuple[Tree, list[int]]:
    """The machine with its blocks in the order of the file, parents before children; and the number of each there."""
    left = sorted(range(1, len(tree)), key=lambda k: places[k])
    order = [0]
    done = {0}
    while left:
        ready = next((k for k in left if all(parent in done for parent, _ in ends_of(tree[k]))), None)
        if ready is None:
            raise GameFileError("The file names faces of blocks that stand on each other in a circle")
        left.remove(ready)
        order.append(ready)
        done.add(ready)
    ids = {old: new for new, old in enumerate(order)}
    return tuple(_renamed(tree[old], ids) for old in order), [places[old] for old in order]


def _renamed(entry: Entry, ids: Mapping[int, int]) -> Entry:
    if isinstance(entry, Link):
        return replace(entry, id=ids[entry.id], parent_a=ids[entry.parent_a], parent_b=ids[entry.parent_b])
    return replace(entry, id=ids[entry.id], parent=ids.get(entry.parent, -1))


def _hinted(tree: Tree, blocks: Sequence[_Listed], places: Sequence[int]) -> Tree:
    """The machine with its blocks on the faces that the file names, among those that lie in the same place."""
    hints = {block.number: value for block in blocks for _, key, value in block.entries if key == _FACES}
    if not hints:
        return tree
    poses = poses_of(tree)
    ids = {number: k for k, number in enumerate(places)}
    changed = list(tree)
    for number, text in hints.items():
        entry = tree[ids[number]]
        pairs = [_floats(line, 2) for line in text.splitlines()]
        named = [(ids.get(int(pair[0]), -1), int(pair[1])) for pair in pairs if pair is not None]
        ends = ends_of(entry)
        if len(named) == len(ends) and all(map(partial(_is_same_place, tree, poses, entry), ends, named)):
            changed[entry.id] = _on_faces(entry, named)
    return tuple(changed)


def _on_faces(entry: Entry, ends: Sequence[tuple[int, int]]) -> Entry:
    (block, face), *others = ends
    if not isinstance(entry, Link):
        return replace(entry, parent=block, face=face)
    return replace(entry, parent_a=block, face_a=face, parent_b=others[0][0], face_b=others[0][1])


def _is_same_place(
    tree: Tree, poses: Sequence[Pose | None], entry: Entry, end: tuple[int, int], named: tuple[int, int]
) -> bool:
    """Whether a face that a file names lies where the one is that a block was found to stand on."""
    block, face = named
    if block < 0 or isinstance(tree[block], Link) or not 0 <= face < len(block_types()[tree[block].type].faces):
        return False
    first, second = face_of(tree, poses, *end), face_of(tree, poses, block, face)
    looks_alike = isinstance(entry, Link) or first.facing == second.facing
    return looks_alike and math.dist(first.position, second.position) <= REACH_M


def _settings(
    entry: Entry, pose: Pose | None, entries: tuple[GameEntry, ...], whole: tuple[GameEntry, ...]
) -> BlockSettings | None:
    rows = [row for row in entries if row[1] != _FACES]
    is_flipped = isinstance(entry, MachineBlock) and pose is not None and _is_flipped(entry.type, pose)
    meaning = _meaning(entry.type, rows, is_flipped)
    is_ours = rows == _entries_of(replace(entry, settings=BlockSettings.of(meaning)), pose) and not whole
    return BlockSettings.of(meaning, None if is_ours else (*rows, *whole))


def _meaning(kind: int, rows: Sequence[GameEntry], is_flipped: bool) -> dict[str, ParameterValue]:
    """The parameters that entries say; what a parameter cannot be is only kept."""
    values = {key: value for _, key, value in rows}
    found: dict[str, ParameterValue] = {}
    for parameter in parameters_of(kind):
        value: ParameterValue | None = None
        if parameter.form == "switch":
            value = (values.get(_FLIPPED, "False").lower() == "true") != is_flipped
        elif parameter.form == "key":
            key = _key_entry(kind, parameter.name)
            text = values.get(key, "")
            value = None if key == "bmt-contract" and text == "L" else text
        else:
            key, scale = _SCALES.get((parameter.name, kind), (f"workbench-{parameter.name}", 1.0))
            numbers = _floats(values.get(key), 1)
            value = numbers[0] / scale if numbers is not None else None
        if value is not None and value != "" and not fault_in(kind, parameter.name, value):
            found[parameter.name] = value
    return found


def _entries(data: ElementTree.Element | None, beside: Sequence[GameEntry]) -> tuple[GameEntry, ...] | None:
    """The entries of a block or machine; None if there are more, or longer ones, than are kept."""
    rows = (*(_entry(element) for element in (data if data is not None else ())), *beside)
    if len(rows) > MOST_KEPT or any(len(text) > MOST_KEPT_CHARS for row in rows for text in row):
        return None
    return rows


def _beside(element: ElementTree.Element, known: Sequence[str], kind: str) -> list[GameEntry]:
    """What stands beside the parts that are known, as it stands."""
    return [(kind, child.tag, _text_of(child)) for child in element if child.tag not in known]


def _text_of(element: ElementTree.Element) -> str:
    """An element as text, without white space between its parts."""
    for part in element.iter():
        part.tail = None
        part.text = (part.text or "").strip() or None
    return ElementTree.tostring(element, "unicode")


def _entry(element: ElementTree.Element) -> GameEntry:
    tags = [part.tag for part in element]
    is_plain = {"StringArray": set(tags) <= {"String"}, "Vector3": tags == ["X", "Y", "Z"]}.get(element.tag, not tags)
    if not is_plain or set(element.keys()) - {"key"} or any(len(part) or part.keys() for part in element):
        return _XML, element.get("key", ""), _text_of(element)
    parts = [(part.text or "").strip() for part in element]
    if element.tag == "StringArray":
        value = "\n".join(parts) or (element.text or "").strip()
    else:
        value = " ".join(parts) or (element.text or "").strip()
    return element.tag, element.get("key", ""), value


def _whole(machine: ElementTree.Element, root: _Listed) -> tuple[GameEntry, ...]:
    """What the file says as a whole, where that differs from what is written anyway."""
    position = _attributes(machine.find("./Global/Position"), "xyz") or list(_GLOBAL[0])
    rotation = _attributes(machine.find("./Global/Rotation"), "xyzw") or list(_GLOBAL[1])
    named = {
        "name": (machine.get("name", _NAME), _NAME),
        "position": (_words(position), _words(_GLOBAL[0])),
        "rotation": (_words(rotation), _words(_GLOBAL[1])),
        "root-position": (_words(root.position), _words((0.0, 0.0, 0.0))),
        "root-rotation": (_words(root.rotation), _words(_GLOBAL[1])),
    }
    rows = [(_WHOLE, key, value[:MOST_KEPT_CHARS]) for key, (value, usual) in named.items() if value != usual]
    data = _entries(machine.find("./Data"), _beside(machine, ("Global", "Data", "Blocks"), _BESIDE_ALL))
    if data is None:
        raise GameFileError("The entries of the machine are too many or too long")
    others = [row for row in data if (row[:2] != _NO_MODS or row[2]) and row[0] != _BESIDE_ALL]
    rows += [(_WHOLE, f"{kind} {key}", value) for kind, key, value in others]
    return (*rows, *(row for row in data if row[0] == _BESIDE_ALL))


_NO_MODS = ("StringArray", "requiredMods")


def _whole_of(root: Entry) -> dict[str, str]:
    return {key: value for kind, key, value in _kept_of(root) if kind == _WHOLE}


def _machine_entries(root: Entry) -> list[GameEntry]:
    """The entries of the machine as a whole."""
    rows = [(key.split(" ", 1), value) for key, value in _whole_of(root).items() if " " in key]
    others = [(kind, name, value) for (kind, name), value in rows]
    return others if any(row[:2] == _NO_MODS for row in others) else [(*_NO_MODS, ""), *others]


def _attributes(element: ElementTree.Element | None, names: str) -> list[float] | None:
    if element is None:
        return None
    return _floats(" ".join(element.get(name, "?") for name in names), len(names))


def _floats(text: str | None, count: int) -> list[float] | None:
    """Numbers of a text, as many as expected and finite; None if they are not there."""
    words = (text or "").replace(",", " ").split()
    if len(words) != count:
        return None
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    return numbers if all(math.isfinite(value) and abs(value) < 1e6 for value in numbers) else None


def _words(values: Sequence[float]) -> str:
    return " ".join(_number(value) for value in values)


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _three(values: Sequence[float]) -> Vector:
    x, y, z = values
    return x, y, z


def _four(values: Sequence[float]) -> Quaternion:
    x, y, z, w = values
    return x, y, z, w
