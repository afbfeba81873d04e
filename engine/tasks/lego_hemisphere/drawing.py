"""The drawing: the shell, the bricks, and the verdict's marks. In mm, z up, ground grid at the stud pitch."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Ground, Item, Label, Mesh, Points, Polygon, Polyline, Scene
from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.assembly import MAX_TWIST_DEG
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, LENGTH, SIZE, STUD_PITCH, Poses
from spatial_workbench.engine.tasks.lego_hemisphere.rules import brick_ids
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell

POOR_SHARE, FAIR_SHARE = 0.25, 0.5
"""Below the first, a brick costs more than it brings; below the second, most of it is outside."""
LAYER_COLORS = ("series 0", "series 4", "series 2", "series 3")
"""Without orange and red, which would look like a warning or a failure."""
STUDS = (4, 2)
CLEAR_OF_STUDS_MM = 2.0
"""Marks on a brick are this far above its top."""
MARKED = 24
"""The most marks drawn of each kind."""


def draw(shell: BrickShell, bricks: Sequence[Brick], verdict: Verdict | None) -> Scene:
    """The scene of a structure in a shell."""
    poses = Poses(poses_of(bricks))
    details = verdict.details if verdict else {}
    drawn = brick_item(poses, brick_colors(poses, details.get("shares")))
    return scene_of(shell, [target_item(shell), drawn, *marks(poses, details)])


def scene_of(shell: BrickShell, items: Sequence[Item], flat: bool = False) -> Scene:
    """Items on the ground around a shell, seen in space or, `flat`, from above."""
    reach = STUD_PITCH * float(np.ceil((shell.outer_mm + LENGTH) / STUD_PITCH))
    outer = shell.outer_mm
    return Scene(
        items=tuple(items),
        unit="mm",
        flat=flat,
        ground=Ground(STUD_PITCH, (-reach, -reach, reach, reach)),
        bounds=((-outer, -outer, 0.0), (outer, outer, outer)),
    )


@lru_cache(maxsize=16)
def target_item(shell: BrickShell) -> Mesh:
    """The shell, translucent. The same object for the same shell, so that views can reuse their data."""
    vertices, faces = shell.mesh
    return Mesh(id="target", vertices=vertices, faces=faces, color="target", opacity=0.18, pickable=False)


def brick_item(poses: Poses, colors: Sequence[str]) -> Boxes:
    """All bricks; their ids are "brick 0", "brick 1", ..."""
    return Boxes(
        name="bricks",
        ids=brick_ids(range(len(poses))),
        centers=poses.centers,
        sizes=SIZE,
        angles_deg=poses.angles_deg,
        colors=colors,
        studs=STUDS,
    )


def brick_colors(poses: Poses, shares: Sequence[float] | None) -> list[str]:
    """A role for each brick: by its layer, or failed and warning where little of it is in the shell."""
    colors = [LAYER_COLORS[layer % len(LAYER_COLORS)] for layer in poses.layers.tolist()]
    if shares is None or len(shares) != len(colors):
        return colors
    return [
        "failed" if share < POOR_SHARE else "warning" if share < FAIR_SHARE else color
        for color, share in zip(colors, shares, strict=True)
    ]


def marks(poses: Poses, details: dict[str, Any]) -> Iterator[Item]:
    """The marks for a verdict's details: parts that fall or float, missed studs, shared volumes; the first of each."""
    for number, part in enumerate(details.get("unstable", ())[:MARKED]):
        yield from _falling(number, part)
    for part in details.get("floating", ())[:MARKED]:
        if max(part) < len(poses):
            yield _floating(poses, part)
    for misfit in details.get("misfits", ())[:MARKED]:
        if max(misfit["lower"], misfit["upper"]) < len(poses):
            yield from _shift(poses, misfit)
    for overlap in details.get("overlaps", ())[:MARKED]:
        if max(overlap["first"], overlap["second"]) < len(poses):
            yield from _shared(poses, overlap)


def _falling(number: int, part: dict[str, Any]) -> Iterator[Item]:
    """The centre of mass of a part that falls over, the line down from it, and the hull that it misses."""
    center = np.array(part["center_mm"])
    support = np.array(part["support_mm"])
    hull = np.column_stack([support, np.full(len(support), 0.1)])
    line = np.array([center, [*center[:2], 0.0]])
    mass = f"centre of mass {number}"
    yield Polygon(id=f"support {number}", points=hull, color="warning", opacity=0.5, pickable=False)
    yield Polyline(id=f"plumb line {number}", points=line, color="failed", dashed=True, pickable=False)
    yield Points(name=mass, ids=[mass], positions=center[None], colors="failed", size_px=12.0)
    yield Label(id=f"{mass}, in words", position=(*center[:2], 0.0), text="falls over here")


def _floating(poses: Poses, part: Sequence[int]) -> Label:
    """A word below a part that is not on the ground."""
    place = poses.centers[list(part)].mean(axis=0) - np.array([0.0, 0.0, HEIGHT])
    return Label(id=f"brick {part[0]} floats", position=tuple(place.tolist()), text=marked("floats"))


def _shift(poses: Poses, misfit: dict[str, Any]) -> Iterator[Item]:
    """An arrow from the upper brick to where it would click, with the distances."""
    start = poses.centers[misfit["upper"]] + np.array([0.0, 0.0, HEIGHT / 2 + CLEAR_OF_STUDS_MM])
    name = f"brick {misfit['upper']} on brick {misfit['lower']}"
    word = f"turned {misfit['twist_deg']:+.1f}°"
    if abs(misfit["twist_deg"]) <= MAX_TWIST_DEG:
        x, y = (round(step, 2) + 0.0 for step in misfit["move_mm"])
        word = f"move ({x:g}, {y:g}) mm"
        end = start + np.array([x, y, 0.0])
        yield Polyline(id=f"shift of {name}", points=np.array([start, end]), color="failed", arrow=True, pickable=False)
    above = start + np.array([0.0, 0.0, CLEAR_OF_STUDS_MM])
    yield Label(id=f"shift of {name}, in words", position=tuple(above.tolist()), text=word)


def _shared(poses: Poses, overlap: dict[str, Any]) -> Iterator[Item]:
    """The outline of the intersection of two bricks, and its volume."""
    from shapely import Polygon as Shape

    pair = [overlap["first"], overlap["second"]]
    shape = Shape(poses.footprints[pair[0]]).intersection(Shape(poses.footprints[pair[1]]))
    if shape.geom_type != "Polygon" or shape.is_empty:
        return
    top = float(poses.centers[pair, 2].max()) + HEIGHT / 2 + CLEAR_OF_STUDS_MM
    corners = np.asarray(shape.exterior.coords)[:-1]
    ring = np.column_stack([corners, np.full(len(corners), top)])
    name = f"shared by bricks {pair[0]} and {pair[1]}"
    middle = tuple(ring.mean(axis=0).tolist())
    yield Polyline(id=name, points=ring, color="failed", closed=True, width_px=3.0, pickable=False)
    yield Label(id=f"volume {name}", position=middle, text=f"{overlap['volume_mm3']:.0f} mm³ shared")
