"""The editor: two segments on a frame, edited by their ends.

A handle slides along the boundary and around corners, and a rod moves parallel to itself. During a drag the regions
follow, computed in this process; the release is one step of the history. Handles have numbers 0 to 3: ends 0A, 0B, 1A
and 1B.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Item, Label, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.two_segments import CHECKS, TwoSegmentsAnswer
from spatial_workbench.engine.tasks.two_segments.board import SIDES, WORDS, Point, SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.drawing import draw_board
from spatial_workbench.engine.tasks.two_segments.editing import (
    END_NAMES,
    SegmentsSnap,
    SegmentsTally,
    affine_frame,
    nudged,
    snap_candidates,
    snapped,
    tallies,
    with_ends,
)
from spatial_workbench.engine.tasks.two_segments.placement import Segments, SegmentsPlacement
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    CustomPart,
    Declared,
    Keys,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors.two_segments.counts import CountBar
from spatial_workbench.widgets.editors.two_segments.drawing import BoardMarks
from spatial_workbench.widgets.editors.two_segments.ends import EndsPanel
from spatial_workbench.widgets.editors.two_segments.gestures import SegmentsDrawTool, SegmentsMoveTool
from spatial_workbench.widgets.editors.two_segments.typing import PlaceTyping
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick

HINT = (
    "Drag a handle along the boundary, or a rod parallel to itself.\n"
    "Keys: Tab and the arrows, or type a place from 0 to 1."
)
ROOM_BELOW = 0.1
"""Additional room below the frame for names and the hint, as a fraction of its height."""
SNAP_PX = 9
"""The distance within which ends snap to a place."""
NUDGE = 0.01
"""How far an arrow key moves an end, as a fraction of the side."""
ARROWS: dict[str, Point] = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}
DRAWN_FOR = {"region": Aid.MEASURING, "letter": Aid.MEASURING, "wrong": Aid.JUDGING}
"""The aid class that has to be allowed for elements whose names begin with these words."""


class TwoSegmentsEditor(Editor[TwoSegmentsAnswer]):
    """Places two segments on a frame."""

    view: Canvas2D

    def prepare(self) -> None:
        self.board = SegmentsBoard.of(self.instance.parameters)
        self.snapping = Setting(True, self.refresh)
        self._preview: Segments | None = None
        self._snapped_to = ""
        self._shows_published = Setting(False, self.redraw)
        self.typing = PlaceTyping(self)

    def begin(self) -> None:
        self.view.selection_changed.connect(lambda _: self.typing.drop())
        self.view.add_overlay(self.typing.paint)
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> Canvas2D:
        view = Canvas2D()
        view.box_select = False
        view.set_describe(self._describe)
        view.add_overlay(BoardMarks(self, self.allows(Aid.JUDGING)))
        view.set_tool(SegmentsMoveTool(self, self.typing))
        return view

    def list_controls(self) -> Iterable[Declared]:
        slide = "Drag handles along the boundary, and rods parallel to themselves"
        across = "Press on the boundary and drag across; this replaces the segment that was drawn earlier"
        yield Bars(CustomPart("Counts of shapes", CountBar, aid=Aid.JUDGING, refresh=self._show_counts))
        move = ToolButton("Move", self.view.tool, "M", "handles", slide)
        draw = ToolButton("Draw a segment", SegmentsDrawTool(self), "D", "place", across)
        yield Section("Tools", Tools(self.view, move, draw))
        snapping = self.snapping
        published = self._shows_published
        options = [Switch("Snap", snapping.get, snapping.put, self._snap_tip())]
        if affine_frame(self.board) is not None:
            options.append(
                Switch("Published verifier's frame", published.get, published.put, _PUBLISHED_TIP, Aid.JUDGING)
            )
        yield Section("Options", *options)
        ends = "Ends along the boundary"
        yield Section(ends, CustomPart(ends, self._make_ends, refresh=self._show_ends))
        yield self._keys()

    def _keys(self) -> Keys:
        actions = [
            Action("Next handle", partial(self._step_handle, 1), "Tab"),
            Action("Previous handle", partial(self._step_handle, -1), "Shift+Tab"),
        ]
        for key, way in ARROWS.items():
            name = f"Move handle {key.lower()}"
            actions.append(Action(name, partial(self._nudge, way, fine=False), key))
            actions.append(Action(f"{name}, finely", partial(self._nudge, way, fine=True), f"Shift+{key}"))
        return Keys(*actions)

    def _show_counts(self, counts: CountBar) -> None:
        counts.show_counts(self._tallies(), self._objection())

    def _make_ends(self) -> EndsPanel:
        ends = EndsPanel(self.board)
        ends.moved.connect(self._typed)
        ends.chosen.connect(self.choose)
        return ends

    def _show_ends(self, ends: EndsPanel) -> None:
        ends.show_ends([self.point_of(end) for end in range(4)], self.chosen)

    def make_scene(self) -> Scene:
        """The board with the shown segments and, if switched on, the published verifier's frame."""
        scene = self._with_room(draw_board(self.board, self.segments))
        scene = replace(scene, items=tuple(filter(self._may_be_seen, scene.items)))
        wrong = affine_frame(self.board)
        if not self._shows_published.value or wrong is None:
            return scene
        points = np.array(wrong)
        frame = Polyline(id="published frame", points=points, color="warning", dashed=True, closed=True, pickable=False)
        x, y = (points[2] + points[3]) / 2
        word = Label(id="published", position=(x, y), text="published verifier's frame", color="warning")
        return replace(scene, items=(*scene.items, frame, word))

    def status(self) -> str:
        regions = self._regions_in_words() if self.allows(Aid.MEASURING) else ""
        end = f"end {END_NAMES[self.chosen]}" if self.chosen is not None else ""
        return " · ".join(filter(None, [regions, end, self._snapped_to and f"snapped to {self._snapped_to}"]))

    def _regions_in_words(self) -> str:
        placed = SegmentsPlacement(self.board, self.segments)
        return counted(len(placed.regions), "region") if placed.is_partition else "no regions yet"

    def marked(self) -> Mapping[str, str]:
        """Failing ends and rods; regions keep the colours of their shapes, and have an outline in the scene."""
        return {name: role for name, role in super().marked().items() if not name.startswith("region")}

    def show_elements(self, ids: Iterable[str]) -> None:
        """Only selects elements: the whole board stays in view, since an end alone says nothing."""
        self.view.set_selection(ids)

    # For gestures ------------------------------------------------------------------------------------------------

    @property
    def segments(self) -> Segments:
        """The shown segments: of the preview, or else of the answer."""
        return self.document.answer.segments if self._preview is None else self._preview

    @property
    def pixels_per_unit(self) -> float:
        """The scale of the view."""
        return self.view.plane.pixels_per_unit

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
        names = [name.removeprefix("end ") for name in self.view.selection if name.startswith("end ")]
        return END_NAMES.index(names[0]) if names and names[0] in END_NAMES else None

    def choose(self, end: int) -> None:
        """Makes a handle the one that keys move."""
        self.view.set_selection([f"end {END_NAMES[end]}"])

    def snap(self, point: Point, others: list[float], free: bool) -> float:
        """The boundary parameter for a pointer, snapped unless that is switched off."""
        if free or not self.snapping.value:
            self._snapped_to = ""
            return self._rounded(self.board.nearest_s(point))
        reach = SNAP_PX / self.pixels_per_unit
        candidates = snap_candidates(self.board, others)
        if self.board.grid is not None:
            candidates = _only(candidates, "grid")
            reach = float("inf")
        s, self._snapped_to = snapped(self.board, point, candidates, reach)
        return self._rounded(s)

    def preview(self, ends: Mapping[int, float]) -> None:
        """Shows ends at other places, without a step of the history."""
        self._preview = with_ends(self.board, self.document.answer.segments, ends)
        self.view.set_highlight({})
        self.redraw()

    def drop_preview(self) -> None:
        """Shows the answer again."""
        self._snapped_to = ""
        if self._preview is not None:
            self._preview = None
            self.redraw()

    def commit(self, label: str) -> None:
        """Puts the preview into the answer, as a step of the history."""
        segments = self.segments
        self._preview = None
        self._snapped_to = ""
        self.edit(label, _answer(segments))
        self.redraw()

    # Internal ----------------------------------------------------------------------------------------------------

    def _may_be_seen(self, item: Item) -> bool:
        aid = DRAWN_FOR.get(item.name.partition(" ")[0])
        return aid is None or self.allows(aid)

    def _snap_tip(self) -> str:
        if self.board.grid is not None:
            return "Snap ends to the values of the grid. Hold Ctrl+Shift or Alt to move freely."
        order = "corners, midpoints, the other segment's ends, steps of 0.05"
        return f"Snap ends to, in this order: {order}. Hold Ctrl+Shift or Alt to move freely."

    def _with_room(self, scene: Scene) -> Scene:
        if scene.bounds is None:
            return scene
        (x0, y0, z0), high = scene.bounds
        return replace(scene, bounds=((x0, y0 - ROOM_BELOW * (high[1] - y0), z0), high))

    def _rounded(self, s: float) -> float:
        return round(s * self.board.ticks) % (4 * self.board.ticks) / self.board.ticks

    def _move_end(self, end: int, s: float, label: str, merge: str) -> None:
        segments = with_ends(self.board, self.document.answer.segments, {end: self._rounded(s)})
        self.edit(label, _answer(segments), merge)

    def _typed(self, end: int, s: float) -> None:
        self.choose(end)
        self._move_end(end, s, f"Set end {END_NAMES[end]}", f"type {end}")

    def put_on_side(self, end: int, share: float) -> None:
        """Moves an end along its side, to a fraction of it from 0 to 1."""
        self._typed(end, int(self.place_of(end)) + share)

    def _step_handle(self, by: int) -> None:
        """Chooses the next or previous end; beyond the last one, the focus leaves the canvas."""
        following = (0 if by > 0 else 3) if self.chosen is None else self.chosen + by
        if following in range(4):
            self.choose(following)
        else:
            self.view.set_selection(())
            self.view.focusNextChild() if by > 0 else self.view.focusPreviousChild()

    def _nudge(self, way: Point, fine: bool) -> None:
        if self.chosen is None:
            self.choose(0)
            return
        places = None
        if self.board.grid is not None and self.snapping.value and not fine:
            places = [snap.s for snap in _only(snap_candidates(self.board), "grid")]
        step = 1 / self.board.ticks if fine else NUDGE
        s = nudged(self.board, self.place_of(self.chosen), way, step, places)
        name = END_NAMES[self.chosen]
        self._move_end(self.chosen, s, f"Move end {name}", f"nudge {name}")

    def _tallies(self) -> list[SegmentsTally]:
        known = tallies(self.board, self.segments)
        return known or [SegmentsTally(letter, 0, count) for letter, count in self.board.target.items() if count]

    def _objection(self) -> str:
        """The first problem other than the counts, which the bar shows anyway."""
        checks = CHECKS.run(self.board, SegmentsPlacement(self.board, self.segments))[:-1]
        return next((check.message for check in checks if check.problems), "")

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind == "end" and name in END_NAMES:
            s = self.place_of(END_NAMES.index(name))
            return f"End {name}", f"{s - int(s):.{self.board.decimals}f} along the {SIDES[int(s)]} side"
        if kind == "region":
            region = SegmentsPlacement(self.board, self.segments).regions[int(name)]
            return WORDS[region.shape].capitalize(), f"{100 * region.share:.3g} % of the area"
        if kind == "segment":
            return f"Segment {name}", "drag to move it parallel to itself"
        return {"frame": ("Frame", ""), "crossing": ("Crossing", "")}.get(pick.id, (pick.id, ""))


_PUBLISHED_TIP = (
    "The published verifier takes the frame for the parallelogram of corners 0, 1 and 3. It accepts ends on the dashed "
    "sides."
)


def _answer(segments: Segments) -> TwoSegmentsAnswer:
    (a, b), (c, d) = segments
    return TwoSegmentsAnswer(segments=((a, b), (c, d)))


def _only(candidates: list[SegmentsSnap], kind: str) -> list[SegmentsSnap]:
    return [snap for snap in candidates if snap.kind == kind]
