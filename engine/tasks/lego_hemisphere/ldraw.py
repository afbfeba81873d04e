"""Structures as LDraw models (.ldr, .mpd): 2 x 4 bricks, part 3001.

LDraw measures in units of 0.4 mm and points y down; a brick's origin is the middle of its top face, its long side along
x. A brick is 80 x 24 x 40 units.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spatial_workbench.engine.core import CannotRepresent, FileFormat
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.mesh_limits import MAX_PLACEMENTS
from spatial_workbench.engine.geometry.nesting import NestedTooDeeply, expanded_size
from spatial_workbench.engine.tasks.lego_hemisphere.answer import MAX_BRICKS, Structure, bricks_at, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT

UNIT_MM = 0.4
PART = "3001.dat"
_COLORS = (4, 14, 1, 2, 15, 25)
"""LDraw colours by layer: red, yellow, blue, green, white, orange."""
_TO_LDRAW = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""The matrix that turns z up into LDraw's y down."""
_MAX_LINES = 200_000
_STRAIGHT = 1e-3


def write_ldraw(task: Any, instance: Any, answer: Structure) -> bytes:
    """The bricks as an LDraw model, one line a brick."""
    lines = [f"0 {task.title}", "0 Name: model.ldr", "0 !LDRAW_ORG Unofficial_Model"]
    for x, y, z, angle in poses_of(answer.bricks):
        lines.append(_line(np.array([x, y, z]), angle))
    return ("\r\n".join(lines) + "\r\n").encode()


def _line(center: Floats, angle_deg: float) -> str:
    layer = max(0, round((center[2] - HEIGHT / 2) / HEIGHT))
    place = _TO_LDRAW @ (center + np.array([0.0, 0.0, HEIGHT / 2])) / UNIT_MM
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    turn = _TO_LDRAW @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]) @ _TO_LDRAW.T
    numbers = " ".join(f"{round(float(value), 6) + 0.0:g}" for value in (*place, *turn.ravel()))
    return f"1 {_COLORS[layer % len(_COLORS)]} {numbers} {PART}"


def read_ldraw(task: Any, instance: Any, data: bytes) -> Structure:
    """The bricks of an LDraw model; submodels of an .mpd are put in their places.

    Raises:
        CannotRepresent: names the first line that no structure of upright 2 x 4 bricks can hold.
    """
    models = _models(data.decode("utf-8", "replace"))
    main = next(iter(models))
    _require_bounded(models, main)
    poses = list(_bricks(models, main, np.eye(4)))
    if not poses:
        raise CannotRepresent("The file holds no 2 x 4 brick (part 3001)")
    return Structure(bricks=bricks_at(np.array(poses)))


Line = tuple[int, list[str]]


def _models(text: str) -> dict[str, list[Line]]:
    """The models of a file by name, the main one first; only lines that place parts."""
    models: dict[str, list[Line]] = {"": []}
    name = ""
    lines = text.splitlines()
    if len(lines) > _MAX_LINES:
        raise CannotRepresent(f"The file has {len(lines)} lines; at most {_MAX_LINES} are read")
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words[:2] == ["0", "FILE"]:
            name = " ".join(words[2:]).lower()
            models.setdefault(name, [])
        elif words[:1] == ["1"]:
            models[name].append((number, words))
        elif words[:1] and words[0] in "2345":
            raise CannotRepresent(f"Line {number} draws a line or a face; only whole parts can be read")
    return {key: value for key, value in models.items() if value or key} or {"": []}


def _require_bounded(models: dict[str, list[Line]], main: str) -> None:
    """Counts the placed bricks before anything is built, because submodels may contain others many times."""
    parts = {
        name: [part for number, words in lines if (part := _reference(number, words)[0]) in models]
        for name, lines in models.items()
    }
    bricks = {name: len(lines) - len(parts[name]) for name, lines in models.items()}
    try:
        brick_count = expanded_size([main], parts.__getitem__, bricks.__getitem__)
        model_count = expanded_size([main], parts.__getitem__, lambda name: 1)
    except NestedTooDeeply:
        raise CannotRepresent("Submodels are nested too deeply, or hold each other") from None
    if brick_count > MAX_BRICKS:
        raise CannotRepresent(
            f"The file holds {counted(brick_count, 'part')}; at most {MAX_BRICKS:,} bricks are allowed"
        )
    if model_count > MAX_PLACEMENTS:
        raise CannotRepresent(f"The file places {model_count:,} submodels; at most {MAX_PLACEMENTS:,} are read")


def _bricks(models: dict[str, list[Line]], name: str, matrix: Floats) -> Iterator[tuple[float, ...]]:
    for number, words in models[name]:
        part, place = _reference(number, words)
        whole = matrix @ place
        if part in models:
            yield from _bricks(models, part, whole)
        elif part == PART:
            yield _pose(number, whole)
        else:
            raise CannotRepresent(f"Line {number} places the part {part}; there are only 2 x 4 bricks here ({PART})")


def _reference(number: int, words: list[str]) -> tuple[str, Floats]:
    try:
        values = [float(word) for word in words[2:14]]
        if len(values) < 12 or len(words) < 15 or not np.isfinite(values).all():
            raise ValueError
    except ValueError:
        raise CannotRepresent(f"Line {number} is not a complete reference to a part") from None
    place = np.eye(4)
    place[:3, 3] = values[:3]
    place[:3, :3] = np.reshape(values[3:], (3, 3))
    return " ".join(words[14:]).lower().replace("\\", "/").rpartition("/")[2], place


def _pose(number: int, whole: Floats) -> tuple[float, ...]:
    """A brick's centre in mm and its turn in degrees."""
    turn = _TO_LDRAW.T @ whole[:3, :3] @ _TO_LDRAW
    upright = np.abs(turn[2] - [0, 0, 1]).max() < _STRAIGHT and np.abs(turn @ turn.T - np.eye(3)).max() < _STRAIGHT
    if not upright or np.linalg.det(turn) < 0:
        raise CannotRepresent(
            f"Line {number} places a brick that is tipped, scaled or mirrored; here they stand upright"
        )
    center = _TO_LDRAW.T @ whole[:3, 3] * UNIT_MM - np.array([0.0, 0.0, HEIGHT / 2])
    angle = np.degrees(np.arctan2(turn[1, 0], turn[0, 0])) % 360
    return (*np.round(center, 6).tolist(), round(float(angle), 6) % 360)


LDRAW = FileFormat("LDraw model", write_ldraw, read_ldraw)
