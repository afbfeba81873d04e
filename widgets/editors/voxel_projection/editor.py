"""The editor: the grid in 3D, a layer to paint on, and the projections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.voxel_projection import FilledVoxels, grid_of
from spatial_workbench.engine.tasks.voxel_projection.grid import AXES
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    CustomPart,
    Declared,
    Keys,
    Numbers,
    Section,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.voxel_projection.commands import GridCommands, LayerCommands
from spatial_workbench.widgets.editors.voxel_projection.controls import (
    grid_section,
    layer_section,
    rule_rows,
)
from spatial_workbench.widgets.editors.voxel_projection.drawing import in_layer, in_projections, in_space
from spatial_workbench.widgets.editors.voxel_projection.gestures import RayTool, VoxelPaintTool
from spatial_workbench.widgets.editors.voxel_projection.layer import GridLayer
from spatial_workbench.widgets.editors.voxel_projection.layer_bar import LayerBar
from spatial_workbench.widgets.editors.voxel_projection.rays import RayChoice
from spatial_workbench.widgets.editors.voxel_projection.symmetries import SymmetryDisplay
from spatial_workbench.widgets.editors.voxel_projection.workpiece import FilledGrid, cell_with_id
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView

HINT = "Paint voxels on the layer on the right; Page Up and Page Down change the layer."
ARROWS = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}


class VoxelEditor(Editor[FilledVoxels]):
    """Fills the cells of a grid."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.grid = grid_of(self.instance)
        self._note = ""

    def begin(self) -> None:
        for text in (*AXES, "Layer down", "Layer up"):
            self.bar.add_button(self.panel.actions[text])
        if not self.voxels.array.any():
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the views of the layer and the projections, and what works on the grid in them."""
        view = super().make_view()
        self.layer_view = Canvas2D()
        self.layer_view.setAccessibleName(tr("Layer"))
        self.layer_view.box_select = False
        self.projections = Canvas2D()
        self.projections.setAccessibleName(tr("Projections"))
        self.projections.rulers = self.projections.box_select = False
        self.voxels = FilledGrid(self.document, self.say, self.allows(Aid.JUDGING))
        self.layer = GridLayer(self.voxels, self.say, self._draw_planes, self._follow_layer)
        self.layer_commands = LayerCommands(self.voxels, self.layer, self.say)
        self.commands = GridCommands(self.voxels, self.layer, view, self.say, self.refresh)
        self.symmetries = SymmetryDisplay(self, self.voxels, self.layer_view, self.say)
        rays = RayChoice(self, self.voxels, self.commands, self.say)
        self.layer_view.set_tool(VoxelPaintTool(self.layer, self.grid.n))
        self.projections.set_tool(RayTool(rays, self.grid.n))
        for pane in (view, self.layer_view, self.projections):
            pane.set_describe(self._describe)
        view.selection_changed.connect(self._chosen)
        return view

    def central_widget(self) -> QWidget:
        """The 3D view, and beside it the layer above the projections."""
        painted_on = QWidget()
        self._above_layer = column(painted_on, self.layer_view)
        right = split(painted_on, self.projections, shares=(0, 0), orientation=Qt.Orientation.Vertical)
        whole = split(self.view, right, shares=(0, 0))
        for splitter, sizes in ((right, [3000, 1000]), (whole, [1000, 1000])):
            splitter.setSizes(sizes)
            splitter.setCollapsible(0, False)
        return whole

    def _make_bar(self) -> LayerBar:
        self.bar = LayerBar(self.grid.n)
        self.bar.chosen.connect(self.layer.set_depth)
        return self.bar

    def list_controls(self) -> Iterable[Declared]:
        bar = CustomPart("Layer in sight", self._make_bar, aid=Aid.VIEWING)
        yield Bars(bar, place=partial(self._above_layer.insertWidget, 0))
        yield Section("Rules", *rule_rows(self.voxels, self.symmetries, self.allows(Aid.JUDGING)))
        yield grid_section(self.commands)
        yield layer_section(self.layer_commands)
        cell = partial(Numbers, columns=3, field_px=48, aid=Aid.MEASURING)
        yield Section(
            "Cell",
            cell("Cell", "xyz", lambda: self.layer.cursor_cell, self.layer.type_coordinate, (0, self.grid.n - 1)),
        )
        yield self._bar_keys()
        for key, step in ARROWS.items():
            yield Keys(
                Action(f"Cursor {key.lower()}", partial(self.layer.move_cursor, *step), key),
                Action(f"Fill {key.lower()}", partial(self.layer.move_cursor, *step, fills=True), f"Shift+{key}"),
            )
        yield Keys(
            Action("Fill or empty the cell", self.layer.toggle_cursor, "Space, Return, Enter"),
            Action("Empty the selected cells", self.commands.delete_selected, "Delete, Backspace", verb=Verb.DELETE),
        )

    def _bar_keys(self) -> Keys:
        """The actions of the bar above the layer."""
        return Keys(
            *(self._axis_action(axis, name) for axis, name in enumerate(AXES)),
            Action("Layer down", partial(self.layer.step_layer, -1), "PgDown", "layer_down", aid=Aid.VIEWING),
            Action("Layer up", partial(self.layer.step_layer, 1), "PgUp", "layer_up", aid=Aid.VIEWING),
        )

    def _axis_action(self, axis: int, name: str) -> Action:
        tip = f"Show layers across {name}"
        choose = partial(self.layer.set_axis, axis)
        return Action(name, choose, name.upper(), "", tip, Aid.VIEWING, checked=lambda: self.layer.axis == axis)

    def make_scene(self) -> Scene:
        judged = self.allows(Aid.JUDGING)
        return in_space(self.grid, self.voxels.shown, self.layer.axis, self.layer.depth, self.symmetries.pair, judged)

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the answer, and draws it in all views."""
        self.voxels.read_answer()
        self.symmetries.pair = None
        self.animation.stop()
        super().redraw(reset_view)
        self.symmetries.list.clear_choice()
        self.view.set_selection(
            name for name in self.view.selection if (cell := cell_with_id(name)) is not None and self.voxels.array[cell]
        )
        self._draw_planes(reset_view)

    def status(self) -> str:
        place = f"layer {AXES[self.layer.axis]} = {self.layer.depth}"
        is_odd = self.voxels.odd and self.allows(Aid.JUDGING)
        odd = f"{counted(self.voxels.odd, 'entry is', 'entries are')} repeated or outside" if is_odd else ""
        count = f"{int(self.voxels.shown.sum())} of {self.grid.count:,} voxels"
        count = count if self.allows(Aid.MEASURING) else ""
        return " · ".join(filter(None, [count, place, odd, self._note]))

    def cursor_numbers(self) -> Sequence[int]:
        """The cursor as numbers."""
        return self.layer.numbers()

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was. Raises ValueError for a place that is not here."""
        self.layer.put(numbers)

    def show_elements(self, ids: Iterable[str]) -> None:
        """Also goes to the layer of the first cell."""
        ids = tuple(ids)
        cell = next((cell for name in ids if (cell := cell_with_id(name)) is not None), None)
        if cell is not None:
            self.layer.go_to(cell)
        super().show_elements(ids)

    def say(self, note: str) -> None:
        """Shows a message in the status bar until the answer or the layer changes."""
        self._note = note
        self.update_status()

    def submission_question(self) -> str:
        """Asks for confirmation if the number of voxels is wrong."""
        filled = int(self.voxels.array.sum())
        target = self.grid.count
        if filled == target or not self.allows(Aid.JUDGING):
            return ""
        voxels = counted(filled, "voxel is", "voxels are")
        return f"{voxels} filled, but {target} are wanted. Submit anyway?"

    # Internal ----------------------------------------------------------------------------------------------------

    def _draw_planes(self, reset_view: bool = False) -> None:
        """Draws the layer, the projections and the meters."""
        judged = self.allows(Aid.JUDGING)
        depth = self.layer.depth
        layer = in_layer(self.grid, self.voxels.shown, self.layer.axis, depth, self.layer.cursor, judged)
        self.layer_view.set_scene(layer, reset_view)
        self.projections.set_scene(in_projections(self.grid, self.voxels.shown, judged), reset_view)
        self.bar.show_layer(AXES[self.layer.axis], depth)
        self.panel.refresh()

    def _follow_layer(self) -> None:
        self.later.start()
        self.update_status()

    def draw_later(self) -> None:
        if not self.animation.is_playing:
            self.view.set_scene(self.make_scene())

    def _chosen(self, ids: tuple[str, ...]) -> None:
        """Goes to the layer of a voxel that was selected in the 3D view."""
        cells = [cell for name in ids if (cell := cell_with_id(name)) is not None]
        self.layer_view.set_selection(ids)
        if len(cells) == 1:
            self.layer.go_to(cells[0])

    def _describe(self, pick: Pick) -> tuple[str, str]:
        cell = cell_with_id(pick.id)
        if cell is None:
            return pick.id.capitalize(), ""
        kind = pick.id.partition(" ")[0]
        if kind == "forbidden":
            return f"Forbidden {cell}", self.grid.rule.why(cell)
        if kind == "needed":
            return f"Cell {cell}", f"nothing is on its ray along {AXES[self.layer.axis]}"
        return f"Voxel {cell}", self.grid.rule.why(cell) if self.allows(Aid.JUDGING) else ""
