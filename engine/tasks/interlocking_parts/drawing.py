"""The drawing: the parts in their places, the free inside, the outer limit, the rods, and the verdict's marks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import (
    Boxes,
    Floats,
    Frame,
    Ground,
    Item,
    Label,
    Mesh,
    Polygon,
    Polyline,
    Scene,
)
from spatial_workbench.engine.geometry.remember import remember_solids
from spatial_workbench.engine.tasks.interlocking_parts.answer import IDENTITY, Part
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage, name_of
from spatial_workbench.engine.tasks.interlocking_parts.making import known
from spatial_workbench.engine.tasks.interlocking_parts.printing import contact
from spatial_workbench.engine.tasks.interlocking_parts.rays import transformed
from spatial_workbench.engine.tasks.interlocking_parts.solid import CageSolid

PART_COLORS = ("series 0", "series 4", "series 2", "neutral", "soil", "target")
"""By kind of part. Orange and red would look like a warning or a failure, and violet marks overlaps."""
ROD_SIDES = 24
ROD_BEYOND = 12.0
JOINING_PERCENT = range(100, -1, -2)
"""How far apart parts are that come together, in each frame."""
SHARED_COLOR = "series 3"
SEEN_THROUGH = 0.3
"""Opacity of a part on the bed when overhangs or open edges are marked, since many of these are inside."""
_GROUND_PITCH = 50.0


def draw(cage: Cage, parts: Sequence[Part], details: Mapping[str, Any] | None = None, apart: float = 0.0) -> Scene:
    """The scene of an assembly, with the marks from a verdict's details.

    apart: how far the parts are moved out from the middle, 0 (in place) to 1.
    """
    placed = moved_apart(cage, parts, apart)
    items: list[Item] = [*ghosts(cage), *part_items(parts, placed)]
    if details and not apart:
        items += marks(parts, details)
    return scene_of(cage, items, bounded=not apart)


def draw_joining(cage: Cage, parts: Sequence[Part]) -> Scene:
    """The parts with frames in which they come together; without frames if there are none."""
    frames = [Frame(percent, draw(cage, parts, apart=percent / 100).items) for percent in JOINING_PERCENT]
    whole = draw(cage, parts, apart=1.0)
    return replace(whole, frames=tuple(frames), frame_unit=marked("% apart")) if parts else whole


def scene_of(cage: Cage, items: Sequence[Item], bounded: bool = True) -> Scene:
    """Items in the frame of the assembly. The first view shows the cage if `bounded`, or else everything."""
    reach = _GROUND_PITCH * float(np.ceil(cage.outer_side / 2 / _GROUND_PITCH + 1))
    low, high = cage.outer_box
    return Scene(
        items=tuple(items),
        unit="mm",
        ground=Ground(_GROUND_PITCH, (-reach, -reach, reach, reach)),
        bounds=(tuple(low.tolist()), tuple(high.tolist())) if bounded else None,
    )


def colors_of(parts: Sequence[Part]) -> list[str]:
    """A colour for each part: the same for the same contents."""
    kinds: dict[tuple[str, str], int] = {}
    numbers = [kinds.setdefault((part.fileType, part.fileContents), len(kinds)) for part in parts]
    return [PART_COLORS[number % len(PART_COLORS)] for number in numbers]


def part_items(parts: Sequence[Part], matrices: Sequence[Floats]) -> Iterator[Item]:
    """The parts; one that cannot be drawn is replaced by a label."""
    for i, (part, matrix, color) in enumerate(zip(parts, matrices, colors_of(parts), strict=True)):
        built = known(part)
        if built.solid is not None:
            yield _mesh(name_of(i), built.solid, tuple(matrix.ravel().tolist()), color)
        else:
            state = "not evaluated" if built.waiting else "no solid"
            place = tuple(matrix[:3, 3].tolist())
            yield Label(id=f"{name_of(i)} in words", position=place, text=f"Part {i}: {state}", color="warning")


def matrix_of(part: Part) -> Floats:
    """A part's transform, or the identity if it cannot be drawn with it."""
    matrix = part.matrix
    return np.eye(4) if matrix is None else matrix


def moved_apart(cage: Cage, parts: Sequence[Part], apart: float) -> list[Floats]:
    """The transforms of the parts when they are moved out from the middle of the cage."""
    middle = np.array([0.0, 0.0, cage.outer_height / 2])
    matrices = []
    for part in parts:
        matrix = matrix_of(part).copy()
        solid = known(part).solid
        if apart and solid is not None:
            away = transformed(np.mean(solid.bounds, axis=0), matrix) - middle
            matrix[:3, 3] += apart * away * (0.9, 0.9, 0.6)
        matrices.append(matrix)
    return matrices


@lru_cache(maxsize=16)
def ghosts(cage: Cage) -> tuple[Item, ...]:
    """The free inside, the outer limit and the rods."""
    low, high = cage.inner_box
    inside = Boxes(
        name="free inside", ids=["free inside"], centers=((low + high) / 2)[None], sizes=high - low, colors="target",
        opacity=0.10, pickable=False,
    )  # fmt: skip
    edges = [*box_edges("inside edge", low, high, "target"), *box_edges("limit edge", *cage.outer_box, "line", True)]
    return (inside, *edges, *_rods(cage))


def box_edges(name: str, low: Floats, high: Floats, color: str, dashed: bool = False) -> Iterator[Polyline]:
    """The twelve edges of a box."""
    ends = np.array([low, high])
    corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for k in (0, 1) for j in (0, 1) for i in (0, 1)])
    pairs = [(a, b) for a in range(8) for b in range(a + 1, 8) if (a ^ b) in (1, 2, 4)]
    for number, (a, b) in enumerate(pairs):
        yield Polyline(
            id=f"{name} {number}", points=corners[[a, b]], color=color, width_px=1.2, dashed=dashed, pickable=False
        )


def marks(parts: Sequence[Part], details: Mapping[str, Any]) -> Iterator[Item]:
    """The marks from a verdict's details: shared volumes, overhangs, open edges, windows out of range."""
    for overlap in details.get("overlaps", ()):
        name = f"shared by parts {overlap['first']} and {overlap['second']}"
        if overlap["vertices"]:
            vertices = np.array(overlap["vertices"], float)
            faces = np.array(overlap["triangles"])
            yield Mesh(id=name, vertices=vertices, faces=faces, color=SHARED_COLOR, pickable=False)
            middle = tuple(vertices.mean(axis=0).tolist())
            yield Label(id=f"{name}, in words", position=middle, text=f"{overlap['volume_mm3']:.0f} mm³ shared")
    windows = () if details.get("overlaps") else details.get("windows", ())
    for number, window in enumerate(windows):
        ring = np.array(window["corners"], float)
        across, up = window["sides"]
        yield Polygon(id=f"window {number}", points=ring, color="warning", opacity=0.35, outline="warning",
                      pickable=False)  # fmt: skip
        middle = tuple(ring.mean(axis=0).tolist())
        yield Label(id=f"window {number}, in words", position=middle, text=f"{across:.0f} × {up:.0f}")
    for number, (part, item) in enumerate(print_marks(details)):
        if part < len(parts):
            yield _in_place(item, matrix_of(parts[part]), number)


def print_marks(details: Mapping[str, Any]) -> Iterator[tuple[int, Item]]:
    """The marks of single parts in the print frame, overhangs and open edges, each with the part's number."""
    for number, overhang in enumerate(details.get("overhangs", ())):
        corners = np.array(overhang["triangles"], float).reshape(-1, 3)
        faces = np.arange(len(corners)).reshape(-1, 3)
        name = f"overhang {number}"
        yield overhang["part"], Mesh(id=name, vertices=corners, faces=faces, color="failed", pickable=False)
        (x0, y0, z), (x1, y1, _) = corners.min(axis=0), corners.max(axis=0)
        ring = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
        outline = Polyline(id=f"{name}, outline", points=ring, color="failed", width_px=3, closed=True, pickable=False)
        yield overhang["part"], outline
    for edges in details.get("edges", ()):
        for number, ends in enumerate(edges["ends"]):
            points = np.array(ends, float)
            name = f"open edge {edges['part']}, {number}"
            yield edges["part"], Polyline(id=name, points=points, color="failed", width_px=3.0, pickable=False)


def _in_place(item: Item, matrix: Floats, number: int) -> Item:
    if isinstance(item, Mesh):
        return replace(item, vertices=transformed(item.vertices, matrix))
    assert isinstance(item, Polyline)
    return replace(item, points=transformed(item.points, matrix))


@remember_solids(maxsize=256)
def _mesh(name: str, solid: CageSolid, numbers: tuple[float, ...], color: str) -> Mesh:
    """A part's mesh; the same object for the same place, so that views can reuse their data."""
    matrix = np.array(numbers).reshape(4, 4)
    faces = solid.triangles if np.linalg.det(matrix[:3, :3]) > 0 else solid.triangles[:, ::-1]
    return Mesh(id=name, vertices=transformed(solid.vertices, matrix), faces=faces, color=color)


def _rods(cage: Cage) -> Iterator[Mesh]:
    turns = np.linspace(0, 2 * np.pi, ROD_SIDES, endpoint=False)
    ring = cage.rod / 2 * np.column_stack([np.cos(turns), np.sin(turns)])
    around = np.arange(ROD_SIDES)
    after = (around + 1) % ROD_SIDES
    walls = np.concatenate([
        np.column_stack([around, after, after + ROD_SIDES]),
        np.column_stack([around, after + ROD_SIDES, around + ROD_SIDES]),
    ])  # fmt: skip
    caps = [[0, k + 1, k] for k in range(1, ROD_SIDES - 1)]
    caps += [[ROD_SIDES, ROD_SIDES + k, ROD_SIDES + k + 1] for k in range(1, ROD_SIDES - 1)]
    for number, axis in enumerate(cage.axes):
        heights = (-ROD_BEYOND, cage.outer_height + ROD_BEYOND)
        vertices = np.concatenate([np.column_stack([ring + axis, np.full(ROD_SIDES, z)]) for z in heights])
        faces = np.concatenate([walls, caps])
        yield Mesh(id=f"rod {number}", vertices=vertices, faces=faces, color="muted", opacity=0.75)


def draw_bed(
    cage: Cage,
    part: Part | None,
    number: int,
    details: Mapping[str, Any] | None = None,
    color: str = "neutral",
    shows_limits: bool = True,
    shows_contact: bool = True,
) -> Scene:
    """A part on the printer's bed, in the print frame: the bed is centred under the part.

    shows_limits: whether the size of the bed and the room above it are drawn.
    shows_contact: whether the area that lies on the bed is marked.
    """
    x, y, z = cage.printer
    built = known(part) if part is not None else None
    solid = built.solid if built is not None else None
    middle = (solid.bounds[0] + solid.bounds[1])[:2] / 2 if solid is not None else np.zeros(2)
    half = np.array([x / 2, y / 2])
    low = np.append(middle - half, 0.0)
    high = np.append(middle + half, z)
    items: list[Item] = [*box_edges("build volume edge", low, high, "line")] if shows_limits else []
    if part is not None and solid is not None:
        wrong = [item for owner, item in print_marks(details or {}) if owner == number]
        mesh = _mesh(name_of(number), solid, IDENTITY, color)
        glass = [mesh, *(_contact(solid) if shows_contact else ())]
        items += [replace(item, opacity=SEEN_THROUGH) for item in glass] if wrong else glass
        items += wrong
    return Scene(
        items=tuple(items),
        unit="mm",
        axes=("u", "v", "t"),
        ground=Ground(_GROUND_PITCH, (*low[:2].tolist(), *high[:2].tolist())) if shows_limits else None,
        bounds=(tuple(low.tolist()), tuple(high.tolist())),
    )


def _contact(solid: CageSolid) -> Iterator[Mesh]:
    """The contact area on the bed, seen from below."""
    chosen = contact(solid)
    if len(chosen):
        corners = solid.corners[chosen].reshape(-1, 3) - (0, 0, 0.05)
        faces = np.arange(len(corners)).reshape(-1, 3)
        yield Mesh(id="bed contact", vertices=corners, faces=faces, color="passed", pickable=False)
