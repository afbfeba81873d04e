"""The editor of shikaku: rectangles are drawn, resized and moved, or chosen among a clue's candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Item, Label, Polygon
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.shikaku import Rectangles, as_rectangles, board_of
from spatial_workbench.engine.tasks.shikaku.board import Cell, Rectangle, ShikakuBoard, area_of, cells_of
from spatial_workbench.engine.tasks.shikaku.drawing import corners_of
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Keys, Section, Setting, Switch, Verb
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.gestures import CONTROL, RIGHT, Drag, grid_cell
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

EDGE = 0.22
"""How near to its border, in cells, a press resizes a rectangle instead of moving it."""
ARROWS = {
    "Right": ("Cursor right", "Grow right", (1, 0)),
    "Left": ("Cursor left", "Grow left", (-1, 0)),
    "Up": ("Cursor up", "Grow up", (0, -1)),
    "Down": ("Cursor down", "Grow down", (0, 1)),
}
"""What the arrow keys do, and what they do with Shift."""
HINT = "Drag from cell to cell to draw a rectangle."


@dataclass(frozen=True)
class Fit:
    """How well a rectangle fits: a colour role, and words."""

    role: str
    words: str


class ShikakuEditor(Editor[Rectangles]):
    """Draws rectangles on a grid of clues."""

    def prepare(self) -> None:
        self.board: ShikakuBoard = board_of(self.instance)
        self.selected: int | None = None
        self.cursor_area: Rectangle = (0, 0, 0, 0)
        """The cursor: a cell, or a rectangle grown from it, which Return adds."""
        self.cursor_cell: Cell = (0, 0)
        """The cell from which the cursor has grown."""
        self._marks_certain = Setting(False, self.redraw)
        self._preview: Rectangle | None = None

    def begin(self) -> None:
        self.view.show_hint(HINT)

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.box_select = False
        view.set_tool(RectangleTool(self))
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Section(
            "Rectangles",
            Buttons(
                Action(
                    "Delete",
                    self.remove,
                    "Delete, Backspace",
                    "delete",
                    "Delete the selected rectangle",
                    verb=Verb.DELETE,
                ),
                Action("Next candidate", self.cycle, "C", "rotate", "For the clue at the cursor", Aid.SOLVING),
            ),
        )
        certain = "Mark the clues that have only one candidate left"
        yield Section(
            "Aids",
            Switch("Mark what is certain", self._marks_certain.get, self._marks_certain.put, certain, Aid.SOLVING),
        )
        for key, (move, grow, step) in ARROWS.items():
            yield Keys(
                Action(move, partial(self.move_cursor, *step), key),
                Action(grow, partial(self.grow_cursor, *step), f"Shift+{key}"),
            )
        yield Keys(Action("Place rectangle", lambda: self.add_rectangle(self.cursor_area), "Return, Enter"))

    # The answer --------------------------------------------------------------------------------------------------

    @property
    def rectangles(self) -> tuple[Rectangle, ...]:
        """The rectangles so far."""
        return as_rectangles(self.document.answer)

    @property
    def offers_candidates(self) -> bool:
        """Whether a clue may be given its candidates, which solves a part of the puzzle."""
        return self.allows(Aid.SOLVING)

    def add_rectangle(self, rectangle: Rectangle) -> None:
        """Adds a rectangle; overlaps are allowed, and shown."""
        if rectangle in self.rectangles:
            return
        self.selected = len(self.rectangles)
        self._edit_rectangles("Draw rectangle", (*self.rectangles, rectangle))

    def replace_rectangle(self, k: int, rectangle: Rectangle, label: str) -> None:
        """Replaces a rectangle."""
        if self.board.holds(rectangle):
            self._edit_rectangles(label, (*self.rectangles[:k], rectangle, *self.rectangles[k + 1 :]))

    def remove(self) -> None:
        """Deletes the selected rectangle, or the one under the cursor."""
        k = self.selected if self.selected is not None else self.rectangle_at(self.cursor_cell)
        if k is not None and k < len(self.rectangles):
            self.selected = None
            self._edit_rectangles("Delete rectangle", (*self.rectangles[:k], *self.rectangles[k + 1 :]))

    def cycle(self, step: int = 1, cell: Cell | None = None) -> None:
        """Gives the clue at a cell, or at the cursor, its next candidate; naming a cell is recorded as an aid."""
        if cell is not None:
            self.use_aid("Next candidate", Aid.SOLVING)
        cell = cell or self.cursor_cell
        if cell not in self.board.clues:
            self.message.emit("Put the cursor on a clue first.")
            return
        options = self.board.candidates(cell)
        k = next((k for k, r in enumerate(self.rectangles) if r in options), None)
        if not options:
            self.message.emit("This clue has no candidates.")
        elif k is None:
            self.add_rectangle(options[0])
        else:
            self.selected = k
            following = options[(options.index(self.rectangles[k]) + step) % len(options)]
            self._edit_rectangles(
                "Next candidate", (*self.rectangles[:k], following, *self.rectangles[k + 1 :]), f"cycle {cell}"
            )

    def fit(self, rectangle: Rectangle, ignore: int | None = None) -> Fit:
        """How well a rectangle fits its clue and the others, as far as that may be shown."""
        if not self.allows(Aid.JUDGING):
            return Fit("passed", counted(area_of(rectangle), "cell") if self.allows(Aid.MEASURING) else "")
        clues = self.board.clues_in(rectangle)
        area = area_of(rectangle)
        held = counted(len(clues), "clue") if clues else "no clues"
        words = f"{area} / {self.board.clues[clues[0]]}" if len(clues) == 1 else f"{area} · {held}"
        if self.overlaps(rectangle, ignore):
            return Fit("failed", f"{words} · {marked('overlaps')}")
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
        """The last drawn rectangle that covers a cell."""
        x, y = cell
        holding = [k for k, (x0, y0, x1, y1) in enumerate(self.rectangles) if x0 <= x <= x1 and y0 <= y <= y1]
        return holding[-1] if holding else None

    # The cursor --------------------------------------------------------------------------------------------------

    def set_cursor(self, cell: Cell) -> None:
        """Moves the cursor to a cell."""
        self.cursor_cell = cell
        self.cursor_area = (*cell, *cell)
        self.redraw()

    def move_cursor(self, dx: int, dy: int) -> None:
        """Moves the cursor by cells."""
        x, y = self.cursor_cell
        self.selected = None
        self.set_cursor((min(max(x + dx, 0), self.board.width - 1), min(max(y + dy, 0), self.board.height - 1)))

    def grow_cursor(self, dx: int, dy: int) -> None:
        """Grows the cursor into a rectangle, away from its first cell."""
        x0, y0, x1, y1 = self.cursor_area
        ax, ay = self.cursor_cell
        far = (x1 if x0 == ax else x0) + dx, (y1 if y0 == ay else y0) + dy
        if 0 <= far[0] < self.board.width and 0 <= far[1] < self.board.height:
            self.cursor_area = _spanned(self.cursor_cell, far)
            self.redraw()

    def cursor_numbers(self) -> tuple[int, ...]:
        """The cell and the corners of the cursor, and the selected rectangle or -1."""
        return *self.cursor_cell, *self.cursor_area, -1 if self.selected is None else self.selected

    def put_cursor(self, numbers: Sequence[int]) -> None:
        """Puts the cursor where it was, grown as it was.

        Raises:
            ValueError: It would leave the board, or not hold its cell.
        """
        x, y, x0, y0, x1, y1, selected = numbers
        if not (0 <= x0 <= x <= x1 < self.board.width and 0 <= y0 <= y <= y1 < self.board.height):
            raise ValueError("no such cursor")
        self.cursor_cell = (x, y)
        self.cursor_area = (x0, y0, x1, y1)
        self.selected = selected if 0 <= selected < len(self.rectangles) else None
        self.redraw()

    # Drawing -----------------------------------------------------------------------------------------------------

    def show_preview(self, rectangle: Rectangle | None, ignore: int | None = None) -> None:
        """Shows what a release would draw, with its area and the clue."""
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
        self.view.set_ghost([ghost, words] if fit.words else [ghost])
        self.status_changed.emit(said(fit.words))

    def make_scene(self) -> Scene:
        scene = super().make_scene()
        colored = tuple(self._colored(item) for item in scene.items)
        return replace(scene, items=(*colored, *self._extras()))

    def status(self) -> str:
        if not self.allows(Aid.MEASURING):
            return counted(len(self.rectangles), "rectangle")
        left = int((self.board.coverage([r for r in self.rectangles if self.board.holds(r)]) == 0).sum())
        placed = len(self.rectangles)
        clues = len(self.board.clues)
        count = f"{placed} of {clues} rectangles" if clues > 1 else f"{placed} of 1 rectangle"
        return f"{count} · {counted(left, 'cell')} left"

    def _colored(self, item: Item) -> Item:
        """Colours a rectangle by how well it fits, and outlines it if it is selected."""
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
                points=corners_of(self.cursor_area, 0.03),
                color="accent",
                opacity=0.15,
                outline="accent",
                pickable=False,
            )
        ]
        if self.allows(Aid.JUDGING):
            items += [
                _hatched(a, self.rectangles[m], f"overlap {k} {m}")
                for k, a in enumerate(self.rectangles)
                for m in self.overlaps(a, k)
                if m > k
            ]
        return items + (self._certain() if self._marks_certain.value else [])

    def _certain(self) -> list[Item]:
        """Marks on clues that have only one candidate left."""
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

    def _edit_rectangles(self, label: str, rectangles: tuple[Rectangle, ...], merge: str = "") -> None:
        self.edit(label, Rectangles(rectangles=rectangles), merge)


@dataclass(frozen=True)
class ShikakuGrip:
    """What a press on the grid grabbed.

    Attributes:
        cell: The cell that was pressed.
        taken: The rectangle there; None: a new one is drawn.
        border: Which border is dragged: -1 left or top, 1 right or bottom, 0 none, in x and y.
    """

    cell: Cell
    taken: int | None
    border: tuple[int, int]


class ShikakuDrawing(Protocol):
    """The context of the gestures."""

    board: ShikakuBoard
    selected: int | None
    cursor_cell: Cell

    @property
    def rectangles(self) -> tuple[Rectangle, ...]:
        """The rectangles so far."""

    @property
    def offers_candidates(self) -> bool:
        """Whether a clue may be given its candidates."""

    def rectangle_at(self, cell: Cell) -> int | None:
        """The last drawn rectangle that covers a cell."""

    def set_cursor(self, cell: Cell) -> None:
        """Moves the cursor to a cell."""

    def show_preview(self, rectangle: Rectangle | None, ignore: int | None = None) -> None:
        """Shows what a release would draw."""

    def add_rectangle(self, rectangle: Rectangle) -> None:
        """Adds a rectangle."""

    def replace_rectangle(self, k: int, rectangle: Rectangle, label: str) -> None:
        """Replaces a rectangle."""

    def remove(self) -> None:
        """Deletes the selected rectangle."""

    def cycle(self, step: int = 1, cell: Cell | None = None) -> None:
        """Gives the clue at a cell its next candidate."""

    def update_status(self) -> None:
        """Updates the status bar."""


class RectangleTool(Drag[ShikakuGrip]):
    """A drag draws from an empty cell, resizes a rectangle at its border, and moves it from its inside."""

    def __init__(self, drawing: ShikakuDrawing) -> None:
        super().__init__()
        self._drawing = drawing

    def press(self, event: PointerEvent) -> bool:
        drawing = self._drawing
        cell = self._cell(event)
        taken = drawing.rectangle_at(cell) if cell is not None else None
        if event.button == RIGHT and taken is not None:
            drawing.selected = taken
            drawing.remove()
            return True
        return super().press(event)

    def take(self, event: PointerEvent) -> ShikakuGrip | None:
        drawing = self._drawing
        cell = self._cell(event)
        if cell is None:
            return None
        drawing.selected = taken = drawing.rectangle_at(cell)
        drawing.set_cursor(cell)
        return ShikakuGrip(cell, taken, _border_at(event, drawing.rectangles[taken]) if taken is not None else (0, 0))

    def show(self, grip: ShikakuGrip, event: PointerEvent) -> None:
        if self.was_moved:
            self._drawing.show_preview(self._goal(grip, event), grip.taken)

    def finish(self, grip: ShikakuGrip, event: PointerEvent) -> None:
        drawing = self._drawing
        goal = self._goal(grip, event)
        if grip.taken is None:
            if goal != (*grip.cell, *grip.cell) or drawing.board.clues.get(grip.cell) == 1:
                drawing.add_rectangle(goal)
        elif goal != drawing.rectangles[grip.taken]:
            drawing.replace_rectangle(
                grip.taken, goal, "Resize rectangle" if grip.border != (0, 0) else "Move rectangle"
            )
        drawing.update_status()

    def clear(self) -> None:
        self._drawing.show_preview(None)

    def double_click(self, event: PointerEvent) -> bool:
        cell = self._cell(event)
        if cell is None or cell not in self._drawing.board.clues or not self._drawing.offers_candidates:
            return False
        self._drawing.set_cursor(cell)
        self._drawing.cycle(1, cell)
        return True

    def wheel(self, event: PointerEvent, steps: float) -> bool:
        cell = self._cell(event)
        is_clue = cell == self._drawing.cursor_cell and cell in self._drawing.board.clues
        if not is_clue or event.has(CONTROL) or not self._drawing.offers_candidates:
            return False
        self._drawing.cycle(1 if steps > 0 else -1, cell)
        return True

    def _cell(self, event: PointerEvent) -> Cell | None:
        return grid_cell(event, self._drawing.board.width, self._drawing.board.height)

    def _goal(self, grip: ShikakuGrip, event: PointerEvent) -> Rectangle:
        board = self._drawing.board
        cell = grid_cell(event, board.width, board.height, clamp=True) or grip.cell
        if grip.taken is None:
            return _spanned(grip.cell, cell)
        x0, y0, x1, y1 = self._drawing.rectangles[grip.taken]
        gx, gy = grip.border
        if grip.border == (0, 0):
            dx, dy = cell[0] - grip.cell[0], cell[1] - grip.cell[1]
            dx = min(max(dx, -x0), board.width - 1 - x1)
            dy = min(max(dy, -y0), board.height - 1 - y1)
            return x0 + dx, y0 + dy, x1 + dx, y1 + dy
        return (
            min(cell[0], x1) if gx < 0 else x0,
            min(cell[1], y1) if gy < 0 else y0,
            max(cell[0], x0) if gx > 0 else x1,
            max(cell[1], y0) if gy > 0 else y1,
        )


def _border_at(event: PointerEvent, rectangle: Rectangle) -> tuple[int, int]:
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
