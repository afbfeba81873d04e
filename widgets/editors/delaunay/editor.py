"""The editor: triangles between numbered points, and fields to type them in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QLineEdit

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.delaunay import Delaunay, Triangles, covered_share
from spatial_workbench.engine.tasks.delaunay.geometry import hull
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Row,
    Section,
    Switch,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.delaunay.commands import TriangleCommands
from spatial_workbench.widgets.editors.delaunay.drawing import TriangulationDrawing
from spatial_workbench.widgets.editors.delaunay.gestures import TriangleTool
from spatial_workbench.widgets.editors.delaunay.ghost import TriangulationGhost
from spatial_workbench.widgets.editors.delaunay.pointing import TriangulationPointer
from spatial_workbench.widgets.editors.delaunay.workpiece import TriangulationWork
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Click three points, or drag from point to point.  Click an edge to flip it."


class DelaunayEditor(Editor[Triangles]):
    """Draws triangles between numbered points. Edges that close no triangle yet are kept beside the answer."""

    task: Delaunay

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        self.work = TriangulationWork(self.document, view, self.allows(Aid.JUDGING))
        self.pointer = TriangulationPointer(self.work, view, self.redraw)
        self.ghost = TriangulationGhost(self.work, self.pointer, view, self.allows(Aid.MEASURING), lambda: self.judges)
        self.commands = TriangleCommands(self.work, self.ghost, self.message.emit, self.redraw)
        self.drawing = TriangulationDrawing(self.work, self.task, self.instance, self.redraw)
        view.set_tool(TriangleTool(self.pointer, self.ghost, self.commands))
        return view

    def list_controls(self) -> Iterable[Declared]:
        remove = "Delete the selected triangle"
        flip = "Flip edges until none fails, as one step"
        yield Section(
            "Triangles",
            CustomPart("Points", self._make_points_field),
            Buttons(
                Action("Delete triangle", self.commands.remove, "Delete", "delete", remove, verb=Verb.DELETE),
                Action(
                    "Clear loose edges",
                    self.commands.clear_begun,
                    "Escape",
                    "close",
                    "Discard the points and edges begun",
                ),
            ),
        )
        tests = self.drawing.shows_tests
        published = self.drawing.shows_published
        proposes = self.pointer.proposes
        proposal = "Show a triangle for an empty place; a click adds it"
        fails = "Mark inner edges that fail the local test"
        rows: list[Row] = [
            Switch("Propose triangles", proposes.get, proposes.put, proposal, Aid.SOLVING),
            Switch("Test edges as I go", tests.get, tests.put, fails, Aid.SOLVING),
            Buttons(Action("Flip all failing edges", self.commands.legalise, "L", "rotate", flip, Aid.SOLVING)),
        ]
        if self.task.published_key(self.instance) != set(self.task.solve(self.instance).triangles):
            rows.append(Switch("Show the published key", published.get, published.put, _CONFLICT_TIP, Aid.SOLVING))
        yield Section("Aids", *rows)
        yield Keys(
            Action("Next triangle", partial(self.commands.step, 1), "], Right"),
            Action("Previous triangle", partial(self.commands.step, -1), "[, Left"),
        )

    def _make_points_field(self) -> QLineEdit:
        self.points_field = QLineEdit()
        self.points_field.setPlaceholderText(tr("Points, such as 0 1 5"))
        self.points_field.setToolTip(
            tr("Type the numbers of two points for an edge, or of three for a triangle; press Return")
        )
        self.points_field.setAccessibleName(tr("Points"))
        self.points_field.returnPressed.connect(self._apply_typed)
        return self.points_field

    def _apply_typed(self) -> None:
        if self.commands.apply_typed(self.points_field.text()):
            self.points_field.clear()

    def make_scene(self) -> Scene:
        """The triangulation, with what has been begun and the tests that are switched on."""
        scene = super().make_scene()
        items = (*self.drawing.behind(), *scene.items, *self.drawing.in_front())
        return replace(scene, items=items)

    def redraw(self, reset_view: bool = False) -> None:
        """First drops loose edges that have become sides of triangles."""
        self.work.drop_closed()
        super().redraw(reset_view)

    def status(self) -> str:
        needed = 2 * len(self.work.points) - 2 - len(hull(self.work.points))
        begun = f" · point {', '.join(map(str, self.work.picked))} and …" if self.work.picked else ""
        loose = f" · {len(self.work.loose)} loose edges" if self.work.loose else ""
        if not self.allows(Aid.MEASURING):
            return f"{counted(len(self.work.triangles), 'triangle')}{loose}{begun}"
        share = 100 * covered_share(self.work.points, self.work.triangles)
        drawn = len(self.work.triangles)
        count = f"{drawn} of {needed:,} triangles" if needed > 1 else f"{drawn} of 1 triangle"
        return f"{count} · {share:.0f} % of the hull{loose}{begun}"


_CONFLICT_TIP = (
    "The published key was computed before the points were rounded, and differs here from the right answer for the "
    "points as they are shown. Its wrong triangles are hatched."
)
