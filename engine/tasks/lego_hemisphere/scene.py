"""The drawing: the shell, the bricks, and what the verdict found. In mm, z up, ground grid at the stud pitch."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.core.scene import Boxes, Ground, Item, Mesh, Points, Polygon, Polyline, Scene
from engine.core.verdict import Verdict
from engine.tasks.lego_hemisphere.answer import Brick, poses_of
from engine.tasks.lego_hemisphere.brick import HEIGHT, LENGTH, SIZE, STUD_PITCH, Poses
from engine.tasks.lego_hemisphere.rules import brick_ids
from engine.tasks.lego_hemisphere.target import Shell

POOR_SHARE, FAIR_SHARE = 0.25, 0.5
"""Below the first, a brick costs more than it brings; below the second, most of it is outside."""
LAYER_COLORS = ("series 0", "series 4", "series 2", "series 3")
"""No orange and no red, which would pass for a warning or a failure."""
STUDS = (4, 2)


def draw(shell: Shell, bricks: Sequence[Brick], verdict: Verdict | None) -> Scene:
    """The scene of a structure in a shell."""
    poses = Poses(poses_of(bricks))
    found = verdict.details if verdict else {}
    items = [target_item(shell), brick_item(poses, brick_colors(poses, found.get("shares"))), *_marks(poses, found)]
    reach = STUD_PITCH * float(np.ceil((shell.outer_mm + LENGTH) / STUD_PITCH))
    return Scene(
        items=items,
        unit="mm",
        ground=Ground(STUD_PITCH, (-reach, -reach, reach, reach)),
        bounds=((-shell.outer_mm, -shell.outer_mm, 0.0), (shell.outer_mm, shell.outer_mm, shell.outer_mm)),
    )


@lru_cache(maxsize=16)
def target_item(shell: Shell) -> Mesh:
    """The shell, translucent. The same object for the same shell, so that views keep what they made of it."""
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


def _marks(poses: Poses, found: dict[str, Any]) -> Iterator[Item]:
    for number, part in enumerate(found.get("unstable", ())):
        yield from _falling(number, part)
    for misfit in found.get("misfits", ()):
        if misfit["upper"] < len(poses):
            yield _shift(poses, misfit)


def _falling(number: int, part: dict[str, Any]) -> Iterator[Item]:
    """The centre of mass of a part that falls over, the line down from it, and the hull that it misses."""
    center, support = np.array(part["center_mm"]), np.array(part["support_mm"])
    hull = np.column_stack([support, np.full(len(support), 0.1)])
    line = np.array([center, [*center[:2], 0.0]])
    mass = f"centre of mass {number}"
    yield Polygon(id=f"support {number}", points=hull, color="warning", opacity=0.5, pickable=False)
    yield Polyline(id=f"plumb line {number}", points=line, color="failed", dashed=True, pickable=False)
    yield Points(name=mass, ids=[mass], positions=center[None], colors="failed", size_px=12.0)


def _shift(poses: Poses, misfit: dict[str, Any]) -> Polyline:
    """An arrow on the upper brick, to where it would click."""
    start = poses.centers[misfit["upper"]] + np.array([0.0, 0.0, HEIGHT / 2 + 2.0])
    end = start + np.array([*misfit["move_mm"], 0.0])
    name = f"shift of brick {misfit['upper']} on brick {misfit['lower']}"
    return Polyline(id=name, points=np.array([start, end]), color="failed", arrow=True, pickable=False)
