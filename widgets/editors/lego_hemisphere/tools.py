"""The panel of the editor: tools, commands with their keys, options, layers, and the numbers of what is selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from engine.core import Aid
from engine.core.words import counted
from engine.tasks.lego_hemisphere.brick import STUD_PITCH
from engine.tasks.lego_hemisphere.placement import SNAP_ANGLE_DEG
from widgets.editing.editor import FINE_KEYS, keys
from widgets.editing.panel import ToolPanel
from widgets.editors.lego_hemisphere.drawing import Coloring
from widgets.editors.lego_hemisphere.panels import ArrayPanel, SelectionPanel

if TYPE_CHECKING:
    from widgets.editors.lego_hemisphere.editor import LegoEditor

ARROWS = {"Right": (1.0, 0.0), "Left": (-1.0, 0.0), "Up": (0.0, 1.0), "Down": (0.0, -1.0)}
FINE_MM, FINEST_MM = 1.0, 0.1


class Tools:
    """Fills the panel, and keeps it true to the editor."""

    def __init__(self, editor: LegoEditor, panel: ToolPanel) -> None:
        self.editor = editor
        self._add_tools(panel)
        self._add_edits(panel)
        self._add_selection(panel)
        self._add_layers(panel)
        self._add_looks(panel)
        self._add_keys()
        # Letters mean the same after a click into the panel; arrows and page keys stay with its fields.
        panel.addActions([self.place, self.choose, *self.menu_actions])

    # Sections ----------------------------------------------------------------------------------------------------

    def _add_tools(self, panel: ToolPanel) -> None:
        editor, add = self.editor, self.editor.add_action
        self.place = add("Place", lambda: editor.use_tool(editor.place_tool), "P", "place",
                         "Place bricks: point and click")  # fmt: skip
        self.choose = add("Select", lambda: editor.use_tool(editor.select_tool), "V", "select",
                          "Select and drag bricks; Shift-drag copies them")  # fmt: skip
        panel.add_section("Tools")
        panel.add_tools([self.place, self.choose], columns=2)
        panel.add_check("Stack on bricks", True, self._set_stacking,
                        "Pointing at a brick builds on it or beside it. Off, or with Ctrl held: always on the "
                        "active layer.")  # fmt: skip
        panel.add_check("Allow illegal places", False, self._set_allowing,
                        "Bricks may overlap, miss studs or float; the verdict tells")  # fmt: skip

    def _add_edits(self, panel: ToolPanel) -> None:
        commands, add = self.editor.commands, self.editor.add_action
        self.rotate = add("Rotate", lambda: self._rotate(90.0), "R", "rotate", "Turn by 90°")
        self.copy = add("Copy", commands.copy, "Ctrl+D", "copy", "Copy the selected bricks beside them")
        self.delete = add("Delete", commands.delete, "Del, Backspace", "delete", "Delete the selected bricks")
        self.array = add("Array…", self.open_array, "", "array", "Repeat the selected bricks in rows and layers")
        mirror_x = add("Mirror x", lambda: commands.mirror(True, False), "", "mirror",
                       "Mirror the selected bricks, or all, to the other side of x = 0")  # fmt: skip
        mirror_y = add("Mirror y", lambda: commands.mirror(False, True), "", "mirror_y",
                       "Mirror the selected bricks, or all, to the other side of y = 0")  # fmt: skip
        self.four = add("Four-fold", commands.four_fold, "", "four_fold",
                   "Repeat the selected bricks, or all, by quarter turns about the middle")  # fmt: skip
        every = add("All", commands.select_all, "Ctrl+A", "box", "Select all bricks")
        self.menu_actions = [self.rotate, self.copy, self.delete, self.array, mirror_x, mirror_y, self.four, every]
        layer = add("Layer", commands.select_layer, "L", "layers", "Select the bricks of the active layer")
        self.menu_actions.append(layer)
        panel.add_section("Edit")
        panel.add_tools(
            [self.rotate, self.copy, self.delete, self.array, mirror_x, mirror_y, self.four], False, columns=2
        )
        self.array_panel = ArrayPanel()
        self.array_panel.hide()
        self.array_panel.changed.connect(self.preview_array)
        self.array_panel.applied.connect(self.apply_array)
        self.array_panel.cancelled.connect(self.close_array)
        panel.add_widget(self.array_panel)
        self._add_helper(panel, "Keep bricks above 25 %", commands.keep_worthy,
                         "Remove the bricks that cost points: those less than 25 % inside the shell")  # fmt: skip
        panel.add_section("Mirror while placing")
        tip = "Every brick is placed on both sides of {} = 0"
        self.live_x, self.live_y = panel.add_checks(
            ("at x = 0", "at y = 0"), lambda: self._set_mirrors(), [tip.format(axis) for axis in "xy"]
        )
        panel.add_section("Selection")
        panel.add_tools([every, layer], False, columns=2)

    def _add_selection(self, panel: ToolPanel) -> None:
        commands = self.editor.commands
        self.selection_panel = SelectionPanel(self.editor.piece.top_layer)
        self.selection_panel.set_to.connect(commands.set_value)
        self.selection_panel.moved_by.connect(commands.move_by)
        panel.add_widget(self.selection_panel)

    def _add_layers(self, panel: ToolPanel) -> None:
        editor = self.editor
        panel.add_section("Layer")
        self.layer = panel.add_number("Active", 0, (0, editor.piece.top_layer), lambda v: editor.set_layer(round(v)),
                                      tip="The active layer; 0 lies on the ground (Page Up, Page Down)")  # fmt: skip
        self.layer.setAccessibleName("Active layer")
        self._add_helper(panel, "Fill this layer", editor.commands.fill_layer,
                         "The solver fills what is empty of the active layer")  # fmt: skip
        self.hide_above = panel.add_check("Hide layers above", False, self._set_hiding, "Show only up to this layer")
        self.heat = panel.add_check("Show what is missing", False, self._set_heat,
                                    "Colour the part of the active layer that no brick fills yet",
                                    Aid.MEASURING)  # fmt: skip

    def _add_looks(self, panel: ToolPanel) -> None:
        panel.add_section("View")
        self.plan = panel.add_check("Plan beside it", True, self._show_plan,
                                    "The active layer from above, beside the view in space")  # fmt: skip
        self.coloring = panel.add_choice("Colours", ["Layer, poor bricks", "Share inside", "Layer only"],
                                         self._set_coloring, "What the colours of bricks tell",
                                         [Aid.MEASURING] * 3)  # fmt: skip

    def _add_helper(self, panel: ToolPanel, text: str, slot: Callable[[], None], tip: str) -> None:
        """A button that makes or mends a part of the answer."""
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.clicked.connect(lambda: self.editor.use_aid(text, Aid.SOLVING))
        button.clicked.connect(lambda: slot())
        panel.add_widget(button)

    def _add_keys(self) -> None:
        editor, add = self.editor, self.editor.add_action
        add("Turn by 15°", lambda: self._rotate(SNAP_ANGLE_DEG), "Shift+R")
        add("Layer up", lambda: editor.step_layer(1), "PgUp")
        add("Layer down", lambda: editor.step_layer(-1), "PgDown")
        add("Lift selected bricks", lambda: editor.commands.lift(1), "Shift+PgUp")
        add("Lower selected bricks", lambda: editor.commands.lift(-1), "Shift+PgDown")
        add("Place the brick", self._place, "Return, Enter")
        for key, way in ARROWS.items():
            for held, size in ((("",), STUD_PITCH), (("Shift+",), FINE_MM), (FINE_KEYS, FINEST_MM)):
                add(f"Move {key.lower()} by {size:g} mm", partial(self._step, way, size), keys(held, key))

    # What the editor tells ---------------------------------------------------------------------------------------

    def show_tool(self) -> None:
        """Marks the tool in hand."""
        (self.place if self.editor.is_placing else self.choose).setChecked(True)
        self.show_selection()

    def show_layer(self) -> None:
        """Shows the active layer."""
        self.layer.blockSignals(True)
        self.layer.setValue(self.editor.layer)
        self.layer.blockSignals(False)

    def show_selection(self) -> None:
        """Shows the numbers of the selected bricks, and what can be done to them."""
        editor, chosen = self.editor, self.editor.selected
        for action in (self.copy, self.delete, self.array):
            action.setEnabled(bool(chosen))
        self.rotate.setEnabled(bool(chosen) or editor.is_placing)
        if len(chosen) == 1:
            x, y, _, angle = editor.piece.poses.poses[chosen[0]].tolist()
            layer = int(editor.piece.poses.layers[chosen[0]])
            words = f"Brick {chosen[0]} · {editor.words_of(chosen[0])}"
            self.selection_panel.show_one((x, y, layer, angle % 360.0), words)
        elif chosen:
            self.selection_panel.show_several(counted(len(chosen), "brick"))
        else:
            self.selection_panel.show_nothing()
        if self.is_arraying:
            self.preview_array()

    def show_plan_state(self) -> None:
        """Ticks whether the plan has room."""
        self.plan.blockSignals(True)
        self.plan.setChecked(self.editor.plan_has_room)
        self.plan.blockSignals(False)

    # The array ---------------------------------------------------------------------------------------------------

    @property
    def is_arraying(self) -> bool:
        """Whether the numbers of an array are open."""
        return not self.array_panel.isHidden()

    def open_array(self) -> None:
        """Opens the numbers of the array, and shows what they mean."""
        editor = self.editor
        editor.use_tool(editor.select_tool)
        self.array_panel.start(editor.commands.array_pitch_mm())
        self.array_panel.show()
        self.preview_array()

    def preview_array(self) -> None:
        """Shows the copies as ghosts."""
        copies = self._copies()
        wanted = (_product(self.array_panel.count) - 1) * len(self.editor.selected)
        note = f"{len(copies)} of {wanted} have room" if len(copies) < wanted else f"{len(copies)} to be placed"
        self.array_panel.note.setText(note if self.editor.selected else "Select the bricks to repeat.")
        self.array_panel.apply_button.setEnabled(bool(copies))
        self.editor.show_copies(copies)

    def apply_array(self) -> None:
        """Places the copies."""
        copies = self._copies()
        self.close_array()
        if copies:
            self.editor.add(
                f"Array of {counted(len(copies) + len(self.editor.selected), 'brick')}", copies, select=False
            )

    def close_array(self) -> None:
        """Puts the numbers away."""
        self.array_panel.hide()
        self.editor.clear_ghost()

    def _copies(self):
        return self.editor.commands.array_copies(self.array_panel.count, self.array_panel.pitch_mm)

    # Keys and options --------------------------------------------------------------------------------------------

    def _rotate(self, by_deg: float) -> None:
        if self.editor.aims_ghost:
            self.editor.place_tool.turn(by_deg)
        else:
            self.editor.commands.rotate(by_deg)

    def _step(self, way: tuple[float, float], size_mm: float) -> None:
        """Moves the selected bricks, else the ghost, the way the key points on the screen."""
        x, y = self.editor.way_on_screen(way)
        if self.editor.aims_ghost:
            self.editor.place_tool.step(x * size_mm, y * size_mm, free=size_mm < STUD_PITCH)
        else:
            self.editor.commands.nudge((x, y), size_mm)

    def _place(self) -> None:
        if self.is_arraying:
            self.apply_array()
        elif self.editor.is_placing:
            self.editor.place_ghost()

    def _set_stacking(self, on: bool) -> None:
        self.editor.stacks = on

    def _set_allowing(self, on: bool) -> None:
        self.editor.allows_illegal = on

    def _set_mirrors(self) -> None:
        self.editor.mirrors = (self.live_x.isChecked(), self.live_y.isChecked())
        self.editor.place_tool.again()

    def _set_hiding(self, on: bool) -> None:
        self.editor.hides_above = on
        self.editor.hide_what_is_hidden()

    def _set_heat(self, on: bool) -> None:
        self.editor.shows_heat = on
        self.editor.draw_later()

    def _set_coloring(self, index: int) -> None:
        self.editor.coloring = Coloring(index)
        self.editor.redraw()

    def _show_plan(self, on: bool) -> None:
        self.editor.share_room(on)


def _product(count: tuple[int, int, int]) -> int:
    x, y, z = count
    return x * y * z
