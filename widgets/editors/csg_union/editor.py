"""The editor: ghosts of the solids, the body between them, live marks, and a table of exact coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from engine.core import Scene
from engine.core.scene import Floats, Polyline
from engine.core.words import counted
from engine.geometry.polyhedron.modelling import Body, beside
from engine.tasks.csg_union import Solid, solids_of
from engine.tasks.csg_union.drawing import MOST_POLYGONS
from engine.tasks.csg_union.editing import Comparison, Operation, compare_live, snap_targets
from engine.tasks.csg_union.gate import face_id, vertex_id
from engine.tasks.csg_union.prompt import described
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editing.runner import Job
from widgets.editors.csg_union.commands import Commands
from widgets.editors.csg_union.drawing import Drawing, Looks, ghost_of
from widgets.editors.csg_union.gestures import CopyTool, ExtrudeTool, FaceTool, ModelTool, VertexTool, own_targets, said
from widgets.editors.csg_union.live_bar import LiveBar
from widgets.editors.csg_union.marks import Marks
from widgets.editors.csg_union.table import VertexTable
from widgets.editors.csg_union.tools import Controls
from widgets.editors.csg_union.workpiece import Workpiece, numbers_of
from widgets.view import Pick, Tool

HINT = (
    "Build one closed polyhedron for the union of the ghost solids.\n"
    "G copies faces of the solids, L clicks the corners of a face, or add solids and unite them (U).\n"
    "Drag the right or the middle button to look around."
)


class CsgUnionEditor(Editor):
    """A modeller for polyhedra."""

    def prepare(self) -> None:
        self.solids = solids_of(self.instance)
        self.piece = Workpiece(self.document)
        self.drawing = Drawing(self.solids)
        self.looks = Looks()
        self.plane_z, self.extrusion_cm = 0.0, 5.0
        self.comparison: Comparison | None = None
        self._compared = -1
        self._job: Job | None = None
        self._is_busy, self._asked = False, -1
        self._note = ""
        self._scene: tuple[tuple[object, ...], Scene] | None = None
        self.select_tool = Tool()
        self.vertex_tool, self.face_tool = VertexTool(self), FaceTool(self)
        self.copy_tool, self.extrude_tool = CopyTool(self), ExtrudeTool(self)
        self.commands = Commands(self)

    def begin(self) -> None:
        self.view.selection_changed.connect(self._show_selection)
        self.view.activated.connect(self._take_shell)
        if not self.piece.body.faces:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The state above; the view, and the table of vertices beside it."""
        self.bar = LiveBar()
        self.table = VertexTable()
        self.table.rows.typed.connect(self.commands.set_coordinate)
        self.table.chosen.connect(lambda rows: self.view.set_selection(map(vertex_id, rows)))
        self.view.set_describe(self._describe)
        self.view.add_overlay(Marks(self))
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.view)
        split.addWidget(self.table)
        split.setCollapsible(0, False)
        split.setStretchFactor(0, 1)
        split.setSizes([760, 224])
        split.setHandleWidth(1)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(split, 1)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """Tools, commands, solids, and what is shown."""
        self.controls = Controls(self, tools)
        self.use(self.select_tool)

    def make_scene(self) -> Scene:
        """The ghosts, the body, and the difference where it is known."""
        comparison = self.comparison if self._compared == self.document.revision else None
        verdict = self.document.verdict if self.document.is_verdict_current else None
        named = verdict.failed_elements if verdict is not None else ()
        key = (self.document.revision, id(comparison), repr(self.looks), named)
        if self._scene is None or self._scene[0] != key:
            self._scene = key, self.drawing.scene(self.piece.findings, self.looks, comparison, named)
        return self._scene[1]

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the body, shows its numbers, and has it compared with the union."""
        self._compare()
        super().redraw(reset_view)
        self.table.rows.show_vertices(self.piece.body.vertices)
        self.table.setVisible(len(self.piece.body.vertices) > 0)
        self.bar.show_state(self.piece.findings, self._current_comparison, self._is_busy)
        self._drop_lost_selection()

    def status(self) -> str:
        """Counts, selection, and what the last command had to say."""
        vertices, faces = self.piece.body
        parts = [counted(len(vertices), "vertex", "vertices"), counted(len(faces), "face")]
        if len(self.piece.findings.shells) > 1:
            parts.append(counted(len(self.piece.findings.shells), "shell"))
        if len(faces) > MOST_POLYGONS:
            parts.append("so many faces are shown as one piece")
        if self.view.selection:
            parts.append(f"{len(self.view.selection)} selected")
        if self.face_tool.loop:
            parts.append(f"{counted(len(self.face_tool.loop), 'corner')}; Return closes the loop, Backspace goes back")
        return " · ".join(filter(None, [*parts, self._note]))

    def close_editor(self) -> None:
        """Gives everything back."""
        self._cancel_comparison()
        super().close_editor()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.use(self.select_tool)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.face_tool.loop:
            self.face_tool.finish(-self.view.camera.axes[2])
        else:
            super().keyPressEvent(event)

    # What tools and commands ask ---------------------------------------------------------------------------------

    @property
    def chosen_faces(self) -> list[int]:
        """The selected faces, in the order of the selection."""
        return [i for i in numbers_of(self.view.selection, "face") if i < len(self.piece.body.faces)]

    @property
    def chosen_vertices(self) -> list[int]:
        """The selected vertices, in the order of the selection."""
        return [k for k in numbers_of(self.view.selection, "vertex") if k < len(self.piece.body.vertices)]

    @property
    def touched_vertices(self) -> list[int]:
        """The selected vertices and those of the selected faces."""
        faces = self.piece.body.faces
        return sorted({*self.chosen_vertices, *(k for i in self.chosen_faces for k in faces[i])})

    def put(self, label: str, body: Body, merge: str = "") -> None:
        """Makes this the body, as one step of the history."""
        self._note = ""
        problem = self.piece.put(label, body, merge)
        if problem:
            self.say(f"Not done: {problem}.")

    def say(self, note: str) -> None:
        """Says something in the status bar until the next change."""
        self._note = note
        self.tell_status()

    def use(self, tool: Tool) -> None:
        """Takes a tool in hand."""
        self.view.set_tool(tool)
        self._note = ""
        self.controls.tools[tool].setChecked(True)
        self.tell_status()

    def snap_points(self) -> tuple[Floats, list[str]]:
        """Where points snap to: the body's own vertices and edges first, then the solids'."""
        own, own_names = own_targets(self.piece.body)
        targets = snap_targets(self.solids)
        offered = [k for k, name in enumerate(targets.names) if self.looks.crossings or " on solid " not in name]
        return np.concatenate([own, targets.points[offered]]), [*own_names, *(targets.names[k] for k in offered)]

    def shown_solids(self) -> list[tuple[int, Solid]]:
        """The solids that are not switched off, with their numbers."""
        return [(i, solid) for i, solid in enumerate(self.solids) if i not in self.looks.hidden_solids]

    def set_plane(self, z: float) -> None:
        """Puts the lattice at another height."""
        self.plane_z = z

    def set_extrusion(self, distance: float) -> None:
        """Sets how far a command pulls faces."""
        self.extrusion_cm = distance

    def set_look(self, name: str, on: bool) -> None:
        """Shows or hides something."""
        setattr(self.looks, name, on)
        self.redraw()

    def show_solid(self, number: int, on: bool) -> None:
        """Shows or hides a solid of the union."""
        (self.looks.hidden_solids.discard if on else self.looks.hidden_solids.add)(number)
        self.redraw()

    def solid_words(self, number: int) -> str:
        """A solid of the union in a sentence."""
        return described(self.solids[number])

    def preview(self, solid: Solid) -> None:
        """Shows a solid that could be added."""
        self.view.set_ghost(ghost_of(solid))

    def select_all(self) -> None:
        """Selects every face and vertex."""
        vertices, faces = self.piece.body
        self.view.set_selection([*map(face_id, range(len(faces))), *map(vertex_id, range(len(vertices)))])

    def combine(
        self, label: str, function: Callable[..., Body], operation: Operation, bodies: tuple[Body, ...], rest: Body
    ) -> None:
        """Combines bodies in the background; the result replaces them, beside the rest."""
        revision = self.document.revision

        def done(result: Body) -> None:
            if self.document.revision == revision:
                self.view.set_selection(())
                self.put(label, beside(rest, result))
            else:
                self.say("Not done: the polyhedron was changed in the meantime.")

        self.runner.run(label, function, operation, bodies, done=done, failed=lambda why: self.say(f"Not done: {why}"))

    # The union ---------------------------------------------------------------------------------------------------

    @property
    def _current_comparison(self) -> Comparison | None:
        return self.comparison if self._compared == self.document.revision else None

    def _compare(self) -> None:
        """Has a closed body compared with the union, once a revision; the newest wins."""
        revision = self.document.revision
        if self._compared == revision or (self._is_busy and self._asked == revision):
            return
        self._cancel_comparison()
        if not self.piece.findings.is_closed:
            return
        self._is_busy, self._asked = True, revision

        def done(found: Comparison) -> None:
            self._is_busy, self._job = False, None
            if revision == self.document.revision:
                self.comparison, self._compared = found, revision
                self.redraw()

        job = self.runner.run(
            "Comparing with the union", compare_live, self.solids, self.piece.body,
            done=done, failed=self._comparison_failed, quiet=True,
        )  # fmt: skip
        self._job = job if self._is_busy else None

    def _comparison_failed(self, why: str) -> None:
        self._is_busy, self._job = False, None
        self.say(f"Not compared: {why}")

    def _cancel_comparison(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._is_busy, self._job = False, None

    # Own ---------------------------------------------------------------------------------------------------------

    def _show_selection(self, ids: tuple[str, ...]) -> None:
        self.table.select(self.chosen_vertices)
        if self.view.tool is self.select_tool:
            self._propose_cuts()
        self.tell_status()

    def _propose_cuts(self) -> None:
        """Shows the cuts that a hole of the selection would take."""
        cuts = self.commands.proposed_cuts()
        ends = self.piece.body.vertices
        lines = [Polyline(id=f"cut {a}-{b}", points=ends[[a, b]], width_px=3.0, dashed=True) for a, b in cuts]
        self.view.set_ghost(lines)
        self._note = f"H cuts the hole along {counted(len(cuts), 'cut')}" if cuts else ""

    def _drop_lost_selection(self) -> None:
        vertices, faces = self.piece.body
        lost = {face_id(i) for i in numbers_of(self.view.selection, "face") if i >= len(faces)}
        lost |= {vertex_id(k) for k in numbers_of(self.view.selection, "vertex") if k >= len(vertices)}
        if lost:
            self.view.set_selection(name for name in self.view.selection if name not in lost)

    def _take_shell(self, name: str) -> None:
        faces = numbers_of([name], "face")
        if faces:
            self.commands.select_shell(faces[0])

    def _describe(self, pick: Pick) -> tuple[str, str]:
        if isinstance(self.view.tool, ModelTool) and self.view.tool.note[0]:
            return "", ""
        vertices, faces = self.piece.body
        for i in numbers_of([pick.id], "face"):
            if i < len(faces):
                away = self.piece.findings.far_from_flat.get(i)
                bend = f" · {away:.3g} cm off its plane" if away else ""
                return f"Face {i}", f"{counted(len(faces[i]), 'corner')}{bend}"
        for k in numbers_of([pick.id], "vertex"):
            if k < len(vertices):
                return f"Vertex {k}", said(vertices[k])
        return pick.id.capitalize(), ""
