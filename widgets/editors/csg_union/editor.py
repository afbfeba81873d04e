"""The editor: ghosts of the solids, the body being modelled, live marks, and a table of exact coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.geometry.polyhedron.modelling import ModelledBody
from spatial_workbench.engine.tasks.csg_union import Polyhedron, solids_of
from spatial_workbench.engine.tasks.csg_union.drawing import MOST_POLYGONS
from spatial_workbench.engine.tasks.csg_union.editing import UnionComparison, compare_live, ghost_face_at
from spatial_workbench.engine.tasks.csg_union.prompt import described
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Keys,
    Number,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import LEVEL, UPRIGHT, Step, nudges
from spatial_workbench.widgets.editing.runner import Newest
from spatial_workbench.widgets.editors.csg_union.commands import Commands
from spatial_workbench.widgets.editors.csg_union.controls import SolidForm, Triple
from spatial_workbench.widgets.editors.csg_union.drawing import Display, Drawing
from spatial_workbench.widgets.editors.csg_union.gestures import (
    CopyTool,
    ExtrudeTool,
    FaceTool,
    ToolContext,
    VertexTool,
    coordinates_text,
)
from spatial_workbench.widgets.editors.csg_union.live_bar import LiveBar
from spatial_workbench.widgets.editors.csg_union.marks import EdgeMarks
from spatial_workbench.widgets.editors.csg_union.snapping import Snapping
from spatial_workbench.widgets.editors.csg_union.table import VertexTable
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece, numbers_of
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

HINT = (
    "Build one closed polyhedron for the union of the ghost solids.\n"
    "G copies faces of the solids, L clicks the corners of a face, or add solids.\n"
    "Drag the right or the middle button to look around."
)
STEPS = (Step(1.0), Step(0.1, ", finely", ["Shift+"]))
"""How far a key moves the selection, in cm."""
REACH_CM = (-100.0, 100.0)


class CsgUnionEditor(Editor[Polyhedron]):
    """A modeller for polyhedra."""

    def prepare(self) -> None:
        self.solids = solids_of(self.instance)
        self.is_judged = self.allows(Aid.JUDGING)
        self.measures = self.allows(Aid.MEASURING)
        self.drawing = Drawing(self.solids, self.is_judged)
        self.display = Display()
        self.form = SolidForm(lambda ghost: self.view.set_ghost(tuple(ghost)))
        self._step = Triple(self.refresh)
        self._axis = Setting(2, self.refresh)
        self._angle_deg = Setting(90.0, self.refresh)
        self._comparing = Newest(self.runner, "Comparing with the union")
        self._asked = -1
        """The revision of the document for which a comparison was last requested."""
        self._compared: tuple[int, UnionComparison | None] = -1, None
        self._note = ""
        self._scene: tuple[tuple[object, ...], Scene] | None = None

    def begin(self) -> None:
        self.view.selection_changed.connect(self._show_selection)
        self.view.activated.connect(self._take_shell)
        if not self.piece.body.faces:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Viewport3D()
        self.piece = Workpiece(self.document, view, self.say)
        self.snapping = Snapping(self.piece, self.solids)
        self.commands = Commands(self.piece, self.runner, self.is_judged)
        self.context = ToolContext(self.piece, self.commands, self.snapping, self.measures)
        self.select_tool = Tool()
        self.vertex_tool, self.face_tool = VertexTool(self.context), FaceTool(self.context)
        self.copy_tool = CopyTool(self.context, self._solid_face_at)
        self.extrude_tool = ExtrudeTool(self.context)
        view.set_tool(self.select_tool)
        view.set_describe(self._describe)
        if self.is_judged:
            view.add_overlay(EdgeMarks(lambda: self.piece.findings))
        view.add_overlay(self.context.paint)
        return view

    def central_widget(self) -> QWidget:
        """The view; the table of vertices is added beside it."""
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.addWidget(self.view)
        self.split.setCollapsible(0, False)
        self.split.setStretchFactor(0, 1)
        self.split.setHandleWidth(1)
        return self.split

    def list_controls(self) -> Iterable[Declared]:
        yield Bars(CustomPart("State of the polyhedron", LiveBar, aid=Aid.JUDGING, refresh=self._show_state))
        table = CustomPart("Vertices", self._make_table, aid=Aid.MEASURING, refresh=self._show_vertices)
        yield Bars(table, place=self._add_table)
        yield self._tool_controls()
        yield self._command_controls()
        yield self._solid_controls()
        yield self._move_controls()
        yield Section("View", *self._view_controls())
        yield Keys(*nudges(self.commands.nudge, STEPS, {**LEVEL, **UPRIGHT}))
        yield Keys(Action("Select all", self.select_all, "Ctrl+A", aid=Aid.VIEWING, verb=Verb.SELECT_ALL))

    def _tool_controls(self) -> Section:
        vertex = "Place vertices; they snap to the solids and to the lattice"
        face = "Click the corners of a loop; click the first one again to close it"
        pull = "Drag a face out or in; or click it, type a distance and press Return"
        plane = "Height of the lattice that vertices snap to"
        length = "How far Pull (X) pulls the selected faces"
        return Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Select", self.select_tool, "V", "select", "Select; double-click takes a whole shell"),
                ToolButton("Vertex", self.vertex_tool, "P", "place", vertex),
                ToolButton("Face", self.face_tool, "L", "pencil", face),
                ToolButton("Copy face", self.copy_tool, "G", "copy", "Copy a face of one of the solids"),
                ToolButton("Extrude", self.extrude_tool, "E", "up", pull),
                columns=2,
                take=self.use,
            ),
            Number("Plane z", *attribute(self.snapping, "plane_z"), REACH_CM, plane, 1, 3, "cm"),
            Number("Pull by", *attribute(self.commands, "extrusion_cm"), REACH_CM, length, 1, 4, "cm"),
        )

    def _command_controls(self) -> Section:
        commands = self.commands
        make = "Make a face through the selected vertices, in their order"
        pull = "Pull the selected faces out by the distance"
        merge = "Merge the selected vertices into one, at the place of the first"
        hole = "Cut a hole into the first selected face, along two cuts"
        gone = "Delete the selected faces and vertices"
        return Section(
            "Faces and vertices",
            Buttons(
                Action("Make face", commands.make_face, "M", "ring", make),
                Action("Pull", commands.extrude, "X", "arrow_up", pull),
                Action("Flip", commands.flip, "N", "mirror", "Reverse the selected faces, or all"),
                Action("Split", commands.split_face, "K", "half_plane", "Cut a face between two selected vertices"),
                Action("Merge", commands.merge, "W", "link", merge),
                Action("Hole", commands.cut_hole, "H", "close_loop", hole),
                Action(
                    "Delete",
                    self._delete,
                    "Delete, Backspace",
                    "delete",
                    gone,
                    verb=Verb.DELETE,
                ),
                columns=2,
            ),
        )

    def _solid_controls(self) -> Section:
        combine = self.commands.combine
        solving = Aid.SOLVING
        unite = "Unite the selected shells, or all"
        first = "Subtract the other shells from the first"
        shared = "Keep what the shells have in common"
        return Section(
            "Solids",
            *self.form.controls(),
            Buttons(Action("Add solid", self._add_solid, "", "place", "Add this solid as a shell of its own")),
            Buttons(
                Action("Unite", partial(combine, "union"), "U", "fill", unite, solving),
                Action("Subtract", partial(combine, "difference"), "D", "negative", first, solving),
                Action("Intersect", partial(combine, "intersection"), "I", "positive", shared, solving),
                columns=2,
            ),
        )

    def _move_controls(self) -> Section:
        axis = self._axis
        angle = self._angle_deg
        commands = self.commands
        middle = "Turn the selection about its middle"
        by = "Move the selection by these centimetres"
        degrees = "Degrees, counter-clockwise about the axis"
        return Section(
            "Move the selection",
            self._step.control("By", "How far along each axis (cm)"),
            Buttons(Action("Move", lambda: commands.move(self._step.values), "", "move", by)),
            Choice("Axis", "xyz", axis.get, axis.put, "The axis to turn about"),
            Number("Angle", angle.get, angle.put, (-360, 360), degrees, 15, 4, "°"),
            Buttons(Action("Turn", lambda: commands.turn(axis.value, angle.value), "", "rotate", middle)),
        )

    def _view_controls(self) -> Iterable[Switch]:
        difference = "Show what is missing and what is too much, once the polyhedron is watertight"
        for text, name, tip, aid in (
            ("Faces of the solids", "ghost_faces", "Show the solids of the union, translucent", Aid.VIEWING),
            ("See-through polyhedron", "see_through", "Draw the polyhedron translucent", Aid.VIEWING),
            ("Vertex numbers", "numbers", "Show the number of each vertex", Aid.MEASURING),
            ("Difference", "difference", difference, Aid.JUDGING),
        ):
            yield Switch(text, partial(getattr, self.display, name), partial(self.set_look, name), tip, aid)
        crossings = "Snap to the points where edges meet other solids"
        yield Switch("Snap to crossings", *attribute(self.snapping, "takes_crossings"), crossings, Aid.SOLVING)
        for i, solid in enumerate(self.solids):
            is_shown = partial(self._shows_solid, i)
            yield Switch(f"Solid {i}", is_shown, partial(self.show_solid, i), described(solid), Aid.VIEWING)

    # Drawing -----------------------------------------------------------------------------------------------------

    def _show_state(self, bar: LiveBar) -> None:
        bar.show_state(self.piece.findings, self.comparison, self._comparing.is_busy)

    def _make_table(self) -> VertexTable:
        self.table = VertexTable()
        self.table.rows.typed.connect(self.commands.set_coordinate)
        self.table.chosen.connect(lambda rows: self.piece.select(vertices=rows))
        return self.table

    def _add_table(self, table: QWidget) -> None:
        self.split.addWidget(table)
        self.split.setSizes([760, 224])

    def _show_vertices(self, table: VertexTable) -> None:
        table.rows.show_vertices(self.piece.body.vertices)
        table.setVisible(len(self.piece.body.vertices) > 0)
        table.select(self.piece.chosen_vertices)

    def make_scene(self) -> Scene:
        comparison = self.comparison
        named = self.verdict.failed_elements if self.verdict is not None and self.is_judged else ()
        key = (self.document.revision, id(comparison), repr(self.display), named)
        if self._scene is None or self._scene[0] != key:
            self._scene = key, self.drawing.scene(self.piece.findings, self.display, comparison, named)
        return self._scene[1]

    def redraw(self, reset_view: bool = False) -> None:
        """Also starts the comparison with the union."""
        if self.is_judged:
            self._compare()
        super().redraw(reset_view)
        self.piece.drop_lost()

    @property
    def comparison(self) -> UnionComparison | None:
        """The comparison of the present body with the union; None while it is not known."""
        revision, comparison = self._compared
        return comparison if revision == self.document.revision else None

    def _compare(self) -> None:
        """Has a closed body compared with the union, once per revision."""
        revision = self.document.revision
        if self._asked == revision:
            return
        self._asked = revision
        self._comparing.cancel()
        if self.piece.findings.is_closed:
            self._comparing.ask(
                compare_live,
                self.solids,
                self.piece.body,
                done=partial(self._take_comparison, revision),
                failed=lambda why: self.say(f"Not compared: {why}"),
            )

    def _take_comparison(self, revision: int, comparison: UnionComparison) -> None:
        self._compared = revision, comparison
        self.redraw()

    def status(self) -> str:
        selected = len(self.view.selection)
        corners = len(self.face_tool.loop)
        parts = [
            *(self._counts() if self.measures else ()),
            "too many faces to show one by one" if len(self.piece.body.faces) > MOST_POLYGONS else "",
            f"{selected} selected" if selected else "",
            f"{counted(corners, 'corner')}: Return closes the loop, Backspace removes the last" if corners else "",
        ]
        return " · ".join(filter(None, [*parts, self._note]))

    def _counts(self) -> Iterable[str]:
        vertices, faces = self.piece.body
        shells = len(self.piece.findings.shells)
        yield counted(len(vertices), "vertex", "vertices")
        yield counted(len(faces), "face")
        yield counted(shells, "shell") if shells > 1 else ""

    def close_editor(self) -> None:
        self._comparing.cancel()
        super().close_editor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.use(self.select_tool)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.face_tool.loop:
            self.face_tool.finish(self.piece.sight)
        else:
            super().keyPressEvent(event)

    # Called by tools, commands and controls ----------------------------------------------------------------------

    def select_all(self) -> None:
        """Selects every face and vertex."""
        vertices, faces = self.piece.body
        self.piece.select(range(len(faces)), range(len(vertices)))

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the next change."""
        self._note = note
        self.update_status()

    def use(self, tool: Tool) -> None:
        """Activates a tool."""
        self.view.set_tool(tool)
        self._note = ""
        self.refresh()

    def set_look(self, name: str, on: bool) -> None:
        """Sets an option of the display."""
        setattr(self.display, name, on)
        self.redraw()

    def _shows_solid(self, number: int) -> bool:
        return number not in self.display.hidden_solids

    def show_solid(self, number: int, on: bool) -> None:
        """Shows or hides a solid of the union."""
        (self.display.hidden_solids.discard if on else self.display.hidden_solids.add)(number)
        self.redraw()

    def _solid_face_at(self, origin: Floats, direction: Floats) -> tuple[int, ModelledBody] | None:
        """The first shown solid that a line of sight meets, and the face that it meets."""
        shown = [i for i in range(len(self.solids)) if self._shows_solid(i)]
        hit = ghost_face_at([self.solids[i] for i in shown], origin, direction)
        if hit is None:
            return None
        vertices, faces = self.solids[shown[hit[0]]].shape
        loop = faces[hit[1]]
        return shown[hit[0]], ModelledBody.of(vertices[list(loop)], [range(len(loop))])

    def _delete(self) -> None:
        """Deletes the last corner of a loop that is being clicked, or else the selection."""
        if not self.face_tool.back():
            self.commands.delete()

    def _add_solid(self) -> None:
        self.view.set_ghost(())
        self.commands.add_primitive(self.form.solid)

    # Internal ----------------------------------------------------------------------------------------------------

    def _show_selection(self, ids: tuple[str, ...]) -> None:
        if self.view.tool is self.select_tool:
            self._propose_cuts()
            self.update_status()

    def _propose_cuts(self) -> None:
        """Shows the cuts that a hole for the selection would need."""
        cuts = self.commands.proposed_cuts()
        ends = self.piece.body.vertices
        self.view.set_ghost(
            [Polyline(id=f"cut {a}-{b}", points=ends[[a, b]], width_px=3.0, dashed=True) for a, b in cuts]
        )
        self._note = f"H cuts the hole along {counted(len(cuts), 'cut')}" if cuts else ""

    def _take_shell(self, name: str) -> None:
        for face in numbers_of([name], "face"):
            self.commands.select_shell(face)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        if self.context.note[0]:
            return "", ""
        vertices, faces = self.piece.body
        for i in numbers_of([pick.id], "face"):
            if i < len(faces):
                away = self.piece.findings.far_from_flat.get(i) if self.is_judged else None
                bend = f" · {away:.3g} cm off its plane" if away else ""
                return f"Face {i}", f"{counted(len(faces[i]), 'corner')}{bend}"
        for k in numbers_of([pick.id], "vertex"):
            if k < len(vertices):
                return f"Vertex {k}", coordinates_text(vertices[k])
        return pick.id.capitalize(), ""
