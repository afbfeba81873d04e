"""What can be done to two segments: the commands of editors, agents and other programs. The frame's own unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from spatial_workbench.engine.core import Instance, Number, WholeNumber
from spatial_workbench.engine.core.acting.commands import Call, CommandArguments, CommandList
from spatial_workbench.engine.tasks.two_segments import TwoSegmentsAnswer
from spatial_workbench.engine.tasks.two_segments.board import SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.editing import with_ends

commands = CommandList()

PlacePoint = Annotated[tuple[Number, ...], Field(strict=False, min_length=2, max_length=2)]
SegmentNumber = Annotated[WholeNumber, Field(ge=0, le=1)]


class PlacedSegment(CommandArguments):
    """A segment and its ends."""

    segment: SegmentNumber = Field(description="0 or 1")
    start: PlacePoint = Field(description="x, y of one end")
    end: PlacePoint = Field(description="x, y of the other end")


class SegmentEnd(CommandArguments):
    """An end and its place on the boundary."""

    segment: SegmentNumber = Field(description="0 or 1")
    end: Literal["A", "B"] = Field(description="its first or its second end")
    side: Annotated[WholeNumber, Field(ge=0, le=3)] = Field(
        description="side of the frame; side i goes from corner i to the next one, in the order of the corners"
    )
    share: Annotated[Number, Field(ge=0, le=1)] = Field(description="how far along the side, 0 to 1")


@commands.add("Move segment", PlacedSegment)
def segment(instance: Instance, answer: TwoSegmentsAnswer, given: PlacedSegment) -> TwoSegmentsAnswer:
    """Puts a segment between two points."""
    (ax, ay), (bx, by) = given.start, given.end
    first, second = answer.segments
    placed = ((ax, ay), (bx, by))
    return TwoSegmentsAnswer(segments=(placed, second) if given.segment == 0 else (first, placed))


@commands.add("Move end", SegmentEnd)
def end(instance: Instance, answer: TwoSegmentsAnswer, given: SegmentEnd) -> TwoSegmentsAnswer:
    """Puts an end of a segment onto a side of the frame."""
    number = 2 * given.segment + "AB".index(given.end)
    board = SegmentsBoard.of(instance.parameters)
    first, second = with_ends(board, answer.segments, {number: (given.side + given.share) % 4})
    return TwoSegmentsAnswer(segments=(first, second))


@commands.leading
def calls_between(instance: Instance, before: TwoSegmentsAnswer, after: TwoSegmentsAnswer) -> Iterator[Sequence[Call]]:
    """Calls that put segments between two points."""
    yield [
        ("segment", {"segment": k, "start": list(new[0]), "end": list(new[1])})
        for k, (old, new) in enumerate(zip(before.segments, after.segments, strict=True))
        if old != new
    ]
