"""The editor of hyper_snake: the whole field on a sheet, a slice of it in space, and the path's prospects.

Whatever follows the pointer or a key is worked out in this process (about a millisecond on the largest field); the
search for a longer path runs through the runner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from engine.core import Aid, Scene
from engine.core.scene import Boxes, Item, Label, Polyline
from engine.core.words import counted
from engine.tasks.hyper_snake import answer_of
from engine.tasks.hyper_snake.drawing import axis_color, cell_ids, draw_sheet, draw_slice
from engine.tasks.hyper_snake.editing import Walk, extend, prospects_of
from engine.tasks.hyper_snake.field import Field, way_name, written
from engine.tasks.hyper_snake.layout import sheet_of
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.hyper_snake.controls import SliceControl, Standing
from widgets.editors.hyper_snake.gestures import BiteTool, GrowTool, SliceTool, SweepTool, added, cell_in
from widgets.editors.hyper_snake.marks import SheetMarks
from widgets.theme import Theme
from widgets.view import Pick, SceneView

HINT = (
    "Click a marked cell, or press 1 to 0 for the axis and Shift for minus. Drag to run straight.\n"
    "A click on the path cuts it there."
)
LATER_MS = 25
NEXT_SIZE = np.full(3, 0.34)
"""Of the head's next cells in the slice."""
WIDE = 1.7
"""A sheet wider than this, by its height, has the slice below instead of beside it."""


class HyperSnakeEditor(Editor):
    """A path that grows at its head."""

    def prepare(self) -> None:
        self.field = Field.of(self.instance.parameters)
        self.sheet = sheet_of(self.field)
        self.cells = self.document.answer.cells
        self.walk = Walk.of(self.field, self.cells)
        self.prospects = prospects_of(self.walk)
        self.plan_cells: tuple[int, ...] = ()
        """The cells that the gesture under the pointer would add or turn round."""
        self.shows_trouble = True
        self.sweep_axes = tuple(range(min(3, self.field.axes)))

    def begin(self) -> None:
        if len(self.walk.path) <= 1:
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """The sheet."""
        view = Canvas2D()
        view.box_select = False
        view.rulers = False
        view.set_describe(self.describe)
        view.add_overlay(SheetMarks(self))
        return view

    def central_widget(self) -> QWidget:
        """The sheet, and beside or below it the slice in space."""
        from widgets.viewport3d import Viewport3D

        self.space = Viewport3D()
        self.space.box_select = False
        self.space.set_describe(self.describe)
        self.space.set_tool(SliceTool(self))
        self._free_digit_keys()
        self.slice_control = SliceControl(self.field)
        self.slice_control.changed.connect(self._slice_changed)
        side = QWidget()
        side.setObjectName("panel")
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.slice_control)
        column.addWidget(self.space, 1)
        side.setVisible(self.field.axes > 2)
        width, height = self.sheet.size + 1
        whole = QSplitter(Qt.Orientation.Vertical if width > WIDE * height else Qt.Orientation.Horizontal)
        whole.addWidget(self.view)
        whole.addWidget(side)
        whole.setStretchFactor(0, 3)
        whole.setStretchFactor(1, 2)
        whole.setHandleWidth(1)
        whole.setChildrenCollapsible(False)
        return whole

    def _free_digit_keys(self) -> None:
        """Digits step along axes here, so the standard views move to Alt with the digit."""
        for action in self.space.view_actions.values():
            key = action.shortcut().toString()
            if key.isdecimal():
                action.setShortcut(f"Alt+{key}")

    def build_tools(self, tools: ToolPanel) -> None:
        """Three tools, how the path stands, commands, and the axes of a sweep."""
        self._tools = {"grow": GrowTool(self), "sweep": SweepTool(self), "bite": BiteTool(self)}
        tools.add_section("Tools")
        tools.add_tools([
            self.add_action("Grow", lambda: self.use("grow"), "G", "pencil",
                            "Click or drag to cells in line with the head; click the path to cut it there"),
            self.add_action("Sweep", lambda: self.use("sweep"), "S", "serpentine",
                            "Fill the block along the axes below, to and fro"),
            self.add_action("Backbite", lambda: self.use("bite"), "B", "rotate",
                            "Click a path cell beside the head: everything after it is turned round"),
        ])  # fmt: skip
        tools.add_section("Path")
        self.standing = Standing(self.field)
        tools.add_widget(self.standing)
        tools.add_check(
            "Mark pockets and dead ends",
            True,
            self._show_trouble,
            "Crosses: cut off. Triangles: dead ends",
            Aid.JUDGING,
        )
        tools.add_check(
            "Best still possible", False, self.standing.show_best, "What the path can still come to", Aid.SOLVING
        )
        self.length = tools.add_number(
            "Length", 1, (1, max(1, self.field.free_count)), self._cut_to, tip="Type a length to cut the path to it"
        )
        tools.add_tools([
            self.add_action("Go on", self.extend, "E", "solve", "Look for a longer path in the background",
                            Aid.SOLVING),
            self.add_action("Step back", self.step_back, "Backspace", "undo", "Take the last cell away"),
            self.add_action("Cut at fault", self.cut_at_fault, "C", "warning",
                            "Cut the path before its first step that breaks a rule", Aid.JUDGING),
            self.add_action("Cut to start", lambda: self.cut(1, "Cut to start"), "Shift+Delete", "delete",
                            "Begin again"),
        ], exclusive=False, columns=2)  # fmt: skip
        tools.add_section("Sweep along")
        names = [f"axis {axis}" for axis in range(self.field.axes)]
        self.sweep_fields = [
            tools.add_choice(word, names if k < 2 else [*names, "none"], self._axes_chosen, f"Axis that runs {word}")
            for k, word in enumerate(("First", "Then", "Last"))
        ]
        for k, field in enumerate(self.sweep_fields):
            field.blockSignals(True)
            field.setCurrentIndex(k)
            field.blockSignals(False)
        self._add_keys()
        self.use("grow")

    def _add_keys(self) -> None:
        for axis in range(self.field.axes):
            key = (axis + 1) % 10
            for way, held in ((2 * axis, ""), (2 * axis + 1, "Shift+")):
                name = way_name(way)
                self.add_action(f"Step {name}", lambda way=way: self.step(way), f"{held}{key}")
                self.add_action(f"Run {name}", lambda way=way: self.run(way), f"Ctrl+{held}{key}")
        self.add_action("Sweep now", self.sweep, "Return, Enter")
        self.add_action(
            "Backbite now", self.bite_best, "Shift+B", tip="To the head with the most free neighbours", aid=Aid.SOLVING
        )

    def use(self, name: str) -> None:
        """Takes a tool in hand."""
        self.view.set_tool(self._tools[name])
        self.view.update()

    @property
    def bites_shown(self) -> bool:
        """Whether the cells that the head can bite are marked."""
        return isinstance(self.view.tool, BiteTool)

    def make_scene(self) -> Scene:
        """The sheet with the path."""
        return draw_sheet(self.field, self.cells)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the sheet and all that tells of the path; the slice follows a moment later."""
        self.cells = self.document.answer.cells
        self.walk = Walk.of(self.field, self.cells)
        self.prospects = prospects_of(self.walk)
        self.plan_cells = ()
        self.standing.show_prospects(self.prospects)
        self.length.blockSignals(True)
        self.length.setValue(max(1, len(self.walk.path)))
        self.length.blockSignals(False)
        if self.slice_control.follows.isChecked() and self.walk.head is not None:
            self.slice_control.go_to(self.field.cell(self.walk.head))
        super().redraw(reset_view)
        self.mark_failed()
        if reset_view:
            self.draw_later(reset_view=True)
        self.later.start()

    def draw_later(self, reset_view: bool = False) -> None:
        """The slice in space, with the next cells that are in it."""
        cut = self.slice_control.slice
        scene = draw_slice(self.field, self.cells, cut)
        inside = cut.holds(self.field)
        moves = [(way, number) for way, number in self.walk.moves.items() if inside[number]]
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

    def status(self) -> str:
        """Length, head, score."""
        walk = self.walk
        if walk.fault is not None:
            return f"Step {walk.fault} breaks a rule · C cuts the path before it"
        if walk.head is None:
            return "The path does not begin at the start"
        head = written(self.field.cell(walk.head))
        ways = f"{counted(len(walk.moves), 'way')} on" if walk.moves else "stuck"
        length = counted(len(walk.path), "cell")
        return f"{length} · head {head} · {ways} · score {self.prospects.score:.3f}"

    def describe(self, pick: Pick) -> tuple[str, str]:
        """What the label beside the pointer says of a cell."""
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
        way = next((way for way, other in self.walk.moves.items() if other == number), None)
        next_step = "" if way is None else f", next by {way_name(way)}"
        return f"{food}free{next_step}"

    def hovered_number(self, view: SceneView) -> int | None:
        """The number of the cell under the pointer."""
        pick = getattr(view, "hover", None)
        if pick is None or not pick.id.startswith("cell "):
            return None
        return self.field.number(cell_in(pick.id))

    def marked(self) -> Mapping[str, str]:
        """What the verdict names; food that can still be reached is no fault yet."""
        failed = set(self.verdict.failed_elements) if self.verdict is not None else set()
        if self.walk.moves:
            failed -= {cell_ids(self.field)[n] for n in self.field.food_numbers}
        return dict.fromkeys(failed, "failed")

    def show_elements(self, ids: Iterable[str]) -> None:
        """Shows elements on the sheet, and the slice that holds the first cell of them."""
        ids = tuple(ids)
        super().show_elements(ids)
        cell = next((cell_in(name) for name in ids if name.startswith("cell ")), None)
        if cell is not None:
            self.slice_control.follows.setChecked(False)
            self.slice_control.go_to(cell)
            self.draw_later()

    # Moves -------------------------------------------------------------------------------------------------------

    def put(self, label: str, walk: Walk) -> None:
        """Puts another path in place, as a step of the history."""
        self.edit(label, answer_of(self.field, walk.path))

    def step(self, way: int) -> None:
        """One cell on."""
        if reason := self.walk.refusal(way):
            self.message.emit(f"{way_name(way)}: {reason}.")
        else:
            self.put("Step", self.walk.after(way))

    def run(self, way: int) -> None:
        """Straight on until something is in the way."""
        if reason := self.walk.refusal(way):
            self.message.emit(f"{way_name(way)}: {reason}.")
        else:
            self.put("Run", self.walk.run(way))

    def go_to(self, number: int, cuts: bool) -> None:
        """Straight to a cell; with `cuts`, a cell of the path is where it is cut."""
        if number in self.walk.place:
            if cuts:
                self.cut(self.walk.place[number] + 1)
            return
        found, reason = self.walk.toward(number)
        if found is not self.walk:
            self.put("Step" if len(found.path) == len(self.walk.path) + 1 else "Run", found)
        if reason:
            self.message.emit(f"{reason[0].upper()}{reason[1:]}.")

    def cut(self, length: int, label: str = "Cut") -> None:
        """Keeps the first cells."""
        if self.walk.path and (length < len(self.walk.path) or self.walk.fault is not None):
            self.put(label, self.walk.cut(length))

    def step_back(self) -> None:
        """Takes the last cell away."""
        self.cut(len(self.walk.path) - 1, "Step back")

    def cut_at_fault(self) -> None:
        """Cuts the path before its first step that breaks a rule."""
        if self.walk.fault is None and self.walk.path:
            self.message.emit("No step of the path breaks a rule.")
            return
        self.put("Cut at fault", self.walk.with_path(self.walk.path or [self.field.first]))

    def sweep(self) -> None:
        """Fills the block along the chosen axes."""
        found = self.walk.swept(self.sweep_axes)
        if found is self.walk:
            self.message.emit("The head cannot move along these axes.")
        else:
            self.put("Sweep", found)

    def bite(self, number: int) -> None:
        """Turns everything after a neighbour of the head round."""
        found = self.walk.bitten(number)
        if found is None:
            self.message.emit(f"{written(self.field.cell(number))} is no earlier path cell beside the head.")
        else:
            self.put("Backbite", found)

    def bite_best(self) -> None:
        """Bites so that the new head has the most free neighbours."""
        free = self.prospects_of_heads()
        if free:
            self.bite(max(free, key=lambda number: free[number]))
        else:
            self.message.emit("There is no path cell beside the head to bite.")

    def prospects_of_heads(self) -> dict[int, int]:
        """For each cell that can be bitten, how many free neighbours the new head has."""
        walk = self.walk
        heads = {number: walk.path[walk.place[number] + 1] for number in walk.bites()}
        return {n: sum(bool(walk.unvisited[other]) for other in self.field.beside(head)) for n, head in heads.items()}

    def extend(self) -> None:
        """Has a longer path looked for, from the one there is."""
        if self.walk.fault is not None or not self.walk.path:
            self.message.emit("The path breaks a rule: cut it there first.")
            return
        revision, before = self.document.revision, len(self.walk.path)

        def take(path: list[int]) -> None:
            if self.document.revision != revision:
                self.message.emit("The path was changed meanwhile, so the longer one was left out.")
            elif path == list(self.walk.path):
                self.message.emit("No better path was found.")
            else:
                self.put("Go on", self.walk.with_path(path))
                self.message.emit(f"{counted(len(path) - before, 'cell')} longer.")

        self.runner.run("Looking for a longer path", extend, self.field, list(self.walk.path), done=take)

    # What is shown -----------------------------------------------------------------------------------------------

    def show_plan(
        self, plan: Walk | None, target: int | None = None, reason: str = "", turned: int | None = None
    ) -> None:
        """Marks what a gesture would do: new cells, or the part that is turned round; and why it ends early."""
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

    def _show_trouble(self, shown: bool) -> None:
        self.shows_trouble = shown
        self.view.update()

    def _cut_to(self, length: float) -> None:
        if length > len(self.walk.path):
            self.message.emit(
                f"The path has {counted(len(self.walk.path), 'cell')}; a number cuts it, steps make it longer."
            )
            self.redraw()
        else:
            self.cut(int(length))

    def _axes_chosen(self, _: int) -> None:
        chosen = [field.currentIndex() for field in self.sweep_fields]
        self.sweep_axes = tuple(dict.fromkeys(axis for axis in chosen if axis < self.field.axes))

    def _set_theme(self, theme: Theme) -> None:
        super()._set_theme(theme)
        self.slice_control.show_theme(theme)
