"""The scene of two_segments: flat, y up, in the frame's own unit."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.scene import Item, Label, Pattern, Points, Polygon, Polyline, Scene
from spatial_workbench.engine.tasks.two_segments.board import SegmentsBoard
from spatial_workbench.engine.tasks.two_segments.generator import grid_ticks
from spatial_workbench.engine.tasks.two_segments.partition import crossing_of, surplus
from spatial_workbench.engine.tasks.two_segments.placement import ENDS, Segments, SegmentsPlacement

COLORS = {"T": "series 1", "Q": "series 0", "P": "series 2", "H": "series 3"}
PATTERNS: dict[str, Pattern] = {"T": "hatch", "Q": "dots", "P": "cross", "H": "grid"}
MARGIN = 0.12
"""Room around the frame in the first view, as a fraction of its size."""

INSET = 0.95
"""Size of a wrong region's outline, so that the segments and its neighbours do not hide it."""

DRAWN_FOR: Mapping[str, Aid] = {"region": Aid.MEASURING, "letter": Aid.MEASURING, "wrong": Aid.JUDGING}
"""The class of aids that has to be allowed for elements whose names begin with these words."""


def may_be_seen(item: Item, aids: Collection[Aid]) -> bool:
    """Whether an item of the scene may be shown with these aids."""
    aid = DRAWN_FOR.get(item.name.partition(" ")[0])
    return aid is None or aid in aids


def draw_board(board: SegmentsBoard, segments: Segments | None) -> Scene:
    """The frame, and the segments with what they make of it.

    Regions over the target and slivers have an outline in the failed colour. Ids: "frame", "region N", "letter N",
    "boundary", "wrong N", "segment N", "end 0A" to "end 1B", "crossing".
    """
    corners = np.array(board.corners)
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = MARGIN * (high - low).max()
    items: list[Item] = [Polygon(id="frame", points=corners, color="neutral", opacity=0.15, outline="text")]
    if segments is None:
        items += _grid_points(board)
    else:
        items += _answer(board, SegmentsPlacement(board, segments))
    return Scene(items=tuple(items), flat=True, bounds=((*(low - room).tolist(), 0.0), (*(high + room).tolist(), 0.0)))


def _grid_points(board: SegmentsBoard) -> Iterator[Item]:
    if board.grid is not None:
        places = np.array([board.at_tick(tick) for tick in grid_ticks(board)]).reshape(-1, 2)
        ids = [f"grid point {i}" for i in range(len(places))]
        yield Points(name="grid points", ids=ids, positions=places, colors="text", size_px=7.0, pickable=False)


def _answer(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Item]:
    if placed.is_partition:
        yield from _fills(placed)
    edge = np.array(board.corners)
    yield Polyline(id="boundary", points=edge, color="text", width_px=1.5, closed=True, pickable=False)
    if placed.is_partition:
        yield from _judged(board, placed)
    yield from _grid_points(board)
    for i, segment in enumerate(placed.segments):
        yield Polyline(id=f"segment {i}", points=np.array(segment), color="text", width_px=4.0)
    if placed.is_partition and (crossing := crossing_of(placed.regions)):
        yield Points(name="crossing", ids=["crossing"], positions=np.array([crossing]), colors="text", size_px=7.0)
    ids = [f"end {i}{ENDS[end]}" for i, end, _ in placed.ends()]
    positions = np.array([point for *_, point in placed.ends()])
    yield Points(name="ends", ids=ids, positions=positions, colors="accent", size_px=12.0)


def _fills(placed: SegmentsPlacement) -> Iterator[Item]:
    for i, region in enumerate(placed.regions):
        yield Polygon(
            id=f"region {i}",
            points=np.array(region.points),
            color=COLORS[region.shape],
            opacity=0.35,
            outline=None,
            pattern=PATTERNS[region.shape],
        )


def _judged(board: SegmentsBoard, placed: SegmentsPlacement) -> Iterator[Item]:
    """Outlines of the regions that are wrong, and the letters of all."""
    wrong = {*surplus(placed.regions, board.target)}
    wrong |= {i for i, region in enumerate(placed.regions) if region.share < board.tolerance / 2}
    for i in sorted(wrong):
        points = np.array(placed.regions[i].points)
        centre = np.array(placed.regions[i].centre)
        inset = centre + INSET * (points - centre)
        yield Polyline(id=f"wrong {i}", points=inset, color="failed", width_px=3.0, closed=True, pickable=False)
    for i, region in enumerate(placed.regions):
        yield Label(id=f"letter {i}", position=region.centre, text=region.shape, size_px=16.0)
