"""The gesture: drawing and flipping edges, and adding triangles."""

from __future__ import annotations

from spatial_workbench.widgets.editing.gestures import CONTROL, Drag
from spatial_workbench.widgets.editors.delaunay.commands import TriangleCommands
from spatial_workbench.widgets.editors.delaunay.ghost import TriangulationGhost
from spatial_workbench.widgets.editors.delaunay.pointing import Grip, TriangulationPointer
from spatial_workbench.widgets.editors.delaunay.workpiece import edge_between
from spatial_workbench.widgets.scene_views.view import PointerEvent


class TriangleTool(Drag[Grip]):
    """Drags from point to point draw edges; clicks pick points, flip edges, and add suggested triangles."""

    def __init__(self, pointer: TriangulationPointer, ghost: TriangulationGhost, commands: TriangleCommands) -> None:
        super().__init__()
        self._pointer = pointer
        self._ghost = ghost
        self._commands = commands

    def take(self, event: PointerEvent) -> Grip | None:
        return None if event.has(CONTROL) else self._pointer.grip_at(event)

    def hover(self, event: PointerEvent) -> None:
        self._ghost.show_hovered(event)

    def show(self, grip: Grip, event: PointerEvent) -> None:
        if self.was_moved and len(grip) == 1:
            goal = self._pointer.point_at(event)
            self._ghost.show_edge(edge_between(*grip, goal) if goal is not None and goal not in grip else None)

    def finish(self, grip: Grip, event: PointerEvent) -> None:
        goal = self._pointer.point_at(event)
        if self.take(event) == grip or grip == (goal,):
            self._click(grip)
        elif len(grip) == 1 and goal is not None:
            self._commands.join(edge_between(*grip, goal))

    def clear(self) -> None:
        self._ghost.clear()

    def _click(self, grip: Grip) -> None:
        """Picks a point, flips an edge, or adds a triangle."""
        if len(grip) == 1:
            self._commands.pick_point(*grip)
        elif len(grip) == 2:
            self._commands.flip(grip)
        else:
            self._commands.add_triangles([grip])
