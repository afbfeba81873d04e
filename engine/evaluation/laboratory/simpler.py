"""Simpler answers than a given one, which removing neighbouring entries of one list does not reach.

Each is plain data with fewer entries: a few entries of a list alone, two entries less, a whole level, row or plane
less, a corner of a mesh less with the places of the others counted anew, or two entries as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    Path,
    is_number,
    part_at,
    parts_of,
    paths_to,
    with_part,
)

MOST_ENTRIES = 60
"""Lists with more entries are left to plain removal."""
_MOST_IN_PAIRS = 14
_MOST_LEVELS = 12
_LEAST_CORNERS = 3


def with_fewer_entries(data: Any) -> Iterator[Any]:
    """Data with fewer entries, those that leave least first."""
    if isinstance(data, str):
        return
    lists = [path for path in paths_to(data, _is_list) if len(part_at(data, path)) <= MOST_ENTRIES]
    lists.sort(key=lambda path: -len(part_at(data, path)))
    for path in lists:
        yield from _few_alone(data, path)
    for path in lists:
        yield from _without_level(data, path)
    yield from _without_plane(data)
    for path in lists:
        yield from _without_corner(data, path)
    for path in lists:
        yield from _without_two(data, path)
    for path in lists:
        yield from _with_two_merged(data, path)


def moved_to_zero(data: Any) -> Iterator[Any]:
    """Data all of whose numbers of an axis are moved so that the smallest becomes zero."""
    paths = paths_to(data, is_number)
    for axis in dict.fromkeys(path[-1] for path in paths):
        chosen = [path for path in paths if path[-1] == axis]
        least = min(part_at(data, path) for path in chosen)
        if least == least and least not in (0, float("inf"), -float("inf")):
            moved = data
            for path in chosen:
                moved = with_part(moved, path, part_at(data, path) - least)
            yield moved


def with_simpler_entries(data: Any) -> Iterator[Any]:
    """Data in which an entry of a list is a copy of a shorter one."""
    if isinstance(data, str):
        return
    for path in paths_to(data, _is_list):
        entries = part_at(data, path)
        if len(entries) > _MOST_IN_PAIRS or all(is_number(entry) for entry in entries):
            continue
        for k, entry in enumerate(entries):
            for other in entries:
                if len(repr(other)) < len(repr(entry)):
                    yield with_part(data, (*path, k), other)


def with_entries_of(other: Any, data: Any) -> Iterator[Any]:
    """Data in whose lists an entry of the same list of other data is added, the last ones first."""
    if isinstance(data, str) or isinstance(other, str):
        return
    for path in paths_to(data, lambda part: isinstance(part, list)):
        try:
            entries = part_at(other, path)
        except (LookupError, TypeError):
            continue
        own = part_at(data, path)
        if isinstance(entries, list) and len(entries) <= MOST_ENTRIES:
            yield from (with_part(data, path, [*own, entry]) for entry in reversed(entries) if entry not in own)


def _is_list(part: Any) -> bool:
    return isinstance(part, list) and len(part) > 1


def _few_alone(data: Any, path: Path) -> Iterator[Any]:
    """One entry of a list, or two, without the others."""
    entries = part_at(data, path)
    for entry in entries if len(entries) > 1 else ():
        yield with_part(data, path, [entry])
    if 2 < len(entries) <= _MOST_IN_PAIRS:
        for pair in combinations(entries, 2):
            yield with_part(data, path, list(pair))


def _without_two(data: Any, path: Path) -> Iterator[Any]:
    entries = part_at(data, path)
    if 3 < len(entries) <= _MOST_IN_PAIRS:
        for first, second in combinations(range(len(entries)), 2):
            yield with_part(data, path, [entry for k, entry in enumerate(entries) if k not in (first, second)])


def _without_level(data: Any, path: Path) -> Iterator[Any]:
    """Without all entries that have the same value at the same place, such as all bricks of a layer."""
    entries = part_at(data, path)
    places = dict.fromkeys(inner for entry in entries for inner in paths_to(entry, is_number) if inner)
    for inner in places:
        values = [_value_at(entry, inner) for entry in entries]
        levels = {value for value in values if value is not None and values.count(value) > 1}
        for level in sorted(levels)[:_MOST_LEVELS]:
            left = [entry for entry, value in zip(entries, values, strict=True) if value != level]
            if left:
                yield with_part(data, path, left)


def _value_at(entry: Any, path: Path) -> float | None:
    try:
        value = part_at(entry, path)
    except (LookupError, TypeError):
        return None
    return value if is_number(value) else None


def _without_plane(data: Any) -> Iterator[Any]:
    """Without the entries at one place of all lists of the same kind and length, such as a column of a grid."""
    kinds: dict[tuple[Any, ...], list[Path]] = {}
    for path, part in parts_of(data):
        if isinstance(part, list | str) and 1 < len(part) <= MOST_ENTRIES and any(isinstance(key, int) for key in path):
            kind = (*("*" if isinstance(key, int) else key for key in path), type(part).__name__, len(part))
            kinds.setdefault(kind, []).append(path)
    for (*_, length), paths in kinds.items():
        for place in range(length) if len(paths) > 1 else ():
            left = data
            for path in paths:
                part = part_at(data, path)
                left = with_part(left, path, part[:place] + part[place + 1 :])
            yield left


def _without_corner(data: Any, path: Path) -> Iterator[Any]:
    """Without an entry to which lists of whole numbers elsewhere refer, as the faces of a mesh refer to its corners.

    What refers to it is left out, or refers to another entry; places after it are counted anew.
    """
    entries = part_at(data, path)
    refers = paths_to(data, lambda part: _is_list(part) and all(_is_place(each, len(entries)) for each in part))
    refers = [other for other in refers if other[: len(path)] != path]
    if not refers or len(entries) <= _LEAST_CORNERS:
        return
    for gone in range(len(entries)):
        for instead in (None, *(other for other in range(len(entries)) if other != gone)):
            fewer = with_part(data, path, entries[:gone] + entries[gone + 1 :])
            for other in refers:
                fewer = with_part(fewer, other, _places(part_at(data, other), gone, instead))
            yield _without_short(fewer, refers)


def _is_place(value: Any, length: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < length


def _places(places: list[int], gone: int, instead: int | None) -> list[int]:
    """Places without one of them, each once as it follows another, counted as if that one had never been there."""
    named = [instead if place == gone else place for place in places]
    kept = [place - (place > gone) for place in named if place is not None]
    return [place for k, place in enumerate(kept) if place != kept[k - 1] or len(kept) == 1]


def _without_short(data: Any, refers: list[Path]) -> Any:
    """Without the entries whose list of places has become too short for a face, or names a place twice."""
    short = [path for path in refers if not _is_face(part_at(data, path))]
    holders = {_holder(data, path) for path in short}
    for path in sorted((holder for holder in holders if holder is not None), reverse=True, key=lambda path: path[-1]):
        entries = part_at(data, path[:-1])
        data = with_part(data, path[:-1], [entry for k, entry in enumerate(entries) if k != path[-1]])
    return data


def _is_face(places: list[int]) -> bool:
    return len(places) >= _LEAST_CORNERS and len(set(places)) == len(places)


def _holder(data: Any, path: Path) -> Path | None:
    """The place in a list at which a part lies, the nearest one above it."""
    for length in range(len(path), 0, -1):
        if isinstance(path[length - 1], int) and isinstance(part_at(data, path[: length - 1]), list):
            return path[:length]
    return None


def _with_two_merged(data: Any, path: Path) -> Iterator[Any]:
    """With one entry in the place of two: the box around both, or the middle between them."""
    entries = part_at(data, path)
    if not 1 < len(entries) <= _MOST_IN_PAIRS:
        return
    for first, second in combinations(range(len(entries)), 2):
        left = [entry for k, entry in enumerate(entries) if k != second]
        for merge in (_around, _between):
            merged = _merged(entries[first], entries[second], merge)
            if merged is not None:
                left[first] = merged
                yield with_part(data, path, list(left))


def _merged(first: Any, second: Any, merge: Callable[[list[Any], list[Any]], list[Any]]) -> Any:
    """Two entries of the same shape as one; None if their shapes differ, or there are no numbers in them."""
    paths = paths_to(first, is_number)
    if not paths or paths != paths_to(second, is_number):
        return None
    values = merge([part_at(first, each) for each in paths], [part_at(second, each) for each in paths])
    for place, value in zip(paths, values, strict=True):
        first = with_part(first, place, value)
    return first


def _around(first: list[Any], second: list[Any]) -> list[Any]:
    """The box around two boxes: the lower half of the numbers are lower bounds."""
    half = len(first) // 2
    return [(min if k < half else max)(pair) for k, pair in enumerate(zip(first, second, strict=True))]


def _between(first: list[Any], second: list[Any]) -> list[Any]:
    return [(one + other) / 2 for one, other in zip(first, second, strict=True)]
