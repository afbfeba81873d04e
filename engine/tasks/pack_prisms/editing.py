"""Moves of an editor on packings: orientations, snapping, dropping, turning a group. All lengths are whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.tasks.pack_prisms.packing import Ints, overlapping_pairs

SNAP_SHARE = 0.3
"""A box snaps to an edge of the face it is laid on within this share of its own length."""


def orientations(sides: Sequence[int]) -> list[tuple[int, int, int]]:
    """The different ways to lay a box, up to six."""
    a, b, c = sides
    return list(dict.fromkeys([(a, b, c), (b, a, c), (a, c, b), (c, a, b), (b, c, a), (c, b, a)]))


def lattice(corner: Ints, size: Sequence[int], counts: Sequence[int], limit: int) -> tuple[Ints, Ints]:
    """Equal boxes side by side, x fastest, up to a number: corners (n, 3) each."""
    nx, ny, nz = counts
    index = [(i, j, k) for k in range(nz) for j in range(ny) for i in range(nx)][:limit]
    low = corner + np.array(index, np.int64).reshape(-1, 3) * np.array(size, np.int64)
    return low, low + np.array(size, np.int64)


def laid_on(point: Floats, normal: Floats, size: Ints, face_low: Ints, face_high: Ints) -> Ints:
    """The lowest corner of a block laid on a face: flush with it, and with its edges where they are near.

    Args:
        point: Where the pointer meets the face.
        normal: The face's outward normal, along an axis.
        size: The block's sides.
        face_low, face_high: Corners of the box that the face belongs to.
    """
    axis = int(np.argmax(np.abs(normal)))
    corner = np.round(np.asarray(point) - size / 2).astype(np.int64)
    corner[axis] = face_high[axis] if normal[axis] > 0 else face_low[axis] - size[axis]
    for other in range(3):
        if other != axis:
            near = np.array(
                [face_low[other], face_high[other] - size[other], face_high[other], face_low[other] - size[other]]
            )
            nearest = near[np.argmin(np.abs(near - corner[other]))]
            if abs(nearest - corner[other]) <= max(1, SNAP_SHARE * size[other]):
                corner[other] = nearest
    return corner


def collides(low: Ints, high: Ints, others_low: Ints, others_high: Ints) -> bool:
    """Whether any of some boxes shares volume with any of the others."""
    if not len(low) or not len(others_low):
        return False
    apart = np.zeros((len(low), len(others_low)), bool)
    for axis in range(3):
        apart |= high[:, None, axis] <= others_low[None, :, axis]
        apart |= others_high[None, :, axis] <= low[:, None, axis]
    return bool((~apart).any())


def drop(low: Ints, high: Ints, moved: Sequence[int], axis: int) -> int:
    """How far a group can move down an axis until it meets another box or the level 0."""
    chosen = np.isin(np.arange(len(low)), moved)
    fall = int(low[chosen, axis].min())
    others = [a for a in range(3) if a != axis]
    for i in np.flatnonzero(chosen):
        under = ~chosen & (high[:, axis] <= low[i, axis])
        for other in others:
            under &= (low[:, other] < high[i, other]) & (low[i, other] < high[:, other])
        if under.any():
            fall = min(fall, int(low[i, axis] - high[under, axis].max()))
    return max(fall, 0)


def turned(low: Ints, high: Ints, axis: int) -> tuple[Ints, Ints]:
    """A group turned by 90 degrees about an axis; its lowest corner stays where it is."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    base = low.min(axis=0)
    new_low, new_high = low - base, high - base
    depth = new_high[:, v].max()
    first, last = new_low.copy(), new_high.copy()
    first[:, u] = depth - new_high[:, v]
    last[:, u] = depth - new_low[:, v]
    first[:, v] = new_low[:, u]
    last[:, v] = new_high[:, u]
    return first + base, last + base


def mirrored(low: Ints, high: Ints, axis: int) -> tuple[Ints, Ints]:
    """A group mirrored in the middle of its own extent."""
    total = low[:, axis].min() + high[:, axis].max()
    first, last = low.copy(), high.copy()
    first[:, axis] = total - high[:, axis]
    last[:, axis] = total - low[:, axis]
    return first, last


def shifted_to_origin(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """The packing moved so that its lowest corner is the origin."""
    base = low.min(axis=0) if len(low) else np.zeros(3, np.int64)
    return low - base, high - base


def in_conflict(low: Ints, high: Ints) -> list[int]:
    """The boxes that overlap another one."""
    return sorted({int(i) for pair in overlapping_pairs(low, high) for i in pair})


def lonely_sides(low: Ints, high: Ints) -> list[int]:
    """Boxes that are the only ones to reach a side of the bounding box, so moving them can shrink it."""
    axes = set()
    for axis in range(3):
        for reach in (low[:, axis] == low[:, axis].min(), high[:, axis] == high[:, axis].max()):
            if reach.sum() == 1:
                axes.add(int(np.argmax(reach)))
    return sorted(axes)


def flush(corner: Ints, size: Ints, axes: Sequence[int], container: Ints, low: Ints, high: Ints) -> Ints:
    """The lowest corner of a block snapped along some axes to the nearest container wall or face of a neighbouring box.

    Args:
        corner: Where the block would be, (3,).
        size: Its sides.
        axes: The axes along which it may be moved.
        container: Sides of the container whose lowest corner is the origin; 0 where there is none.
        low, high: Corners of the boxes that lie there, (n, 3) each.
    """
    moved = corner.copy()
    for axis in axes:
        others = [a for a in range(3) if a != axis]
        beside = ((low < moved + size) & (moved < high))[:, others].all(axis=1)
        faces = [0, *high[beside, axis], *(low[beside, axis] - size[axis])]
        faces += [container[axis] - size[axis]] if container[axis] >= size[axis] else []
        nearest = min(faces, key=lambda face: abs(int(face) - int(moved[axis])))
        if abs(int(nearest) - int(moved[axis])) <= max(1, SNAP_SHARE * size[axis]):
            moved[axis] = nearest
    return moved


def room_at(cell: Ints, first: Ints, last: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints] | None:
    """The largest empty block round a cell that grows along one axis after the other; None if the cell is taken.

    Args:
        cell: The cell's lowest corner, (3,).
        first, last: Corners of the room that counts.
        low, high: Corners of the boxes in it, (n, 3) each.
    """
    inside = (cell >= first).all() and (cell < last).all()
    if not inside or collides(cell[None], cell[None] + 1, low, high):
        return None
    grown = [_grown(cell, order, first, last, low, high) for order in permutations(range(3))]
    return max(grown, key=lambda room: int(np.prod(room[1] - room[0])))


def _grown(cell: Ints, order: Sequence[int], first: Ints, last: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    start = cell.copy()
    end = cell + 1
    for axis in order:
        others = [a for a in range(3) if a != axis]
        beside = ((low < end) & (start < high))[:, others].all(axis=1)
        below, above = high[beside, axis], low[beside, axis]
        start[axis] = max([first[axis], *below[below <= start[axis]]])
        end[axis] = min([last[axis], *above[above >= end[axis]]])
    return start, end


def fitting(sides: Sequence[int], room: Ints) -> tuple[int, int, int] | None:
    """An orientation in which a box fits into a room, flat if possible; None if there is none."""
    ways = [way for way in orientations(sides) if (np.array(way) <= room).all()]
    return min(ways, key=lambda way: way[2]) if ways else None
