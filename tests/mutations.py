"""Answers as an attacker or a confused model might give them: good ones, spoiled at random, reproducible by a seed."""

from __future__ import annotations

import copy
import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

NUMBERS = (
    *(0, -1, 1, 2, 3.5, -0.0, 1e-320, 1e-9, 1e-3, 999_999_999.5, 10**9, -(10**9), 10**6, 2**31, 2**53, 2**63),
    *(-(2**63), 10**400, -(10**5000), 1e200, 1e308, -1e308, float("nan"), float("inf"), -float("inf")),
)
OTHERS = (None, True, False, "", "0", "\ud800", "\udfff\ud800", "\x00", "١", "a" * 5000, [], {}, [[]], {"x": 1}, "NaN")


def hostile_answers(good: Any, seed: int, count: int) -> Iterator[Any]:
    """`count` spoiled answers, as plain data or as text.

    Args:
        good: A right answer as plain data.
    """
    rng = np.random.default_rng(seed)
    for number in range(count):
        holder = [copy.deepcopy(good)]
        for _ in range(int(rng.integers(1, 5))):
            _spoil(rng, holder, MILD if number % 2 else CHANGES)
        data = holder[0] if holder else []
        yield _as_text(rng, data) if number % 4 == 0 else data


def _spoil(rng: np.random.Generator, data: Any, changes: Sequence[Change]) -> None:
    """Makes one change at a random place."""
    places = list(_places(data))
    if places:
        holder, key = places[int(rng.integers(len(places)))]
        changes[int(rng.integers(len(changes)))](rng, holder, key)


def _places(data: Any, limit: int = 4000) -> Iterator[tuple[Any, Any]]:
    """The places of values: the list or object that holds each, and its index or key. At most `limit`, from the top."""
    waiting = deque([data])
    seen = 0
    while waiting and seen < limit:
        holder = waiting.popleft()
        keys = range(len(holder)) if isinstance(holder, list) else list(holder)
        for key in keys:
            yield holder, key
            seen += 1
            if isinstance(holder[key], list | dict):
                waiting.append(holder[key])


def _value(rng: np.random.Generator) -> Any:
    values = NUMBERS if rng.random() < 0.7 else OTHERS
    return copy.deepcopy(values[int(rng.integers(len(values)))])


def _replace(rng: np.random.Generator, holder: Any, key: Any) -> None:
    holder[key] = _value(rng)


def _renumber(rng: np.random.Generator, holder: Any, key: Any) -> None:
    """Puts another number of the same type there, one that is allowed in answers."""
    value = holder[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    other = float(rng.choice([0, 1, -1, 2, 7, 1e-9, 0.5, 1e-12, 1e3, 1e5, 1e9, -1e9, -0.0, 5e-324, 1e-150]))
    holder[key] = int(other) if isinstance(value, int) else other if rng.random() < 0.5 else value + other


def _delete(rng: np.random.Generator, holder: Any, key: Any) -> None:
    del holder[key]


def _copy_over(rng: np.random.Generator, holder: Any, key: Any) -> None:
    """Replaces it with a copy of one of its neighbours, which gives repeated elements and equal points."""
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    holder[key] = copy.deepcopy(holder[keys[int(rng.integers(len(keys)))]])


def _repeat(rng: np.random.Generator, holder: Any, key: Any) -> None:
    if isinstance(holder[key], list) and len(holder[key]) < 100:
        holder[key] = [copy.deepcopy(entry) for entry in holder[key] * int(rng.integers(2, 20))]
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))


def _wrap(rng: np.random.Generator, holder: Any, key: Any) -> None:
    for _ in range(int(rng.choice([1, 2, 100]))):
        holder[key] = [holder[key]]


def _scale(rng: np.random.Generator, holder: Any, key: Any) -> None:
    """Scales and shifts every number inside a value by the same factor and shift."""
    factor = float(rng.choice([-1, 0, 1, 1e-7, 1e3, 1e8]))
    shift = float(rng.choice([0, 0, 1, -1, 0.5, 1e6]))

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(entry) for entry in value]
        if isinstance(value, dict):
            return {name: moved(entry) for name, entry in value.items()}
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
        return type(value)(value * factor + shift) if is_number else value

    holder[key] = moved(holder[key])


def _shuffle(rng: np.random.Generator, holder: Any, key: Any) -> None:
    if isinstance(holder[key], list):
        rng.shuffle(holder[key])


def _add(rng: np.random.Generator, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        holder[str(rng.choice(["note", "\ud800", "", "x" * 3000, "reasoning"]))] = _value(rng)
    else:
        holder.append(_value(rng))


def _text(rng: np.random.Generator, holder: Any, key: Any) -> None:
    """Changes a letter of a text, or turns another value into a text."""
    value = holder[key]
    if not isinstance(value, str) or not value:
        holder[key] = "7" if isinstance(value, int) else str(type(value))
        return
    place = int(rng.integers(len(value)))
    holder[key] = value[:place] + str(rng.choice(["\ud800", "9", "(", "**", "\n", "é", ""])) + value[place + 1 :]


Change = Callable[[np.random.Generator, Any, Any], None]
MILD: tuple[Change, ...] = (_renumber, _renumber, _renumber, _copy_over, _repeat, _shuffle, _scale)
CHANGES: tuple[Change, ...] = (
    _replace,
    _replace,
    _replace,
    _delete,
    _copy_over,
    _repeat,
    _wrap,
    _scale,
    _shuffle,
    _add,
    _text,
)


def _as_text(rng: np.random.Generator, data: Any) -> str:
    text = _json(data) if rng.random() < 0.7 else _python(data)
    frame = str(
        rng.choice(["{}", "{}", "```json\n{}\n```", "So:\n{}\nDone.", "<think>[1]</think>{}", "Final answer: {}"])
    )
    text = frame.replace("{}", text)
    if rng.random() < 0.3:
        place = int(rng.integers(len(text)))
        text = (
            text[:place] + str(rng.choice(["", "[", "}", '"', "“", "9" * 5000, "\ud800", "\x00"])) + text[place + 1 :]
        )
    return text


def _json(data: Any) -> str:
    try:
        return json.dumps(data)
    except ValueError:
        return '{"huge": ' + "9" * 5000 + "}"


def _python(data: Any) -> str:
    try:
        return repr(data)
    except ValueError:
        return "(" * 300
