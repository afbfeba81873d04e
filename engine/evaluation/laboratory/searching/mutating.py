"""Changes of plain data and of texts, drawn at random: what people and models get wrong, and a few things beyond."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    is_number,
    part_at,
    parts_of,
    paths_to,
    with_part,
)

Rng = np.random.Generator
Mutation = Callable[[Any, Rng], Any]
"""(plain data, random numbers) -> changed data; None if there is nothing that it can change."""

MOST_CHARACTERS = 400_000
"""Longer answers are not made."""
_STEPS = (1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 100, 1000)
_SHARE_OF_CHOICES = 0.3
_OFFSETS = (0, 0, 0.1, 0.2, 0.4, 0.49, 0.5, 0.6, 1, 1, 2, 3)
_SHIFTS = (0.5, 1, 0.5, 1, 2, 0.1, 0.01, 1e-3, 1e-6, 10, 100)
_TOKENS = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\s+|\*\*|[^\w\s]")
_OPERATORS = ("+", "-", "*", "/", "**", "%", "//")
_ODD_VALUES: tuple[Any, ...] = (float("nan"), float("inf"), -float("inf"), True, False, None, "", -0.0, 1e308, [], {})


def mutated(data: Any, rng: Rng, choices: Sequence[Sequence[Any]] = ()) -> Any:
    """Data after one or a few mutations; None if none was possible.

    choices: The sets of values of which some parts have one, as the answer's schema lists them.
    """
    changed = None
    for _ in range(int(rng.geometric(0.5))):
        current = data if changed is None else changed
        if choices and rng.random() < _SHARE_OF_CHOICES:
            result = _other_choice(current, rng, choices)
        else:
            result = _drawn(rng, _OF_TEXT if isinstance(current, str) else _OF_DATA)(current, rng)
        changed = changed if result is None else result
    return changed


def choices_in(schema: Any) -> list[list[Any]]:
    """The sets of values that a JSON schema lists."""
    return [part["enum"] for _, part in parts_of(schema) if isinstance(part, dict) and "enum" in part]


def _other_choice(data: Any, rng: Rng, choices: Sequence[Sequence[Any]]) -> Any:
    """Some parts get another of the values that they may have."""
    of = _drawn(rng, choices)
    paths = paths_to(data, lambda part: isinstance(part, str) and part in of)
    if not paths:
        return None
    for _ in range(int(rng.geometric(0.5))):
        data = with_part(data, _drawn(rng, paths), _drawn(rng, of))
    return data


def _drawn(rng: Rng, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def _changed_number(value: float, rng: Rng) -> Any:
    """A number near or far; whole numbers usually stay whole."""
    step = _drawn(rng, _STEPS) * (1 if rng.integers(2) else -1)
    if isinstance(value, int) and rng.random() < 0.85:
        return value + (round(step) or (1 if step > 0 else -1))
    whole = round(value) if math.isfinite(value) else 0
    options = (value + step, value + step, value * (1 + step), -value, 0, whole, value / 2, value + step)
    return _drawn(rng, options)


# Numbers -------------------------------------------------------------------------------------------------------------


def _one_number(data: Any, rng: Rng) -> Any:
    paths = paths_to(data, is_number)
    if not paths:
        return None
    path = _drawn(rng, paths)
    return with_part(data, path, _changed_number(part_at(data, path), rng))


def _like_another(data: Any, rng: Rng) -> Any:
    """A number gets the value of another one."""
    paths = paths_to(data, is_number)
    if len(paths) < 2:
        return None
    return with_part(data, _drawn(rng, paths), part_at(data, _drawn(rng, paths)))


def _all_of_one_axis(data: Any, rng: Rng) -> Any:
    """The same change of all numbers that end in the same key, as a shift of the whole."""
    paths = paths_to(data, is_number)
    if not paths:
        return None
    axis = _drawn(rng, paths)[-1]
    step = _drawn(rng, _SHIFTS) * (1 if rng.integers(2) else -1)
    every = bool(rng.integers(2))
    factor = _drawn(rng, (-1, 0.5, 2, 0)) if rng.random() < 0.25 else None
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
    path = _drawn(rng, lists)
    path = (*path, int(rng.integers(len(part_at(data, path)))))
    for inner in paths_to(part_at(data, path), is_number):
        if rng.integers(2):
            data = with_part(data, (*path, *inner), _changed_number(part_at(data, (*path, *inner)), rng))
    return data


def _elements(data: Any) -> list[Any]:
    """The paths of the entries of lists that hold numbers, directly or in their own parts."""
    lists = paths_to(data, lambda part: isinstance(part, list) and len(part) > 1)
    entries = [(*path, place) for path in lists for place in range(len(part_at(data, path)))]
    return [path for path in entries if isinstance(part_at(data, path), list | dict)]


def _moved_along(data: Any, paths: list[Any], axis: Any, step: float) -> Any:
    """All numbers under some paths that end in the same key, moved by a step."""
    for path in paths:
        for inner in paths_to(part_at(data, path), is_number):
            if inner[-1] == axis:
                value = part_at(data, (*path, *inner))
                whole = isinstance(value, int) and float(step).is_integer()
                data = with_part(data, (*path, *inner), value + (int(step) if whole else step))
    return data


def _element_shifted(data: Any, rng: Rng) -> Any:
    """An element is moved as a whole along an axis, alone or with all that lie beyond it."""
    elements = _elements(data)
    if not elements:
        return None
    path = _drawn(rng, elements)
    inner = paths_to(part_at(data, path), is_number)
    if not inner:
        return None
    axis = (*inner[0][:-1], _drawn(rng, inner)[-1])
    step = _drawn(rng, _SHIFTS) * (1 if rng.integers(2) else -1)
    if rng.integers(2):
        return _moved_along(data, [path], axis[-1], step)
    beside = [other for other in elements if other[:-1] == path[:-1]]
    limit = _value_at(data, (*path, *axis))
    beyond = [other for other in beside if _value_at(data, (*other, *axis)) >= limit]
    return _moved_along(data, beyond, axis[-1], step)


def _value_at(data: Any, path: Any) -> float:
    """The number at a path; a very small one if there is none."""
    try:
        value = part_at(data, path)
    except (LookupError, TypeError):
        return -math.inf
    return float(value) if is_number(value) else -math.inf


def _beside_another(data: Any, rng: Rng) -> Any:
    """An element becomes a copy of another one, a little beside it on each axis; or such a copy is appended."""
    elements = _elements(data)
    if not elements:
        return None
    path = _drawn(rng, elements)
    entries = part_at(data, path[:-1])
    source = len(entries) - 1 if rng.random() < 0.4 else int(rng.integers(len(entries)))
    copy: Any = [entries[source]]
    for axis in {inner[-1] for inner in paths_to(copy, is_number)}:
        step = _drawn(rng, _OFFSETS) * (1 if rng.integers(2) else -1)
        copy = _moved_along(copy, [(0,)], axis, step)
    if rng.integers(2):
        return with_part(data, path, copy[0])
    place = source + 1
    return with_part(data, path[:-1], [*entries[:place], copy[0], *entries[place:]])


def _on_a_line(data: Any, rng: Rng) -> Any:
    """An element goes onto the line between two others, or onto one of them."""
    elements = [path for path in _elements(data) if paths_to(part_at(data, path), is_number)]
    if not elements:
        return None
    path = _drawn(rng, elements)
    beside = [other for other in elements if other[:-1] == path[:-1]]
    first, share = int(rng.integers(len(beside))), _drawn(rng, (0.5, 0.25, 0.0, 0.2, 0.75, -0.5, 1.5))
    second = (first + 1) % len(beside) if rng.integers(2) else int(rng.integers(len(beside)))
    for inner in paths_to(part_at(data, path), is_number):
        start, end = (_value_at(data, (*beside[k], *inner)) for k in (first, second))
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
    path = _drawn(rng, paths)
    value = part_at(data, path)
    forms = [*_ODD_VALUES, json.dumps(value)]
    if is_number(value) and abs(value) < 1e15:
        forms += [float(value), int(value), f"{value}", float(value)]
    return with_part(data, path, _drawn(rng, forms)) if path else None


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
    path = _drawn(rng, lists)
    entries = part_at(data, path)
    begin = int(rng.integers(len(entries)))
    count = 1 if rng.random() < 0.7 else int(rng.integers(1, len(entries) + 1))
    return with_part(data, path, entries[:begin] + entries[begin + count :])


def _doubled(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 1)
    if not lists:
        return None
    path = _drawn(rng, lists)
    entries = part_at(data, path)
    place = int(rng.integers(len(entries) + 1))
    entry = _drawn(rng, entries)
    if rng.integers(2) and not isinstance(entry, str):
        entry = _element_moved([entry], rng)[0]
    return with_part(data, path, [*entries[:place], entry, *entries[place:]])


def _swapped(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 2)
    if not lists:
        return None
    path = _drawn(rng, lists)
    entries = list(part_at(data, path))
    i, j = (int(k) for k in rng.integers(len(entries), size=2))
    entries[i], entries[j] = entries[j], entries[i]
    return with_part(data, path, entries)


def _reordered(data: Any, rng: Rng) -> Any:
    lists = _lists(data, 2)
    if not lists:
        return None
    path = _drawn(rng, lists)
    entries = part_at(data, path)
    turn = int(rng.integers(1, len(entries)))
    ways = (entries[::-1], entries[turn:] + entries[:turn], [entries[int(k)] for k in rng.permutation(len(entries))])
    return with_part(data, path, _drawn(rng, ways))


def _like_a_sibling(data: Any, rng: Rng) -> Any:
    """A part gets the value of a part of the same name elsewhere, so that choices are mixed."""
    paths = [path for path, part in parts_of(data) if path and path[0] != "reasoning"]
    if not paths:
        return None
    path = _drawn(rng, paths)
    name = next((key for key in reversed(path) if isinstance(key, str)), None)
    same = [other for other in paths if len(other) == len(path) and (name is None or name in other)]
    return with_part(data, path, part_at(data, _drawn(rng, same)))


def _keys(data: Any, rng: Rng) -> Any:
    """An extra key, a missing one, or the keys in another order."""
    records = paths_to(data, lambda part: isinstance(part, dict) and bool(part))
    if not records:
        return None
    path = _drawn(rng, records)
    record = part_at(data, path)
    gone = _drawn(rng, list(record))
    ways = (
        {**record, "note": "x"},
        {key: value for key, value in record.items() if key != gone},
        dict(reversed(record.items())),
    )
    return with_part(data, path, _drawn(rng, ways))


# Texts ---------------------------------------------------------------------------------------------------------------


def _text_inside(data: Any, rng: Rng) -> Any:
    paths = paths_to(data, lambda part: isinstance(part, str))
    if not paths:
        return None
    path = _drawn(rng, paths)
    changed = _drawn(rng, _OF_TEXT)(part_at(data, path), rng)
    return None if changed is None else with_part(data, path, changed)


def _token(text: str, rng: Rng) -> str | None:
    """A word, number or sign is replaced, doubled, removed or moved."""
    tokens = _TOKENS.findall(text)
    if not tokens or len(text) > MOST_CHARACTERS:
        return None
    place = int(rng.integers(len(tokens)))
    token, way = tokens[place], int(rng.integers(5))
    if way == 0:
        tokens[place] = ""
    elif way == 1:
        tokens.insert(place, _drawn(rng, tokens))
    elif token[0].isdigit():
        tokens[place] = f"{_changed_number(float(token) if '.' in token else int(token[:15]), rng):.10g}"
    elif token in _OPERATORS:
        tokens[place] = _drawn(rng, _OPERATORS)
    else:
        alike = [other for other in tokens if other[0].isalpha() == token[0].isalpha()]
        tokens[place] = _drawn(rng, alike)
    return "".join(tokens)


def _character(text: str, rng: Rng) -> str | None:
    if not text:
        return None
    place, way = int(rng.integers(len(text))), int(rng.integers(4))
    letter = _drawn(rng, text)
    middles = ("", text[place] * 2, letter, letter + text[place])
    return text[:place] + middles[way] + text[place + 1 :]


def _lines(text: str, rng: Rng) -> str:
    """A line is removed, doubled or moved, or lines end in another way."""
    lines = text.split("\n")
    place, other = (int(k) for k in rng.integers(len(lines), size=2))
    ways = (
        "\n".join(lines[:place] + lines[place + 1 :]),
        "\n".join([*lines[:place], lines[other], *lines[place:]]),
        "\r\n".join(lines),
        "\n".join(line + " " for line in lines),
        text + "\n",
        "\n" + text,
    )
    return str(_drawn(rng, ways))


def _other_spelling(text: str, rng: Rng) -> str:
    """The same letters in another case or script, or with space around them."""
    digits = str.maketrans("0123456789", _drawn(rng, ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९")))
    word = _drawn(rng, text.split() or [""])
    ways = (
        *(text.lower(), text.upper(), text.title(), text.translate(digits), f" {text} ", text.replace(" ", "")),
        *(text.replace(word, word.lower(), 1), text.replace(" ", "\t"), text.replace(" ", "  ")),
    )
    return str(_drawn(rng, ways))


def _wrapped(text: str, rng: Rng) -> str:
    """The text among other words, as models write it."""
    word = _drawn(rng, text.split() or [""])
    ways = (
        *(f"```\n{text}\n```", f"Here is the answer:\n{text}", f"{text}\nThis is it.", f"{text} {text}", f'"{text}"'),
        *(f"{text}, {word}, other", f"{word}", f"Not {text}, but another", f"{text}\n{word}"),
    )
    return str(_drawn(rng, ways))


_OF_TEXT: tuple[Mutation, ...] = (_token, _token, _token, _character, _lines, _other_spelling, _wrapped)
_OF_DATA: tuple[Mutation, ...] = (
    *(_one_number, _one_number, _one_number, _like_another, _like_another, _all_of_one_axis, _element_moved),
    *(_element_shifted, _element_shifted, _beside_another, _beside_another, _on_a_line),
    *(_rounded, _odd_value, _without_some, _without_some, _doubled, _doubled, _swapped, _reordered),
    *(_like_a_sibling, _like_a_sibling, _keys, _text_inside, _text_inside),
)
