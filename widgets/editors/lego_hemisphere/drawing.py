"""What the two views show: the bricks in 3D, and the plan of a layer. Unchanged items stay the same objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np

from spatial_workbench.engine.core.scene import Boxes, Floats, Item, Polygon, Polyline, Scene, Voxels
from spatial_workbench.engine.tasks.lego_hemisphere import Brick, BrickShell, cells
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT, SIZE, STUD_PITCH, Poses, height_of
from spatial_workbench.engine.tasks.lego_hemisphere.drawing import (
    FAIR_SHARE,
    POOR_SHARE,
    STUDS,
    brick_colors,
    brick_item,
    marks,
    scene_of,
    target_item,
)
from spatial_workbench.engine.tasks.lego_hemisphere.rules import brick_ids

GOOD_COLOR = "series 4"
"""The colour of bricks that are mostly inside the shell, if colours only show shares."""
STUDDED_GHOSTS = 100
"""The greatest number of ghosts that are drawn with studs; more would follow the pointer too slowly."""
HEAT_STEPS = 8
LEAST_MISSING = 1 / 16
"""Cells of which less is missing are not coloured."""
HEAT_RANGE = 0.42, 0.86
"""The part of the heat scale that is used; its ends are too dark to be seen on bricks or a dark background."""


class Coloring(IntEnum):
    """The meaning of the bricks' colours."""

    BOTH = 0
    SHARE = 1
    LAYER = 2


@dataclass
class BrickDrawing:
    """Draws the bricks, and reuses what has not changed."""

    shell: BrickShell
    _bricks: Boxes | None = None
    _marks: tuple[Item, ...] = ()
    _marks_by_layer: dict[int, tuple[Item, ...]] = field(default_factory=dict)
    _scene: Scene | None = field(default=None)

    def store_marks(self, poses: Poses, details: dict[str, Any]) -> None:
        """Stores the marks of a verdict, which are shown until the next one."""
        self._marks = tuple(marks(poses, details))
        self._marks_by_layer = (
            {layer: tuple(marks(poses, of_layer(poses, details, layer))) for layer in set(poses.layers.tolist())}
            if self._marks
            else {}
        )

    def marks_on(self, layer: int) -> tuple[Item, ...]:
        """The verdict's marks on a layer."""
        return self._marks_by_layer.get(layer, ())

    def scene(self, poses: Poses, colors: list[str], extras: Sequence[Item]) -> Scene:
        """The scene of the 3D view; the same object as before if nothing has changed."""
        if self._bricks is None or not _same_bricks(self._bricks, poses, colors):
            self._bricks = brick_item(poses, colors)
        items = (target_item(self.shell), self._bricks, *self._marks, *extras)
        if self._scene is None or not _same_items(self._scene.items, items):
            self._scene = scene_of(self.shell, items)
        return self._scene


def colors_of(poses: Poses, shares: Floats, coloring: Coloring) -> list[str]:
    """The colour role of each brick."""
    if coloring is Coloring.LAYER:
        return brick_colors(poses, None)
    if coloring is Coloring.BOTH:
        return brick_colors(poses, shares.tolist())
    return [
        "failed" if share < POOR_SHARE else "warning" if share < FAIR_SHARE else GOOD_COLOR for share in shares.tolist()
    ]


def of_layer(poses: Poses, details: dict[str, Any], layer: int) -> dict[str, Any]:
    """The part of a verdict's details that concerns the bricks of a layer."""

    def is_in_layer(brick: int) -> bool:
        return brick < len(poses) and bool(poses.layers[brick] == layer)

    return {
        "unstable": [part for part in details.get("unstable", ()) if any(map(is_in_layer, part["bricks"]))],
        "floating": [part for part in details.get("floating", ()) if any(map(is_in_layer, part))],
        "misfits": [misfit for misfit in details.get("misfits", ()) if is_in_layer(misfit["upper"])],
        "overlaps": [
            pair for pair in details.get("overlaps", ()) if is_in_layer(pair["first"]) or is_in_layer(pair["second"])
        ],
    }


def ghost_item(poses: Floats) -> Boxes:
    """Bricks that may be placed."""
    ghosts = Poses(poses)
    return Boxes(
        name="ghost",
        ids=[f"ghost {i}" for i in range(len(ghosts))],
        centers=ghosts.centers,
        sizes=SIZE,
        angles_deg=ghosts.angles_deg,
        studs=STUDS if len(ghosts) <= STUDDED_GHOSTS else None,
    )


@lru_cache(maxsize=64)
def layer_rings(shell: BrickShell, layer: int) -> tuple[Item, ...]:
    """The outlines of the shell where a layer's bricks stand."""
    z = HEIGHT * layer + 0.2
    return tuple(
        Polyline(
            id=f"ring {i} of layer {layer}",
            points=np.column_stack([ring, np.full(len(ring), z)]),
            color="accent",
            width_px=1.6,
            closed=True,
            pickable=False,
        )
        for i, ring in enumerate(shell.outlines(HEIGHT * layer))
    )


def heat_role(share: float) -> str:
    """The colour role of a missing share."""
    low, high = HEAT_RANGE
    return f"scale {low + (high - low) * share:.3f}"


@dataclass(frozen=True, eq=False)
class Heat:
    """The cells of a layer that bricks do not fill: corners on the lattice (n, 2), how much is missing (n,)."""

    layer: int
    corners_mm: Floats
    missing: Floats

    @classmethod
    def of(cls, shell: BrickShell, layer: int, bricks: Sequence[Brick]) -> Heat:
        """The part of a layer that bricks do not fill."""
        values = cells.missing(shell, layer, bricks).values
        places = np.argwhere(values >= LEAST_MISSING)
        return cls(layer, np.asarray(STUD_PITCH * (places - len(values) / 2), float), values[tuple(places.T)])

    @property
    def colors(self) -> list[str]:
        """The colour role of each cell."""
        steps = np.ceil(self.missing * HEAT_STEPS) / HEAT_STEPS
        return [heat_role(step) for step in steps.tolist()]

    def in_space(self) -> Boxes:
        """See-through cells for the 3D view."""
        centers = np.column_stack([self.corners_mm + STUD_PITCH / 2, np.full(len(self.missing), height_of(self.layer))])
        return Boxes(
            name="missing",
            ids=[f"missing {i}" for i in range(len(centers))],
            centers=centers,
            sizes=np.array([STUD_PITCH, STUD_PITCH, HEIGHT]),
            colors=self.colors,
            opacity=0.4,
            pickable=False,
        )

    def in_plan(self) -> Voxels:
        """Coloured squares for the plan."""
        squares = np.round(self.corners_mm / STUD_PITCH).astype(int)
        return Voxels(
            name="missing",
            cells=np.column_stack([squares, np.zeros(len(squares), int)]),
            pitch=STUD_PITCH,
            colors=self.colors,
            opacity=0.75,
            edges=False,
            pickable=False,
        )


def plan_scene(
    shell: BrickShell, layer: int, poses: Poses, colors: Sequence[str], heat: Heat | None, findings: Sequence[Item]
) -> Scene:
    """A layer from above: its bricks and those below, outlines of the shell at bottom, middle and top, and marks."""
    items = list(_ring_band(shell, layer))
    items.append(_bricks_of(poses, colors, layer - 1, below=True))
    if heat is not None:
        items.append(heat.in_plan())
    items.append(_bricks_of(poses, colors, layer, below=False))
    items += [*_ring_lines(shell, layer), *findings]
    return scene_of(shell, items, flat=True)


def _bricks_of(poses: Poses, colors: Sequence[str], layer: int, below: bool) -> Boxes:
    rows = np.flatnonzero(poses.layers == layer)
    return Boxes(
        name="bricks below" if below else "bricks",
        ids=brick_ids(rows.tolist()),
        centers=poses.centers[rows],
        sizes=SIZE,
        angles_deg=poses.angles_deg[rows],
        colors="muted" if below else [colors[i] for i in rows.tolist()],
        opacity=0.3 if below else 0.92,
        studs=None if below else STUDS,
        pickable=not below,
    )


@lru_cache(maxsize=64)
def _ring_band(shell: BrickShell, layer: int) -> tuple[Item, ...]:
    """The shell at the layer's middle, filled."""
    rings = shell.layer_outlines(layer)["middle"]
    if not rings:
        return ()
    outline = rings[0]
    if len(rings) > 1:
        outer, inner = (np.concatenate([ring, ring[:1]]) for ring in rings)
        outline = np.concatenate([outer, inner[::-1]])
    return (Polygon(id="shell", points=outline, color="target", opacity=0.35, outline=None, pickable=False),)


@lru_cache(maxsize=64)
def _ring_lines(shell: BrickShell, layer: int) -> tuple[Item, ...]:
    return tuple(_ring_lines_of(shell, layer))


def _ring_lines_of(shell: BrickShell, layer: int) -> Iterator[Item]:
    widths = {"bottom": (1.2, False), "middle": (2.0, False), "top": (1.2, True)}
    for name, rings in shell.layer_outlines(layer).items():
        for i, ring in enumerate(rings):
            width, dashed = widths[name]
            yield Polyline(
                id=f"{name} {i}",
                points=ring,
                color="text",
                width_px=width,
                dashed=dashed,
                closed=True,
                pickable=False,
            )


def _same_bricks(item: Boxes, poses: Poses, colors: list[str]) -> bool:
    return item.centers is poses.centers and item.angles_deg is poses.angles_deg and item.colors == colors


def _same_items(before: Sequence[Item], after: Sequence[Item]) -> bool:
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))
