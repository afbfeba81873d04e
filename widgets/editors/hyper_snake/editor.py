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
from PySide6.QtWidgets import QLabel, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Boxes, Item, Label, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hyper_snake import SnakePath, answer_of
from spatial_workbench.engine.tasks.hyper_snake.drawing import axis_color, cell_ids, draw_sheet, draw_slice
from spatial_workbench.engine.tasks.hyper_snake.editing import FreeWalk, Walk, extend, prospects_of
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, way_name, written
from spatial_workbench.engine.tasks.hyper_snake.layout import sheet_of
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Note,
    Number,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editors.hyper_snake.figures import (
    best_reading,
    food_words,
    length_reading,
    problem_words,
    score_reading,
    status_of,
)
from spatial_workbench.widgets.editors.hyper_snake.gestures import (
    BiteTool,
    GrowTool,
    SliceTool,
    SweepTool,
    added,
    cell_in,
)
from spatial_workbench.widgets.editors.hyper_snake.marks import SheetMarks
from spatial_workbench.widgets.editors.hyper_snake.slice_control import SliceControl
from spatial_workbench.widgets.layouts import column, split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick, SceneView, Tool
from spatial_workbench.widgets.theme import Theme

HINT = (
    "Click a {marked}cell, or press 1 to 0 for an axis, with Shift for minus. Drag to go straight.\n"
    "Click the path to cut it there."
)
NEXT_SIZE = np.full(3, 0.34)
"""The size of the head's next cells in the slice."""
WIDE = 1.7
"""If the ratio of the sheet's width to its height is larger, the slice is below the sheet instead of beside it."""


class HyperSnakeEditor(Editor[SnakePath]):
    """Grows a path at its head. If the answer may not be judged, the path may cross walls and itself."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.field = SnakeField.of(self.instance.parameters)
        self.sheet = sheet_of(self.field)
        self._read_path()
        self.plan_cells: tuple[int, ...] = ()
        """The cells that the gesture under the pointer would add or reverse."""
        self._marks_problems = Setting(True, self._repaint)
        self._shows_best = Setting(False, self.refresh)
        self._sweep_axes = [Setting(k, self._repaint) for k in range(3)]
        self._grow = GrowTool(self)
        self._sweep = SweepTool(self)
        self._bite = BiteTool(self)

    def begin(self) -> None:
        if len(self.walk.path) <= 1:
            self.view.show_hint(HINT.format(marked="marked " if self.allows(Aid.JUDGING) else ""))

    def _read_path(self) -> None:
        kind = Walk if self.allows(Aid.JUDGING) else FreeWalk
        self.cells = self.document.answer.cells
        self.walk: Walk = kind.of(self.field, self.cells)
        self.prospects = prospects_of(self.walk)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.rulers = False
        view.set_describe(self.describe)
        view.add_overlay(SheetMarks(self))
        view.set_tool(self._grow)
        return view

    def central_widget(self) -> QWidget:
        """The sheet, and beside or below it the slice in 3D."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        self.space = Viewport3D()
        self.space.box_select = False
        self.space.set_describe(self.describe)
        self.space.set_tool(SliceTool(self))
        free_digit_keys(self.space)
        side = QWidget()
        side.setObjectName("panel")
        self._beside = column(side, self.space)
        side.setVisible(self.field.axes > 2)
        width, height = self.sheet.size + 1
        way = Qt.Orientation.Vertical if width > WIDE * height else Qt.Orientation.Horizontal
        whole = split(self.view, side, shares=(3, 2), orientation=way)
        whole.setChildrenCollapsible(False)
        return whole

    def _make_slice_control(self) -> SliceControl:
        self.slice_control = SliceControl(self.field)
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
        yield self._path_controls()
        names = [f"axis {axis}" for axis in range(self.field.axes)]
        words = ("First", "Then", "Last")
        yield Section(
            "Sweep along",
            *(
                Choice(
                    word, names if k < 2 else [*names, "none"], axis.get, axis.put, f"The axis to sweep {word.lower()}"
                )
                for k, (word, axis) in enumerate(zip(words, self._sweep_axes, strict=True))
            ),
        )
        yield from self._key_controls()

    def _path_controls(self) -> Section:
        is_judged = self.allows(Aid.JUDGING)
        most = float(max(1, self.field.free_count))
        problems = self._marks_problems
        best = self._shows_best
        crosses = "Crosses: cut off. Triangles: dead ends"
        still = "Show the best score that the path can still reach"
        cut = "Type a length to cut the path to it"
        fault = "Cut the path before the first step that breaks a rule"
        longer = "Look for a longer path in the background"
        return Section(
            "Path",
            Gauge(
                "Cells of the path",
                lambda: length_reading(self.field, self.prospects, is_judged),
                aid=Aid.MEASURING,
            ),
            Gauge("Score now", lambda: score_reading(self.prospects)),
            Gauge("Best score", lambda: best_reading(self.prospects), aid=Aid.SOLVING, shown=best.get),
            CustomPart("Food", QLabel, aid=Aid.MEASURING, refresh=self._show_food),
            Note("Problems", lambda: problem_words(self.prospects), aid=Aid.JUDGING),
            Switch("Mark pockets and dead ends", problems.get, problems.put, crosses, Aid.JUDGING),
            Switch("Best still possible", best.get, best.put, still, Aid.SOLVING),
            Number("Length", self._length, self._cut_to, (1, most), cut, aid=Aid.MEASURING),
            Buttons(
                Action("Continue", self.extend, "E", "solve", longer, Aid.SOLVING),
                Action("Step back", self.step_back, "Backspace", "undo", "Remove the last cell"),
                Action("Cut at fault", self.cut_at_fault, "C", "warning", fault, Aid.JUDGING),
                Action("Cut to start", self._cut_to_start, "Shift+Delete", "delete", "Start again"),
                columns=2,
            ),
        )

    def _key_controls(self) -> Iterable[Keys]:
        for way in range(2 * self.field.axes):
            name = way_name(way)
            key = f"{'Shift+' if way % 2 else ''}{(way // 2 + 1) % 10}"
            yield Keys(
                Action(f"Step {name}", partial(self.step, way), key),
                Action(f"Run {name}", partial(self.run, way), f"Ctrl+{key}"),
            )
        roomy = "Backbite so that the new head has the most free neighbours"
        yield Keys(
            Action("Sweep now", self.sweep, "Return, Enter"),
            Action("Backbite now", self.bite_best, "Shift+B", tip=roomy, aid=Aid.SOLVING),
        )

    def _show_food(self, food: QLabel) -> None:
        food.setWordWrap(True)
        food.setText(food_words(self.field, self.prospects, self.allows(Aid.JUDGING)))

    def _use(self, tool: Tool) -> None:
        self.view.set_tool(tool)
        self._repaint()

    def _repaint(self) -> None:
        self.view.update()

    @property
    def sweep_axes(self) -> tuple[int, ...]:
        """The axes of a sweep."""
        chosen = (setting.value for setting in self._sweep_axes)
        return tuple(dict.fromkeys(axis for axis in chosen if axis < self.field.axes))

    @property
    def shows_problems(self) -> bool:
        """Whether pockets and dead ends are marked."""
        return self.allows(Aid.JUDGING) and self._marks_problems.value

    @property
    def shows_bites(self) -> bool:
        """Whether the cells at which the head can backbite are marked."""
        return self.allows(Aid.JUDGING) and self.view.tool is self._bite

    @property
    def shows_next(self) -> bool:
        """Whether the head's next cells are marked on the sheet."""
        return self.allows(Aid.JUDGING) and self.view.tool is not self._bite

    def make_scene(self) -> Scene:
        return draw_sheet(self.field, self.cells, marks_faults=self.allows(Aid.JUDGING))

    def redraw(self, reset_view: bool = False) -> None:
        """Reads the path and draws the sheet; the slice is drawn a moment later."""
        self._read_path()
        self.plan_cells = ()
        if self.slice_control.follows.isChecked() and self.walk.head is not None:
            self.slice_control.go_to(self.field.cell(self.walk.head))
        super().redraw(reset_view)
        if reset_view:
            self.draw_later(reset_view=True)
        self.later.start()

    def draw_later(self, reset_view: bool = False) -> None:
        """Draws the slice, with those of the head's next cells that are in it."""
        cut = self.slice_control.slice
        scene = draw_slice(self.field, self.cells, cut)
        inside = cut.holds(self.field)
        moves = [(way, number) for way, number in self._next_moves.items() if inside[number]]
        items: list[Item] = list(scene.items)
        if moves:
            places = cut.places(self.field, np.array([number for _, number in moves]))
            ids = [cell_ids(self.field)[number] for _, number in moves]
            colors = [axis_color(way // 2) for way, _ in moves]
            items.append(Boxes(name="next", ids=ids, centers=places, sizes=NEXT_SIZE, colors=colors))
            items += [
                Label(id=f"next {way}", position=(x, y, z + 0.34), text=f"{'−' if way % 2 else '+'}{way // 2}")
                for (way, _), (x, y, z) in zip(moves, places.tolist(), strict=True)
            ]
        self.space.set_scene(replace(scene, items=tuple(items)), reset_view=reset_view)

    @property
    def _next_moves(self) -> dict[int, int]:
        """The head's next cells by way; none if the answer may not be judged."""
        return self.walk.moves if self.allows(Aid.JUDGING) else {}

    def status(self) -> str:
        return status_of(self.walk, self.prospects.score, self.allows(Aid.MEASURING), self.allows(Aid.JUDGING))

    def describe(self, pick: Pick) -> tuple[str, str]:
        """What the label beside the pointer says about a cell."""
        if pick.id.startswith("food "):
            number = self.field.food_numbers[int(pick.id.split()[1])]
        elif pick.id.startswith("cell "):
            number = self.field.number(cell_in(pick.id))
        else:
            return pick.id, ""
        return f"Cell {written(self.field.cell(number))}", self._describe_cell(number)

    def _describe_cell(self, number: int) -> str:
        if self.field.is_wall[number]:
            return "wall"
        food = "food, " if self.field.is_food[number] else ""
        if number in self.walk.place:
            return f"{food}step {self.walk.place[number]} of the path"
        way = next((way for way, other in self._next_moves.items() if other == number), None)
        next_step = "" if way is None else f", next by {way_name(way)}"
        return f"{food}free{next_step}"

    def hovered_number(self, view: SceneView) -> int | None:
        """The number of the cell under the pointer."""
        pick = getattr(view, "hover", None)
        if pick is None or not pick.id.startswith("cell "):
            return None
        return self.field.number(cell_in(pick.id))

    def marked(self) -> Mapping[str, str]:
        """The elements named by the verdict, except food that the path may still reach."""
        failed = set(self.verdict.failed_elements) if self.verdict is not None else set()
        if self.walk.moves:
            failed -= {cell_ids(self.field)[n] for n in self.field.food_numbers}
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

    # Moves -------------------------------------------------------------------------------------------------------

    def put(self, label: str, walk: Walk) -> None:
        """Replaces the path, as a step of the history."""
        self.edit(label, answer_of(self.field, walk.path))

    def step(self, way: int) -> None:
        """Goes one cell further."""
        if reason := self.walk.refusal(way):
            self.message.emit(f"{way_name(way)}: {reason}.")
        else:
            self.put("Step", self.walk.after(way))

    def run(self, way: int) -> None:
        """Goes straight on until something is in the way."""
        if reason := self.walk.refusal(way):
            self.message.emit(f"{way_name(way)}: {reason}.")
        else:
            self.put("Run", self.walk.run(way))

    def go_to(self, number: int, cuts: bool) -> None:
        """Goes straight to a cell; with `cuts`, a cell of the path is where the path is cut."""
        if number in self.walk.place:
            if cuts:
                self.cut(self.walk.place[number] + 1)
            return
        walk, reason = self.walk.toward(number)
        if walk is not self.walk:
            self.put("Step" if len(walk.path) == len(self.walk.path) + 1 else "Run", walk)
        if reason:
            self.message.emit(f"{reason[0].upper()}{reason[1:]}.")

    def cut(self, length: int, label: str = "Cut") -> None:
        """Cuts the path to its first cells."""
        if self.walk.path and (length < len(self.walk.path) or self.walk.fault is not None):
            self.put(label, self.walk.cut(length))

    def step_back(self) -> None:
        """Removes the last cell."""
        self.cut(len(self.walk.path) - 1, "Step back")

    def cut_at_fault(self) -> None:
        """Cuts the path before the first step that breaks a rule."""
        if self.walk.fault is None and self.walk.path:
            self.message.emit("No step of the path breaks a rule.")
            return
        self.put("Cut at fault", self.walk.with_path(self.walk.path or [self.field.first]))

    def sweep(self) -> None:
        """Fills the block along the chosen axes."""
        walk = self.walk.swept(self.sweep_axes)
        if walk is self.walk:
            self.message.emit("The head cannot move along these axes.")
        else:
            self.put("Sweep", walk)

    def bite(self, number: int) -> None:
        """Reverses everything after a neighbour of the head."""
        walk = self.walk.bitten(number)
        if walk is None:
            self.message.emit(f"{written(self.field.cell(number))} is not an earlier path cell beside the head.")
        else:
            self.put("Backbite", walk)

    def bite_best(self) -> None:
        """Backbites so that the new head has the most free neighbours."""
        free = self.prospects_of_heads()
        if free:
            self.bite(max(free, key=lambda number: free[number]))
        else:
            self.message.emit("There is no earlier path cell beside the head.")

    def prospects_of_heads(self) -> dict[int, int]:
        """The number of free neighbours of the new head, for each cell at which the head can backbite."""
        walk = self.walk
        heads = {number: walk.path[walk.place[number] + 1] for number in walk.bites()}
        return {n: sum(bool(walk.unvisited[other]) for other in self.field.beside(head)) for n, head in heads.items()}

    def extend(self) -> None:
        """Looks for a longer path in the background, starting with the present one."""
        if self.walk.fault is not None or not self.walk.path:
            self.message.emit("The path breaks a rule: cut it there first.")
            return
        revision = self.document.revision
        before = len(self.walk.path)

        def take(path: list[int]) -> None:
            if self.document.revision != revision:
                self.message.emit("Not done: the path has changed in the meantime.")
            elif path == list(self.walk.path):
                self.message.emit("No better path was found.")
            else:
                self.put("Continue", self.walk.with_path(path))
                self.message.emit(f"{counted(len(path) - before, 'cell')} longer.")

        self.runner.run("Looking for a longer path", extend, self.field, list(self.walk.path), done=take)

    # What is shown -----------------------------------------------------------------------------------------------

    def show_plan(
        self, plan: Walk | None, target: int | None = None, reason: str = "", turned: int | None = None
    ) -> None:
        """Shows what a gesture would do: new cells, or the part that is reversed; and why it ends early."""
        cells = added(self.walk, plan)
        if turned is not None:
            cells = self.walk.path[turned + 1 :]
        ghost: list[Item] = []
        if target is not None and self.walk.head is not None:
            ends = self.sheet.places[[self.walk.head, target]]
            ghost.append(Polyline(id="way", points=ends, dashed=True))
        self.view.set_ghost(ghost, reason if ghost else "")
        if cells != self.plan_cells:
            self.plan_cells = cells
            self.view.update()

    def _slice_changed(self) -> None:
        if self.slice_control.follows.isChecked() and self.walk.head is not None:
            self.slice_control.go_to(self.field.cell(self.walk.head))
        self.later.start()

    def _length(self) -> int:
        return max(1, len(self.walk.path))

    def _cut_to(self, length: float) -> None:
        if length > len(self.walk.path):
            self.message.emit(f"The path has only {counted(len(self.walk.path), 'cell')}. Add steps to make it longer.")
            self.refresh()
        else:
            self.cut(int(length))

    def _cut_to_start(self) -> None:
        self.cut(1, "Cut to start")

    def _set_theme(self, theme: Theme) -> None:
        super()._set_theme(theme)
        self.slice_control.show_theme(theme)
