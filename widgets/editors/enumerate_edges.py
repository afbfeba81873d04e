"""The editor of enumerate_edges: drag from side to side to join them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Protocol

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Item, Label, Polygon
from spatial_workbench.engine.tasks.enumerate_edges import Edges, board_of
from spatial_workbench.engine.tasks.labelled_squares.drawing import SIDE, draw_interface
from spatial_workbench.engine.tasks.labelled_squares.square import Pair
from spatial_workbench.widgets.editing.controls import Action, Buttons, Declared, Keys, Section
from spatial_workbench.widgets.editing.gestures import Drag
from spatial_workbench.widgets.editors.labelled_squares import SquaresEditor
from spatial_workbench.widgets.scene_views.view import PointerEvent, SceneView

UNANSWERED = "line"
"""The colour of squares without an answer."""


class EdgesEditor(SquaresEditor[Edges]):
    """Joins the sides of squares. Pairs are in the answer's indices."""

    def prepare(self) -> None:
        super().prepare()
        self.board = board_of(self.instance)
        self.squares = self.board.squares
        self.none_marked: set[int] = set()
        """Squares that the person left empty on purpose; in the answer they look like unfinished ones."""
        self._digit: int | None = None

    def begin(self) -> None:
        self.view.show_hint("Drag from side to side to join them, or press two digits.  N: nothing is certain.")

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.set_tool(JoinTool(self, view))
        return view

    def list_controls(self) -> Iterable[Declared]:
        none = "No side is certain to be joined"
        clear = "Remove all joins of this square"
        yield Section(
            "Framed square",
            Buttons(
                Action("Nothing is certain", self.mark_none, "N", "not_reached", none),
                Action("Clear", self.clear, "Delete", "delete", clear),
                Action("Next square", lambda: self.choose(self.current + 1), "Return", "redo"),
            ),
        )
        yield Keys(*(Action(f"Side {digit}", partial(self.press_digit, digit), str(digit)) for digit in range(4)))
        yield from self.common_controls()

    @property
    def pairs(self) -> list[list[Pair]]:
        """The joined sides of every square."""
        given = [[(i, j) for i, j in pairs] for pairs in self.document.answer.edges[: len(self.places)]]
        return given + [[] for _ in range(len(self.places) - len(given))]

    def toggle(self, square: int, first: int, second: int) -> None:
        """Joins two sides (indices of the answer), or separates them if they are joined."""
        if first == second:
            return
        pair = (min(first, second), max(first, second))
        pairs = self.pairs
        label = "Separate sides" if pair in pairs[square] else "Join sides"
        pairs[square] = sorted(set(pairs[square]) ^ {pair})
        self.none_marked.discard(square)
        self._edit_pairs(label, pairs)

    def mark_none(self) -> None:
        """Marks that nothing is certain in the current square, and moves on to the next."""
        self.none_marked.add(self.current)
        self.clear()
        self.choose(self.current + 1)

    def clear(self) -> None:
        """Removes all joins of the current square."""
        pairs = self.pairs
        pairs[self.current] = []
        self._edit_pairs("Clear square", pairs)

    def press_digit(self, digit: int) -> None:
        """Remembers the first digit; the second one joins the two sides."""
        if self._digit is None:
            self._digit = digit
        else:
            first = self._digit
            self._digit = None
            self.toggle(self.current, first, digit)
        self.update_status()

    def index_at(self, event: PointerEvent, square: int) -> int:
        """The index of the side nearest to the pointer."""
        return self.board.edge_order.index(self.side_at(event, square))

    def show_ghost(self, square: int, first: int, second: int | None) -> None:
        """Shows the join that a release would make."""
        if second is None or second == first:
            self.view.set_ghost([])
            return
        ends = self.board.edge_order[first], self.board.edge_order[second]
        objection = self._objection(square, ends) if self.judges else ""
        self.view.set_ghost([draw_interface("join", self.places[square], ends, "accent")], objection)

    def make_scene(self) -> Scene:
        """Squares without an answer are grey; which sides are cut is shown only while wrong ones may be told."""
        scene = super().make_scene()
        changed = dict.fromkeys((f"square {k}" for k in self.unanswered), UNANSWERED)
        if not self.judges:
            changed |= {f"square {k} side {side}": "text" for k in range(len(self.places)) for side in range(4)}
        items = tuple(
            replace(item, color=changed[item.id]) if isinstance(item, Polygon | Label) and item.id in changed else item
            for item in scene.items
        )
        return replace(scene, items=items)

    @property
    def unanswered(self) -> list[int]:
        """The squares without joins that were not left empty on purpose."""
        return [k for k, pairs in enumerate(self.pairs) if not pairs and k not in self.none_marked]

    def extra_above(self) -> list[Item]:
        """Labels on squares without joins that say whether this is on purpose."""
        items = super().extra_above()
        for k, (place, pairs) in enumerate(zip(self.places, self.pairs, strict=True)):
            if not pairs:
                text, role = (marked("none"), "text") if k in self.none_marked else ("–", "secondary")
                middle = (float(place[0] + SIDE / 2), float(place[1] + SIDE / 2))
                items.append(Label(id=f"square {k} none", position=middle, text=text, color=role))
        return items

    def status(self) -> str:
        done = len(self.places) - len(self.unanswered)
        count = f" · {done} of {len(self.places)} answered" if self.allows(Aid.MEASURING) else ""
        digit = f" · side {self._digit} and …" if self._digit is not None else ""
        return f"square {self.current}{count}{digit}"

    def _objection(self, square: int, sides: Pair) -> str:
        walk = self.squares.walks[square]
        for side in sides:
            if walk[side] == walk[(side + 1) % 4]:
                return f"Side {self.board.edge_order.index(side)} is not cut: both corners are class {walk[side]}"
        return ""

    def _edit_pairs(self, label: str, pairs: list[list[Pair]]) -> None:
        self.edit(label, Edges(edges=tuple(tuple(square) for square in pairs)))
        self.redraw()


class Joinable(Protocol):
    """Squares whose sides can be joined. Sides are indices of the answer."""

    def square_at(self, event: PointerEvent) -> int | None:
        """The square under the pointer."""

    def index_at(self, event: PointerEvent, square: int) -> int:
        """The side nearest to the pointer."""

    def choose(self, index: int) -> None:
        """Makes a square the current one."""

    def toggle(self, square: int, first: int, second: int) -> None:
        """Joins two sides, or separates them."""

    def show_ghost(self, square: int, first: int, second: int | None) -> None:
        """Shows a join."""


class JoinTool(Drag[tuple[int, int]]):
    """A drag from side to side joins them; a click chooses the square, and a click on a curve removes it.

    What a press grabs is a square, and the index of its side nearest to the pointer.
    """

    def __init__(self, squares: Joinable, view: SceneView) -> None:
        super().__init__()
        self._squares = squares
        self._view = view

    def take(self, event: PointerEvent) -> tuple[int, int] | None:
        square = self._squares.square_at(event)
        if square is None:
            return None
        self._squares.choose(square)
        return square, self._squares.index_at(event, square)

    def show(self, grip: tuple[int, int], event: PointerEvent) -> None:
        square, first = grip
        self._squares.show_ghost(square, first, self._squares.index_at(event, square))

    def finish(self, grip: tuple[int, int], event: PointerEvent) -> None:
        square, first = grip
        second = self._squares.index_at(event, square)
        if second != first:
            self._squares.toggle(square, first, second)
        elif event.pick is not None and " pair " in event.pick.id:
            i, j = event.pick.id.rpartition(" ")[2].split("-")
            self._squares.toggle(square, int(i), int(j))

    def clear(self) -> None:
        self._view.set_ghost([])
