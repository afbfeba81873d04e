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
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Label, Polyline
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.two_segments import CHECKS, TwoSegmentsAnswer
from spatial_workbench.engine.tasks.two_segments.board import SIDES, WORDS
from spatial_workbench.engine.tasks.two_segments.drawing import draw_board, may_be_seen
from spatial_workbench.engine.tasks.two_segments.editing import (
    END_NAMES,
    SegmentsTally,
    affine_frame,
    tallies,
)
from spatial_workbench.engine.tasks.two_segments.placement import SegmentsPlacement
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
from spatial_workbench.widgets.editing.nudging import LEVEL, Step, nudges
from spatial_workbench.widgets.editors.two_segments.counts import CountBar
from spatial_workbench.widgets.editors.two_segments.drawing import BoardMarks
from spatial_workbench.widgets.editors.two_segments.ends import EndsPanel
from spatial_workbench.widgets.editors.two_segments.gestures import SegmentsDrawTool, SegmentsMoveTool
from spatial_workbench.widgets.editors.two_segments.typing import PlaceTyping
from spatial_workbench.widgets.editors.two_segments.workpiece import NUDGE, PlacedSegments
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Pick

HINT = (
    "Drag a handle along the boundary, or a rod parallel to itself.\n"
    "Keys: Tab and the arrows, or type a place from 0 to 1."
)
ROOM_BELOW = 0.1
"""Additional room below the frame for names and the hint, as a fraction of its height."""
MOVES = {
    "Right": ("Move handle right", LEVEL["Right"][1]),
    "Left": ("Move handle left", LEVEL["Left"][1]),
    "Up": ("Move handle up", LEVEL["Up"][1]),
    "Down": ("Move handle down", LEVEL["Down"][1]),
}


class TwoSegmentsEditor(Editor[TwoSegmentsAnswer]):
    """Places two segments on a frame."""

    view: Canvas2D

    def prepare(self) -> None:
        self._shows_published = Setting(False, self.redraw)

    def begin(self) -> None:
        self.view.selection_changed.connect(lambda _: self.typing.drop_typed())
        self.view.add_overlay(self.typing.paint)
        self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> Canvas2D:
        view = Canvas2D()
        view.box_select = False
        view.set_describe(self._describe)
        self.placed = PlacedSegments(self.document, view, self.redraw, self.refresh)
        self.typing = PlaceTyping(self.placed, self.message.emit)
        view.add_overlay(BoardMarks(self.placed, self.allows(Aid.JUDGING)))
        view.set_tool(SegmentsMoveTool(self.placed, self.typing))
        return view

    def list_controls(self) -> Iterable[Declared]:
        slide = "Drag handles along the boundary, and rods parallel to themselves"
        across = "Press on the boundary and drag across; this replaces the segment that was drawn earlier"
        yield Bars(CustomPart("Counts of shapes", CountBar, aid=Aid.JUDGING, refresh=self._show_counts))
        move = ToolButton("Move", self.view.tool, "M", "handles", slide)
        draw = ToolButton("Draw a segment", SegmentsDrawTool(self.placed), "D", "place", across)
        yield Section("Tools", Tools(self.view, move, draw))
        snapping = self.placed.snapping
        published = self._shows_published
        options = [Switch("Snap", snapping.get, snapping.put, self._snap_tip())]
        if affine_frame(self.placed.board) is not None:
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
        steps = [Step(NUDGE), Step(0.0, marked("{way}, finely"), ["Shift+"])]
        return Keys(*actions, *nudges(self.placed.nudge, steps, MOVES))

    def _show_counts(self, counts: CountBar) -> None:
        counts.show_counts(self._tallies(), self._objection())

    def _make_ends(self) -> EndsPanel:
        ends = EndsPanel(self.placed.board)
        ends.moved.connect(self.placed.type_place)
        ends.chosen.connect(self.placed.choose)
        return ends

    def _show_ends(self, ends: EndsPanel) -> None:
        ends.show_ends([self.placed.point_of(end) for end in range(4)], self.placed.chosen)

    def make_scene(self) -> Scene:
        """The board with the shown segments and, if switched on, the published verifier's frame."""
        scene = self._with_room(draw_board(self.placed.board, self.placed.segments))
        aids = {aid for aid in Aid if self.allows(aid)}
        scene = replace(scene, items=tuple(item for item in scene.items if may_be_seen(item, aids)))
        wrong = affine_frame(self.placed.board)
        if not self._shows_published.value or wrong is None:
            return scene
        points = np.array(wrong)
        frame = Polyline(id="published frame", points=points, color="warning", dashed=True, closed=True, pickable=False)
        x, y = (points[2] + points[3]) / 2
        word = Label(id="published", position=(x, y), text="published verifier's frame", color="warning")
        return replace(scene, items=(*scene.items, frame, word))

    def status(self) -> str:
        regions = self._regions_in_words() if self.allows(Aid.MEASURING) else ""
        end = f"end {END_NAMES[self.placed.chosen]}" if self.placed.chosen is not None else ""
        return " · ".join(
            filter(None, [regions, end, self.placed.snapped_to and f"snapped to {self.placed.snapped_to}"])
        )

    def _regions_in_words(self) -> str:
        placed = SegmentsPlacement(self.placed.board, self.placed.segments)
        return counted(len(placed.regions), "region") if placed.is_partition else "no regions yet"

    def marked(self) -> Mapping[str, str]:
        """Failing ends and rods; regions keep the colours of their shapes, and have an outline in the scene."""
        return {name: role for name, role in super().marked().items() if not name.startswith("region")}

    def show_elements(self, ids: Iterable[str]) -> None:
        """Only selects elements: the whole board stays in view, since an end alone says nothing."""
        self.view.set_selection(ids)

    def _snap_tip(self) -> str:
        if self.placed.board.grid is not None:
            return "Snap ends to the values of the grid. Hold Ctrl+Shift or Alt to move freely."
        order = "corners, midpoints, the other segment's ends, steps of 0.05"
        return f"Snap ends to, in this order: {order}. Hold Ctrl+Shift or Alt to move freely."

    def _with_room(self, scene: Scene) -> Scene:
        if scene.bounds is None:
            return scene
        (x0, y0, z0), high = scene.bounds
        return replace(scene, bounds=((x0, y0 - ROOM_BELOW * (high[1] - y0), z0), high))

    def _step_handle(self, by: int) -> None:
        """Chooses the next or previous end; beyond the last one, the focus leaves the canvas."""
        following = (0 if by > 0 else 3) if self.placed.chosen is None else self.placed.chosen + by
        if following in range(4):
            self.placed.choose(following)
        else:
            self.view.set_selection(())
            self.view.focusNextChild() if by > 0 else self.view.focusPreviousChild()

    def _tallies(self) -> list[SegmentsTally]:
        known = tallies(self.placed.board, self.placed.segments)
        return known or [SegmentsTally(letter, 0, count) for letter, count in self.placed.board.target.items() if count]

    def _objection(self) -> str:
        """The first problem other than the counts, which the bar shows anyway."""
        checks = CHECKS.run(self.placed.board, SegmentsPlacement(self.placed.board, self.placed.segments))[:-1]
        return next((check.message for check in checks if check.problems), "")

    def _describe(self, pick: Pick) -> tuple[str, str]:
        kind, _, name = pick.id.partition(" ")
        if kind == "end" and name in END_NAMES:
            s = self.placed.place_of(END_NAMES.index(name))
            return f"End {name}", f"{s - int(s):.{self.placed.board.decimals}f} along {SIDES[int(s)]}"
        if kind == "region":
            region = SegmentsPlacement(self.placed.board, self.placed.segments).regions[int(name)]
            return WORDS[region.shape].capitalize(), f"{100 * region.share:.3g} % of the area"
        if kind == "segment":
            return f"Segment {name}", "drag to move it parallel to itself"
        return {"frame": ("Frame", ""), "crossing": ("Crossing", "")}.get(pick.id, (pick.id, ""))


_PUBLISHED_TIP = (
    "The published verifier takes the frame for the parallelogram of corners 0, 1 and 3. It accepts ends on the dashed "
    "sides."
)
