"""The editor: the assembly, with the bed and the criteria beside it, and the list of parts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.interlocking_parts import Parts
from spatial_workbench.engine.tasks.interlocking_parts.drawing import colors_of, draw
from spatial_workbench.engine.tasks.interlocking_parts.task import criterion_of
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Numbers,
    Section,
    Setting,
    Slider,
    Switch,
    TypedNumbers,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.selection import SelectionMenu
from spatial_workbench.widgets.editing.things import Things, ThingsEditing, delete_button, duplicate_button
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly
from spatial_workbench.widgets.editors.interlocking_parts.bed import BedPane
from spatial_workbench.widgets.editors.interlocking_parts.changes import CageChanges
from spatial_workbench.widgets.editors.interlocking_parts.commands import CageCommands, PlaceCommands, ShapeCommands
from spatial_workbench.widgets.editors.interlocking_parts.controls import (
    FAR_MM,
    TURN_KEYS,
    PlaceControls,
    ShapeControls,
)
from spatial_workbench.widgets.editors.interlocking_parts.criteria import CriteriaList
from spatial_workbench.widgets.editors.interlocking_parts.gestures import CagePlaceTool
from spatial_workbench.widgets.editors.interlocking_parts.gizmo import Gizmo
from spatial_workbench.widgets.editors.interlocking_parts.marks import CageMarks
from spatial_workbench.widgets.editors.interlocking_parts.part_list import PartList
from spatial_workbench.widgets.editors.interlocking_parts.sources import PartSources
from spatial_workbench.widgets.layouts import split
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

HINT = "Start with a panel (N).\nSelect a part: drag its arrows to move it, press R, T, Y to turn it."
GHOSTS = ("free inside", "inside edge", "limit edge", "rod")
EXPLODED = 60
MENU = ("Edit…", "Run", "Duplicate", "Opposite", "Mirror", "Delete", *(f"90° {axis}" for axis in TURN_KEYS))


class InterlockingEditor(Editor[Parts]):
    """Assembles a cage from parts."""

    def prepare(self) -> None:
        self.apart = Setting(0, self._move_apart)
        """How far the parts are moved apart in the exploded view, in percent."""
        self.shows_ghosts = Setting(self.allows(Aid.MEASURING), self.redraw)
        self._note = ""

    def begin(self) -> None:
        self.side.setStretchFactor(0, 3)
        if not self.assembly.parts:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> Viewport3D:
        self.viewport = view = Viewport3D()
        self.assembly = Assembly(self.document, view, self.say, self.aids)
        self.changes = CageChanges(self.assembly, self.runner, self.say, self.message.emit)
        self.commands = CageCommands(self.changes)
        self.place_commands = PlaceCommands(self.changes)
        self.shape_commands = ShapeCommands(self.changes)
        self.sources = PartSources(self, self.assembly, self.commands, self.shape_commands)
        self.marks = CageMarks(self.assembly, self.allows(Aid.JUDGING), lambda: self.verdict)
        self.gizmo = Gizmo(view, lambda: None if self.apart.value else self.assembly.middle)
        view.set_tool(
            CagePlaceTool(self.gizmo, self.assembly, self.place_commands.move_by, self.place_commands.turn_parts)
        )
        view.setAccessibleName(tr("Assembly"))
        view.set_describe(self.marks.describe)
        view.context_requested.connect(SelectionMenu(self, self.assembly.selection, MENU).show)
        view.activated.connect(lambda name: self.sources.edit_source() if name.startswith("part ") else None)
        return view

    def central_widget(self) -> QWidget:
        """The assembly, with room for the bed and the criteria beside it."""
        self.bed = BedPane(self.assembly.cage, self.aids)
        self.places = PlaceControls(self.assembly, self.place_commands, self.viewport)
        self.shapes = ShapeControls(self.assembly, self.shape_commands, self.bed, self.aids)
        self.side = split(shares=(), orientation=Qt.Orientation.Vertical)
        whole = split(self.view, self.side, shares=(5, 4))
        whole.setCollapsible(0, False)
        return whole

    def list_controls(self) -> Iterable[Declared]:
        yield Bars(
            CustomPart("Bed", lambda: self.bed, aid=Aid.VIEWING, refresh=self._show_bed),
            CustomPart("Criteria", self._make_criteria, aid=Aid.JUDGING, refresh=self._show_criteria),
            place=self.side.addWidget,
        )
        yield self._part_controls()
        yield self.places.section()
        yield self.shapes.section()
        yield self._panel_controls()
        yield self._view_controls()
        yield self._key_controls()
        yield from self.places.keys()
        yield ThingsEditing(self, self._things()).controls([Verb.DUPLICATE, Verb.DELETE])

    def _part_controls(self) -> Section:
        panel = "Add a grid of bars with the sizes set below"
        load = "Add a part from an STL, OBJ or 3MF file"
        write = "Add a part written in OpenSCAD or Python"
        edit = "Show and edit the source of the selected part"
        opposite = "Copy the selected parts to the opposite side of the cage"
        mirror = "Add the mirror image of the part on the bed, as a new part"
        run = "Run the programs of the selected parts, in the sandbox"
        do = self.commands
        has_part = self.assembly.has_part
        is_chosen = self.assembly.selection.has_any
        return Section(
            "Parts",
            CustomPart("Parts", self._make_list, aid=Aid.VIEWING, refresh=self._show_list),
            Buttons(
                Action("Panel", lambda: do.new_panel(*self._panel_mm.values), "N", "grid", panel),
                Action("Import…", self.sources.import_part, "I", "open", load, Aid.SOLVING),
                Action("Source…", self.sources.new_source, "Shift+N", "pencil", write),
                Action("Edit…", self.sources.edit_source, "E", "list", edit, enabled=has_part),
                duplicate_button(do.copy, "Copy the selected parts beside them", enabled=is_chosen),
                Action("Opposite", do.copy_opposite, "Shift+D", "four_fold", opposite, enabled=is_chosen),
                Action("Mirror", do.mirror, "M", "mirror", mirror, enabled=has_part),
                delete_button(do.delete, "Delete the selected parts", is_chosen),
                Action(
                    "Run",
                    self.shape_commands.run_selected,
                    "Ctrl+R",
                    "play",
                    run,
                    enabled=self.sources.is_program_chosen,
                ),
                columns=2,
            ),
        )

    def _panel_controls(self) -> Section:
        cage = self.assembly.cage
        outer = cage.width + 2 * cage.bar
        self._panel_mm = TypedNumbers((outer, min(outer, cage.printer[1]), cage.pitch or cage.gap_least + cage.bar))
        labels = ("Width", "Height", "Pitch")
        bounds = (2 * cage.bar, FAR_MM)
        numbers = Numbers("New panel", labels, self._panel_mm.get, self._panel_mm.put, bounds, "", 1.0, 1, "mm")
        return Section("New panel", numbers)

    def _view_controls(self) -> Section:
        apart = self.apart
        ghosts = self.shows_ghosts
        explode = "Move the parts apart to see how they go together (X)"
        limits = "Show the rods, the space that has to be free, and the outer limit"
        beside = "Show the printer's bed and the criteria beside the assembly"
        return Section(
            "View",
            Slider("Exploded view", apart.get, apart.put, (0, 100), explode, "Exploded"),
            Switch("Rods, inside and limit", ghosts.get, ghosts.put, limits, Aid.MEASURING),
            Switch("Bed and criteria", lambda: not self.side.isHidden(), self.side.setVisible, beside, Aid.VIEWING),
        )

    def _key_controls(self) -> Keys:
        assembly = self.assembly
        apart = self.apart
        return Keys(
            Action("Explode", lambda: apart.put(0 if apart.value else EXPLODED), "X", aid=Aid.VIEWING),
            Action("Next part", partial(assembly.selection.step, 1), "]", aid=Aid.VIEWING),
            Action("Previous part", partial(assembly.selection.step, -1), "[", aid=Aid.VIEWING),
        )

    def _things(self) -> Things:
        assembly = self.assembly
        return Things(
            name="parts",
            selection=assembly.selection,
            part=lambda chosen: (Parts(parts=tuple(assembly.parts[i] for i in chosen)), range(len(chosen))),
            add=lambda label, answer, _: self.commands.paste(label, answer.parts),
            delete=self.commands.delete,
        )

    def make_scene(self) -> Scene:
        scene = draw(self.assembly.cage, self.assembly.parts, self.marks.details, self.apart.value / 100)
        if self.shows_ghosts.value:
            return scene
        items = tuple(item for item in scene.items if not item.name.startswith(GHOSTS))
        return Scene(items=items, unit=scene.unit, ground=scene.ground, bounds=scene.bounds)

    def redraw(self, reset_view: bool = False) -> None:
        super().redraw(reset_view)
        self.assembly.selection.drop_lost()

    def status(self) -> str:
        words = self.marks.words_of_selection() if self.allows(Aid.MEASURING) else ()
        return " · ".join(filter(None, [*words, self._note]))

    def close_editor(self) -> None:
        super().close_editor()
        self.bed.close_pane()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.bed.view.tool is self.shapes.look:
            self.assembly.selection.select([])
        else:
            self.panel.actions["Look"].trigger()

    # What is shown -----------------------------------------------------------------------------------------------

    def say(self, note: str) -> None:
        """Shows a message in the status bar."""
        self._note = note
        self.update_status()

    def _make_list(self) -> PartList:
        parts = PartList()
        parts.chosen.connect(self.assembly.selection.select)
        parts.opened.connect(lambda _: self.sources.edit_source())
        return parts

    def _show_list(self, shown: PartList) -> None:
        parts = self.assembly.parts
        shown.show_parts(parts, [self.marks.state_of(i) for i in range(len(parts))], self.assembly.selected)

    def _show_bed(self, bed: BedPane) -> None:
        number = self.assembly.shown
        parts = self.assembly.parts
        lying = (None, -1, "neutral") if number is None else (parts[number], number, colors_of(parts)[number])
        part, place, color = lying
        if bed.set_part(part, place, self.marks.details, color):
            self.later.start()

    def draw_later(self) -> None:
        self.bed.draw_part()

    def _make_criteria(self) -> CriteriaList:
        criteria = CriteriaList(criterion_of(self.instance))
        criteria.chosen.connect(self._show_criterion)
        return criteria

    def _show_criteria(self, criteria: CriteriaList) -> None:
        details = self.marks.details
        criteria.show_details(details, details is not None or not self.assembly.parts)

    def _show_criterion(self, number: int) -> None:
        details = self.marks.details
        if details and details["elements"][number]:
            self.show_elements(details["elements"][number])

    def _move_apart(self) -> None:
        self.redraw()
        self.view.frame(animate=False)
