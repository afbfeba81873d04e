"""The editor of shikaku: drag rectangles over the grid, resize and move them, choose among a clue's candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Qt

from engine.core import Aid, Scene
from engine.core.scene import Item, Label, Polygon
from engine.core.words import counted
from engine.tasks.shikaku import Rectangles, as_rectangles, board_of
from engine.tasks.shikaku.board import Board, Cell, Rectangle, area_of, cells_of
from engine.tasks.shikaku.drawing import corners_of
from widgets.canvas2d import Canvas2D
from widgets.document import AnswerDocument
from widgets.editors.base import Editor
from widgets.runner import Runner
from widgets.tool_panel import ToolPanel
from widgets.view import PointerEvent, SceneView, Tool

EDGE = 0.22
"""How near to its border, in cells, a press resizes a rectangle instead of moving it."""
HINT = "Drag from cell to cell to draw a rectangle.  Double click a clue for its candidates."


@dataclass(frozen=True)
class Fit:
    """How a rectangle fits: a role for its colour, and words."""

    role: str
    words: str


class ShikakuEditor(Editor):
    """Rectangles on a grid of clues. The cursor is the cell that keys move."""

    def __init__(self, document: AnswerDocument, runner: Runner, parent=None) -> None:
        self.board: Board = board_of(document.instance)
        self.selected: int | None = None
        self.cursor: Rectangle = (0, 0, 0, 0)
        """The cell, or the rectangle grown from it, that Return commits."""
        self._anchor: Cell = (0, 0)
        self._shows_singles = False
        self._preview: Rectangle | None = None
        super().__init__(document, runner, parent)
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        """A canvas."""
        view = Canvas2D()
        view.box_select = False
        return view

    def build_tools(self, tools: ToolPanel) -> None:
        """Keys for everything, and aids for practice."""
        tools.add_section("Rectangles")
        remove = self.add_action(
            "Remove", self.remove, "Delete, Backspace", "delete", "Take the selected rectangle away"
        )
        following = self.add_action(
            "Next candidate", lambda: self.cycle(1), "C", "rotate", "For the clue at the cursor", aid=Aid.SOLVING
        )
        tools.add_tools([remove, following], exclusive=False)
        tools.add_section("Help yourself")
        tools.add_check(
            "Mark what is certain",
            False,
            self._show_singles,
            "Clues that have one candidate left beside what you drew",
            aid=Aid.SOLVING,
        )
        for key, (dx, dy) in {"Right": (1, 0), "Left": (-1, 0), "Up": (0, -1), "Down": (0, 1)}.items():
            self.add_action(f"Cursor {key.lower()}", lambda dx=dx, dy=dy: self.move_cursor(dx, dy), key)
            self.add_action(f"Grow {key.lower()}", lambda dx=dx, dy=dy: self.grow_cursor(dx, dy), f"Shift+{key}")
        self.add_action("Place rectangle", lambda: self.add(self.cursor), "Return, Enter")
        self.view.set_tool(RectangleTool(self))

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def rectangles(self) -> tuple[Rectangle, ...]:
        """The rectangles so far."""
        return as_rectangles(self.document.answer)

    def add(self, rectangle: Rectangle) -> None:
        """Draws a rectangle; overlaps are allowed, and shown."""
        if rectangle in self.rectangles:
            return
        self.selected = len(self.rectangles)
        self._put("Draw rectangle", (*self.rectangles, rectangle))

    def change(self, k: int, rectangle: Rectangle, label: str) -> None:
        """Puts a rectangle in place of another."""
        if self.board.holds(rectangle):
            self._put(label, (*self.rectangles[:k], rectangle, *self.rectangles[k + 1 :]))

    def remove(self) -> None:
        """Takes the selected rectangle away, or the one under the cursor."""
        k = self.selected if self.selected is not None else self.rectangle_at(self._anchor)
        if k is not None and k < len(self.rectangles):
            self.selected = None
            self._put("Remove rectangle", (*self.rectangles[:k], *self.rectangles[k + 1 :]))

    def cycle(self, step: int, cell: Cell | None = None) -> None:
        """Gives the clue at a cell (or at the cursor) its next candidate."""
        cell = cell or self._anchor
        if cell not in self.board.clues:
            self.message.emit("Put the cursor on a clue first.")
            return
        options = self.board.candidates(cell)
        k = next((k for k, r in enumerate(self.rectangles) if r in options), None)
        if not options:
            self.message.emit("This clue has no candidates.")
        elif k is None:
            self.add(options[0])
        else:
            self.selected = k
            following = options[(options.index(self.rectangles[k]) + step) % len(options)]
            self._put("Next candidate", (*self.rectangles[:k], following, *self.rectangles[k + 1 :]), f"cycle {cell}")

    def fit(self, rectangle: Rectangle, ignore: int | None = None) -> Fit:
        """How a rectangle fits its clue and the others."""
        clues, area = self.board.clues_in(rectangle), area_of(rectangle)
        words = f"{area} / {self.board.clues[clues[0]]}" if len(clues) == 1 else f"{area} · {len(clues) or 'no'} clues"
        if self.overlaps(rectangle, ignore):
            return Fit("failed", f"{words} · overlaps")
        if len(clues) != 1:
            return Fit("warning", words)
        return Fit("passed" if self.board.clues[clues[0]] == area else "accent", words)

    def overlaps(self, rectangle: Rectangle, ignore: int | None = None) -> list[int]:
        """The other rectangles that share cells with it."""
        x0, y0, x1, y1 = rectangle
        return [
            k
            for k, (a0, b0, a1, b1) in enumerate(self.rectangles)
            if k != ignore and max(x0, a0) <= min(x1, a1) and max(y0, b0) <= min(y1, b1)
        ]

    def rectangle_at(self, cell: Cell) -> int | None:
        """The rectangle drawn last that covers a cell."""
        x, y = cell
        found = [k for k, (x0, y0, x1, y1) in enumerate(self.rectangles) if x0 <= x <= x1 and y0 <= y <= y1]
        return found[-1] if found else None

    # The cursor --------------------------------------------------------------------------------------------------

    def set_cursor(self, cell: Cell) -> None:
        """Puts the cursor on a cell."""
        self._anchor, self.cursor = cell, (*cell, *cell)
        self.redraw()

    def move_cursor(self, dx: int, dy: int) -> None:
        """Moves the cursor by cells."""
        x, y = self._anchor
        self.selected = None
        self.set_cursor((min(max(x + dx, 0), self.board.width - 1), min(max(y + dy, 0), self.board.height - 1)))

    def grow_cursor(self, dx: int, dy: int) -> None:
        """Grows the cursor to a rectangle, away from its first cell."""
        x0, y0, x1, y1 = self.cursor
        ax, ay = self._anchor
        far = (x1 if x0 == ax else x0) + dx, (y1 if y0 == ay else y0) + dy
        if 0 <= far[0] < self.board.width and 0 <= far[1] < self.board.height:
            self.cursor = _spanned(self._anchor, far)
            self.redraw()

    def cell_at(self, event: PointerEvent) -> Cell:
        """The cell under the pointer, the nearest one outside of the grid."""
        x, y = (int(np.floor(v)) for v in event.point)
        return min(max(x, 0), self.board.width - 1), min(max(y, 0), self.board.height - 1)

    def is_on_grid(self, event: PointerEvent) -> bool:
        """Whether the pointer is over the grid."""
        x, y = event.point
        return 0 <= x < self.board.width and 0 <= y < self.board.height

    # Drawing -----------------------------------------------------------------------------------------------------

    def show_preview(self, rectangle: Rectangle | None, ignore: int | None = None) -> None:
        """Shows what a release would draw, with its area against the clue."""
        self._preview = rectangle
        if rectangle is None:
            self.view.set_ghost([])
            return
        fit = self.fit(rectangle, ignore)
        ghost = Polygon(
            id="preview", points=corners_of(rectangle, 0.04), color=fit.role, opacity=0.45, outline=fit.role
        )
        x0, y0, x1, _ = rectangle
        words = Label(id="preview words", position=((x0 + x1 + 1) / 2, y0 - 0.18), text=fit.words, color=fit.role)
        self.view.set_ghost([ghost, words])
        self.status_changed.emit(fit.words)

    def make_scene(self) -> Scene:
        """The board with the cursor, the selection, overlaps and what is certain."""
        scene = super().make_scene()
        colored = tuple(self._colored(item) for item in scene.items)
        return replace(scene, items=(*colored, *self._extras()))

    def status(self) -> str:
        """What is left."""
        left = int((self.board.coverage([r for r in self.rectangles if self.board.holds(r)]) == 0).sum())
        return f"{len(self.rectangles)} of {counted(len(self.board.clues), 'rectangle')} · {counted(left, 'cell')} left"

    def _colored(self, item: Item) -> Item:
        """Rectangles take a pale fill; the ones that do not fit yet are marked."""
        if not isinstance(item, Polygon) or not item.id.startswith("rectangle "):
            return item
        k = int(item.id.split()[1])
        role = self.fit(self.rectangles[k], k).role
        changed = item if role == "passed" else replace(item, color=role)
        return replace(changed, outline="accent") if k == self.selected else changed

    def _extras(self) -> list[Item]:
        items: list[Item] = [
            Polygon(
                id="cursor",
                points=corners_of(self.cursor, 0.03),
                color="accent",
                opacity=0.15,
                outline="accent",
                pickable=False,
            )
        ]
        items += [
            _hatched(a, self.rectangles[m], f"overlap {k} {m}")
            for k, a in enumerate(self.rectangles)
            for m in self.overlaps(a, k)
            if m > k
        ]
        return items + (self._certain() if self._shows_singles else [])

    def _certain(self) -> list[Item]:
        """Rings around clues that have one candidate left."""
        free = self.board.coverage([r for r in self.rectangles if self.board.holds(r)]) == 0
        items: list[Item] = []
        for cell in self.board.clues:
            if not free[cell[1], cell[0]]:
                continue
            left = [r for r in self.board.candidates(cell) if all(free[y, x] for x, y in cells_of(r))]
            if len(left) == 1:
                items.append(
                    Polygon(
                        id=f"certain {cell}",
                        points=corners_of((*cell, *cell), 0.16),
                        color="warning",
                        opacity=0.25,
                        outline="warning",
                        pickable=False,
                    )
                )
        return items

    def _show_singles(self, shown: bool) -> None:
        self._shows_singles = shown
        self.redraw()

    def _put(self, label: str, rectangles: tuple[Rectangle, ...], merge: str = "") -> None:
        self.edit(label, Rectangles(rectangles=rectangles), merge)


class RectangleTool(Tool):
    """Draws from an empty cell, resizes at a border, moves from the inside."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, editor: ShikakuEditor) -> None:
        self._editor = editor
        self._start: Cell | None = None
        self._taken: int | None = None
        self._grip = (0, 0)
        """Which border is dragged: -1 left or top, 1 right or bottom, 0 none."""

    def press(self, event: PointerEvent) -> bool:
        """Takes a rectangle, or begins one."""
        editor = self._editor
        if not editor.is_on_grid(event):
            return False
        cell = editor.cell_at(event)
        taken = editor.rectangle_at(cell)
        if event.button == Qt.MouseButton.RightButton and taken is not None:
            editor.selected = taken
            editor.remove()
            return True
        if event.button != Qt.MouseButton.LeftButton:
            return False
        self._start, self._taken = cell, taken
        editor.selected = taken
        self._grip = self._grip_at(event, editor.rectangles[taken]) if taken is not None else (0, 0)
        editor.set_cursor(cell)
        return True

    def move(self, event: PointerEvent) -> bool:
        """Shows what a release would do."""
        if self._start is None:
            return False
        self._editor.show_preview(self._goal(event), self._taken)
        return True

    def release(self, event: PointerEvent) -> bool:
        """Draws, resizes or moves; one step."""
        if self._start is None:
            return False
        editor, goal, start = self._editor, self._goal(event), self._start
        taken, self._start = self._taken, None
        editor.show_preview(None)
        if taken is None:
            if goal != (*start, *start) or editor.board.clues.get(start) == 1:
                editor.add(goal)
        elif goal != editor.rectangles[taken]:
            editor.change(taken, goal, "Resize rectangle" if self._grip != (0, 0) else "Move rectangle")
        editor.tell_status()
        return True

    def double_click(self, event: PointerEvent) -> bool:
        """Offers a clue's candidates, one after the other."""
        cell = self._editor.cell_at(event)
        if not self._editor.is_on_grid(event) or cell not in self._editor.board.clues:
            return False
        self._editor.set_cursor(cell)
        self._editor.cycle(1, cell)
        return True

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        """Over the clue at the cursor, goes through its candidates."""
        cell = self._editor.cell_at(event)
        held = event.has(Qt.KeyboardModifier.ControlModifier) or cell != self._editor._anchor
        if held or cell not in self._editor.board.clues or not self._editor.is_on_grid(event):
            return False
        self._editor.cycle(1 if steps > 0 else -1, cell)
        return True

    def stop(self) -> None:
        """Forgets what was begun."""
        self._start = None
        self._editor.show_preview(None)

    def _goal(self, event: PointerEvent) -> Rectangle:
        editor, cell = self._editor, self._editor.cell_at(event)
        assert self._start is not None
        if self._taken is None:
            return _spanned(self._start, cell)
        x0, y0, x1, y1 = editor.rectangles[self._taken]
        gx, gy = self._grip
        if (gx, gy) == (0, 0):
            dx, dy = cell[0] - self._start[0], cell[1] - self._start[1]
            dx = min(max(dx, -x0), editor.board.width - 1 - x1)
            dy = min(max(dy, -y0), editor.board.height - 1 - y1)
            return x0 + dx, y0 + dy, x1 + dx, y1 + dy
        return (
            min(cell[0], x1) if gx < 0 else x0,
            min(cell[1], y1) if gy < 0 else y0,
            max(cell[0], x0) if gx > 0 else x1,
            max(cell[1], y0) if gy > 0 else y1,
        )

    def _grip_at(self, event: PointerEvent, rectangle: Rectangle) -> tuple[int, int]:
        x, y = event.point
        x0, y0, x1, y1 = rectangle
        gx = -1 if x < x0 + EDGE else 1 if x > x1 + 1 - EDGE else 0
        gy = -1 if y < y0 + EDGE else 1 if y > y1 + 1 - EDGE else 0
        return gx, gy


def _spanned(a: Cell, b: Cell) -> Rectangle:
    """The rectangle with two cells at opposite corners."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])


def _hatched(a: Rectangle, b: Rectangle, name: str) -> Polygon:
    shared = max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])
    return Polygon(
        id=name,
        points=corners_of(shared),
        color="failed",
        opacity=0.6,
        outline="failed",
        pattern="hatch",
        pickable=False,
    )
