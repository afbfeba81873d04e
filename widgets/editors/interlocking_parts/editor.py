"""The editor: the assembly, the bed beside it, the parts and the criteria, and what connects them to the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFileDialog, QMenu, QSplitter, QWidget

from engine.core import Scene, Verdict
from engine.core.scene import Floats, Item, Mesh
from engine.core.words import counted
from engine.tasks.interlocking_parts import Cage, Form, Part
from engine.tasks.interlocking_parts.assembly import SHARED_MM3, Posed, common, posed
from engine.tasks.interlocking_parts.cage import name_of
from engine.tasks.interlocking_parts.drawing import colors_of, draw, matrix_of
from engine.tasks.interlocking_parts.editing import face_snap
from engine.tasks.interlocking_parts.making import known
from engine.tasks.interlocking_parts.rays import transformed
from engine.tasks.interlocking_parts.task import criterion_of
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.interlocking_parts.bed import BedPane
from widgets.editors.interlocking_parts.commands import Commands
from widgets.editors.interlocking_parts.criteria import CriteriaList
from widgets.editors.interlocking_parts.gestures import FINE_MM, STEP_MM, BedTool, PlaceTool
from widgets.editors.interlocking_parts.gizmo import Gizmo
from widgets.editors.interlocking_parts.source_dialog import STARTS, SourceDialog
from widgets.editors.interlocking_parts.tools import Tools
from widgets.view import Pick, SceneView, Tool

HINT = (
    "Start with a panel (N), or import an STL, OBJ or 3MF (I).\n"
    "Select a part: drag its arrows to move it, press R, T, Y to turn it."
)
GHOSTS = ("free inside", "inside edge", "limit edge", "rod")
LIVE_TRIANGLES = 6000
"""Overlaps of parts with more triangles are not looked for while they are dragged."""


class InterlockingEditor(Editor):
    """Parts of a cage."""

    def prepare(self) -> None:
        self.cage = Cage.of(self.instance.parameters)
        self.apart = 0.0
        self.clearance = 0.2
        self.changes_alike = True
        self.shows_ghosts = True
        self._note = ""
        self._shown = 0
        self._dragged: Floats | None = None
        self.commands = Commands(self)
        self.gizmo = Gizmo(self)
        self.place_tool = PlaceTool(self)

    def begin(self) -> None:
        if not self.parts:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The assembly; beside it the bed above the criteria."""
        self.bed = BedPane(self.cage)
        self.criteria = CriteriaList(criterion_of(self.instance))
        self.criteria.chosen.connect(self._show_criterion)
        self.side = QSplitter(Qt.Orientation.Vertical)
        self.side.setHandleWidth(1)
        self.side.addWidget(self.bed)
        self.side.addWidget(self.criteria)
        self.side.setStretchFactor(0, 3)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.view)
        self.splitter.addWidget(self.side)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 4)
        self.splitter.setCollapsible(0, False)
        self.view.setAccessibleName("Assembly")
        self.view.set_tool(self.place_tool)
        self.view.set_describe(self._describe)
        self.view.add_overlay(self._paint)
        self.view.context_requested.connect(self._show_menu)
        self.view.selection_changed.connect(self._chosen)
        self.view.activated.connect(self._activated)
        return self.splitter

    def build_tools(self, tools: ToolPanel) -> None:
        """Parts, places, shapes and looks."""
        self.controls = Tools(self, tools)

    def make_scene(self) -> Scene:
        """The assembly, perhaps moved apart."""
        scene = draw(self.cage, self.parts, self.found, self.apart)
        if self.shows_ghosts:
            return scene
        items = tuple(item for item in scene.items if not item.name.startswith(GHOSTS))
        return Scene(items=items, unit=scene.unit, ground=scene.ground, bounds=scene.bounds)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the assembly, the bed and the list."""
        count = len(self.parts)
        super().redraw(reset_view)
        gone = [i for i in self.view.selection if not (i.startswith("part ") and int(i.split()[1]) < count)]
        if gone:
            self.view.set_selection([i for i in self.view.selection if i not in gone])
        self._show_parts()

    def status(self) -> str:
        """How many parts, what is selected, and what the last gesture has to say."""
        parts = [f"{len(self.parts)} of {counted(self.cage.parts, 'part')}"]
        chosen = self.selected
        if len(chosen) == 1:
            x, y, z = matrix_of(self.parts[chosen[0]])[:3, 3].tolist()
            parts.append(f"part {chosen[0]} at {x:g}, {y:g}, {z:g}")
        elif chosen:
            parts.append(f"{len(chosen)} selected")
        return " · ".join(filter(None, [*parts, self._note]))

    def verdict_arrived(self, verdict: Verdict | None) -> None:
        """Shows what it says of each criterion and each part."""
        self._show_parts()

    def close_editor(self) -> None:
        """Gives everything back."""
        super().close_editor()
        self.bed.close_pane()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if isinstance(self.bed.view.tool, BedTool):
                self.use_bed_tool(None)
            else:
                self.select([])
        else:
            super().keyPressEvent(event)

    # What gestures and commands ask ------------------------------------------------------------------------------

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the answer."""
        return self.document.answer.parts

    @property
    def found(self) -> Mapping[str, Any] | None:
        """The details of the verdict, if it is current."""
        verdict = self.document.verdict
        is_current = verdict is not None and self.document.is_verdict_current and "criteria" in verdict.details
        return verdict.details if is_current else None

    @property
    def selected(self) -> list[int]:
        """The selected parts, in the answer's order."""
        numbers = [int(name.split()[1]) for name in self.view.selection if name.startswith("part ")]
        return sorted(number for number in numbers if number < len(self.parts))

    @property
    def shown(self) -> int | None:
        """The part on the bed: the first of the selected ones, or the one that was there last; None: there is none."""
        if self.selected:
            self._shown = self.selected[0]
        count = len(self.parts)
        return min(self._shown, count - 1) if count else None

    @property
    def grip(self) -> Floats | None:
        """Where the handles are: the middle of the boxes around the selected parts; None while there are none."""
        boxes = [box for i in self.selected if (box := self.bounds_of(i)) is not None]
        if not boxes or self.apart:
            return None
        middle = (np.min([low for low, _ in boxes], axis=0) + np.max([high for _, high in boxes], axis=0)) / 2
        return np.asarray(middle if self._dragged is None else middle + self._dragged)

    def place_of(self, number: int) -> Posed | None:
        """A part in its place, if its mesh is known."""
        solid = known(self.parts[number]).solid
        return None if solid is None else posed(solid, matrix_of(self.parts[number]))

    def bounds_of(self, number: int) -> tuple[Floats, Floats] | None:
        """Lowest and highest corner of the box around a part."""
        place = self.place_of(number)
        return None if place is None else place.bounds

    def select(self, parts: Iterable[int]) -> None:
        """Selects parts."""
        self.view.set_selection([name_of(part) for part in parts])

    def say(self, note: str) -> None:
        """Says something in the status bar."""
        self._note = note
        self.tell_status()

    def edit(self, label: str, answer: Any, merge: str = "") -> None:
        """Puts another answer in place; what was said of the last one is past."""
        self._note = ""
        super().edit(label, answer, merge)

    def warm(self, handle: str) -> None:
        """Marks the handle under the pointer."""
        if handle != self.gizmo.hot:
            self.gizmo.hot = handle
            self.view.setCursor(Qt.CursorShape.SizeAllCursor if handle else Qt.CursorShape.ArrowCursor)
            self.view.update()

    def drag_to(self, axis: int, distance: float, fine: bool, reach: float) -> None:
        """Shows the selected parts moved along an axis, drawn to faces of other parts."""
        boxes = [box for i in self.selected if (box := self.bounds_of(i)) is not None]
        low, high = min(low[axis] for low, _ in boxes), max(high[axis] for _, high in boxes)
        step, name = FINE_MM if fine else STEP_MM, ""
        way = round(distance / step) * step
        if not fine:
            others = [place for i in range(len(self.parts)) if i not in self.selected and (place := self.place_of(i))]
            move, name = face_snap(
                self.cage, low + distance, high + distance, axis, others, self.clearance, min(reach, 5.0)
            )
            way = distance + move if name else way
        self._dragged = np.eye(3)[axis] * round(way, 6)
        problem = self._overlap(self._dragged)
        self.view.set_hidden([name_of(i) for i in self.selected])
        self.view.set_ghost(self._moved_meshes(self._dragged), problem)
        met = f", meets {name}" if name else ""
        self.say(problem or f"{'xyz'[axis]} {way:+.4g} mm{met}")

    def drop(self) -> None:
        """Puts dragged parts down, as one step."""
        way = self._dragged
        self.end_drag()
        if way is not None and way.any():
            self.commands.move_by(way)

    def end_drag(self) -> None:
        """Nothing is dragged any more."""
        self._dragged = None
        self.view.set_ghost(())
        self.view.set_hidden(())

    def solids_changed(self) -> None:
        """A program was run: what could not be drawn and judged before can be now."""
        self.document.revision += 1
        self.document.is_verdict_current = False
        self.document.answer_changed.emit()

    # What the panel does -----------------------------------------------------------------------------------------

    def use_bed_tool(self, tool: BedTool | None) -> None:
        """Takes a tool in hand on the bed; None: the pointer looks and nothing else."""
        self.bed.view.set_tool(tool or Tool())
        self.controls.show_bed_tool(tool)
        if tool is not None and self.shown is None:
            self.say("Add a part first; it is shaped on the bed.")

    def set_apart(self, apart: float) -> None:
        """Moves the parts apart to look at them, from 0 to 1."""
        self.apart = apart
        self.redraw()
        self.view.frame(animate=False)

    def set_ghosts(self, on: bool) -> None:
        """Shows the free inside, the limit and the rods, or not."""
        self.shows_ghosts = on
        self.redraw()

    def import_part(self) -> None:
        """Asks for a mesh file and adds it as a part."""
        path, _ = QFileDialog.getOpenFileName(
            self, "Import a part", "", "Meshes (*.stl *.obj *.3mf *.glb *.gltf);;All files (*)"
        )
        if path:
            self.commands.import_file(path)

    def new_source(self) -> None:
        """Asks for the source of a new part."""
        dialog = SourceDialog("New part", STARTS[Form.OPENSCAD], Form.OPENSCAD, self)
        dialog.saved.connect(lambda text, form: self.commands.add_source(form, text))
        dialog.run_requested.connect(lambda: self.commands.run(len(self.parts) - 1))
        self._open(dialog)

    def edit_source(self) -> None:
        """Shows the source of the part on the bed, to be edited."""
        number = self.shown
        if number is None:
            return
        part = self.parts[number]
        dialog = SourceDialog(f"Part {number}", part.fileContents, part.form or Form.STL, self)
        dialog.saved.connect(lambda text, form: self.commands.set_source(number, text, form))
        dialog.run_requested.connect(lambda: self.commands.run(number))
        self._open(dialog)

    def run_selected(self) -> None:
        """Runs the programs of the selected parts, each contents once."""
        done: set[str] = set()
        for number in self.selected:
            part = self.parts[number]
            if part.form is not None and part.form.is_program and part.fileContents not in done:
                done.add(part.fileContents)
                self.commands.run(number)

    # Own ---------------------------------------------------------------------------------------------------------

    def _open(self, dialog: SourceDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog = dialog
        dialog.open()

    def _overlap(self, way: Floats) -> str:
        """Which part the dragged ones would overlap, and by how much; empty if none, or too large to look."""
        lift = np.eye(4)
        lift[:3, 3] = way
        chosen = set(self.selected)
        others = [(i, place) for i in range(len(self.parts)) if i not in chosen and (place := self.place_of(i))]
        for i in chosen:
            mine = self.place_of(i)
            if mine is None or len(mine.solid.triangles) > LIVE_TRIANGLES:
                continue
            moved = Posed(mine.solid, lift @ mine.matrix)
            for j, other in others:
                both = common(moved, other) if len(other.solid.triangles) <= LIVE_TRIANGLES else None
                if both is not None and both.volume() > SHARED_MM3:
                    return f"overlaps part {j} by {both.volume():.0f} mm³"
        return ""

    def _moved_meshes(self, way: Floats) -> Sequence[Item]:
        found = []
        for i in self.selected:
            place = self.place_of(i)
            if place is not None:
                vertices = transformed(place.solid.vertices, place.matrix) + way
                found.append(Mesh(id=name_of(i), vertices=vertices, faces=place.solid.triangles))
        return found

    def _show_parts(self) -> None:
        found = self.found
        self.controls.show_parts()
        number = self.shown
        if number is None:
            self.bed.show_part(None, -1, found, "neutral")
        else:
            self.bed.show_part(self.parts[number], number, found, colors_of(self.parts)[number])
        self.criteria.show_details(found, found is not None or not self.parts)
        self.view.update()

    def _chosen(self, ids: tuple[str, ...]) -> None:
        self._show_parts()
        self.tell_status()

    def _activated(self, name: str) -> None:
        if name.startswith("part "):
            self.edit_source()

    def _show_criterion(self, number: int) -> None:
        found = self.found
        if found and found["elements"][number]:
            self.show_elements(found["elements"][number])

    def _show_menu(self, pick: Pick | None, where: QPoint) -> None:
        if pick is not None and pick.id.startswith("part ") and pick.id not in self.view.selection:
            self.view.set_selection([pick.id])
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.controls.menu_actions)
        menu.popup(where)

    def _describe(self, pick: Pick) -> tuple[str, str]:
        if not pick.id.startswith("part "):
            return pick.id.capitalize(), f"M{self.cage.rod:g}" if pick.id.startswith("rod") else ""
        number = int(pick.id.split()[1])
        part, found = self.parts[number], self.found
        words = [str(part.form or part.fileType)]
        if found and str(number) in found["rods"]:
            rods = len(found["rods"][str(number)])
            words.append(f"held by {counted(rods, 'rod')}")
        return f"Part {number}", " · ".join(words)

    def _paint(self, painter: QPainter, view: SceneView) -> None:
        self.gizmo.paint(painter, view)
