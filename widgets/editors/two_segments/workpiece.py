"""The segments on the board, with what a gesture has done so far, and the handle that keys move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spatial_workbench.engine.tasks.two_segments import TwoSegmentsAnswer
from spatial_workbench.engine.tasks.two_segments.board import Point, SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.editing import (
    END_NAMES,
    SegmentsSnap,
    nudged,
    snap_candidates,
    snapped,
    with_ends,
)
from spatial_workbench.engine.tasks.two_segments.placement import Segments
from spatial_workbench.widgets.editing.controls import Setting
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.nudging import Way
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D

SNAP_PX = 9
"""The distance within which ends snap to a place."""
NUDGE = 0.01
"""How far an arrow key moves an end, as a fraction of the side."""


class PlacedSegments:
    """The segments of a document. Ends have numbers from 0 to 3, and boundary parameters as their places.

    view: the board, where handles are selected.
    changed: called when other segments are shown. refresh: called when snapping is switched on or off.
    """

    def __init__(
        self,
        document: AnswerDocument[TwoSegmentsAnswer],
        view: Canvas2D,
        changed: Callable[[], None],
        refresh: Callable[[], None],
    ) -> None:
        self.board = SegmentsBoard.of(document.instance.parameters)
        self.snapping = Setting(True, refresh)
        self.snapped_to = ""
        """What the last end snapped to, in words."""
        self._document = document
        self._view = view
        self._changed = changed
        self._preview: Segments | None = None

    @property
    def segments(self) -> Segments:
        """The shown segments: of the preview, or else of the answer."""
        return self._document.answer.segments if self._preview is None else self._preview

    @property
    def pixels_per_unit(self) -> float:
        """The scale of the view."""
        return self._view.plane.pixels_per_unit

    @property
    def is_previewing(self) -> bool:
        """Whether the shown segments are a preview."""
        return self._preview is not None

    def point_of(self, end: int) -> Point:
        """Where an end is shown."""
        return self.segments[end // 2][end % 2]

    def place_of(self, end: int) -> float:
        """The boundary parameter of an end."""
        return self.board.nearest_s(self.point_of(end))

    @property
    def chosen(self) -> int | None:
        """The handle that keys and fields move."""
        names = [name.removeprefix("end ") for name in self._view.selection if name.startswith("end ")]
        return END_NAMES.index(names[0]) if names and names[0] in END_NAMES else None

    def choose(self, end: int) -> None:
        """Makes a handle the one that keys move."""
        self._view.set_selection([f"end {END_NAMES[end]}"])

    def snap(self, point: Point, others: list[float], free: bool) -> float:
        """The boundary parameter for a pointer, snapped unless that is switched off."""
        if free or not self.snapping.value:
            self.snapped_to = ""
            return self._rounded(self.board.nearest_s(point))
        reach = SNAP_PX / self.pixels_per_unit
        candidates = snap_candidates(self.board, others)
        if self.board.grid is not None:
            candidates = _only(candidates, "grid")
            reach = float("inf")
        s, self.snapped_to = snapped(self.board, point, candidates, reach)
        return self._rounded(s)

    def preview(self, ends: Mapping[int, float]) -> None:
        """Shows ends at other places, without a step of the history."""
        self._preview = with_ends(self.board, self._document.answer.segments, ends)
        self._view.set_highlight({})
        self._changed()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        self.snapped_to = ""
        if self._preview is not None:
            self._preview = None
            self._changed()

    def commit(self, label: str) -> None:
        """Applies the preview to the answer, as a step of the history."""
        segments = self.segments
        self._preview = None
        self.snapped_to = ""
        self._document.edit(label, _answer(segments))
        self._changed()

    def _rounded(self, s: float) -> float:
        return round(s * self.board.ticks) % (4 * self.board.ticks) / self.board.ticks

    def _move_end(self, end: int, s: float, label: str, merge: str) -> None:
        segments = with_ends(self.board, self._document.answer.segments, {end: self._rounded(s)})
        self._document.edit(label, _answer(segments), merge)

    def type_place(self, end: int, s: float) -> None:
        """Moves an end to a boundary parameter, as it was typed."""
        self.choose(end)
        self._move_end(end, s, f"Set end {END_NAMES[end]}", f"type {end}")

    def move_along_side(self, end: int, share: float) -> None:
        """Moves an end along its side, to a fraction of it from 0 to 1."""
        self.type_place(end, int(self.place_of(end)) + share)

    def nudge(self, way: Way, step: float) -> None:
        """Moves the chosen end by a key, from value to value of a grid; a step of 0 is the smallest one anywhere."""
        if self.chosen is None:
            self.choose(0)
            return
        places = None
        if self.board.grid is not None and self.snapping.value and step:
            places = [snap.s for snap in _only(snap_candidates(self.board), "grid")]
        s = nudged(self.board, self.place_of(self.chosen), way[:2], step or 1 / self.board.ticks, places)
        name = END_NAMES[self.chosen]
        self._move_end(self.chosen, s, f"Move end {name}", f"nudge {name}")


def _answer(segments: Segments) -> TwoSegmentsAnswer:
    (a, b), (c, d) = segments
    return TwoSegmentsAnswer(segments=((a, b), (c, d)))


def _only(candidates: list[SegmentsSnap], kind: str) -> list[SegmentsSnap]:
    return [snap for snap in candidates if snap.kind == kind]
