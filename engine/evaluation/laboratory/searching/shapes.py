"""Changes of what the elements of answers form together: levels, paths, boxes, meshes, groups of elements."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    Path,
    is_number,
    part_at,
    parts_of,
    paths_to,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.searching.drawing import (
    SHIFTS,
    Rng,
    drawn,
    drawn_path,
    elements_of,
    like,
    moved_along,
    sign,
)

_SHARES = (0.5, 0.5, 0.25, 0.1, 0.9, 0.01)
_STRETCHES = (1, 1, 2, 3, 0.5, 0.1, -1, -1, -0.5)
_SCALES = (1, 1, 1, 0.5, 0.1, 0.05, -1)
_SHARES_ALONG = (0.0, 0.5, 0.5, 0.25, 0.75, 0.1, 0.9)
_MOST_FOLLOWING = 8
_SWEEPS = 60
_LONGEST_PULLED = 1000
_MOST_COPIED = 2000
"""Longer lists are not copied as a whole."""


# Levels --------------------------------------------------------------------------------------------------------------


def level_moved(data: Any, rng: Rng) -> Any:
    """All numbers of an axis that are equal to one of them, get another value: one of the axis, or a step away."""
    paths = paths_to(data, is_number)
    if not paths:
        return None
    axis = _axis_of(drawn(rng, paths))
    of_axis = [path for path in paths if _axis_of(path) == axis]
    old = part_at(data, drawn(rng, of_axis))
    values = list(dict.fromkeys(part_at(data, path) for path in of_axis))
    new = drawn(rng, values) + (drawn(rng, SHIFTS) * sign(rng) if rng.integers(2) else 0)
    for path in of_axis:
        if part_at(data, path) == old:
            data = with_part(data, path, like(float(new), old))
    return data


def stretched(data: Any, rng: Rng) -> Any:
    """All numbers of an axis beyond an element move by a step, so that what reaches across grows; or of two axes."""
    paths = [path for path in paths_to(data, is_number) if math.isfinite(part_at(data, path))]
    if not paths:
        return None
    chosen, way, step = drawn(rng, paths), sign(rng), drawn(rng, _STRETCHES)
    beside = [path for path in paths if path[:-1] == chosen[:-1]]
    for corner in {chosen, drawn(rng, beside)}:
        limit = part_at(data, corner)
        for path in paths:
            value = part_at(data, path)
            if path[-1] == corner[-1] and way * value >= way * limit:
                data = with_part(data, path, like(float(value + way * step), value))
    return data


def _axis_of(path: Path) -> tuple[Any, ...]:
    """What numbers of the same meaning share: their path without the places in lists, but for the last."""
    return (*(None if isinstance(key, int) else key for key in path[:-1]), path[-1])


# Paths ---------------------------------------------------------------------------------------------------------------


def steps_exchanged(data: Any, rng: Rng) -> Any:
    """The steps between some successive elements come in another order; begin and end stay."""
    chain = _chain_in(data, rng, 4)
    if chain is None:
        return None
    path, inner, points = chain
    first, last = sorted(int(k) for k in rng.integers(len(points), size=2))
    last = min(len(points) - 1, max(last, first + 2), first + 12)
    if last - first < 2:
        return None
    steps = [_difference(points[k + 1], points[k]) for k in range(first, last)]
    if rng.integers(2):
        steps = steps[::-1]
    else:
        steps = [steps[int(k)] for k in rng.permutation(len(steps))]
    position = points[first]
    for place, step in enumerate(steps[:-1]):
        position = [value + change for value, change in zip(position, step, strict=True)]
        data = _with_point(data, (*path, first + 1 + place), inner, position)
    return data


def reflected(data: Any, rng: Rng) -> Any:
    """An element goes to the other side of the line between its neighbours, which stay as far from it as they were."""
    chain = _chain_in(data, rng, 3)
    if chain is None:
        return None
    path, inner, points = chain
    place = int(rng.integers(len(points)))
    before, here, after = points[place - 1], points[place], points[(place + 1) % len(points)]
    line = _difference(after, before)
    length = sum(value * value for value in line)
    if not length:
        return None
    share = sum(a * b for a, b in zip(_difference(here, before), line, strict=True)) / length
    foot = [start + share * value for start, value in zip(before, line, strict=True)]
    return _with_point(data, (*path, place), inner, [2 * a - b for a, b in zip(foot, here, strict=True)])


def continued(data: Any, rng: Rng) -> Any:
    """A list is cut off, or not, and goes on with elements each of which differs in one number, by 1 or as before."""
    chain = _chain_in(data, rng, 1)
    if chain is None:
        return None
    path, inner, points = chain
    keep = len(points) if rng.random() < 0.3 else int(rng.integers(1, len(points) + 1))
    entries = part_at(data, path)[:keep]
    width = 1 if keep < 2 else max((abs(value) for value in _difference(points[keep - 1], points[keep - 2])), default=1)
    for _ in range(int(rng.geometric(0.5))):
        axis = int(rng.integers(len(inner)))
        value = part_at(entries[-1], inner[axis])
        entries = [*entries, with_part(entries[-1], inner[axis], like(float(value + (width or 1) * sign(rng)), value))]
    return with_part(data, path, entries)


def pulled(data: Any, rng: Rng) -> Any:
    """An element is pulled onto another, or between two that follow each other; those beside it follow.

    The distances between successive elements stay as they were, as far as they can; the last comes before the first.
    """
    chain = _chain_in(data, rng, 6)
    if chain is None or len(chain[2]) > _LONGEST_PULLED:
        return None
    path, inner, points = chain
    count = len(points)
    place, onto = (int(k) for k in rng.integers(count, size=2))
    share = drawn(rng, _SHARES_ALONG)
    here, other = np.array(points[onto]), np.array(points[(onto + 1) % count])
    fixed = {place, onto, (onto + 1) % count}
    reach = int(rng.integers(2, max(3, min(count // 2, _MOST_FOLLOWING))))
    free = [k for step in range(-reach, reach + 1) if (k := (place + step) % count) not in fixed]
    moved = _with_distances(np.array(points, float), place, here + (other - here) * share, free)
    for k in (place, *free):
        data = _with_point(data, (*path, k), inner, [float(value) for value in moved[k]])
    return data


def _with_distances(points: Any, place: int, target: Any, free: list[int]) -> Any:
    """Points of which one has come to a target, and some others have moved to keep the distances between neighbours."""
    count = len(points)
    lengths = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    moved, may_move = points.copy(), set(free)
    moved[place] = target
    edges = sorted({k for each in free for k in (each, (each - 1) % count)})
    for _ in range(_SWEEPS):
        for k in edges:
            after = (k + 1) % count
            way = moved[after] - moved[k]
            length = float(np.linalg.norm(way))
            ends = [end for end in (k, after) if end in may_move]
            if length and ends:
                correction = way * ((length - lengths[k]) / length / len(ends))
                for end in ends:
                    moved[end] += correction if end == k else -correction
    return moved


def _chain_in(data: Any, rng: Rng, least: int) -> tuple[Path, list[Path], list[list[float]]] | None:
    """A list whose entries hold the same numbers: its path, the paths of the numbers in an entry, the points."""
    chains = []
    for path in paths_to(data, lambda part: isinstance(part, list) and len(part) >= least):
        entries = part_at(data, path)
        inner = paths_to(entries[0], is_number)
        if 2 <= len(inner) <= 12 and isinstance(entries[0], list | dict):
            chains.append((path, inner))
    if not chains:
        return None
    path, inner = drawn(rng, chains)
    entries = part_at(data, path)
    if any(paths_to(entry, is_number) != inner for entry in entries):
        return None
    points = [[part_at(entry, each) for each in inner] for entry in entries]
    return (path, inner, points) if all(math.isfinite(v) for point in points for v in point) else None


def _difference(first: list[float], second: list[float]) -> list[float]:
    return [a - b for a, b in zip(first, second, strict=True)]


def _with_point(data: Any, path: Path, inner: list[Path], point: list[float]) -> Any:
    for each, value in zip(inner, point, strict=True):
        old = part_at(data, (*path, *each))
        data = with_part(data, (*path, *each), like(value, old))
    return data


# Boxes ---------------------------------------------------------------------------------------------------------------


def grown(data: Any, rng: Rng) -> Any:
    """An element with two corners grows or shrinks: at both, along one axis or all."""
    box = _box_in(data, rng)
    return None if box is None else _resized(data, box, drawn(rng, (1, 1, 2, 3, 5, 0.5)) * sign(rng), rng)


def nested(data: Any, rng: Rng) -> Any:
    """An element with two corners is there once more, smaller, and moved along an axis: inside, under or beside it."""
    box = _box_in(data, rng)
    if box is None or len(box[0]) < 2 or not isinstance(box[0][-2], int):
        return None
    low, high = box
    entries = part_at(data, low[:-2])
    if not isinstance(entries, list):
        return None
    copied = (*low[:-2], len(entries))
    data = with_part(data, low[:-2], [*entries, part_at(data, low[:-1])])
    data = _resized(data, ((*copied, low[-1]), (*copied, high[-1])), drawn(rng, (-1, -1, -2, -3, -5)), rng)
    axis = int(rng.integers(len(part_at(data, low))))
    return moved_along(data, [copied], axis, drawn(rng, (1, 1, 1, 2, 3, 0)) * sign(rng))


def _resized(data: Any, box: tuple[Path, Path], step: float, rng: Rng) -> Any:
    """Data in which both corners of a box are moved apart by a step, along two axes or all."""
    low, high = box
    size = len(part_at(data, low))
    axes = range(size) if rng.random() < 0.3 else rng.choice(size, size=min(2, size), replace=False)
    for axis in axes:
        for corner, way in ((low, -1), (high, 1)):
            value = part_at(data, (*corner, int(axis)))
            data = with_part(data, (*corner, int(axis)), like(float(value + way * step), value))
    return data


def sized(data: Any, rng: Rng, numbers: list[float]) -> Any:
    """An element with two corners gets a size whose product is a number of the instance, or just beside it."""
    box = _box_in(data, rng)
    wholes = [int(number) for number in numbers if 1 < number <= 100_000 and float(number).is_integer()]
    if box is None or not wholes:
        return None
    low, high = box
    left = drawn(rng, wholes) + drawn(rng, (0, 0, 0, 1, -1))
    ends_included = int(rng.integers(2))
    axes = [int(axis) for axis in rng.permutation(len(part_at(data, low)))]
    kept = part_at(data, (*high, axes[0])) - part_at(data, (*low, axes[0])) + ends_included
    if rng.random() < 0.7 and isinstance(kept, int) and kept > 0 and left % kept == 0:
        axes, left = axes[1:], left // kept
    for place, axis in enumerate(axes):
        size = left
        if place < len(axes) - 1:
            size = drawn(rng, [divisor for divisor in range(1, min(left, 200) + 1) if left % divisor == 0])
        left //= size
        data = with_part(data, (*high, axis), part_at(data, (*low, axis)) + size - ends_included)
    return data


def _box_in(data: Any, rng: Rng) -> tuple[Path, Path] | None:
    """The two corners of an element that has two lists with equally many numbers."""
    elements = [path for path in elements_of(data) if len(_corners(part_at(data, path))) == 2]
    if not elements:
        whole = [path for path, part in parts_of(data) if len(_corners(part)) == 2]
        elements = whole[:1]
    if not elements:
        return None
    path = drawn(rng, elements)
    low, high = _corners(part_at(data, path))
    return (*path, low), (*path, high)


def _corners(element: Any) -> list[Any]:
    """The keys of the lists of numbers in an element, if they are equally long."""
    entries = element.items() if isinstance(element, dict) else enumerate(element) if isinstance(element, list) else ()
    lists = [(key, part) for key, part in entries if isinstance(part, list) and part and all(map(is_number, part))]
    return [key for key, _ in lists] if len({len(part) for _, part in lists}) == 1 else []


# Groups of elements --------------------------------------------------------------------------------------------------


def group_copied(data: Any, rng: Rng) -> Any:
    """Some successive elements, or all, are there once more, beside themselves along one or two axes."""
    lists = paths_to(data, lambda part: isinstance(part, list) and bool(part) and not any(map(is_number, part)))
    lists = [path for path in lists if paths_to(part_at(data, path), is_number)]
    if not lists:
        return None
    path = drawn_path(rng, lists)
    entries = part_at(data, path)
    first, last = sorted(int(k) for k in rng.integers(len(entries) + 1, size=2))
    group = entries if rng.random() < 0.6 or first == last else entries[first:last]
    if len(group) > _MOST_COPIED:
        return None
    inner = paths_to(group, is_number)
    if not inner:
        return None
    copy = group
    axes = list(dict.fromkeys(each[-1] for each in inner))
    for axis in [drawn(rng, axes) for _ in range(int(rng.integers(1, 3)))]:
        values = [part_at(group, each) for each in inner if each[-1] == axis]
        width = max(values) - min(values)
        step = sign(rng) * drawn(rng, (width, width + 1, width + 2, width / 2, 1, 1, *SHIFTS[:6]))
        copy = moved_along(copy, [(place,) for place in range(len(copy))], axis, step)
    return with_part(data, path, [*entries, *copy])


# Meshes --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Mesh:
    """Where points and the faces that name them stand in data."""

    points: Path
    faces: Path


def is_mesh(data: Any) -> bool:
    """Whether data hold points, and faces that name them by their places."""
    return _mesh_in(data) is not None


def body_copied(data: Any, rng: Rng) -> Any:
    """The whole mesh is there once more: smaller, moved, inside out, or with a point in common."""
    mesh = _mesh_in(data)
    if mesh is None or len(part_at(data, mesh.points)) > _MOST_COPIED:
        return None
    points, faces = part_at(data, mesh.points), part_at(data, mesh.faces)
    inner = paths_to(points[0], is_number)
    values = [[part_at(point, each) for each in inner] for point in points]
    scale, joins = drawn(rng, _SCALES), rng.random() < 0.4
    base, copied = (int(k) for k in rng.integers(len(points), size=2))
    centre = [(min(axis) + max(axis)) / 2 for axis in zip(*values, strict=True)]
    offset = _offset_of(values, rng)
    if joins:
        offset, centre = _difference(values[base], values[copied]), values[copied]
    numbers = {k: len(points) + k - (joins and k > copied) for k in range(len(points))}
    if joins:
        numbers[copied] = base
    copies = [
        _with_point(
            [point], (0,), inner, [c + scale * (v - c) + o for c, v, o in zip(centre, value, offset, strict=True)]
        )[0]
        for k, (point, value) in enumerate(zip(points, values, strict=True))
        if not joins or k != copied
    ]
    turned = (scale < 0) != (rng.random() < 0.3)
    new = [_renamed(face, numbers, turned) for face in faces]
    return with_part(with_part(data, mesh.points, [*points, *copies]), mesh.faces, [*faces, *new])


def edge_divided(data: Any, rng: Rng) -> Any:
    """An edge of a mesh gets a point between its ends, or a little beside the edge, in all faces that it belongs to."""
    mesh = _mesh_in(data)
    if mesh is None:
        return None
    points, faces = part_at(data, mesh.points), part_at(data, mesh.faces)
    lists = paths_to(faces, lambda part: isinstance(part, list) and all(map(is_number, part)))
    corners = part_at(faces, drawn(rng, lists))
    place = int(rng.integers(len(corners)))
    start, end = corners[place - 1], corners[place]
    inner = paths_to(points[start], is_number)
    share = drawn(rng, _SHARES)
    value = [part_at(points[start], each) * (1 - share) + part_at(points[end], each) * share for each in inner]
    if rng.integers(2):
        value[int(rng.integers(len(value)))] += drawn(rng, SHIFTS) * sign(rng)
    point = _with_point([points[start]], (0,), inner, value)[0]
    for path in lists:
        faces = with_part(faces, path, _with_corner(part_at(faces, path), start, end, len(points)))
    return with_part(with_part(data, mesh.points, [*points, point]), mesh.faces, faces)


def _with_corner(corners: list[int], start: int, end: int, new: int) -> list[int]:
    """The corners of a face with a new one between two that follow each other."""
    for place, corner in enumerate(corners):
        if {corners[place - 1], corner} == {start, end}:
            return [*corners[:place], new, *corners[place:]] if place else [*corners, new]
    return corners


def _offset_of(values: list[list[float]], rng: Rng) -> list[float]:
    """How far a copy is moved: not at all, or along an axis by a part of its width or a step."""
    offset = [0.0] * len(values[0])
    if rng.random() < 0.7:
        axis = int(rng.integers(len(offset)))
        along = [value[axis] for value in values]
        width = max(along) - min(along)
        offset[axis] = sign(rng) * drawn(rng, (width / 2, width, width * 0.9, width * 2, *SHIFTS[:6]))
    return offset


def _mesh_in(data: Any) -> _Mesh | None:
    """The points and faces in data: a list of points, and one of lists of places in it."""
    lists = paths_to(data, lambda part: isinstance(part, list) and len(part) > 3)
    lists = [path for path in lists if not any(map(is_number, part_at(data, path)))]
    for points in lists:
        count = len(part_at(data, points))
        for faces in lists:
            if faces != points and len(points) == len(faces) and _names_points(part_at(data, faces), count):
                return _Mesh(points, faces)
    return None


def _names_points(faces: list[Any], count: int) -> bool:
    """Whether lists of at least three whole numbers name all of some points and nothing else."""
    named = set()
    for face in faces:
        numbers = [part_at(face, path) for path in paths_to(face, is_number)]
        if len(numbers) < 3 or not all(isinstance(number, int) and 0 <= number < count for number in numbers):
            return False
        named.update(numbers)
    return len(named) * 2 > count and len(faces) > 1


def _renamed(face: Any, numbers: dict[int, int], turned: bool) -> Any:
    """A face of the copy, whose corners come in the other order if it is turned."""
    for path in paths_to(face, lambda part: isinstance(part, list)) or [()]:
        corners = [numbers[corner] for corner in part_at(face, path)]
        face = with_part(face, path, corners[::-1] if turned else corners)
    return face


OF_SHAPES: tuple[Any, ...] = (
    *(level_moved, level_moved, stretched, stretched, steps_exchanged, reflected, continued, pulled, pulled),
    *(grown, nested, nested, group_copied),
)
"""Changes of any data: (data, random numbers) -> changed data; None if there is nothing to change."""
OF_MESHES: tuple[Any, ...] = (body_copied, body_copied, edge_divided)
