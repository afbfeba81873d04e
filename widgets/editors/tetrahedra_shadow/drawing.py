"""The two scenes of the editor, ghosts, and the ids of pieces. Pieces that have not changed are not drawn again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.scene import Floats, Item, Label, Mesh, Polygon, Polyline
from spatial_workbench.engine.tasks.tetrahedra_shadow.drawing import (
    below,
    colors_by_level,
    ground_items,
    piece_item,
    scene_of,
)
from spatial_workbench.engine.tasks.tetrahedra_shadow.live import Live
from spatial_workbench.engine.tasks.tetrahedra_shadow.overlap import common_shadow
from spatial_workbench.engine.tasks.tetrahedra_shadow.shadow import TetrahedraFit, outlines_of, shadows_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.solid import vertices_of
from spatial_workbench.engine.tasks.tetrahedra_shadow.target import TetrahedraTarget
from spatial_workbench.widgets.scene_views.legend import Entry, Key

PREFIX = "tetrahedron "
GLASS = 0.3
SHADOW_OPACITY = 0.1
ALONG_EDGES = [0, 1, 2, 0, 3, 1, 2, 3]
"""The corners of a tetrahedron in an order that passes along every edge."""
MAX_PAIRS = 60
"""The greatest number of intersecting pairs that are marked in the plan."""


class SceneCache:
    """The last drawn scene, and the objects from which it was drawn."""

    def __init__(self) -> None:
        self.scene = Scene(items=())
        self._sources: tuple[object, ...] = ()

    def is_of(self, *sources: object) -> bool:
        """Whether the scene was drawn from these very objects; remembers them as its sources."""
        before = self._sources
        self._sources = sources
        return len(before) == len(sources) and all(old is new for old, new in zip(before, sources, strict=True))


class TetrahedraDrawing:
    """Draws pieces; a piece that has not changed is the same object as before.

    measures: Whether shadows are drawn; without them, the plan shows the edges of the pieces.
    """

    def __init__(self, target: TetrahedraTarget, measures: bool) -> None:
        self.target = target
        self.measures = measures
        self._meshes: dict[tuple[int, bytes, str, bool], Mesh] = {}
        self._fit: TetrahedraFit | None = None
        self._ground = ground_items(target, None)
        self._below = below(self._ground)
        self._space = SceneCache()
        self._plan = SceneCache()

    def in_space(self, vertices: Floats, fit: TetrahedraFit | None, is_glass: bool) -> Scene:
        """The pieces (n, 4, 3) over the target; the same object as before if nothing has changed."""
        self._store_ground(fit)
        if not self._space.is_of(vertices, fit, is_glass):
            pieces = self._pieces(vertices, is_glass)
            self._space.scene = scene_of(self.target, [*self._below, *pieces], vertices)
        return self._space.scene

    def in_plan(self, live: Live, fit: TetrahedraFit | None, marks_pairs: bool) -> Scene:
        """The pieces on the target, from above; `marks_pairs` marks where pieces intersect."""
        self._store_ground(fit)
        if not self._plan.is_of(live.vertices, fit):
            pieces = _shadows(outlines_of(live.shadows)) if self.measures else _wires(live.vertices)
            common = _common(live.vertices, live.pairs.tolist() if marks_pairs else ())
            self._plan.scene = scene_of(self.target, [*self._ground, *pieces, *common], live.vertices, flat=True)
        return self._plan.scene

    def _store_ground(self, fit: TetrahedraFit | None) -> None:
        if self._fit is not fit:
            self._fit = fit
            self._ground = ground_items(self.target, fit)
            self._below = below(self._ground)

    def _pieces(self, vertices: Floats, is_glass: bool) -> list[Mesh]:
        before = self._meshes
        self._meshes = {}
        for i, (corners, color) in enumerate(zip(vertices, colors_by_level(vertices), strict=True)):
            key = (i, corners.tobytes(), color, is_glass)
            mesh = before.get(key) or piece_item(i, corners, color, GLASS if is_glass else 1.0)
            self._meshes[key] = mesh
        return list(self._meshes.values())

    def ghost_in_space(self, poses: Floats) -> list[Item]:
        """Pieces at poses (n, 7), and their shadows on the ground."""
        vertices = _vertices_at(poses)
        items: list[Item] = [
            replace(piece_item(k, corners, "accent", 0.75), id=f"ghost {k}") for k, corners in enumerate(vertices)
        ]
        for k, ring in enumerate(outlines_of(shadows_of(vertices)) if self.measures else ()):
            points = np.column_stack([ring, np.full(len(ring), -0.01)])
            items.append(Polygon(id=f"ghost shadow {k}", points=points, color="accent", opacity=0.4, outline="accent"))
        return items

    def ghost_in_plan(self, poses: Floats) -> Sequence[Item]:
        """Pieces at poses (n, 7), from above."""
        vertices = _vertices_at(poses)
        if not self.measures:
            return [replace(wire, color="accent") for wire in _wires(vertices)]
        return [
            Polygon(id=f"ghost {k}", points=ring, color="accent", opacity=0.5, outline="accent")
            for k, ring in enumerate(outlines_of(shadows_of(vertices)))
        ]


def _vertices_at(poses: Floats) -> Floats:
    return vertices_of(poses) if len(poses) else np.zeros((0, 4, 3))


def _shadows(outlines: Sequence[Floats]) -> list[Item]:
    shadows: list[Item] = [
        Polygon(id=f"{PREFIX}{i}", points=ring, color="neutral", opacity=SHADOW_OPACITY, outline=None)
        for i, ring in enumerate(outlines)
    ]
    return shadows + [
        Polyline(id=f"edge of {i}", points=ring, color="secondary", width_px=1.0, closed=True, pickable=False)
        for i, ring in enumerate(outlines)
    ]


def _wires(vertices: Floats) -> list[Polyline]:
    """The edges of pieces (n, 4, 3) from above, one line for each piece."""
    return [
        Polyline(id=f"{PREFIX}{i}", points=corners[ALONG_EDGES, :2], color="secondary", width_px=1.0)
        for i, corners in enumerate(vertices)
    ]


def _common(vertices: Floats, pairs: Iterable[Sequence[int]]) -> Iterator[Item]:
    """Where pairs of pieces intersect: hatched in the failed colour, with the numbers of the pair."""
    for i, j in islice(pairs, MAX_PAIRS):
        ring = common_shadow(vertices[i], vertices[j])
        if not len(ring):
            continue
        name = f"{i} and {j} intersect"
        yield Polygon(id=name, points=ring, color="failed", outline="failed", pattern="hatch", pickable=False)
        x, y = ring.mean(axis=0).tolist()
        yield Label(id=f"{name} label", position=(x, y), text=f"{i} × {j}", color="failed")


LEGEND = (
    Entry("covered", ("series 2",)),
    Entry("uncovered", ("series 0",)),
    Entry("outside, forgiven", ("warning",)),
    Entry("outside, costs points", ("failed",)),
    Entry("pair intersects", ("failed",), Key.LINE),
    Entry("target", ("text",), Key.LINE),
)
"""The legend of the plan; only the last entry is shown if pieces may not be judged."""


def index_of(element: str) -> int | None:
    """The number of the piece with an id; None if it is the id of something else."""
    number = element.removeprefix(PREFIX)
    return int(number) if element.startswith(PREFIX) and number.isdigit() else None


def indices_of(ids: Iterable[str]) -> list[int]:
    """The numbers of the pieces among ids."""
    return [i for i in map(index_of, ids) if i is not None]
