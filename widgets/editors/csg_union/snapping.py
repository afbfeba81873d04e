"""Where points snap to: the body's own vertices and edges, the solids', and the lattice."""

from __future__ import annotations

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody
from spatial_workbench.engine.tasks.csg_union import Solid
from spatial_workbench.engine.tasks.csg_union.editing import edges_of, snap_targets
from spatial_workbench.widgets.editing.gestures import distance_px
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece
from spatial_workbench.widgets.scene_views.view import PointerEvent

SNAP_PX = 11.0
FARTHEST_CM = 100.0


class Snapping:
    """Finds places to snap to.

    plane_z: The height of the lattice.
    takes_crossings: Whether points snap to where edges meet other solids.
    """

    def __init__(self, piece: Workpiece, solids: tuple[Solid, ...]) -> None:
        self.plane_z = 0.0
        self.takes_crossings = False
        self._piece = piece
        self._solids = solids

    def targets(self) -> tuple[Floats, list[str]]:
        """Points (n, 3) to snap to, the body's own first, and a name for each."""
        own, own_names = _own_targets(self._piece.body)
        targets = snap_targets(self._solids)
        offered = [k for k, name in enumerate(targets.names) if self.takes_crossings or " on solid " not in name]
        return np.concatenate([own, targets.points[offered]]), [*own_names, *(targets.names[k] for k in offered)]

    def place_of(self, event: PointerEvent) -> tuple[Floats, str] | None:
        """The place to snap to, with its name: a target near the pointer, or else a point of the lattice."""
        points, names = self.targets()
        gaps = distance_px(event.view, event, points)
        gaps[~np.isfinite(gaps)] = np.inf
        near = np.flatnonzero(gaps <= SNAP_PX)
        if not len(near):
            return self._on_lattice(event)
        origin, direction = event.ray
        depth = (points[near] - origin) @ direction
        best = near[np.lexsort((depth, np.round(gaps[near] / 4)))[0]]
        return points[best], names[best]

    def _on_lattice(self, event: PointerEvent) -> tuple[Floats, str] | None:
        pick = event.pick
        if pick is not None and pick.id.startswith("face"):
            return np.round(np.array(pick.position)), "lattice, at a face"
        place = event.on_plane(self.plane_z)
        if place is None or np.abs(place).max() > FARTHEST_CM:
            return None
        place = np.round(place)
        place[2] = self.plane_z
        return place, f"lattice at z = {self.plane_z:g}"


def _own_targets(body: ModelledBody) -> tuple[Floats, list[str]]:
    """The vertices of the body and the middles of its edges, with their names."""
    edges = edges_of(body.faces)
    middles = body.vertices[np.array(edges)].mean(axis=1) if edges else np.zeros((0, 3))
    names = [f"vertex {k}" for k in range(len(body.vertices))]
    names += [f"middle of edge {a}-{b}" for a, b in edges]
    return np.concatenate([body.vertices, middles]), names
