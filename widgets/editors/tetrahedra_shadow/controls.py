"""The actions of the editor and the content of its tools panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from engine.core.words import counted
from widgets.editing.panel import ToolPanel
from widgets.editors.tetrahedra_shadow.panels import PoseNumbers, ShadowMeters

if TYPE_CHECKING:
    from widgets.editors.tetrahedra_shadow.editor import TetrahedraEditor

STEP, FINE_STEP = 0.05, 0.005
TURN_DEG, FINE_TURN_DEG = 15.0, 5.0
ARROWS = {"Right": (1.0, 0.0), "Left": (-1.0, 0.0), "Up": (0.0, 1.0), "Down": (0.0, -1.0)}
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ORIENTATIONS = (
    ("Triangle up", "triangle", 0.0, "T", "tetra_up", "Lies on a face; the shadow is a triangle of side 1"),
    ("Triangle down", "triangle", 180.0, "Shift+T", "tetra_down", "Lies on a face, turned by 180°"),
    ("Square", "square", 0.0, "Q", "tetra_square", "Two edges level; the shadow is a square of side 0.707"),
    ("Wedge", "wedge", 0.0, "W", "tetra_wedge", "An edge upright; the shadow is a triangle, 1 wide and 0.707 high"),
)
"""Word, preset, turn about z, key, icon, and what it is."""


class Controls:
    """What the panel holds; the editor asks it to show what has changed."""

    def __init__(self, editor: TetrahedraEditor, tools: ToolPanel) -> None:
        self.editor = editor
        tools.add_section("Shadow")
        self.meters = ShadowMeters(editor.target.divisor)
        tools.add_widget(self.meters)
        self._add_tools(tools)
        self._add_orientations(tools)
        self._add_options(tools)
        self._add_commands(tools)
        self._add_array(tools)
        tools.add_section("Selected")
        self.numbers = PoseNumbers()
        self.numbers.edited.connect(editor.commands.typed)
        self.numbers.normalise.connect(editor.commands.normalise)
        tools.add_widget(self.numbers)
        self._add_keys()

    def _add_tools(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Tools")
        self.place = editor.add_action(
            "Place", lambda: editor.use_tool(editor.place_tool), "P", "place",
            "Click to place a tetrahedron; the wheel turns it, with Ctrl zooms; Ctrl+Shift: no snapping")  # fmt: skip
        self.choose = editor.add_action(
            "Select", lambda: editor.use_tool(editor.select_tool), "V", "select",
            "Click or drag tetrahedra, with Shift copies; arrows move a selection, their rings tilt it")  # fmt: skip
        tools.add_tools([self.place, self.choose], columns=2)

    def _add_orientations(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Orientation")
        self.orientations = [
            editor.add_action(
                text, lambda preset=preset, turn=turn: editor.commands.choose_orientation(preset, turn), key, icon, tip
            )
            for text, preset, turn, key, icon, tip in ORIENTATIONS
        ]
        self.like = editor.add_action(
            "Free", editor.commands.orient_like_selected, "C", "tetra_free",
            "As the selected tetrahedron is turned, or as the next one was left")  # fmt: skip
        tools.add_tools([*self.orientations, self.like], columns=2)

    def _add_options(self, tools: ToolPanel) -> None:
        editor = self.editor
        self.stack = tools.add_check(
            "Stack by itself", True, editor.set_stacking, "Each piece takes the lowest level where it meets no other"
        )
        self.snap = tools.add_check(
            "Snap", True, editor.set_snapping,
            "Corners of shadows snap to corners and edges of the target and of other shadows, or to 0.05")  # fmt: skip
        self.overlap = tools.add_check(
            "Allow intersections", False, editor.set_overlapping, "They halve the coverage that counts"
        )
        self.glass = tools.add_check("Glass", False, editor.set_glass, "See the ground through the tetrahedra")

    def _add_commands(self, tools: ToolPanel) -> None:
        editor, commands = self.editor, self.editor.commands
        tools.add_section("Change")
        self.commands = [
            editor.add_action("Duplicate", commands.duplicate, "Ctrl+D", "copy", "A copy beside the selection"),
            editor.add_action("Delete", commands.delete, "Delete, Backspace", "delete", "Take the selection away"),
            editor.add_action("Mirror x", lambda: commands.mirror(0), "M", "mirror",
                              "Add the selection's image across the y axis"),
            editor.add_action("Mirror y", lambda: commands.mirror(1), "Shift+M", "mirror_y",
                              "Add the selection's image across the x axis"),
        ]  # fmt: skip
        restack = editor.add_action(
            "Restack", commands.restack, "L", "layers", "Put all on the lowest levels where none meet"
        )
        tools.add_tools([*self.commands, restack], exclusive=False, columns=2)

    def _add_array(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Array")
        self.count = tools.add_number("Pieces", 3, (2, 100), lambda _: None, tip="In the row or the ring")
        self.step_x = tools.add_number("Step x", 0.7, (-20, 20), lambda _: None, 0.05, 4, tip="Along the row")
        self.step_y = tools.add_number("Step y", 0, (-20, 20), lambda _: None, 0.05, 4, tip="Along the row")
        self.arrays = [
            editor.add_action("Row", self._row, "A", "array", "Repeat the selection in a row"),
            editor.add_action("Ring", self._ring, "Shift+A", "ring", "Repeat the selection around the origin"),
        ]
        tools.add_tools(self.arrays, exclusive=False, columns=2)

    def _row(self) -> None:
        self.editor.commands.repeat_in_row(round(self.count.value()), (self.step_x.value(), self.step_y.value()))

    def _ring(self) -> None:
        self.editor.commands.repeat_in_ring(round(self.count.value()))

    def _add_keys(self) -> None:
        editor = self.editor
        for name, axis, key in (("Turn", Z, "R"), ("Tilt about x", X, "X"), ("Tilt about y", Y, "Y")):
            for sign, prefix in ((1, ""), (-1, "Shift+")):
                back = "" if sign > 0 else " back"
                self._key(f"{name} by 15°{back}", f"{prefix}{key}", axis, sign * TURN_DEG)
        self._key("Turn by 5°", ".", Z, FINE_TURN_DEG)
        self._key("Turn by 5° back", ",", Z, -FINE_TURN_DEG)
        for key, (x, y) in ARROWS.items():
            for size, prefix, word in ((STEP, "", ""), (FINE_STEP, "Shift+", ", finely")):
                editor.add_action(
                    f"Move {key.lower()}{word}", lambda x=x, y=y, size=size: editor.commands.nudge(x * size, y * size),
                    f"{prefix}{key}")  # fmt: skip
        editor.add_action("Raise by a level", lambda: editor.commands.lift(1), "PgUp")
        editor.add_action("Lower by a level", lambda: editor.commands.lift(-1), "PgDown")
        editor.add_action("Place here", editor.place_tool.place, "Return, Enter")
        editor.add_action("Next tetrahedron", lambda: editor.commands.step_selection(1), "]")
        editor.add_action("Previous tetrahedron", lambda: editor.commands.step_selection(-1), "[")
        editor.add_action("Select all", editor.commands.select_all, "Ctrl+A")
        editor.add_action("Normalise", editor.commands.normalise, "N")

    def _key(self, text: str, key: str, axis: tuple[float, float, float], angle_deg: float) -> QAction:
        return self.editor.add_action(text, lambda: self.editor.commands.turn(axis, angle_deg), key)

    def show_tool(self, is_placing: bool) -> None:
        """Checks the button of the tool in hand."""
        (self.place if is_placing else self.choose).setChecked(True)

    def show_selection(self) -> None:
        """Shows the numbers of a single selected piece, and greys what needs a selection."""
        selected = self.editor.selected
        for action in (*self.commands, *self.arrays):
            action.setEnabled(bool(selected))
        if len(selected) == 1:
            self.numbers.show_pose(self.editor.poses[selected[0]], f"Tetrahedron {selected[0]}")
        else:
            note = (
                counted(len(selected), "tetrahedron", "tetrahedra")
                if selected
                else "Select a tetrahedron to see its numbers."
            )
            self.numbers.show_pose(None, note)
