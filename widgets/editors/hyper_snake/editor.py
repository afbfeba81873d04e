"""The editor: the whole field on a sheet, a slice of it in 3D, and the path's prospects.

Whatever follows the pointer or a key is computed in this process (about a millisecond on the largest field); the search
for a longer path runs in another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Item, Label
from spatial_workbench.engine.tasks.hyper_snake import SnakePath
from spatial_workbench.engine.tasks.hyper_snake.drawing import axis_color, cell_ids, draw_sheet, draw_slice
from spatial_workbench.widgets.editing.controls import (
    Bars,
    Choice,
    CustomPart,
    Declared,
    Section,
    Setting,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editors.hyper_snake.commands import SnakeCommands
from spatial_workbench.widgets.editors.hyper_snake.controls import key_actions, path_section
from spatial_workbench.widgets.editors.hyper_snake.figures import (
    status_of,
)
from spatial_workbench.widgets.editors.hyper_snake.gestures import (
    BiteTool,
    GrowTool,
    SliceTool,
    SnakeContext,
    SweepTool,
)
from spatial_workbench.widgets.editors.hyper_snake.marks import SheetMarks
from spatial_workbench.widgets.editors.hyper_snake.path import GrownPath, cell_in
from spatial_workbench.widgets.editors.hyper_snake.plan import SnakePlan
from spatial_workbench.widgets.editors.hyper_snake.slice_control import SliceControl
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView, Tool
from spatial_workbench.widgets.theme import Theme

HINT = (
    "Click a cell, or press 1 to 0 for an axis, with Shift for minus. Drag to go straight.\n"
    "Click the path to cut it there."
)
MARKED_HINT = (
    "Click a marked cell, or press 1 to 0 for an axis, with Shift for minus. Drag to go straight.\n"
    "Click the path to cut it there."
)
"""The hint where the cells that the head can go to are marked."""
SWEEPS = (
    ("First", "The axis to sweep first"),
    ("Then", "The axis to sweep then"),
    ("Last", "The axis to sweep last"),
)
NEXT_SIZE = np.full(3, 0.34)
"""The size of the head's next cells in the slice."""
WIDE = 1.7
"""If the ratio of the sheet's width to its height is larger, the slice is below the sheet instead of beside it."""


class HyperSnakeEditor(Editor[SnakePath]):
    """Grows a path at its head. If the answer may not be judged, the path may cross walls and itself."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.path = GrownPath(self.document, self.allows(Aid.JUDGING))
        self.commands = SnakeCommands(
            self.document, self.path, self.runner, self.message.emit, self._repaint, self.refresh
        )
        self._shows_best = Setting(False, self.refresh)

    def begin(self) -> None:
        if len(self.path.walk.path) <= 1:
            self.view.show_hint(MARKED_HINT if self.allows(Aid.JUDGING) else HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.rulers = False
        view.set_describe(self.path.describe)
        self.plan = SnakePlan(self.path, view, lambda: view.tool is self._bite)
        self._context = SnakeContext(self.path, self.plan, self.commands)
        self._grow = GrowTool(self._context)
        self._sweep = SweepTool(self._context)
        self._bite = BiteTool(self._context)
        view.add_overlay(SheetMarks(self.plan))
        view.set_tool(self._grow)
        return view

    def central_widget(self) -> QWidget:
        """The sheet, and beside or below it the slice in 3D."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        self.space = Viewport3D()
        self.space.box_select = False
        self.space.set_describe(self.path.describe)
        self.space.set_tool(SliceTool(self._context))
        free_digit_keys(self.space)
        side = QWidget()
        side.setObjectName("panel")
        self._beside = column(side, self.space)
        side.setVisible(self.path.field.axes > 2)
        width, height = self.path.sheet.size + 1
        way = Qt.Orientation.Vertical if width > WIDE * height else Qt.Orientation.Horizontal
        whole = split(self.view, side, shares=(3, 2), orientation=way)
        whole.setChildrenCollapsible(False)
        return whole

    def _make_slice_control(self) -> SliceControl:
        self.slice_control = SliceControl(self.path.field)
        self.slice_control.changed.connect(self._slice_changed)
        return self.slice_control

    def list_controls(self) -> Iterable[Declared]:
        line = "Click or drag to cells in line with the head; click the path to cut it there"
        fro = "Click to fill the block along the axes below, row by row"
        turn = "Click a path cell beside the head to reverse everything after it"
        cut = CustomPart("Slice", self._make_slice_control, aid=Aid.VIEWING)
        yield Bars(cut, place=partial(self._beside.insertWidget, 0))
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Grow", self._grow, "G", "pencil", line),
                ToolButton("Sweep", self._sweep, "S", "serpentine", fro),
                ToolButton("Backbite", self._bite, "B", "rotate", turn),
                take=self._use,
            ),
        )
        yield path_section(self.path, self.plan, self.commands, self._shows_best)
        names = [f"axis {axis}" for axis in range(self.path.field.axes)]
        yield Section(
            "Sweep along",
            *(
                Choice(word, names if k < 2 else [*names, marked("none")], axis.get, axis.put, tip)
                for k, ((word, tip), axis) in enumerate(zip(SWEEPS, self.commands.axes, strict=True))
            ),
        )
        yield from key_actions(self.path, self.commands)

    def _use(self, tool: Tool) -> None:
        self.view.set_tool(tool)
        self._repaint()

    def _repaint(self) -> None:
        self.view.update()

    def make_scene(self) -> Scene:
        return draw_sheet(self.path.field, self.path.cells, marks_faults=self.allows(Aid.JUDGING))

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the path and draws the sheet; the slice is drawn a moment later."""
        self.path.read_answer()
        self.plan.cells = ()
        if self.slice_control.follows.isChecked() and self.path.walk.head is not None:
            self.slice_control.go_to(self.path.field.cell(self.path.walk.head))
        super().redraw(reset_view)
        if reset_view:
            self.draw_later(reset_view=True)
        self.later.start()

    def draw_later(self, reset_view: bool = False) -> None:
        """Draws the slice, with those of the head's next cells that are in it."""
        cut = self.slice_control.slice
        scene = draw_slice(self.path.field, self.path.cells, cut)
        inside = cut.holds(self.path.field)
        moves = [(way, number) for way, number in self.path.next_moves.items() if inside[number]]
        items: list[Item] = list(scene.items)
        if moves:
            places = cut.places(self.path.field, np.array([number for _, number in moves]))
            ids = [cell_ids(self.path.field)[number] for _, number in moves]
            colors = [axis_color(way // 2) for way, _ in moves]
            items.append(Boxes(name="next", ids=ids, centers=places, sizes=NEXT_SIZE, colors=colors))
            items += [
                Label(id=f"next {way}", position=(x, y, z + 0.34), text=f"{'−' if way % 2 else '+'}{way // 2}")
                for (way, _), (x, y, z) in zip(moves, places.tolist(), strict=True)
            ]
        self.space.set_scene(replace(scene, items=tuple(items)), reset_view=reset_view)

    def status(self) -> str:
        return status_of(
            self.path.walk, self.path.prospects.score, self.allows(Aid.MEASURING), self.allows(Aid.JUDGING)
        )

    def marked(self) -> Mapping[str, str]:
        """The elements named by the verdict, except food that the path may still reach."""
        failed = set(self.verdict.failed_elements) if self.verdict is not None else set()
        if self.path.walk.moves:
            failed -= {cell_ids(self.path.field)[n] for n in self.path.field.food_numbers}
        return dict.fromkeys(failed, "failed")

    def show_elements(self, ids: Iterable[str]) -> None:
        """Shows elements on the sheet, and the slice that contains the first cell among them."""
        ids = tuple(ids)
        super().show_elements(ids)
        cell = next((cell_in(name) for name in ids if name.startswith("cell ")), None)
        if cell is not None:
            self.slice_control.follows.setChecked(False)
            self.slice_control.go_to(cell)
            self.draw_later()

    def _slice_changed(self) -> None:
        if self.slice_control.follows.isChecked() and self.path.walk.head is not None:
            self.slice_control.go_to(self.path.field.cell(self.path.walk.head))
        self.later.start()

    def _set_theme(self, theme: Theme) -> None:
        super()._set_theme(theme)
        self.slice_control.show_theme(theme)
