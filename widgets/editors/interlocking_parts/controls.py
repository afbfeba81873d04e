"""The controls of parts, places and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.interlocking_parts.assembly import rigid_problem
from spatial_workbench.engine.tasks.interlocking_parts.editing import CageBox, Hole, pose_of
from spatial_workbench.engine.tasks.interlocking_parts.solver import FACES
from spatial_workbench.widgets.editing.controls import (
    Action,
    Buttons,
    Choice,
    Keys,
    Number,
    Numbers,
    Section,
    Switch,
    ToolButton,
    Tools,
    TypedNumbers,
    typed_fields,
)
from spatial_workbench.widgets.editing.nudging import FINE_KEYS, LEVEL, UPRIGHT, Step, Way, nudges, way_on_screen
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly
from spatial_workbench.widgets.editors.interlocking_parts.bed import BedPane
from spatial_workbench.widgets.editors.interlocking_parts.commands import PlaceCommands, ShapeCommands
from spatial_workbench.widgets.editors.interlocking_parts.gestures import HOLES, KINDS, BarTool, CutTool, HoleTool
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

TURN_KEYS = {"x": "T", "y": "Y", "z": "R"}
STEPS = (
    Step(1.0, marked("{way} by 1 mm")),
    Step(10.0, marked("{way} by 10 mm"), ["Shift+"]),
    Step(0.1, marked("{way} by 0.1 mm"), FINE_KEYS),
)
"""How far a key moves parts with each modifier, in mm."""
FAR_MM = 2000.0


class PlaceControls:
    """Moves and turns the selected parts by numbers and by keys."""

    def __init__(self, assembly: Assembly, commands: PlaceCommands, view: Viewport3D) -> None:
        self._assembly = assembly
        self._commands = commands
        self._view = view
        self._way_mm = TypedNumbers([0.0] * 3)

    def section(self) -> Section:
        """The controls in the panel."""
        labels = ("x", "x°", "y", "y°", "z", "z°")
        bounds = (-FAR_MM, FAR_MM)
        by = "How far the button below moves, in mm"
        move = "Move the selected parts by these numbers"
        stand = "Stand the selected part on a face of the cage"
        clearance = self._assembly.clearance_mm
        return Section(
            "Position",
            Numbers("Position", labels, self._pose, self._set_value, bounds, "", 1.0, 2, columns=2, aid=Aid.MEASURING),
            typed_fields("Move by", ("x by", "y by", "z by"), self._way_mm, FAR_MM, by, decimals=2),
            Buttons(Action("Move", self._move_by_numbers, "", "move", move, enabled=self._assembly.selection.has_any)),
            Buttons(*(self._turn(axis, 90.0) for axis in TURN_KEYS), columns=3),
            Choice("Stand on", ["…", *FACES], lambda: 0, self._stand, stand, enabled=self._assembly.selection.has_any),
            Number(
                "Clearance",
                clearance.get,
                clearance.put,
                (0.0, 5.0),
                "The gap between faces that snap together",
                0.1,
                2,
                "mm",
            ),
        )

    def keys(self) -> Iterable[Keys]:
        """The actions that only have keys."""
        yield Keys(*(self._turn(axis, -90.0) for axis in TURN_KEYS))
        for step in STEPS:
            yield Keys(*nudges(self._nudge, [step], {**LEVEL, **UPRIGHT}))

    def _turn(self, axis: str, angle_deg: float) -> Action:
        turn = partial(self._commands.turn_parts, "xyz".index(axis), angle_deg)
        is_forward = angle_deg > 0
        key = TURN_KEYS[axis] if is_forward else f"Shift+{TURN_KEYS[axis]}"
        tip = f"Turn the selected parts by 90° about {axis}" if is_forward else ""
        text = f"{'' if is_forward else '−'}90° {axis}"
        return Action(text, turn, key, "rotate" if is_forward else "", tip, enabled=self._assembly.selection.has_any)

    def _pose(self) -> Sequence[float] | None:
        chosen = self._assembly.selected
        matrix = self._assembly.parts[chosen[0]].matrix if len(chosen) == 1 else None
        if matrix is None or rigid_problem(matrix, 16):
            return None
        return [number for pair in zip(*pose_of(matrix), strict=True) for number in pair]

    def _move_by_numbers(self) -> None:
        self._commands.move_by(np.array(self._way_mm.values))

    def _set_value(self, place: int, value: float) -> None:
        self._commands.set_pose(place // 2 + 3 * (place % 2), value)

    def _stand(self, index: int) -> None:
        if index > 0:
            self._commands.stand(FACES[index - 1])

    def _nudge(self, way: Way, size_mm: float) -> None:
        """Moves along the axis that, as seen in the view, is nearest to the arrow key's direction."""
        self._commands.nudge(size_mm * np.array(way_on_screen(self._view, way)))


class ShapeControls:
    """Shapes the part on the bed, by tools and by numbers."""

    def __init__(self, assembly: Assembly, commands: ShapeCommands, bed: BedPane, aids: frozenset[Aid]) -> None:
        arguments = bed, commands.change_shape, Aid.MEASURING in aids
        self.look = bed.view.tool
        self._bars = BarTool(*arguments)
        self._cut = CutTool(*arguments)
        self._hole = HoleTool(*arguments)
        self._assembly = assembly
        self._commands = commands
        self._bed = bed
        self._box_mm = TypedNumbers([0.0] * 4)
        axis_mm = assembly.cage.axis_offset
        self._hole_mm = TypedNumbers([axis_mm, axis_mm])

    def section(self) -> Section:
        """The controls in the panel."""
        kinds = [HOLES[kind] for kind in KINDS]
        alike = "Parts with the same contents change together"
        lying = "Round: upright. Hexagonal and teardrop: lying, without support"
        at = "Where the button below makes a hole; a lying one has no v"
        make = "Make a hole of the chosen kind for a rod at these numbers"
        bounds = (-FAR_MM, FAR_MM)
        kind = self._hole.kind
        changes = self._commands.changes_alike
        corners = ("u from", "u to", "v from", "v to")
        return Section(
            "Shape, on the bed",
            self._tools(),
            Choice("Hole", kinds, kind.get, kind.put, lying),
            typed_fields("Hole at", ("Hole u", "Hole v"), self._hole_mm, FAR_MM, at, decimals=2),
            Buttons(Action("Make hole", self._make_hole, "", "ring", make, enabled=self._assembly.has_part)),
            Switch("Change all alike", changes.get, changes.put, alike),
            Numbers("Box", corners, self._box_mm.get, self._box_mm.put, bounds, "", 1.0, 2, columns=2),
            Buttons(
                self._by_numbers("Add box", True, "box", "Fill this box with material"),
                self._by_numbers("Cut box", False, "delete", "Remove all material in this box"),
                columns=2,
            ),
        )

    def _tools(self) -> Tools:
        free = "Ctrl+Shift or Alt: no snapping"
        bars = f"Click a piece of bar to remove it, or a window to put one across; drag to draw a bar. {free}"
        cuts = f"Drag a rectangle to remove all material in it. {free}"
        holes = "Click to make a hole for a rod, on the nearest axis. Ctrl+Shift or Alt: anywhere"
        return Tools(
            self._bed.view,
            ToolButton("Look", self.look, "V", "select", "Look at the part without changing it", Aid.VIEWING),
            ToolButton("Bars", self._bars, "B", "grid", bars, enabled=self._assembly.has_part),
            ToolButton("Cut", self._cut, "C", "box", cuts, enabled=self._assembly.has_part),
            ToolButton("Rod hole", self._hole, "H", "ring", holes, enabled=self._assembly.has_part),
            columns=2,
        )

    def _by_numbers(self, text: str, adds: bool, icon: str, tip: str) -> Action:
        return Action(text, lambda: self._change_box(text, adds), "", icon, tip, enabled=self._assembly.has_part)

    def _change_box(self, label: str, adds: bool) -> None:
        u, v = sorted(self._box_mm.values[:2]), sorted(self._box_mm.values[2:])
        self._commands.change_shape(label, CageBox((u[0], v[0], u[1], v[1]), adds))

    def _make_hole(self) -> None:
        u, v = self._hole_mm.values
        self._commands.change_shape(self._hole.label, Hole(KINDS[self._hole.kind.value], (u, v)))
