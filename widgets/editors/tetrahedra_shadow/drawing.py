"""The two scenes of the editor, ghosts, and the names of pieces. Drawings of pieces that stay are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from engine.core import Scene
from engine.core.scene import Floats, Item, Label, Mesh, Polygon, Polyline
from engine.tasks.tetrahedra_shadow.drawing import colors_by_level, ground_items, piece_item, scene_of
from engine.tasks.tetrahedra_shadow.overlap import common_shadow
from engine.tasks.tetrahedra_shadow.shadow import Fit, shadows_of
from engine.tasks.tetrahedra_shadow.solid import vertices_of
from engine.tasks.tetrahedra_shadow.target import Target
from widgets.legend import Entry, Key

PREFIX = "tetrahedron "
GLASS = 0.3
SHADOW_OPACITY = 0.1
MAX_PAIRS = 60
"""So many intersecting pairs are marked in the plan."""


class Drawing:
    """Draws pieces; a piece that did not change is the same object as before."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.glass = False
        self._meshes: dict[tuple[int, bytes, str, bool], Mesh] = {}
        self._ground: tuple[Fit | None, list[Item]] | None = None

    def in_space(self, vertices: Floats, fit: Fit | None) -> Scene:
        """The pieces (n, 4, 3) over the target."""
        pieces = self._pieces(vertices)
        if self._ground is None or self._ground[0] is not fit:
            self._ground = fit, ground_items(self.target, fit)
        return scene_of(self.target, [*self._ground[1], *pieces], vertices)

    def in_plan(self, vertices: Floats, fit: Fit | None, pairs: Iterable[Sequence[int]] = ()) -> Scene:
        """The shadows of the pieces on the target, from above, with what intersecting pairs have in common."""
        rings = shadow_outlines(vertices)
        shadows = [
            Polygon(id=f"{PREFIX}{i}", points=ring, color="neutral", opacity=SHADOW_OPACITY, outline=None)
            for i, ring in enumerate(rings)
        ]
        edges = [
            Polyline(id=f"edge of {i}", points=ring, color="secondary", width_px=1.0, closed=True, pickable=False)
            for i, ring in enumerate(rings)
        ]
        ground = ground_items(self.target, fit, 0.0)
        return scene_of(self.target, [*ground, *shadows, *edges, *_common(vertices, pairs)], vertices, flat=True)

    def _pieces(self, vertices: Floats) -> list[Mesh]:
        before, self._meshes = self._meshes, {}
        for i, (corners, color) in enumerate(zip(vertices, colors_by_level(vertices), strict=True)):
            key = (i, corners.tobytes(), color, self.glass)
            self._meshes[key] = before.get(key) or self._piece(i, corners, color)
        return list(self._meshes.values())

    def _piece(self, number: int, corners: Floats, color: str) -> Mesh:
        mesh = piece_item(number, corners, color)
        return replace(mesh, opacity=GLASS) if self.glass else mesh


def _common(vertices: Floats, pairs: Iterable[Sequence[int]]) -> Iterator[Item]:
    """Where pairs of pieces intersect: hatched in the failed colour, with the numbers of the two."""
    for i, j in islice(pairs, MAX_PAIRS):
        ring = common_shadow(vertices[i], vertices[j])
        if not len(ring):
            continue
        name = f"{i} and {j} intersect"
        yield Polygon(id=name, points=ring, color="failed", outline="failed", pattern="hatch", pickable=False)
        x, y = ring.mean(axis=0).tolist()
        yield Label(id=f"{name} label", position=(x, y), text=f"{i} × {j}", color="failed")


def shadow_outlines(vertices: Floats) -> list[Floats]:
    """The corners (n, 2) of the shadow of each piece (n, 4, 3)."""
    return [np.asarray(shadow.exterior.coords)[:-1] for shadow in shadows_of(vertices)]


def ghost_in_space(poses: Floats) -> list[Item]:
    """Pieces at poses (n, 7), and their shadows on the ground."""
    vertices = vertices_of(poses) if len(poses) else np.zeros((0, 4, 3))
    items: list[Item] = []
    for k, corners in enumerate(vertices):
        items.append(replace(piece_item(k, corners, "accent"), id=f"ghost {k}", opacity=0.75))
    for k, ring in enumerate(shadow_outlines(vertices)):
        points = np.column_stack([ring, np.full(len(ring), -0.01)])
        items.append(Polygon(id=f"ghost shadow {k}", points=points, color="accent", opacity=0.4, outline="accent"))
    return items


def ghost_in_plan(poses: Floats) -> list[Item]:
    """The shadows of pieces at poses (n, 7)."""
    vertices = vertices_of(poses) if len(poses) else np.zeros((0, 4, 3))
    return [
        Polygon(id=f"ghost {k}", points=ring, color="accent", opacity=0.5, outline="accent")
        for k, ring in enumerate(shadow_outlines(vertices))
    ]


def legend_entries() -> Sequence[Entry]:
    """What the colours on the ground mean."""
    return (
        Entry("covered", ("series 2",)),
        Entry("uncovered", ("series 0",)),
        Entry("outside, forgiven", ("warning",)),
        Entry("outside, costs points", ("failed",)),
        Entry("pair intersects", ("failed",), Key.LINE),
        Entry("target", ("text",), Key.LINE),
    )


def index_of(element: str) -> int | None:
    """The number of the piece that an id names."""
    number = element.removeprefix(PREFIX)
    return int(number) if element.startswith(PREFIX) and number.isdigit() else None


def indices_of(ids: Iterable[str]) -> list[int]:
    """The numbers of the pieces among ids."""
    return [i for i in map(index_of, ids) if i is not None]
