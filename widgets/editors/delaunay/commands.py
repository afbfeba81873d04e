"""Commands of gestures, buttons and keys on triangles: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spatial_workbench.engine.tasks.delaunay.editing import closed_by, flipped, legalised
from spatial_workbench.engine.tasks.delaunay.geometry import Edge, Triangle, edge_owners
from spatial_workbench.widgets.editors.delaunay.ghost import TriangulationGhost
from spatial_workbench.widgets.editors.delaunay.workpiece import TriangulationWork, edge_between


class TriangleCommands:
    """The commands; `changed` is called when what has been begun has changed."""

    def __init__(
        self,
        work: TriangulationWork,
        ghost: TriangulationGhost,
        say: Callable[[str], object],
        changed: Callable[[], None],
    ) -> None:
        self._work = work
        self._ghost = ghost
        self._say = say
        self._changed = changed

    def add_triangles(self, triangles: list[Triangle], label: str = "Add triangle") -> bool:
        """Adds triangles, or says why the first of them cannot be added."""
        grown = self._work.triangles
        for triangle in triangles:
            if reason := self._work.objection(grown, triangle):
                self.refuse(triangle, reason)
                return False
            grown = (*grown, triangle)
        if triangles:
            self._work.replace_triangles(label, grown)
        return bool(triangles)

    def refuse(self, corners: Sequence[int], reason: str) -> None:
        """Says at the pointer why a triangle or an edge is not possible, until the pointer moves."""
        self._ghost.show_refused(corners, reason)
        self._say(f"{reason}.")

    def remove(self) -> None:
        """Deletes the selected triangles."""
        if chosen := self._work.selection.in_order:
            self._work.selection.select(())
            self._work.replace_triangles(
                "Delete triangle", tuple(t for k, t in enumerate(self._work.triangles) if k not in chosen)
            )

    def flip(self, edge: Edge) -> None:
        """Replaces an inner edge by the other diagonal of its two triangles."""
        new = flipped(self._work.points, self._work.triangles, edge)
        if new is None:
            self.refuse(edge, "This edge cannot be flipped: its two triangles do not form a convex quadrilateral")
        else:
            self._work.replace_triangles("Flip edge", new)

    def legalise(self) -> None:
        """Flips failing edges until none is left."""
        self._work.replace_triangles("Flip failing edges", legalised(self._work.points, self._work.triangles))

    def join(self, edge: Edge) -> None:
        """Draws an edge, and adds the triangles that it closes."""
        edges = {*edge_owners(self._work.triangles), *self._work.loose, edge}
        present = {tuple(sorted(triangle)) for triangle in self._work.triangles}
        closed = [t for t in closed_by(self._work.points, edge, edges) if t not in present]
        fitting = [t for t in closed if not self._work.objection(self._work.triangles, t)]
        if edge not in edge_owners(self._work.triangles):
            self._work.loose.add(edge)
        if fitting:
            self.add_triangles(fitting)
        self._changed()

    def pick_point(self, point: int) -> None:
        """Picks a point; the third one makes a triangle."""
        self._work.picked = tuple(dict.fromkeys((*self._work.picked, point)))
        if len(self._work.picked) == 3:
            a, b, c = sorted(self._work.picked)
            self._work.picked = ()
            self.add_triangles([(a, b, c)])
        self._changed()

    def clear_begun(self) -> None:
        """Discards loose edges and picked points."""
        self._work.picked = ()
        self._work.loose.clear()
        self._ghost.clear()
        self._changed()

    def step(self, by: int) -> None:
        """Selects the next triangle (1) or the previous one (-1), and the first one if none is selected."""
        selection = self._work.selection
        if selection.has_any():
            selection.step(by)
        elif self._work.triangles:
            selection.select([0])

    def apply_typed(self, text: str) -> bool:
        """Draws the edge, flips it if it is an inner one, or adds the triangle of typed points; False if unreadable."""
        typed = text.replace(",", " ").split()
        chosen = sorted({int(word) for word in typed if word.isdecimal() and int(word) < len(self._work.points)})
        if len(chosen) != len(typed) or len(chosen) not in (2, 3):
            self._say(f"Type two or three different numbers from 0 to {len(self._work.points) - 1}.")
            return False
        if len(chosen) == 3:
            self.add_triangles([(chosen[0], chosen[1], chosen[2])])
        elif len(edge_owners(self._work.triangles).get(edge := edge_between(*chosen), ())) == 2:
            self.flip(edge)
        else:
            self.join(edge)
        return True
