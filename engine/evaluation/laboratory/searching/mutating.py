"""Changes of plain data and of texts, drawn at random: what people and models get wrong, and a few things beyond."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    is_number,
    part_at,
    parts_of,
    paths_to,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.searching.drawing import (
    NOTHING_KNOWN,
    SHIFTS,
    KnownOfInstance,
    Rng,
    changed_number,
    drawn,
    drawn_path,
    elements_of,
    like,
    moved_along,
    sign,
    value_at,
)
from spatial_workbench.engine.evaluation.laboratory.searching.shapes import (
    OF_MESHES,
    OF_SHAPES,
    is_mesh,
    level_moved,
    sized,
)
from spatial_workbench.engine.evaluation.laboratory.searching.texts import OF_TEXT, rows_in, with_rows

Mutation = Callable[[Any, Rng], Any]
"""(plain data, random numbers) -> changed data; None if there is nothing that it can change."""

_SHARE_OF_CHOICES = 0.3
_SHARE_OF_MATERIAL = 0.2
_SHARE_OF_MESHES = 0.3
_OFFSETS = (0, 0, 0.1, 0.2, 0.4, 0.49, 0.5, 0.6, 1, 1, 2, 3)
_SHARES_OF_SPACING = (0, 1, 1, 0.98, 0.9, 0.8, 0.75, 0.6, 0.5, 1.02, 2)
_MOST_SPACED = 2000
_ODD_VALUES: tuple[Any, ...] = (float("nan"), float("inf"), -float("inf"), True, False, None, "", -0.0, 1e308, [], {})


def mutated(data: Any, rng: Rng, material: KnownOfInstance = NOTHING_KNOWN) -> Any:
    """Data after one or a few mutations; None if none was possible.

    material: What is known of the instance beside the answer.
    """
    changed = None
    for _ in range(int(rng.geometric(0.5))):
        result = _once_mutated(data if changed is None else changed, rng, material)
        changed = changed if result is None else result
    return changed


def _once_mutated(data: Any, rng: Rng, material: KnownOfInstance) -> Any:
    if isinstance(data, str):
        return drawn(rng, OF_TEXT)(data, rng)
    if material.choices and rng.random() < _SHARE_OF_CHOICES:
        return _other_choice(data, rng, material.choices)
    if rng.random() < _SHARE_OF_MESHES and is_mesh(data):
        return drawn(rng, OF_MESHES)(data, rng)
    if rng.random() < _SHARE_OF_MATERIAL:
        return drawn(rng, _OF_MATERIAL)(data, rng, material)
    return drawn(rng, _OF_DATA)(data, rng)


def choices_in(schema: Any) -> list[list[Any]]:
    """The sets of values that a JSON schema lists."""
    return [part["enum"] for _, part in parts_of(schema) if isinstance(part, dict) and "enum" in part]


def _other_choice(data: Any, rng: Rng, choices: Sequence[Sequence[Any]]) -> Any:
    """Some parts get another of the values that they may have."""
    of = drawn(rng, choices)
    paths = paths_to(data, lambda part: isinstance(part, str) and part in of)
    if not paths:
        return None
    for _ in range(int(rng.geometric(0.5))):
        data = with_part(data, drawn(rng, paths), drawn(rng, of))
    return data


# Numbers -------------------------------------------------------------------------------------------------------------


def _one_number(data: Any, rng: Rng) -> Any:
    paths = paths_to(data, is_number)
    if not paths:
        return None
    path = drawn(rng, paths)
    return with_part(data, path, changed_number(part_at(data, path), rng))


def _like_another(data: Any, rng: Rng) -> Any:
    """A number gets the value of another one."""
    paths = paths_to(data, is_number)
    if len(paths) < 2:
        return None
    return with_part(data, drawn(rng, paths), part_at(data, drawn(rng, paths)))


def _all_of_one_axis(data: Any, rng: Rng) -> Any:
    """The same change of all numbers that end in the same key, as a shift of the whole."""
    paths = paths_to(data, is_number)
    if not paths:
        return None
    axis = drawn(rng, paths)[-1]
    step = drawn(rng, SHIFTS) * sign(rng)
    every = bool(rng.integers(2))
    factor = drawn(rng, (-1, 0.5, 2, 0)) if rng.random() < 0.25 else None
    for path in paths:
        if every or path[-1] == axis:
            value = part_at(data, path)
            data = with_part(data, path, value + step if factor is None else value * factor)
    return data


def _element_moved(data: Any, rng: Rng) -> Any:
    """All numbers of one element are changed a little."""
    lists = paths_to(data, lambda part: isinstance(part, list) and len(part) > 0)
    if not lists:
        return None
    path = drawn_path(rng, lists)
    path = (*path, int(rng.integers(len(part_at(data, path)))))
    for inner in paths_to(part_at(data, path), is_number):
        if rng.integers(2):
            data = with_part(data, (*path, *inner), changed_number(part_at(data, (*path, *inner)), rng))
    return data


def _element_shifted(data: Any, rng: Rng) -> Any:
    """An element is moved as a whole along an axis, alone or with all that lie beyond it."""
    elements = elements_of(data)
    if not elements:
        return None
    path = drawn(rng, elements)
    inner = paths_to(part_at(data, path), is_number)
    if not inner:
        return None
    axis = (*inner[0][:-1], drawn(rng, inner)[-1])
    step = drawn(rng, SHIFTS) * sign(rng)
    if rng.integers(2):
        return moved_along(data, [path], axis[-1], step)
    beside = [other for other in elements if other[:-1] == path[:-1]]
    limit = value_at(data, (*path, *axis))
    beyond = [other for other in beside if value_at(data, (*other, *axis)) >= limit]
    return moved_along(data, beyond, axis[-1], step)


def _beside_another(data: Any, rng: Rng) -> Any:
    """An element becomes a copy of another one, a little beside it on each axis; or such a copy is appended."""
    elements = elements_of(data)
    if not elements:
        return None
    path = drawn(rng, elements)
    entries = part_at(data, path[:-1])
    source = len(entries) - 1 if rng.random() < 0.4 else int(rng.integers(len(entries)))
    copy: Any = [entries[source]]
    spacing = _spacing(entries)
    steps = [share * spacing for share in _SHARES_OF_SPACING] if spacing and rng.integers(2) else _OFFSETS
    same = drawn(rng, steps) if rng.integers(2) else None
    for axis in {inner[-1] for inner in paths_to(copy, is_number)}:
        copy = moved_along(copy, [(0,)], axis, (drawn(rng, steps) if same is None else same) * sign(rng))
    if rng.integers(2):
        return with_part(data, path, copy[0])
    place = source + 1
    return with_part(data, path[:-1], [*entries[:place], copy[0], *entries[place:]])


def _spacing(entries: list[Any]) -> float:
    """The smallest difference of the first numbers of elements; 0 if they have none or are all equal."""
    firsts = [part_at(entry, path) for entry in entries for path in paths_to(entry, is_number)[:1]]
    values = sorted(set(firsts)) if len(firsts) < _MOST_SPACED else []
    return min((b - a for a, b in pairwise(values)), default=0.0)


def _on_a_line(data: Any, rng: Rng) -> Any:
    """An element goes onto the line between two others, or onto one of them."""
    elements = [path for path in elements_of(data) if paths_to(part_at(data, path), is_number)]
    if not elements:
        return None
    path = drawn(rng, elements)
    beside = [other for other in elements if other[:-1] == path[:-1]]
    first, share = int(rng.integers(len(beside))), drawn(rng, (0.5, 0.25, 0.0, 0.2, 0.75, -0.5, 1.5))
    second = (first + 1) % len(beside) if rng.integers(2) else int(rng.integers(len(beside)))
    for inner in paths_to(part_at(data, path), is_number):
        start, end = (value_at(data, (*beside[k], *inner)) for k in (first, second))
        if math.isfinite(start) and math.isfinite(end):
            value = start + (end - start) * share
            old = part_at(data, (*path, *inner))
            is_whole = isinstance(old, int) and value.is_integer()
            data = with_part(data, (*path, *inner), int(value) if is_whole else value)
    return data


def _rounded(data: Any, rng: Rng) -> Any:
    decimals = int(rng.integers(4))
    for path in paths_to(data, lambda part: isinstance(part, float)):
        data = with_part(data, path, round(part_at(data, path), decimals))
    return data


def _odd_value(data: Any, rng: Rng) -> Any:
    """A part becomes something that belongs nowhere: NaN, a truth value, a text, nothing."""
    paths = paths_to(data, lambda part: not isinstance(part, dict))
    if not paths:
        return None
    path = drawn(rng, paths)
    value = part_at(data, path)
    forms = [*_ODD_VALUES, json.dumps(value)]
    if is_number(value) and abs(value) < 1e15:
        forms += [float(value), int(value), f"{value}", float(value)]
    return with_part(data, path, drawn(rng, forms)) if path else None


def whole_changes(data: Any) -> Iterator[Any]:
    """Data after changes of the whole: all numbers, or all of an axis, moved, turned round or written otherwise."""
    paths = paths_to(data, is_number)
    axes = list(dict.fromkeys(path[-1] for path in paths))[:4]
    for chosen in [paths, *([path for path in paths if path[-1] == axis] for axis in axes)]:
        for step in (0.5, -0.5, 1, -1):
            yield _each_number(data, chosen, partial(operator.add, step))
        yield _each_number(data, chosen, operator.neg)
    yield _each_number(data, paths, float)
    for path in paths_to(data, lambda part: isinstance(part, list) and len(part) > 1)[:3]:
        yield with_part(data, path, part_at(data, path)[::-1])


def _each_number(data: Any, paths: list[Any], change: Callable[[Any], Any]) -> Any:
    for path in paths:
        data = with_part(data, path, change(part_at(data, path)))
    return data


# Lists and records ---------------------------------------------------------------------------------------------------


def _lists(data: Any, least: int) -> list[Any]:
    return paths_to(data, lambda part: isinstance(part, list) and len(part) >= least)


def _without_some(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 1)
    if not lists:
        return None
    path = drawn_path(rng, lists)
    entries = part_at(data, path)
    begin = int(rng.integers(len(entries)))
    count = 1 if rng.random() < 0.7 else int(rng.integers(1, len(entries) + 1))
    return with_part(data, path, entries[:begin] + entries[begin + count :])


def _doubled(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 1)
    if not lists:
        return None
    path = drawn_path(rng, lists)
    entries = part_at(data, path)
    place = int(rng.integers(len(entries) + 1))
    entry = drawn(rng, entries)
    if rng.integers(2) and not isinstance(entry, str):
        entry = _element_moved([entry], rng)[0]
    return with_part(data, path, [*entries[:place], entry, *entries[place:]])


def _swapped(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 2)
    if not lists:
        return None
    path = drawn_path(rng, lists)
    entries = list(part_at(data, path))
    i, j = (int(k) for k in rng.integers(len(entries), size=2))
    entries[i], entries[j] = entries[j], entries[i]
    return with_part(data, path, entries)


def _reordered(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 2)
    if not lists:
        return None
    path = drawn_path(rng, lists)
    entries = part_at(data, path)
    turn = int(rng.integers(1, len(entries)))
    ways = (entries[::-1], entries[turn:] + entries[:turn], [entries[int(k)] for k in rng.permutation(len(entries))])
    return with_part(data, path, drawn(rng, ways))


def _like_a_sibling(data: Any, rng: Rng) -> Any:
    """A part gets the value of a part of the same name elsewhere, so that choices are mixed."""
    paths = [path for path, part in parts_of(data) if path and path[0] != "reasoning"]
    if not paths:
        return None
    path = drawn(rng, paths)
    name = next((key for key in reversed(path) if isinstance(key, str)), None)
    same = [other for other in paths if len(other) == len(path) and (name is None or name in other)]
    return with_part(data, path, part_at(data, drawn(rng, same)))


def _keys(data: Any, rng: Rng) -> Any:
    """An extra key, a missing one, or the keys in another order."""
    records = paths_to(data, lambda part: isinstance(part, dict) and bool(part))
    if not records:
        return None
    path = drawn(rng, records)
    record = part_at(data, path)
    gone = drawn(rng, list(record))
    ways = (
        {**record, "note": "x"},
        {key: value for key, value in record.items() if key != gone},
        dict(reversed(record.items())),
    )
    return with_part(data, path, drawn(rng, ways))


def _text_inside(data: Any, rng: Rng) -> Any:
    """A text inside the data is changed."""
    paths = paths_to(data, lambda part: isinstance(part, str))
    if not paths:
        return None
    path = drawn(rng, paths)
    changed = drawn(rng, OF_TEXT)(part_at(data, path), rng)
    return None if changed is None else with_part(data, path, changed)


# What is known of the instance ---------------------------------------------------------------------------------------


def _number_of_instance(data: Any, rng: Rng, material: KnownOfInstance) -> Any:
    """A number becomes one of the instance's, or one just beside it."""
    paths = paths_to(data, is_number)
    if not paths or not material.numbers:
        return None
    path = drawn(rng, paths)
    value = drawn(rng, material.numbers) * drawn(rng, (1, 1, 1, -1, 0.5)) + drawn(rng, (0, 0, 0, 1, -1, 0.5, 1e-6))
    return with_part(data, path, like(float(value), part_at(data, path)))


def _vector_of_instance(data: Any, rng: Rng, material: KnownOfInstance) -> Any:
    """The element that is nearest to a vector of the instance becomes equal to it, or such an element follows it."""
    lists = paths_to(data, lambda part: isinstance(part, list) and bool(part) and not is_number(part[0]))
    if not lists or not material.vectors:
        return None
    path, vector = drawn_path(rng, lists), drawn(rng, material.vectors)
    entries = part_at(data, path)
    inner = paths_to(entries[0], is_number) if isinstance(entries[0], list | dict) else []
    if len(inner) != len(vector):
        return None
    places = [place for place, entry in enumerate(entries) if paths_to(entry, is_number) == inner]
    place = min(places, key=lambda k: _distance([part_at(entries[k], each) for each in inner], vector))
    element = entries[place]
    for each, value in zip(inner, vector, strict=True):
        element = with_part(element, each, like(value, part_at(element, each)))
    ways = (
        [*entries[:place], element, *entries[place + 1 :]],
        [*entries[: place + 1], element, *entries[place + 1 :]],
        [*entries[: place + 1], element],
    )
    return with_part(data, path, drawn(rng, ways))


def _size_of_instance(data: Any, rng: Rng, material: KnownOfInstance) -> Any:
    return sized(data, rng, material.numbers)


def _crossed(data: Any, rng: Rng, material: KnownOfInstance) -> Any:
    """Entries of a list of another answer take the place of some, or are added to them."""
    lists = paths_to(data, lambda part: isinstance(part, list))
    if not lists:
        return None
    path = drawn_path(rng, lists)
    try:
        theirs = part_at(material.other(rng), path)
    except (LookupError, TypeError):
        return None
    if not isinstance(theirs, list) or not theirs:
        return None
    ours = part_at(data, path)
    first, last = sorted(int(k) for k in rng.integers(len(theirs) + 1, size=2))
    some = theirs[first:last] or theirs
    begin, end = sorted(int(k) for k in rng.integers(len(ours) + 1, size=2))
    return with_part(data, path, drawn(rng, ([*ours, *some], [*ours[:begin], *some, *ours[end:]])))


def few_elements(data: Any, rng: Rng, material: KnownOfInstance = NOTHING_KNOWN) -> Any:
    """One to four elements of the longest list, with parts of other elements, other choices, or numbers beside.

    Returns None if there is no list with entries.
    """
    lists = paths_to(data, lambda part: isinstance(part, list) and bool(part))
    if not lists:
        return None
    path = max(lists, key=lambda each: (not is_number(part_at(data, each)[0]), len(part_at(data, each))))
    entries = part_at(data, path)
    chosen = [_mixed(drawn(rng, entries), entries, rng, material) for _ in range(int(rng.integers(1, 5)))]
    return with_part(data, path, chosen)


def _mixed(element: Any, entries: list[Any], rng: Rng, material: KnownOfInstance) -> Any:
    """An element some of whose parts are those of another, another choice, or another number."""
    for path in paths_to(element, lambda part: not isinstance(part, list | dict)):
        part, way = part_at(element, path), rng.random()
        choices = [choice for choice in material.choices if part in choice]
        if way < 0.3:
            try:
                element = with_part(element, path, part_at(drawn(rng, entries), path))
            except (LookupError, TypeError):
                continue
        elif way < 0.6 and choices:
            element = with_part(element, path, drawn(rng, choices[0]))
        elif way < 0.5 and is_number(part):
            element = with_part(element, path, changed_number(part, rng))
    return element


def with_known_numbers(data: Any, rng: Rng, numbers: Sequence[float]) -> Any:
    """Data some of whose numbers are numbers that mean something."""
    for path in paths_to(data, is_number):
        if rng.random() < 0.6:
            old = part_at(data, path)
            number = drawn(rng, numbers)
            is_whole = isinstance(old, int) and math.isfinite(number)
            data = with_part(data, path, round(number) if is_whole else number)
    return data


def _distance(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


# Tables in texts -----------------------------------------------------------------------------------------------------


def _rows_changed(data: Any, rng: Rng) -> Any:
    """The rows of numbers in a text inside the data are changed as data are; equal rows stay equal."""
    texts = paths_to(data, lambda part: isinstance(part, str) and part.count("\n") > 1)
    if not texts:
        return None
    path = drawn(rng, texts)
    text = part_at(data, path)
    word, rows = rows_in(text)
    changed = drawn(rng, _OF_ROWS)(rows, rng) if rows else None
    if changed is None or len(changed) != len(rows):
        return None
    return with_part(data, path, with_rows(text, word, rows, changed))


_OF_ROWS: tuple[Mutation, ...] = (
    *(_one_number, _one_number, _like_another, _all_of_one_axis, _element_shifted, _swapped),
    *(level_moved, level_moved, _on_a_line, _beside_another),
)
_OF_DATA: tuple[Mutation, ...] = (
    *(_one_number, _one_number, _one_number, _like_another, _like_another, _all_of_one_axis, _element_moved),
    *(_element_shifted, _element_shifted, _beside_another, _beside_another, _on_a_line),
    *(_rounded, _odd_value, _without_some, _without_some, _doubled, _doubled, _swapped, _reordered),
    *(_like_a_sibling, _like_a_sibling, _keys, _text_inside, _text_inside, _rows_changed, _rows_changed),
    *OF_SHAPES,
)
_OF_MATERIAL = (_number_of_instance, _vector_of_instance, _vector_of_instance, _size_of_instance, _crossed)
