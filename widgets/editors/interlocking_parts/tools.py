"""The panel at the left: parts, places, shapes and looks; and the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSlider

from engine.tasks.interlocking_parts.assembly import rigid_problem
from engine.tasks.interlocking_parts.editing import Box, HoleKind, pose_of
from engine.tasks.interlocking_parts.solver import FACES
from widgets.editing.editor import FINE_KEYS, keys
from widgets.editing.panel import NumberGrid, ToolPanel
from widgets.editors.interlocking_parts.gestures import BarTool, BedTool, CutTool, HoleTool
from widgets.editors.interlocking_parts.part_list import PartList

if TYPE_CHECKING:
    from widgets.editors.interlocking_parts.editor import InterlockingEditor

ARROWS = {"Right": (1.0, 0.0), "Left": (-1.0, 0.0), "Up": (0.0, 1.0), "Down": (0.0, -1.0)}
FAR_MM = 2000.0


class Tools:
    """The controls of an editor."""

    def __init__(self, editor: InterlockingEditor, panel: ToolPanel) -> None:
        self.editor = editor
        self.bar_tool, self.cut_tool, self.hole_tool = BarTool(editor), CutTool(editor), HoleTool(editor)
        self._add_parts(panel)
        self._add_place(panel)
        self._add_shape(panel)
        self._add_panel_maker(panel)
        self._add_looks(panel)
        self._add_keys()
        self.show_parts()

    # Making ------------------------------------------------------------------------------------------------------

    def _add_parts(self, panel: ToolPanel) -> None:
        editor, add = self.editor, self.editor.add_action
        panel.add_section("Parts")
        self.list = PartList()
        self.list.chosen.connect(editor.select)
        self.list.opened.connect(lambda _: editor.edit_source())
        panel.add_widget(self.list)
        commands = editor.commands
        new = add("Panel", self._new_panel, "N", "grid", "Add a grid of bars, as wide, high and dense as below")
        load = add("Import…", editor.import_part, "I", "open", "Add a part from an STL, OBJ or 3MF file")
        source = add("Source…", editor.new_source, "Shift+N", "pencil", "Add a part written in OpenSCAD or Python")
        self.edit = add("Edit…", editor.edit_source, "E", "list", "Show and edit the source of the selected part")
        self.run = add("Run", editor.run_selected, "Ctrl+R", "play",
                       "Run the programs of the selected parts, in the sandbox only")  # fmt: skip
        self.copy = add("Copy", commands.copy, "Ctrl+D", "copy", "Copy the selected parts, on the spot")
        self.opposite = add("Opposite", commands.copy_opposite, "Shift+D", "four_fold",
                            "Copy the selected parts to the opposite side of the cage")  # fmt: skip
        self.mirror = add("Mirror", commands.mirror, "M", "mirror", "Add the mirror image as another kind of part")
        self.delete = add("Delete", commands.delete, "Del, Backspace", "delete", "Remove the selected parts")
        panel.add_tools(
            [new, load, source, self.edit, self.copy, self.opposite, self.mirror, self.delete, self.run],
            False,
            columns=2,
        )
        self.menu_actions = [self.edit, self.run, self.copy, self.opposite, self.mirror, self.delete]

    def _add_place(self, panel: ToolPanel) -> None:
        editor, turn = self.editor, self.editor.commands.turn
        panel.add_section("Place")
        self.pose = NumberGrid(["x", "x°", "y", "y°", "z", "z°"], (-FAR_MM, FAR_MM), 1.0, 2, columns=2)
        self.pose.edited.connect(lambda index, value: editor.commands.set_pose(index // 2 + 3 * (index % 2), value))
        panel.add_widget(self.pose)
        keys = {"x": "T", "y": "Y", "z": "R"}
        turns = [
            editor.add_action(f"90° {axis}", lambda axis=axis: turn("xyz".index(axis), 90.0), key, "rotate",
                              f"Turn the selected parts by 90° about {axis}")
            for axis, key in keys.items()
        ]  # fmt: skip
        for axis, key in keys.items():
            editor.add_action(f"−90° {axis}", lambda axis=axis: turn("xyz".index(axis), -90.0), f"Shift+{key}")
        panel.add_tools(turns, False, columns=3)
        self.turns = turns
        self.stand = panel.add_choice("Stand on", ["…", *FACES], self._stand,
                                      "Stand the selected part on a face of the cage")  # fmt: skip
        self.menu_actions += turns
        panel.add_number("Clearance", editor.clearance, (0.0, 5.0), self._set_clearance, 0.1, 2, "mm",
                         "Left between faces that snap together")  # fmt: skip

    def _add_shape(self, panel: ToolPanel) -> None:
        editor, add = self.editor, self.editor.add_action
        panel.add_section("Shape, on the bed")
        self.look = add("Look", lambda: editor.use_bed_tool(None), "V", "select", "Look at the part; change nothing")
        self.bars = add(
            "Bars",
            lambda: editor.use_bed_tool(self.bar_tool),
            "B",
            "grid",
            "Click a piece of bar off, or one across a window on; drag to draw a bar. Ctrl+Shift or Alt: no snapping",
        )
        self.cut = add(
            "Cut",
            lambda: editor.use_bed_tool(self.cut_tool),
            "C",
            "box",
            "Drag a rectangle: all material in it goes. Ctrl+Shift or Alt: no snapping",
        )
        self.hole = add("Rod hole", lambda: editor.use_bed_tool(self.hole_tool), "H", "ring",
                        "Click to make a hole for a rod, on the nearest axis. Ctrl+Shift or Alt: anywhere")  # fmt: skip
        panel.add_tools([self.look, self.bars, self.cut, self.hole], columns=2)
        kinds = [kind.capitalize() for kind in get_args(HoleKind)]
        panel.add_choice(
            "Hole", kinds, self._set_hole, "Round: upright. Hexagonal and teardrop: lying, need no support"
        )
        panel.add_check("Change all alike", True, self._set_alike, "Parts with the same contents change together")
        self.box = NumberGrid(["u from", "u to", "v from", "v to"], (-FAR_MM, FAR_MM), 1.0, 2, columns=2)
        panel.add_widget(self.box)
        fill = add("Add box", lambda: self._by_numbers(True), "", "box", "Fill the box of these numbers with bar")
        clear = add("Cut box", lambda: self._by_numbers(False), "", "delete", "Take all material in the box away")
        panel.add_tools([fill, clear], False, columns=2)
        self.shapers = [fill, clear]

    def _add_panel_maker(self, panel: ToolPanel) -> None:
        cage = self.editor.cage
        outer = cage.width + 2 * cage.bar
        panel.add_section("New panel")
        self.size = NumberGrid(["Width", "Height", "Pitch"], (2 * cage.bar, FAR_MM), 1.0, 1, "mm", columns=1)
        self.size.set_values((outer, min(outer, cage.printer[1]), cage.pitch or cage.gap_least + cage.bar))
        panel.add_widget(self.size)

    def _add_looks(self, panel: ToolPanel) -> None:
        panel.add_section("View")
        self.apart = QSlider(Qt.Orientation.Horizontal)
        self.apart.setRange(0, 100)
        self.apart.setAccessibleName("Exploded view")
        self.apart.setToolTip("Move the parts apart to see how they go together (X)")
        self.apart.valueChanged.connect(lambda value: self.editor.set_apart(value / 100))
        panel.add_note("Exploded")
        panel.add_widget(self.apart)
        panel.add_check("Rods, inside and limit", True, self.editor.set_ghosts,
                        "Show the rods, the space that has to be free, and the outer limit")  # fmt: skip
        self.beside = panel.add_check("Bed and criteria", True, self._show_side,
                                      "The printer's bed and the criteria beside the assembly")  # fmt: skip

    def _add_keys(self) -> None:
        add = self.editor.add_action
        add("Explode", lambda: self.apart.setValue(0 if self.apart.value() else 60), "X")
        add("Select all parts", lambda: self.editor.select(range(len(self.editor.parts))), "Ctrl+A")
        add("Next part", lambda: self._step(1), "]")
        add("Previous part", lambda: self._step(-1), "[")
        for key, way in ARROWS.items():
            for held, size in ((("",), 1.0), (("Shift+",), 10.0), (FINE_KEYS, 0.1)):
                add(f"Move {key.lower()} by {size:g} mm", self._mover(way, size), keys(held, key))
        for key, sign in (("PgUp", 1.0), ("PgDown", -1.0)):
            for held, size in ((("",), 1.0), (("Shift+",), 10.0), (FINE_KEYS, 0.1)):
                word = "up" if sign > 0 else "down"
                add(
                    f"Lift {word} by {size:g} mm",
                    lambda d=sign * size: self._move(np.array([0, 0, d])),
                    keys(held, key),
                )

    # What the editor tells ---------------------------------------------------------------------------------------

    def show_parts(self) -> None:
        """Shows the parts, the selection, and what can be done to it."""
        editor = self.editor
        self.list.show_parts(editor.parts, [self._state(i) for i in range(len(editor.parts))])
        self.list.select(editor.selected)
        chosen = editor.selected
        for action in (self.copy, self.opposite, self.delete, *self.turns):
            action.setEnabled(bool(chosen))
        for action in (self.edit, self.mirror, *self.shapers, self.bars, self.cut, self.hole):
            action.setEnabled(editor.shown is not None)
        forms = [editor.parts[i].form for i in chosen]
        self.run.setEnabled(any(form is not None and form.is_program for form in forms))
        self.stand.setEnabled(bool(chosen))
        self._show_pose()

    def show_bed_tool(self, tool: BedTool | None) -> None:
        """Marks the tool in hand."""
        actions: dict[BedTool | None, QAction] = {
            None: self.look, self.bar_tool: self.bars, self.cut_tool: self.cut, self.hole_tool: self.hole
        }  # fmt: skip
        actions[tool].setChecked(True)

    def _show_pose(self) -> None:
        number = self.editor.shown
        matrix = self.editor.parts[number].matrix if number is not None else None
        if matrix is None or len(self.editor.selected) != 1 or rigid_problem(matrix, 16):
            self.pose.set_values(None)
            return
        position, angles = pose_of(matrix)
        self.pose.set_values([number for pair in zip(position, angles, strict=True) for number in pair])

    def _state(self, number: int) -> tuple[str, str]:
        found = self.editor.found
        if found is None or number >= len(found["made"]):
            return "", ""
        sentence = found["made"][number]
        if number in found["waiting"]:
            return "not run", sentence
        if sentence:
            return "no solid", sentence
        failing = f"part {number}" in self.editor.document.verdict.failed_elements
        return ("fails", "A check names this part") if failing else ("ok", "")

    # Doing -------------------------------------------------------------------------------------------------------

    def _new_panel(self) -> None:
        width, height, pitch = (field.value() for field in self.size.fields)
        self.editor.commands.new_panel(width, height, pitch)

    def _by_numbers(self, adds: bool) -> None:
        u0, u1, v0, v1 = (field.value() for field in self.box.fields)
        box = Box((min(u0, u1), min(v0, v1), max(u0, u1), max(v0, v1)), adds)
        self.editor.commands.change_shape("Add box" if adds else "Cut box", box)

    def _stand(self, index: int) -> None:
        if index > 0:
            self.editor.commands.stand(FACES[index - 1])
            self.stand.setCurrentIndex(0)

    def _set_clearance(self, value: float) -> None:
        self.editor.clearance = value

    def _set_hole(self, index: int) -> None:
        self.hole_tool.kind = get_args(HoleKind)[index]

    def _set_alike(self, on: bool) -> None:
        self.editor.changes_alike = on

    def _show_side(self, on: bool) -> None:
        self.editor.side.setVisible(on)

    def _step(self, by: int) -> None:
        count = len(self.editor.parts)
        if count:
            chosen = self.editor.selected
            self.editor.select([(chosen[0] + by) % count if chosen else (0 if by > 0 else count - 1)])

    def _mover(self, way: tuple[float, float], size: float) -> Callable[[], None]:
        return lambda: self._move(np.array([*self._on_screen(way), 0.0]) * size)

    def _move(self, way: np.ndarray) -> None:
        self.editor.commands.move_by(way, merge=f"nudge {self.editor.selected}")

    def _on_screen(self, way: tuple[float, float]) -> tuple[float, float]:
        """The axis that an arrow key means: the nearest one as it is seen."""
        right = self.editor.view.camera.axes[0]
        x, y = way
        for _ in range(round(np.degrees(np.arctan2(right[1], right[0])) / 90) % 4):
            x, y = -y, x
        return x, y
