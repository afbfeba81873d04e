"""The scene of pipe_loop: flat, y up, metres."""

from collections.abc import Iterator, Sequence

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Boxes, Floats, Ground, Item, Label, Points, Polygon, Polyline, Scene
from spatial_workbench.engine.tasks.pipe_loop.board import PipeOrder
from spatial_workbench.engine.tasks.pipe_loop.constraints import (
    AvoidMargin,
    CentroidBox,
    CoverageQuadrants,
    FixedStart,
    MinConvexHullArea,
    MustTouchBoundary,
)
from spatial_workbench.engine.tasks.pipe_loop.contacts import Contact
from spatial_workbench.engine.tasks.pipe_loop.relax import is_closed
from spatial_workbench.engine.tasks.pipe_loop.shape import QUADRANTS, WALLS, PipeShape, Point

PIPE_M = 0.16
PIPE_SHARE = 1 / 110
"""Thickness of a drawn pipe: a share of the side, but no more than this."""
RING_M = 0.22
CROWDED_M = 24.0
"""Side of a square above which pipes are drawn over their joints."""


def draw_order(
    order: PipeOrder,
    points: Sequence[Point],
    shape: PipeShape | None = None,
    measures: bool = True,
    judges: bool = True,
) -> Scene:
    """The square with what the constraints ask for, and a chain of pipes; `shape` saves measuring the points anew.

    measures: whether hull and centroid are drawn. judges: whether colours and rings show what is right and wrong.

    Ids: "wall left" ..., "quadrant lower left" ..., "margin", "centroid box", "start", "pipe i", "point i", "hull",
    "centroid", "contact i-j". The last pipe of a chain that is not closed is a dashed line.
    """
    if shape is None and points:
        shape = PipeShape.of(points, order.side)
    items: list[Item] = [*_demands(order, shape, judges)]
    if shape is not None:
        if measures:
            items += _measures(order, shape)
        items += _chain(order, shape, is_closed(points, order.pipes), judges)
    side = order.side
    bounds = ((-0.02 * side, -0.02 * side, 0.0), (1.02 * side, 1.02 * side, 0.0))
    ground = Ground(1.0, (0.0, 0.0, side, side))
    return Scene(items=tuple(items), unit="m", flat=True, ground=ground, bounds=bounds)


def pipe_width_m(side: float) -> float:
    """How thick pipes are drawn in a square of a side."""
    return min(PIPE_M, side * PIPE_SHARE)


# What is asked for ---------------------------------------------------------------------------------------------------


def _demands(order: PipeOrder, shape: PipeShape | None, judges: bool) -> Iterator[Item]:
    side = order.side
    yield from _walls(order, shape, judges)
    if order.constraint_of(CoverageQuadrants):
        yield from _quadrants(side, shape, judges)
    if margin := order.constraint_of(AvoidMargin):
        gap = margin.margin_ratio * side
        yield Polyline(id="margin", points=_box(gap, side - gap, gap, side - gap), color="warning", width_px=1.5,
                       closed=True, dashed=True, pickable=False)  # fmt: skip
    if box := order.constraint_of(CentroidBox):
        yield Polygon(id="centroid box", points=_box(*box.bounds(side)), color="target", opacity=0.35,
                      outline="accent", pickable=False)  # fmt: skip
    if start := order.constraint_of(FixedStart):
        place = (start.x_ratio * side, start.y_ratio * side)
        yield Polygon(id="start", points=_circle(place, start.tolerance), color="target", opacity=0.35,
                      outline="accent", pickable=False)  # fmt: skip


def _walls(order: PipeOrder, shape: PipeShape | None, judges: bool) -> Iterator[Polyline]:
    s = order.side
    ends = {"left": ((0, 0), (0, s)), "right": ((s, 0), (s, s)), "bottom": ((0, 0), (s, 0)), "top": ((0, s), (s, s))}
    lit = order.constraint_of(MustTouchBoundary) is not None
    for wall in WALLS:
        touched = lit and shape is not None and wall in shape.walls
        role = "secondary" if not lit or not judges else "passed" if touched else "warning"
        yield Polyline(
            id=f"wall {wall}", points=np.array(ends[wall], float), color=role, width_px=4.0 if lit else 2.0,
            pickable=False,
        )  # fmt: skip


def _quadrants(side: float, shape: PipeShape | None, judges: bool) -> Iterator[Item]:
    half = side / 2
    for name, x, y in zip(QUADRANTS, (0, half, 0, half), (0, 0, half, half), strict=True):
        held = shape is not None and name in shape.quadrants
        role = "secondary" if not judges else "passed" if held else "warning"
        yield Polygon(id=f"quadrant {name}", points=_box(x, x + half, y, y + half), color=role, opacity=0.06,
                      outline=None, pickable=False)  # fmt: skip
    for k, line in enumerate((((half, 0), (half, side)), ((0, half), (side, half)))):
        yield Polyline(id=f"midline {k}", points=np.array(line, float), color="secondary", width_px=1.2, dashed=True,
                       pickable=False)  # fmt: skip


# What there is -------------------------------------------------------------------------------------------------------


def _measures(order: PipeOrder, shape: PipeShape) -> Iterator[Item]:
    if order.constraint_of(MinConvexHullArea) and len(shape.hull) > 2:
        yield Polygon(id="hull", points=shape.hull, color="accent", opacity=0.05, outline="accent", pickable=False)
        top = shape.hull[shape.hull[:, 1].argmax()]
        yield Label(id="hull area", position=(float(top[0]), float(top[1]) + 0.03 * order.side),
                    text=f"hull {shape.hull_area:.2f} m²", color="accent", size_px=11)  # fmt: skip
    if order.constraint_of(CentroidBox):
        yield Points(name="centroid", ids=[marked("centroid")], positions=np.array([shape.centroid]), colors="series 5",
                     size_px=11, pickable=False)  # fmt: skip


def _chain(order: PipeOrder, shape: PipeShape, closed: bool, judges: bool) -> Iterator[Item]:
    count = len(shape.points) if closed else len(shape.points) - 1
    width = pipe_width_m(order.side)
    joints = Points(
        name="joints",
        ids=[f"point {i}" for i in range(len(shape.points))],
        positions=shape.points,
        colors=["accent" if i == 0 else "text" for i in range(len(shape.points))],
        size_px=9.0 if order.side <= 12 else 6.0 if order.side <= CROWDED_M else 4.0,
    )
    pipes = [_pipes(shape, count, width, judges)] if count else []
    # In a large square the joints would interrupt the line of thin pipes, so they lie below.
    drawn: list[Item] = [*pipes, joints]
    yield from drawn if order.side <= CROWDED_M else reversed(drawn)
    if not closed and len(shape.points) > 2:
        gap = np.stack([shape.points[-1], shape.points[0]])
        yield Polyline(id=f"pipe {count}", points=gap, color="warning", width_px=1.5, dashed=True, pickable=False)
    if judges:
        yield from _contacts(order, shape, count)


def _contacts(order: PipeOrder, shape: PipeShape, count: int) -> Iterator[Polyline]:
    right = shape.contacts.crossing_count == order.crossings
    for contacts, role in ((shape.contacts.crossings, "passed" if right else "failed"),
                           (shape.contacts.touches, "series 3")):  # fmt: skip
        for contact in contacts:
            yield _mark(contact, role if contact.second < count else "muted")


def _pipes(shape: PipeShape, count: int, width: float, judges: bool) -> Boxes:
    """Pipes of a thickness; the closing one is the last."""
    middles = shape.points + shape.pipes / 2
    angles = np.degrees(np.arctan2(shape.pipes[:, 1], shape.pipes[:, 0]))
    sizes = np.column_stack([shape.lengths, np.full(len(middles), width), np.full(len(middles), 0.01)])
    centers = np.column_stack([middles, np.full(len(middles), -0.02)])
    roles = ["accent" if not judges or abs(length - 1) <= 0.05 else "failed" for length in shape.lengths.tolist()]
    return Boxes(
        name="pipes",
        ids=[f"pipe {i}" for i in range(count)],
        centers=centers[:count],
        sizes=sizes[:count],
        angles_deg=angles[:count],
        colors=roles[:count],
    )


def _mark(contact: Contact, role: str) -> Polyline:
    ring = _circle(contact.point, RING_M)
    return Polyline(id=contact.id, points=ring, color=role, width_px=3.0, closed=True, pickable=False)


def _box(x0: float, x1: float, y0: float, y1: float) -> Floats:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def _circle(center: Point, radius: float) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    circle: Floats = np.asarray(center) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return circle
