"""The editor: ghosts of the solids, the body being modelled, live marks, and a table of exact coordinates."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.csg_union import Polyhedron, solids_of
from spatial_workbench.engine.tasks.csg_union.drawing import MOST_POLYGONS
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Number,
    Section,
    ToolButton,
    Tools,
    Verb,
    attribute,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import LEVEL, UPRIGHT, Step, nudges
from spatial_workbench.widgets.editing.selection import numbers_of
from spatial_workbench.widgets.editing.things import delete_button
from spatial_workbench.widgets.editors.csg_union.commands import Commands
from spatial_workbench.widgets.editors.csg_union.comparing import UnionComparing
from spatial_workbench.widgets.editors.csg_union.controls import DisplayControls, MoveControls, SolidForm
from spatial_workbench.widgets.editors.csg_union.drawing import Display, Drawing
from spatial_workbench.widgets.editors.csg_union.gestures import (
    CopyTool,
    ExtrudeTool,
    FaceTool,
    ToolContext,
    VertexTool,
)
from spatial_workbench.widgets.editors.csg_union.live_bar import LiveBar
from spatial_workbench.widgets.editors.csg_union.marks import BodyWords, EdgeMarks
from spatial_workbench.widgets.editors.csg_union.snapping import Snapping
from spatial_workbench.widgets.editors.csg_union.table import VertexTable
from spatial_workbench.widgets.editors.csg_union.workpiece import Workpiece
from spatial_workbench.widgets.scene_views.view import SceneView, Tool
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

HINT = (
    "Build one closed polyhedron for the union of the ghost solids.\n"
    "G copies faces of the solids, L clicks the corners of a face, or add solids.\n"
    "Drag the right or the middle button to look around."
)
STEPS = (Step(1.0), Step(0.1, marked("{way}, finely"), ["Shift+"]))
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
        self.shown = DisplayControls(self.display, self.solids, self.redraw)
        self._note = ""
        self._scene: tuple[tuple[object, ...], Scene] | None = None

    def begin(self) -> None:
        self.view.selection_changed.connect(self._show_selection)
        self.view.activated.connect(self._select_shell)
        if not self.piece.body.faces:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Viewport3D()
        self.piece = Workpiece(self.document, view, self.say)
        self.comparing = UnionComparing(self.piece, self.solids, self.runner, self.redraw)
        self.snapping = Snapping(self.piece, self.solids)
        self.commands = Commands(self.piece, self.runner, self.is_judged)
        self.context = ToolContext(self.piece, self.commands, self.snapping, self.measures)
        self.select_tool = Tool()
        self.vertex_tool, self.face_tool = VertexTool(self.context), FaceTool(self.context)
        self.copy_tool = CopyTool(self.context, self.shown.face_at)
        self.extrude_tool = ExtrudeTool(self.context)
        view.set_tool(self.select_tool)
        self.words = BodyWords(self.piece, self.is_judged, lambda: bool(self.context.note[0]))
        view.set_describe(self.words.describe)
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
        yield SolidForm(lambda ghost: self.view.set_ghost(tuple(ghost))).section(self.commands)
        yield MoveControls(self.commands, self.refresh).section()
        yield Section("View", *self.shown.switches(self.snapping))
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
                delete_button(self._delete, gone),
                columns=2,
            ),
        )

    # Drawing -----------------------------------------------------------------------------------------------------

    def _show_state(self, bar: LiveBar) -> None:
        bar.show_state(self.piece.findings, self.comparing.comparison, self.comparing.is_busy)

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
        comparison = self.comparing.comparison
        named = self.verdict.failed_elements if self.verdict is not None and self.is_judged else ()
        key = (self.document.revision, id(comparison), repr(self.display), named)
        if self._scene is None or self._scene[0] != key:
            self._scene = key, self.drawing.scene(self.piece.findings, self.display, comparison, named)
        return self._scene[1]

    def redraw(self, reset_view: bool = False) -> None:
        """Also starts the comparison with the union."""
        if self.is_judged:
            self.comparing.update_comparison()
        super().redraw(reset_view)
        self.piece.drop_lost()

    def status(self) -> str:
        selected = len(self.view.selection)
        corners = len(self.face_tool.loop)
        parts = [
            *(self.words.counts() if self.measures else ()),
            "too many faces to show one by one" if len(self.piece.body.faces) > MOST_POLYGONS else "",
            f"{selected} selected" if selected else "",
            f"{counted(corners, 'corner')}: Return closes the loop, Backspace removes the last" if corners else "",
        ]
        return " · ".join(filter(None, [*parts, self._note]))

    def close_editor(self) -> None:
        self.comparing.close()
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

    def _delete(self) -> None:
        """Deletes the last corner of a loop that is being clicked, or else the selection."""
        if not self.face_tool.remove_last():
            self.commands.delete()

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

    def _select_shell(self, name: str) -> None:
        for face in numbers_of([name], "face"):
            self.commands.select_shell(face)
