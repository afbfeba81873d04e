"""The chain of pipes: what is shown, how it settles, and which of its joints are selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.scene import Item
from spatial_workbench.engine.tasks.pipe_loop import MAX_POINTS, PipeLoopAnswer, loop_answer
from spatial_workbench.engine.tasks.pipe_loop.board import PipeLimits, PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.editing import (
    Result,
    Snap,
    gap_of,
    laid,
)
from spatial_workbench.engine.tasks.pipe_loop.relax import RELAX_ROUNDS, RELAX_TICKS, Relaxer, dragged, is_closed
from spatial_workbench.engine.tasks.pipe_loop.shape import PipeShape, Point
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.nudging import Way
from spatial_workbench.widgets.editing.selection import NumberedSelection
from spatial_workbench.widgets.scene_views.view import SceneView

DECIMALS = 6


class Chain:
    """The pipes of an answer, or those that a gesture previews.

    If the answer may not be judged, pipes may leave the square, and there may be more than the task provides.

    view: shows the chain and its selection.
    changed: called to redraw the chain.
    message: shows why something cannot be done.
    aids: the classes of aids that the person may use.
    """

    def __init__(
        self,
        document: AnswerDocument[PipeLoopAnswer],
        view: SceneView,
        changed: Callable[[], None],
        message: Callable[[str], object],
        aids: frozenset[Aid],
    ) -> None:
        self.order = PipeOrder.of(document.instance.parameters)
        self.is_judged = Aid.JUDGING in aids
        self.limits = PipeLimits(self.order.side, self.order.pipes if self.is_judged else MAX_POINTS, self.is_judged)
        self.offers_closing = Aid.SOLVING in aids
        """Whether a pipe snaps to where one more pipe would close the chain."""
        self.message = message
        self.legs = Setting(2.0)
        """The number of pipes on each side of a spike."""
        self.heading_deg = Setting(0.0)
        self.locked: set[int] = set()
        self._document = document
        self.view = view
        self.joints = ChainJoints(self, view)
        self._changed = changed
        self._shows_gap = Aid.MEASURING in aids
        self._preview: list[Point] | None = None
        self._places: tuple[PipeLoopAnswer, list[Point]] | None = None
        self._shape: tuple[Sequence[Point], PipeShape] | None = None
        self._relaxer: Relaxer | None = None
        self._ticks_left = 0

    @property
    def points(self) -> list[Point]:
        """The shown points: of the preview, or else of the answer."""
        if self._preview is not None:
            return self._preview
        if self._places is None or self._places[0] is not self._document.answer:
            self._places = self._document.answer, self._document.answer.places
        return self._places[1]

    @property
    def closed(self) -> bool:
        """Whether the chain is a loop, or has all its points."""
        return is_closed(self.points, self.order.pipes)

    @property
    def goes_on(self) -> bool:
        """Whether more pipes may be laid at its end."""
        return not self.closed or not self.is_judged

    @property
    def gap_m(self) -> float:
        """The distance from the last point to the first."""
        return gap_of(self.points)

    @property
    def gap_in_words(self) -> str:
        """How wide the gap is, in words; "" if measuring is not allowed."""
        return f"gap {self.gap_m:.2f} m" if self._shows_gap else ""

    @property
    def shape(self) -> PipeShape | None:
        """The measures of the shown points, cached while these stay the same."""
        points = self.points
        if not points:
            return None
        if self._shape is None or self._shape[0] != points:
            self._shape = points, PipeShape.of(points, self.order.side)
        return self._shape[1]

    def preview(self, points: Sequence[Point]) -> None:
        """Shows other points, without a step of the history."""
        self._preview = list(points)
        self._changed()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        self.show_ghost([])
        if self._preview is not None or self.is_relaxing:
            self._preview = self._relaxer = None
            self._changed()

    def show_ghost(self, items: Sequence[Item], reason: str = "") -> None:
        """Shows what a gesture would do, or why it cannot."""
        self.view.set_ghost(items, reason)

    def commit(self, label: str) -> None:
        """Applies the preview to the answer, as a step of the history."""
        points = self.points
        self._preview = None
        self.replace_points(label, points)
        self._changed()

    def replace_points(self, label: str, points: Sequence[Point], merge: str = "") -> None:
        """Replaces the points, as a step of the history; clamps them to the limits and rounds to micrometres."""
        places = (self.limits.clamped(point) for point in points)
        self._document.edit(
            label, loop_answer([(round(x, DECIMALS) + 0.0, round(y, DECIMALS) + 0.0) for x, y in places]), merge
        )

    def replace_or_explain(self, label: str, result: Result) -> None:
        """Replaces the points, or says why not."""
        points, reason = result
        if points is None:
            self.message(reason)
        else:
            self.replace_points(label, points)

    def drag(self, moved: Mapping[int, Point], snap: Snap) -> None:
        """Previews joints at other places; the end of an open chain turns about the previous joint."""
        points = self.points
        last = len(points) - 1
        if not self.closed and len(points) > 1 and list(moved) == [last] and last not in self.locked:
            turned_end, _ = laid(points[:-1], moved[last], self.limits, snap)
            self.preview(turned_end or points)
        else:
            self.preview(self.dragged(moved))

    def dragged(self, moved: Mapping[int, Point]) -> list[Point]:
        """The points after joints have been moved to other places, and the chain has followed."""
        return dragged(self.points, moved, self.limits, self.closed, self.locked)

    # Relaxing ----------------------------------------------------------------------------------------------------

    @property
    def is_relaxing(self) -> bool:
        """Whether the chain is settling."""
        return self._relaxer is not None

    def toggle_relax(self) -> None:
        """Starts settling, or stops it and keeps the current state."""
        if self.is_relaxing:
            self._finish_relaxing("Stopped.")
        elif len(self.points) < 2:
            self.message("Lay some pipes first, or start with a ring.")
        else:
            self._relaxer = Relaxer(self.order, self.points, self.locked, self.closed)
            self._ticks_left = RELAX_TICKS

    def settle(self) -> None:
        """Settles a little further and previews the result; ends when every check passes."""
        assert self._relaxer is not None
        self._relaxer.run(RELAX_ROUNDS)
        self._ticks_left -= 1
        self.preview(self._relaxer.points)
        if self._relaxer.has_settled:
            self._finish_relaxing("Every check passes." if self._relaxer.closed else "All pipes are 1 m long.")
        elif self._ticks_left <= 0:
            self._finish_relaxing("The chain has not settled yet. Relax again to continue.")

    def _finish_relaxing(self, words: str) -> None:
        self._relaxer = None
        self.commit("Relax")
        self.message(words)


class ChainJoints:
    """The joints of a chain that are selected in a view, and moving them."""

    def __init__(self, chain: Chain, view: SceneView) -> None:
        self._chain = chain
        self._view = view
        self._selection = NumberedSelection(view, "point", lambda: len(chain.points))

    @property
    def all_chosen(self) -> list[int]:
        """The selected joints, in the order in which they were selected."""
        return self._selection.in_order

    @property
    def chosen(self) -> int | None:
        """The joint that keys and fields move: the last selected one."""
        return next(reversed(self.all_chosen), None)

    def choose(self, joint: int, add: bool = False) -> None:
        """Selects a joint; with `add`, adds it to the selection or removes it."""
        name = f"point {joint}"
        others = [other for other in self._view.selection if other.startswith("point ")] if add else []
        self._view.set_selection([o for o in others if o != name] if name in others else [*others, name])

    def choose_pipe(self, pipe: int) -> None:
        """Selects a pipe."""
        self._view.set_selection([f"pipe {pipe}"])

    def step_joint(self, by: int) -> None:
        """Selects the next joint (1) or the previous one (-1)."""
        if self._chain.points:
            first = 0 if by > 0 else len(self._chain.points) - 1
            self.choose(first if self.chosen is None else (self.chosen + by) % len(self._chain.points))

    def nudge(self, way: Way, step: float) -> None:
        """Moves the selected joint by a step."""
        if self.chosen is None:
            self.step_joint(1)
            return
        x, y = self._chain.points[self.chosen]
        self._move_joint(self.chosen, (x + way[0] * step, y + way[1] * step), "nudge")

    def set_coordinate(self, axis: int, value: float) -> None:
        """Sets x (axis 0) or y of the selected joint."""
        if self.chosen is not None:
            x, y = self._chain.points[self.chosen]
            self._move_joint(self.chosen, (value, y) if axis == 0 else (x, value), "type")

    def _move_joint(self, joint: int, place: Point, manner: str) -> None:
        self._chain.replace_points("Move joint", self._chain.dragged({joint: place}), merge=f"{manner} {joint}")
