"""Two segments: cut a square into a given set of polygons with two straight cuts (SCBench A, task q57).

Answer    segments: two segments of two points [x, y], in the coordinates of the frame
Checks    every coordinate on the grid, if there is one; every end on the boundary, within half a unit of the last
          decimal (as a fraction of that side); each segment crosses the frame; the two differ; no region is a sliver;
          the regions are exactly those wanted
Score     1 if every check passes, else 0

The frame is the unit square, another square, or a convex quadrilateral. Ends are rounded along their side before the
regions are counted. The rules in full: docs/tasks/two_segments.md.

    arrangement           the cross-check: the plane arrangement of frame and segments, built with shapely
    board                 a convex quadrilateral whose boundary is measured by a parameter s
    commands              what can be done to segments by editors, agents and other programs
    drawing               the scene: flat, y up, in the frame's own unit
    editing               what the editor needs while an end or a segment is dragged
    generator             new boards: a target, a frame that it fits, and perhaps a grid
    partition             how two chords divide a convex quadrilateral: the rule of the cyclic order
    placement             two segments as they lie on a board: sides, ticks, regions
    published_verifier    the published verifier, with its faults
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    Bucket,
    Check,
    CheckList,
    Family,
    Figure,
    Instance,
    LiveRule,
    NamesWhatItAsks,
    Number,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import beside
from spatial_workbench.engine.tasks.two_segments.board import ROUNDING, SegmentsBoard, spell, write_target
from spatial_workbench.engine.tasks.two_segments.editing import on_grid
from spatial_workbench.engine.tasks.two_segments.generator import PartitionDifficulty, draw, find_solution
from spatial_workbench.engine.tasks.two_segments.partition import counts_of, surplus
from spatial_workbench.engine.tasks.two_segments.placement import ENDS, SegmentsPlacement

Pair = BeforeValidator(lambda value: tuple(value) if isinstance(value, list) else value)
PointField = Annotated[tuple[Number, Number], Pair]
SegmentField = Annotated[tuple[PointField, PointField], Pair]

WRONG_NUMBER = "two segments of two points are expected"


class TwoSegmentsAnswer(Answer):
    """Two straight cuts."""

    segments: Annotated[tuple[SegmentField, SegmentField], Pair] = Field(
        description="Exactly two segments; a segment is [[x, y], [x, y]], both ends on the frame's boundary"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        """The task's own sentences: for a wrong number of things, and for what is not a finite number."""
        if path[:1] != ("segments",):
            return None
        if len(path) == 4 and kind != "missing":
            return f"segments[{path[1]}][{path[2]}]: two finite numbers expected"
        return WRONG_NUMBER


CHECKS = CheckList()


@CHECKS.step("on the grid")
def _on_grid(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, end, point in placed.ends():
        for axis, value in zip("xy", point, strict=True):
            if not board.on_grid(value):
                values = ", ".join(f"{g:g}" for g in board.grid or ())
                message = f"end {ENDS[end]} of segment {i}: {axis} = {value:g} is not one of {values}"
                yield Problem(message, [f"end {i}{ENDS[end]}"])


@CHECKS.step("ends on the boundary")
def _on_boundary(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, end, point in placed.ends():
        near = placed.near(i, end)
        if not board.on_boundary(near):
            most = board.allowed(near.side)
            away = beside(near.distance, most, 3)
            gap = f"{away} away from the nearest side; at most {most:.3g} is allowed"
            message = gap if board.contains(point) else f"outside, {gap}"
            yield Problem(f"end {ENDS[end]} of segment {i} is {message}", [f"end {i}{ENDS[end]}"])


@CHECKS.step("segments cross the frame")
def _across(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, (first, second) in enumerate(placed.chords):
        if first == second:
            yield Problem(f"segment {i} has no length", [f"segment {i}"])
        elif side := placed.common_side(i):
            yield Problem(f"segment {i} runs along {side}", [f"segment {i}"])


@CHECKS.step("two different segments")
def _different(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    first, second = placed.chords
    if set(first) == set(second):
        yield Problem("both segments are the same", ["segment 0", "segment 1"])


@CHECKS.step("no slivers")
def _slivers(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    for i, region in enumerate(placed.regions):
        if region.share < board.tolerance / 2 - ROUNDING:
            yield Problem(f"region {i} is too small ({100 * region.share:.2g} % of the area)", [f"region {i}"])


@CHECKS.step("the wanted shapes")
def _shapes(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Problem]:
    counts = counts_of(placed.regions)
    if any(counts[shape] != count for shape, count in board.target.items()):
        over = [f"region {i}" for i in surplus(placed.regions, board.target)]
        yield Problem(f"{spell(counts)}; wanted {spell(board.target)}", over)


class TwoSegments(HasCommands, NamesWhatItAsks, Task[TwoSegmentsAnswer]):
    """Cut a frame into prescribed polygons with two segments."""

    title = "Two segments"
    summary = "Cut a square with two straight segments into exactly the polygons that are asked for."
    family = Family.SCBENCH
    bucket = Bucket.AXIOMATIC
    live = LiveRule.faults("The answer has no entries to try one by one; the shapes can be counted on the drawing.")
    answer_type = TwoSegmentsAnswer
    difficulty = PartitionDifficulty

    def instances(self) -> Sequence[Instance]:
        return _published()

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A new instance, drawn with PCG64(seed). Raises InstanceError for a target or frame that makes none."""
        chosen = self.difficulty_of(difficulty)
        changed = chosen.model_dump(mode="json", exclude_defaults=True)
        return Instance.generated(self.id, seed, draw(seed, chosen), changed)

    def caption(self, instance: Instance) -> str:
        """The target, the kind of frame and whether there is a grid: "2T 2Q · grid"."""
        p = instance.parameters
        frame = _FRAME_NAMES.get(p["frame"], p["frame"])
        return " · ".join(filter(None, [p["target"], frame, "grid" if p["grid"] else ""]))

    def what_is_asked(self, instance: Instance) -> Mapping[str, Any]:
        """The frame, the grid and the target, without the seed from which the published ones were made."""
        p = instance.parameters
        return {name: p[name] for name in ("corners", "decimals", "frame", "grid", "target")}

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(SegmentsBoard.of(instance.parameters), instance.parameters["frame"] == "unit"))

    def empty(self, instance: Instance) -> TwoSegmentsAnswer:
        """Two segments to drag from: side by side, or crossed where side by side would solve it; on the grid."""
        board = SegmentsBoard.of(instance.parameters)
        second = (1.5, 3.5) if write_target(board.target) == "3Q" else (0.75, 2.25)
        return answer_at(board, [[on_grid(board, s) for s in pair] for pair in ((0.25, 2.75), second)])

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.two_segments.commands import commands

        return commands

    def state(self, instance: Instance, answer: TwoSegmentsAnswer) -> Any:
        """The two segments with the coordinates of their ends."""
        ends = [dict(zip("AB", map(list, segment), strict=True)) for segment in answer.segments]
        return {"segments": [{"id": k} | segment for k, segment in enumerate(ends)]}

    def sight(self, instance: Instance, answer: TwoSegmentsAnswer, aids: Collection[Aid]) -> Scene:
        """The frame and the segments; regions for who may measure, wrong ones for who may have judgements."""
        from spatial_workbench.engine.tasks.two_segments.drawing import may_be_seen

        scene = self.scene(instance, answer)
        return replace(scene, items=tuple(item for item in scene.items if may_be_seen(item, aids)))

    @verifier("default", "1", "The rules as printed; ends are held against the true sides of the frame.")
    def _default(self, instance: Instance, answer: TwoSegmentsAnswer, progress: Progress) -> Outcome:
        board = SegmentsBoard.of(instance.parameters)
        placed = SegmentsPlacement(board, answer.segments)
        checks = CHECKS.run(board, placed)
        return _outcome(checks, board, placed)

    @verifier(
        "published",
        "1",
        "The published verifier: its unit square is an affine image of corners 0, 1 and 3, and it counts the corners "
        "that rounding leaves.",
    )
    def _published_verifier(self, instance: Instance, answer: TwoSegmentsAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.two_segments.published_verifier import judge

        return judge(SegmentsBoard.of(instance.parameters), answer.segments)

    def _crosscheck(self, instance: Instance, answer: TwoSegmentsAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.two_segments.arrangement import judge

        return judge(SegmentsBoard.of(instance.parameters), answer.segments)

    def solve(self, instance: Instance, progress: Progress = silent) -> TwoSegmentsAnswer:
        """The stored answer of a published instance; else the type's example, or the first pair on the grid."""
        if instance.number is not None:
            return self.parse({"segments": _resource()["instances"][instance.number]["reference"]})
        board = SegmentsBoard.of(instance.parameters)
        return answer_at(board, find_solution(board))

    def scene(
        self, instance: Instance, answer: TwoSegmentsAnswer | None = None, verdict: Verdict | None = None
    ) -> Scene:
        """The frame with its regions filled by shape, the segments, their ends and their crossing."""
        from spatial_workbench.engine.tasks.two_segments.drawing import draw_board

        return draw_board(SegmentsBoard.of(instance.parameters), None if answer is None else answer.segments)

    def thumbnail(self) -> Scene:
        instance = self.instances()[12]
        return self.scene(instance, self.solve(instance))


def answer_at(board: SegmentsBoard, parameters: Sequence[Sequence[float]]) -> TwoSegmentsAnswer:
    """The answer with its ends at these boundary parameters, rounded to 9 decimals."""
    first, second = ((board.written(a), board.written(b)) for a, b in parameters)
    return TwoSegmentsAnswer(segments=(first, second))


@cache
def _resource() -> Any:
    return json.loads(resource("tasks", "two_segments.json").read_text("utf-8"))


_FRAME_NAMES = {"unit": "", "random": "shifted square", "square": "shifted square", "explicit": "quadrilateral"}
_PARAMETERS = ("target", "frame", "seed", "corners", "grid", "decimals", "difficulty")


@cache
def _published() -> tuple[Instance, ...]:
    entries = _resource()["instances"]
    return tuple(
        Instance.published("two_segments", i, {key: entry[key] for key in _PARAMETERS})
        for i, entry in enumerate(entries)
    )


def _outcome(checks: Sequence[Check], board: SegmentsBoard, placed: SegmentsPlacement) -> Outcome:
    figures: list[Figure] = []
    details: dict[str, Any] = {}
    if placed.is_partition:
        smallest = 100 * min(region.share for region in placed.regions)
        figures = [
            Figure("regions", len(placed.regions)),
            Figure("shapes", write_target(counts_of(placed.regions))),
            Figure("smallest region", smallest, "%"),
        ]
        details = {"regions": [{"shape": r.shape, "share": r.share} for r in placed.regions]}
    return Outcome(float(all_passed(checks)), checks, figures, details=details)


def _prompt(board: SegmentsBoard, is_unit: bool) -> str:
    corners = ", ".join(f"({x:.6g}, {y:.6g})" for x, y in board.corners)
    frame = f"the unit square with corners {corners}" if is_unit else f"the convex quadrilateral with corners {corners}"
    target = write_target(board.target)
    return "\n\n".join(filter(None, [
        f"Two straight segments cut {frame}, in this order around the boundary, into polygons.",
        f"Place the two segments so that the pieces are exactly {spell(board.target)} ({target}; T = triangle, "
        "Q = quadrilateral, P = pentagon, H = hexagon), and nothing else.",
        _prompt_rules(board),
        _prompt_grid(board),
        'Answer with JSON: {"segments": [[[x1, y1], [x2, y2]], [[x3, y3], [x4, y4]]]}: two segments of two points '
        "each, and no other field.",
    ]))  # fmt: skip


def _prompt_rules(board: SegmentsBoard) -> str:
    tolerance = f"{board.tolerance:.{board.decimals + 1}f}"
    return (
        "Rules:\n"
        f"- Both ends of a segment lie on the boundary. An end may be off its side by at most {tolerance} of that "
        f"side's length; its place along the side is then rounded to {board.decimals} decimals of the length.\n"
        "- A segment has a length and does not run along a side. The two segments differ. They may cross, or share an "
        "end; an end may be at a corner.\n"
        "- A polygon is counted by its corners. The point where the segments cross is a corner of the pieces around "
        "it.\n"
        f"- No piece may be a sliver: each has at least {50 * board.tolerance:g} % of the whole area."
    )


def _prompt_grid(board: SegmentsBoard) -> str:
    if board.grid is None:
        return ""
    values = ", ".join(f"{g:g}" for g in board.grid)
    return f"Every coordinate, x and y, of every end must be one of these values: {values}."
