"""The editor: the grid in 3D, a layer to paint on, and the projections."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels, cell_of, grid_of
from spatial_workbench.engine.tasks.voxel_projection.drawing import hole_id, in_motion
from spatial_workbench.engine.tasks.voxel_projection.editing import (
    Cell,
    Spot,
    VoxelFindings,
    cell_at,
    findings,
    layer_of,
    painted,
    pair_of,
    spot_of,
    with_layer,
)
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES, Bools, cells_of
from spatial_workbench.engine.tasks.voxel_projection.prompt import rule_words
from spatial_workbench.engine.tasks.voxel_projection.solver import candidates, fill_to_count, latin_square
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Number,
    Numbers,
    Row,
    Section,
    Setting,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.voxel_projection.controls import (
    count_reading,
    holes_reading,
    rule_reading,
    symmetry_reading,
)
from spatial_workbench.widgets.editors.voxel_projection.drawing import in_layer, in_projections, in_space
from spatial_workbench.widgets.editors.voxel_projection.gestures import RayTool, VoxelPaintTool
from spatial_workbench.widgets.editors.voxel_projection.layer_bar import LayerBar
from spatial_workbench.widgets.editors.voxel_projection.symmetry_list import SymmetryList
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick

HINT = "Paint voxels on the layer on the right; Page Up and Page Down change the layer."
ARROWS = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}
LARGEST_SEED = 1 << 30


class VoxelEditor(Editor[FilledVoxels]):
    """Fills the cells of a grid."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.grid = grid_of(self.instance)
        self.array: Bools = np.zeros((self.grid.n,) * 3, bool)
        self.axis = 2
        self.layer_depth = 0
        self.cursor_spot: Spot = (0, 0)
        self._stroke: Bools | None = None
        self._copied: Bools | None = None
        self._pair: tuple[Cell, Cell] | None = None
        self._findings: tuple[Bools, VoxelFindings] | None = None
        self._odd = 0
        self._note = ""
        self._refused = self.grid.forbidden if self.allows(Aid.JUDGING) else np.zeros_like(self.array)
        """The cells that cannot be filled by hand."""
        self._seed: Setting[float] = Setting(0.0, self.refresh)
        self.symmetries = SymmetryList()
        self.symmetries.itemSelectionChanged.connect(lambda: self.show_symmetry(self.symmetries.chosen))

    def begin(self) -> None:
        for text in (*AXES, "Layer down", "Layer up"):
            self.bar.add_button(self.panel.actions[text])
        if not self.array.any():
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def central_widget(self) -> QWidget:
        """The 3D view, and beside it the layer above the projections."""
        self.layer = Canvas2D()
        self.projections = Canvas2D()
        self.layer.setAccessibleName(self.tr("Layer"))
        self.layer.box_select = False
        self.projections.setAccessibleName(self.tr("Projections"))
        self.projections.rulers = self.projections.box_select = False
        self.layer.set_tool(VoxelPaintTool(self, self.grid.n))
        self.projections.set_tool(RayTool(self, self.grid.n))
        for view in (self.view, self.layer, self.projections):
            view.set_describe(self._describe)
        self.view.selection_changed.connect(self._chosen)
        painted_on = QWidget()
        self._above_layer = column(painted_on, self.layer)
        right = split(painted_on, self.projections, shares=(0, 0), orientation=Qt.Orientation.Vertical)
        whole = split(self.view, right, shares=(0, 0))
        for splitter, sizes in ((right, [3000, 1000]), (whole, [1000, 1000])):
            splitter.setSizes(sizes)
            splitter.setCollapsible(0, False)
        return whole

    def _make_bar(self) -> LayerBar:
        self.bar = LayerBar(self.grid.n)
        self.bar.chosen.connect(self.set_depth)
        return self.bar

    def list_controls(self) -> Iterable[Declared]:
        bar = CustomPart("Layer in sight", self._make_bar, aid=Aid.VIEWING)
        yield Bars(bar, place=partial(self._above_layer.insertWidget, 0))
        yield Section("Rules", *self._rules())
        yield self._fill_controls()
        yield self._layer_controls()
        cell = partial(Numbers, columns=3, field_px=48, aid=Aid.MEASURING)
        yield Section("Cell", cell("Cell", "xyz", self._cursor_cell, self.typed, (0, self.grid.n - 1)))
        yield self._bar_keys()
        for key, step in ARROWS.items():
            yield Keys(
                Action(f"Cursor {key.lower()}", partial(self.move_cursor, *step), key),
                Action(f"Fill {key.lower()}", partial(self.move_cursor, *step, fills=True), f"Shift+{key}"),
            )
        yield Keys(
            Action("Fill or empty the cell", self.toggle_cursor, "Space, Return, Enter"),
            Action("Empty the selected cells", self.delete_selected, "Delete, Backspace", verb=Verb.DELETE),
        )

    def _rules(self) -> Iterable[Row]:
        judged = self.allows(Aid.JUDGING)

        def listed() -> bool:
            return bool(self.findings.symmetries)

        yield Gauge("Voxels", lambda: count_reading(self.grid, self.findings, judged), aid=Aid.MEASURING)
        yield Gauge("Holes", lambda: holes_reading(self.findings))
        if rule_words(self.grid.rule):
            yield Gauge("Rule", lambda: rule_reading(self.grid, self.findings), wraps=True)
        yield Gauge("Symmetry", lambda: symmetry_reading(self.findings))
        yield CustomPart(
            "Symmetries that remain",
            lambda: self.symmetries,
            aid=Aid.JUDGING,
            shown=listed,
            refresh=lambda symmetries: symmetries.show_symmetries(self.findings.symmetries),
        )
        tip = "Watch every voxel move to its image under the chosen symmetry"
        yield Buttons(Action("Show the mapping", self.play_symmetry, "G", "play", tip, Aid.JUDGING, enabled=listed))

    def _fill_controls(self) -> Section:
        latin = "Start again with one voxel on every ray"
        solving = Aid.SOLVING
        fill = "Add random allowed cells until the number is right"
        seeds = (0, LARGEST_SEED)
        return Section(
            "Whole grid",
            Number("Seed", self._seed.get, self._seed.put, seeds, "Seed of the random cells", aid=solving),
            Buttons(
                Action("Latin square start", self.start_latin, "Shift+L", "grid", latin, solving),
                Action("Fill to the number", self.fill_to_number, "Shift+F", "fill", fill, solving),
                Action("Empty the grid", self.empty_grid, "Shift+Delete", "delete", "Empty all cells"),
            ),
        )

    def _layer_controls(self) -> Section:
        pasted = "Replace the layer by the copied one"
        return Section(
            "Layer",
            Buttons(
                Action("Copy", self.copy_layer, "C, Ctrl+C", "copy", "Copy the layer", verb=Verb.COPY),
                Action(
                    "Paste",
                    self.paste_layer,
                    "V, Ctrl+V",
                    "layers",
                    pasted,
                    verb=Verb.PASTE,
                ),
                Action("Mirror ↔", partial(self.mirror_layer, 0), "M", "mirror", "Mirror left and right"),
                Action("Mirror ↕", partial(self.mirror_layer, 1), "Shift+M", "mirror_y", "Mirror up and down"),
                Action("Turn", self.turn_layer, "R", "rotate", "Turn the layer by 90°"),
                Action("Empty", self.empty_layer, "E", "delete", "Empty the cells of the layer"),
                columns=2,
            ),
        )

    def _bar_keys(self) -> Keys:
        """The actions of the bar above the layer."""
        return Keys(
            *(self._axis_action(axis, name) for axis, name in enumerate(AXES)),
            Action("Layer down", partial(self.step_layer, -1), "PgDown", "layer_down", aid=Aid.VIEWING),
            Action("Layer up", partial(self.step_layer, 1), "PgUp", "layer_up", aid=Aid.VIEWING),
        )

    def _axis_action(self, axis: int, name: str) -> Action:
        tip = f"Show layers across {name}"
        choose = partial(self.set_axis, axis)
        return Action(name, choose, name.upper(), "", tip, Aid.VIEWING, checked=lambda: self.axis == axis)

    def make_scene(self) -> Scene:
        judged = self.allows(Aid.JUDGING)
        return in_space(self.grid, self.shown, self.axis, self.layer_depth, self._pair, judged)

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the answer, and draws it in all views."""
        places = [cell_of(voxel, self.grid.n) for voxel in self.document.answer.voxels]
        cells = {cell for cell in places if cell is not None}
        self._odd = len(places) - len(cells)
        self.array = self.grid.filled(cells)
        self._pair = None
        self.stop_playing()
        super().redraw(reset_view)
        self.symmetries.clear_choice()
        self.view.set_selection(
            name for name in self.view.selection if (cell := _cell_of(name)) is not None and self.array[cell]
        )
        self._draw_planes(reset_view)

    def status(self) -> str:
        place = f"layer {AXES[self.axis]} = {self.layer_depth}"
        is_odd = self._odd and self.allows(Aid.JUDGING)
        odd = counted(self._odd, "entry is", "entries are") + " repeated or outside" if is_odd else ""
        count = f"{int(self.shown.sum())} of {counted(self.grid.count, 'voxel')}"
        count = count if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, [count, place, odd, self._note]))

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also goes to the layer of the first cell."""
        ids = tuple(ids)
        cell = next((cell for name in ids if (cell := _cell_of(name)) is not None), None)
        if cell is not None:
            self.go_to(cell)
        super().show_elements(ids)

    # For gestures ------------------------------------------------------------------------------------------------

    @property
    def shown(self) -> Bools:
        """The shown cells: with the present stroke, or else of the answer."""
        return self.array if self._stroke is None else self._stroke

    @property
    def findings(self) -> VoxelFindings:
        """What the rules say about the shown cells."""
        if self._findings is None or self._findings[0] is not self.shown:
            self._findings = self.shown, findings(self.grid, self.shown)
        return self._findings[1]

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the answer or the layer changes."""
        self._note = note
        self.update_status()

    def put(self, label: str, array: Bools, merge: str = "") -> None:
        """Replaces the filled cells, as one step of the history."""
        self._note = ""
        if not np.array_equal(array, self.array):
            self.edit(label, FilledVoxels.of(cells_of(array), self.document.answer.reasoning), merge)

    def is_filled(self, spot: Spot) -> bool:
        """Whether the cell at a spot of the layer is filled."""
        return bool(self.array[self._cell(spot)])

    def preview(self, spots: Iterable[Spot], value: bool) -> None:
        """Shows a stroke before it is applied."""
        cells = [self._cell(spot) for spot in spots]
        refused = [cell for cell in cells if value and self._refused[cell]]
        self._note = f"Cell {refused[-1]} is forbidden: {self.grid.rule.why(refused[-1])}" if refused else ""
        self._stroke = painted(self.array, cells, value, self._refused)
        self._draw_planes()
        self.later.start()
        self.update_status()

    def finish_stroke(self, spots: Iterable[Spot], value: bool) -> None:
        """Applies a stroke, as a step of the history."""
        note = self._note
        self._stroke = None
        array = painted(self.array, [self._cell(spot) for spot in spots], value, self._refused)
        changed = int((array != self.array).sum())
        words = "Fill" if value else "Empty"
        self.put(f"{words} {counted(changed, 'cell')}" if changed != 1 else f"{words} cell", array)
        self._draw_planes()
        self.say(note)

    def drop_stroke(self) -> None:
        """Shows the answer again."""
        if self._stroke is None:
            return
        self._stroke = None
        self._draw_planes()
        self.later.start()

    def take_ray(self, axis: int, ray: Spot, where: QPoint) -> None:
        """Offers the cells of a ray that meets no voxel, or selects the voxels on it."""
        on_it = np.flatnonzero(np.moveaxis(self.array, axis, -1)[ray])
        if len(on_it):
            self.view.set_selection(_id_of(cell_at(axis, int(depth), ray)) for depth in on_it)
            return
        if not self.allows(Aid.SOLVING):
            return
        cells = candidates(self.grid, self.array, axis, ray)
        if not cells:
            self.say(f"No cell is allowed on the ray {hole_id(axis, *ray).removeprefix('hole ')}")
            return
        self._offer(cells, where)

    def fill_cell(self, cell: Cell) -> None:
        """Fills a cell and goes to it."""
        self.put("Fill cell", painted(self.array, [cell], True, self._refused))
        self.go_to(cell)

    def delete_selected(self) -> None:
        """Empties the cells selected in the 3D view, or the one at the cursor."""
        cells = [cell for name in self.view.selection if (cell := _cell_of(name)) is not None]
        self.put("Empty cells", painted(self.array, cells or [self._cursor_cell()], False, self._refused))

    # The cursor and the layer ------------------------------------------------------------------------------------

    def set_axis(self, axis: int) -> None:
        """Shows layers across another axis, starting with the one through the cursor's cell."""
        cell = self._cursor_cell()
        self.axis = axis
        self.go_to(cell, reset_view=True)

    def set_depth(self, depth: int) -> None:
        """Shows another layer."""
        self.layer_depth = min(max(depth, 0), self.grid.n - 1)
        self._note = ""
        self._draw_planes()
        self.later.start()
        self.update_status()

    def step_layer(self, by: int) -> None:
        """Goes to the next layer (1) or the previous one (-1)."""
        self.set_depth(self.layer_depth + by)

    def go_to(self, cell: Cell, reset_view: bool = False) -> None:
        """Goes to the layer of a cell, and moves the cursor there."""
        self.layer_depth, self.cursor_spot = spot_of(self.axis, cell)
        self._draw_planes(reset_view)
        self.later.start()
        self.update_status()

    def move_cursor_to(self, spot: Spot) -> None:
        """Moves the cursor to a spot of the layer."""
        self.cursor_spot = spot

    def submission_question(self) -> str:
        """Asks for confirmation if the number of voxels is wrong."""
        filled = int(self.array.sum())
        target = self.grid.count
        if filled == target or not self.allows(Aid.JUDGING):
            return ""
        voxels = counted(filled, "voxel is", "voxels are")
        return f"{voxels} filled, but {target} are wanted. Submit anyway?"

    def move_cursor(self, du: int, dv: int, fills: bool = False) -> None:
        """Moves the cursor; with `fills` it fills cells as it goes, and consecutive keys are one step."""
        last = self.grid.n - 1
        self.cursor_spot = min(max(self.cursor_spot[0] + du, 0), last), min(max(self.cursor_spot[1] + dv, 0), last)
        if fills:
            self.put("Fill cells", painted(self.array, [self._cursor_cell()], True, self._refused), "fill by keys")
        self._draw_planes()

    def toggle_cursor(self) -> None:
        """Fills or empties the cell of the cursor."""
        value = not self.is_filled(self.cursor_spot)
        self.preview([self.cursor_spot], value)
        self.finish_stroke([self.cursor_spot], value)

    def typed(self, axis: int, value: float) -> None:
        """Sets a coordinate of the cursor, as it was typed."""
        cell = [*self._cursor_cell()]
        cell[axis] = round(value)
        self.go_to((cell[0], cell[1], cell[2]))

    def copy_layer(self) -> None:
        """Copies the layer, for pasting."""
        self._copied = layer_of(self.array, self.axis, self.layer_depth).copy()
        self.say("The layer has been copied")

    def paste_layer(self) -> None:
        """Replaces the layer by the copied one."""
        if self._copied is None:
            self.say("Copy a layer first")
        else:
            self._put_layer("Paste layer", self._copied)

    def mirror_layer(self, axis: int) -> None:
        """Mirrors the layer along its first (0) or second (1) axis."""
        self._put_layer("Mirror layer", np.flip(self._layer, axis))

    def turn_layer(self) -> None:
        """Turns the layer by 90 degrees."""
        self._put_layer("Turn layer", np.rot90(self._layer))

    def empty_layer(self) -> None:
        """Empties the layer."""
        self._put_layer("Empty layer", np.zeros_like(self._layer))

    @property
    def _layer(self) -> Bools:
        return layer_of(self.array, self.axis, self.layer_depth)

    def _put_layer(self, label: str, layer: Bools) -> None:
        allowed = layer & ~layer_of(self._refused, self.axis, self.layer_depth)
        left_out = int(layer.sum() - allowed.sum())
        self.put(label, with_layer(self.array, self.axis, self.layer_depth, allowed))
        if left_out:
            self.say(f"{left_out} forbidden cells were left out")

    # The whole grid ----------------------------------------------------------------------------------------------

    def start_latin(self) -> None:
        """Starts again with a Latin square and the required cells."""
        array = latin_square(self.grid, self._random())
        if array is None:
            self.say("No Latin square without forbidden cells was found; try another seed")
            return
        array[tuple(np.array(self.grid.rule.required, dtype=int).reshape(-1, 3).T)] = True
        self.put("Latin square", array)

    def fill_to_number(self) -> None:
        """Adds random allowed cells until the number is right."""
        filled = fill_to_count(self.grid, self.array, self._random())
        if filled is None:
            self.say(f"Not done: {int(self.array.sum())} are filled already, and {self.grid.count} are wanted")
        else:
            self.put("Fill to the number", filled)

    def empty_grid(self) -> None:
        """Empties the grid."""
        self.put("Empty the grid", np.zeros_like(self.array))

    def show_symmetry(self, row: int) -> None:
        """Shows a voxel and its image under one of the remaining symmetries."""
        left = self.findings.symmetries
        self._pair = pair_of(self.array, left[row]) if 0 <= row < len(left) else None
        self.stop_playing()
        self.draw_later()
        roles = dict.fromkeys(map(_id_of, self._pair or ()), "warning")
        self.view.set_highlight(roles, fade_rest=bool(roles))
        self.layer.set_highlight(roles)
        if self._pair:
            self.say(f"Empty or move {self._pair[0]} or {self._pair[1]} to break this symmetry")

    def play_symmetry(self) -> None:
        """Shows every voxel moving to its image, under the chosen symmetry or the first one."""
        left = self.findings.symmetries
        if left:
            self.play(in_motion(self.grid, self.array, left[max(0, self.symmetries.chosen)]))

    # Internal ----------------------------------------------------------------------------------------------------

    def _random(self) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(round(self._seed.value)))

    def _cell(self, spot: Spot) -> Cell:
        return cell_at(self.axis, self.layer_depth, spot)

    def _cursor_cell(self) -> Cell:
        return self._cell(self.cursor_spot)

    def _draw_planes(self, reset_view: bool = False) -> None:
        """Draws the layer, the projections and the meters."""
        judged = self.allows(Aid.JUDGING)
        depth = self.layer_depth
        layer = in_layer(self.grid, self.shown, self.axis, depth, self.cursor_spot, judged)
        self.layer.set_scene(layer, reset_view)
        self.projections.set_scene(in_projections(self.grid, self.shown, judged), reset_view)
        self.bar.show_layer(AXES[self.axis], depth)
        self.panel.refresh()

    def draw_later(self) -> None:
        if self._animation is None:
            self.view.set_scene(self.make_scene())

    def _offer(self, cells: list[Cell], where: QPoint) -> None:
        self.use_aid("Cells offered on a ray", Aid.SOLVING)
        menu = QMenu(self)
        menu.setObjectName("cells on the ray")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for cell in cells:
            menu.addAction(f"Fill {cell}", partial(self.fill_cell, cell))
        menu.popup(where)

    def _chosen(self, ids: tuple[str, ...]) -> None:
        """Goes to the layer of a voxel that was selected in the 3D view."""
        cells = [cell for name in ids if (cell := _cell_of(name)) is not None]
        self.layer.set_selection(ids)
        if len(cells) == 1:
            self.go_to(cells[0])

    def _describe(self, pick: Pick) -> tuple[str, str]:
        cell = _cell_of(pick.id)
        if cell is None:
            return pick.id.capitalize(), ""
        kind = pick.id.partition(" ")[0]
        if kind == "forbidden":
            return f"Forbidden {cell}", self.grid.rule.why(cell)
        if kind == "needed":
            return f"Cell {cell}", f"nothing is on its ray along {AXES[self.axis]}"
        return f"Voxel {cell}", self.grid.rule.why(cell) if self.allows(Aid.JUDGING) else ""


def _id_of(cell: Cell) -> str:
    return f"voxel {cell[0]},{cell[1]},{cell[2]}"


def _cell_of(element: str) -> Cell | None:
    """The cell that an id refers to, or None."""
    try:
        x, y, z = (int(value) for value in element.rpartition(" ")[2].split(","))
    except ValueError:
        return None
    return x, y, z
