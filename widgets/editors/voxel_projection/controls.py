"""The actions of the editor and the content of its tools panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QListWidget

from engine.core import Aid
from engine.core.words import counted
from engine.tasks.voxel_projection.editing import Cell, Findings
from engine.tasks.voxel_projection.grid import AXES
from engine.tasks.voxel_projection.prompt import rule_words
from widgets.editing.panel import NumberGrid, ToolPanel
from widgets.editors.voxel_projection.layer_bar import LayerBar
from widgets.meter import Meter, gap

if TYPE_CHECKING:
    from widgets.editors.voxel_projection.editor import VoxelEditor

ARROWS = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}
LARGEST_SEED = 1 << 30


class Controls:
    """What the panel holds; the editor asks it to show what has changed."""

    def __init__(self, editor: VoxelEditor, tools: ToolPanel) -> None:
        self.editor = editor
        self.count, self.holes, self.rule, self.symmetry = Meter(), Meter(), Meter(), Meter()
        self._has_rule = bool(rule_words(editor.grid.rule))
        tools.add_section("Rules")
        for meter in (self.count, self.holes, *([self.rule] if self._has_rule else []), self.symmetry):
            tools.add_widget(meter)
        self.symmetries = QListWidget()
        self.symmetries.setAccessibleName("Symmetries that remain")
        self.symmetries.setToolTip("Choose one to see a voxel and its image; moving either breaks it")
        self.symmetries.setMaximumHeight(132)
        self.symmetries.itemSelectionChanged.connect(lambda: editor.show_symmetry(self.chosen_symmetry))
        tools.add_widget(self.symmetries)
        self.motion = editor.add_action("Show the mapping", editor.play_symmetry, "G", "play",
                                        "Watch every voxel go to its image under the chosen symmetry",
                                        Aid.JUDGING)  # fmt: skip
        tools.add_tools([self.motion], exclusive=False)
        self._add_fill(tools)
        self._add_layer(tools)
        tools.add_section("Cell")
        self.cell = NumberGrid(["x", "y", "z"], (0, editor.grid.n - 1), columns=3)
        self.cell.edited.connect(editor.typed)
        for field in self.cell.fields:
            field.setMinimumWidth(48)
        tools.add_widget(self.cell)
        self._add_keys()

    def _add_fill(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Whole grid")
        self.seed = tools.add_number("Seed", 0, (0, LARGEST_SEED), lambda _: None, tip="Of the random cells")
        tools.add_tools([
            editor.add_action("Latin square start", editor.start_latin, "Shift+L", "grid",
                              "Begin anew with one voxel on every ray", Aid.SOLVING),
            editor.add_action("Fill to the number", editor.fill_to_number, "Shift+F", "fill",
                              "Add random allowed cells, by the seed, until the number is right", Aid.SOLVING),
            editor.add_action("Empty the grid", editor.empty_grid, "Shift+Delete", "delete", "Take all voxels away"),
        ], exclusive=False)  # fmt: skip

    def _add_layer(self, tools: ToolPanel) -> None:
        editor = self.editor
        tools.add_section("Layer")
        tools.add_tools([
            editor.add_action("Copy", editor.copy_layer, "C", "copy", "Copy the layer"),
            editor.add_action("Paste", editor.paste_layer, "V", "layers", "Put the copied layer in this one's place"),
            editor.add_action("Mirror ↔", lambda: editor.mirror_layer(0), "M", "mirror", "Mirror left and right"),
            editor.add_action("Mirror ↕", lambda: editor.mirror_layer(1), "Shift+M", "mirror_y", "Mirror up and down"),
            editor.add_action("Turn", editor.turn_layer, "R", "rotate", "Turn the layer by 90°"),
            editor.add_action("Empty", editor.empty_layer, "E", "delete", "Take the layer's voxels away"),
        ], exclusive=False, columns=2)  # fmt: skip

    def fill_bar(self, bar: LayerBar) -> None:
        """Adds the axes and the steps to the layer's bar."""
        editor = self.editor
        group = QActionGroup(editor)
        self.axes = []
        for axis, name in enumerate(AXES):
            action = editor.add_action(name, lambda axis=axis: editor.set_axis(axis), name.upper(), "",
                                       f"Layers across {name}")  # fmt: skip
            action.setCheckable(True)
            group.addAction(action)
            bar.add_button(action)
            self.axes.append(action)
        for text, step, key, icon in (("One layer down", -1, "PgDown", "layer_down"),
                                      ("One layer up", 1, "PgUp", "layer_up")):  # fmt: skip
            bar.add_button(editor.add_action(text, lambda step=step: editor.step_layer(step), key, icon))

    def _add_keys(self) -> None:
        editor = self.editor
        for key, (du, dv) in ARROWS.items():
            editor.add_action(f"Cursor {key.lower()}", lambda du=du, dv=dv: editor.move_cursor(du, dv), key)
            editor.add_action(
                f"Fill {key.lower()}", lambda du=du, dv=dv: editor.move_cursor(du, dv, fills=True), f"Shift+{key}"
            )
        editor.add_action("Fill or empty the cell", editor.toggle_cursor, "Space, Return, Enter")
        editor.add_action("Empty the selected cells", editor.delete_selected, "Delete, Backspace")

    def show_findings(self, found: Findings) -> None:
        """Shows what is left to do."""
        wanted = self.editor.grid.count
        self.count.show_figure(
            f"{found.count} / {counted(wanted, 'voxel')}", gap(found.count, wanted), found.count == wanted
        )
        total = sum(found.holes)
        words = " · ".join(f"{found.holes[axis]} along {AXES[axis]}" for axis in (2, 1, 0))
        self.holes.show_figure(counted(total, "hole"), words, total == 0)
        wrong = found.forbidden + found.required
        said = f"{found.forbidden} forbidden" if not found.required else f"{found.required} required cells are empty"
        self.rule.show_figure(said if wrong else "Rule kept", rule_words(self.editor.grid.rule), wrong == 0)
        self.rule.words.setWordWrap(True)
        left = len(found.symmetries)
        title = f"{left} symmetr{'y' if left == 1 else 'ies'} left" if left else "No symmetry"
        if found.count:
            self.symmetry.show_figure(title, "of 47 rotations and reflections", left == 0)
        else:
            self.symmetry.show_figure("Symmetry", "nothing is filled yet", None)
        self._list(found)

    @property
    def chosen_symmetry(self) -> int:
        """The row of the symmetry that is chosen; -1 if none is."""
        return self.symmetries.currentRow() if self.symmetries.selectedItems() else -1

    def _list(self, found: Findings) -> None:
        rows = [f"{one.name}: {one.formula}" for one in found.symmetries]
        shown = [self.symmetries.item(k).text() for k in range(self.symmetries.count())]
        self.symmetries.setVisible(bool(rows))
        self.motion.setEnabled(bool(rows))
        if rows != shown:
            self.symmetries.blockSignals(True)
            self.symmetries.clear()
            self.symmetries.addItems(rows)
            for k, row in enumerate(rows):
                self.symmetries.item(k).setToolTip(row)
            self.symmetries.blockSignals(False)

    def forget_symmetry(self) -> None:
        """Chooses none of the symmetries."""
        self.symmetries.blockSignals(True)
        self.symmetries.clearSelection()
        self.symmetries.blockSignals(False)

    def show_place(self, axis: int, cell: Cell) -> None:
        """Shows the axis of the layers and the cell of the cursor."""
        self.axes[axis].setChecked(True)
        self.cell.set_values([float(v) for v in cell])
