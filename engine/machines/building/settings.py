"""What a single block has of its own: parameters, and entries of a file of the game (docs/machines.md).

A block without settings is what it has always been. Parameters are numbers in a range, "reversed", and keys; each has
the types of block that it is for. A value that a parameter cannot have is ignored, with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from spatial_workbench.engine.machines.building.blocks import BlockType, block_types

PARAMETERS_KEY, KEPT_KEY = "parameters", "kept"
MOST_KEPT = 200
MOST_KEPT_CHARS = 2_000

ParameterForm = Literal["number", "switch", "key"]
ParameterValue = float | bool | str
GameEntry = tuple[str, str, str]
"""An entry of a block in a file of the game: its kind, key and value, as text."""

_KEY = re.compile(r"[A-Za-z0-9]{1,20}")
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9]{0,30}")
_UNPRINTABLE = re.compile(r"[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
"""What XML cannot hold."""


@dataclass(frozen=True)
class BlockParameter:
    """What may differ between blocks of a type.

    Attributes:
        types: The types of block that have it.
        about: What it does, for people.
        low, high, usual: Its range and its value where none is given; for numbers.
        unit: The unit of a number; "×": a multiple of what is usual.
    """

    name: str
    form: ParameterForm
    types: frozenset[int]
    about: str
    low: float = 0.0
    high: float = 0.0
    usual: float = 0.0
    unit: str = ""


_TURNING = frozenset((2, 46, 22))
_STEERED = frozenset((28, 13))
PARAMETERS: Mapping[str, BlockParameter] = {
    parameter.name: parameter
    for parameter in (
        BlockParameter("speed", "number", _TURNING, "speed of the motor", 0.0, 4.0, 1.0, "×"),
        BlockParameter("reversed", "switch", _TURNING, "whether the motor turns the other way"),
        BlockParameter("strength", "number", frozenset((9, 16)), "strength of the spring", 0.1, 10.0, 1.0, "×"),
        BlockParameter("mass", "number", frozenset((35,)), "mass", 0.2, 10.0, 3.0, "kg"),
        BlockParameter("key", "key", _TURNING | _STEERED | {9}, "key in free play: forward, right or pull"),
        BlockParameter("key_back", "key", _TURNING | _STEERED, "key in free play: backward or left"),
    )
}


@dataclass(frozen=True)
class BlockSettings:
    """What differs from a usual block of the type.

    Attributes:
        parameters: Names and values, sorted by name.
        kept: The entries of the block in the file of the game that it comes from; None: it comes from none.
    """

    parameters: tuple[tuple[str, ParameterValue], ...] = ()
    kept: tuple[GameEntry, ...] | None = None

    @classmethod
    def of(
        cls, parameters: Mapping[str, ParameterValue], kept: tuple[GameEntry, ...] | None = None
    ) -> BlockSettings | None:
        """Settings with these parameters, without those of usual values; None if nothing differs."""
        different = {name: value for name, value in parameters.items() if value != usual_value(name)}
        return cls(tuple(sorted(different.items())), kept) if different or kept is not None else None

    def values(self) -> dict[str, ParameterValue]:
        """The parameters by name."""
        return dict(self.parameters)


def usual_value(name: str) -> ParameterValue:
    """The value of a parameter that is not given."""
    parameter = PARAMETERS[name]
    usual: dict[ParameterForm, ParameterValue] = {"number": parameter.usual, "switch": False, "key": ""}
    return usual[parameter.form]


@lru_cache(maxsize=256)
def parameters_of(kind: int) -> tuple[BlockParameter, ...]:
    """What may differ between blocks of a type, in the order of the table."""
    return tuple(parameter for parameter in PARAMETERS.values() if kind in parameter.types)


def fault_in(kind: int, name: str, value: Any) -> str:
    """Why a block cannot have a parameter of that value; empty if it can."""
    parameter = PARAMETERS.get(name)
    if parameter is None or kind not in parameter.types:
        names = ", ".join(row.name for row in parameters_of(kind))
        return f"“{str(name)[:40]}” is no parameter of this block{f'; it has {names}' if names else ''}"
    if parameter.form == "switch":
        return "" if isinstance(value, bool) else f"“{name}” has to be true or false"
    if parameter.form == "key":
        return "" if isinstance(value, str) and _KEY.fullmatch(value) else f"“{name}” has to be the name of a key"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and parameter.low <= value <= parameter.high:
        return ""
    return f"“{name}” has to be a number from {parameter.low:g} to {parameter.high:g}"


def read_settings(kind: int, row: Mapping[str, Any]) -> tuple[BlockSettings | None, list[str]]:
    """The settings in an entry of a list of blocks, and what was ignored, in sentences."""
    warnings: list[str] = []
    given = row.get(PARAMETERS_KEY, {})
    if not isinstance(given, dict):
        given = {}
        warnings.append(f"“{PARAMETERS_KEY}” has to be an object")
    parameters: dict[str, ParameterValue] = {}
    for name, value in list(given.items())[:MOST_KEPT]:
        fault = fault_in(kind, name, value)
        if fault:
            warnings.append(fault)
        else:
            parameters[name] = float(value) if PARAMETERS[name].form == "number" else value
    kept = row.get(KEPT_KEY)
    entries = None if kept is None else _entries(kept)
    if kept is not None and entries is None:
        warnings.append(f"“{KEPT_KEY}” has to be a list of entries, each with kind, key and value")
    return BlockSettings.of(parameters, entries), warnings


def write_settings(settings: BlockSettings | None) -> dict[str, Any]:
    """The keys that an entry of a list of blocks has for its settings; none for a usual block."""
    if settings is None:
        return {}
    parameters: dict[str, Any] = {PARAMETERS_KEY: settings.values()} if settings.parameters else {}
    kept = {} if settings.kept is None else {KEPT_KEY: [list(entry) for entry in settings.kept]}
    return parameters | kept


@lru_cache(maxsize=1024)
def type_with(kind: int, parameters: tuple[tuple[str, ParameterValue], ...]) -> BlockType:
    """A block type as its parameters make it: another mass, motor or spring."""
    usual = block_types()[kind]
    values = dict(parameters)
    motor = usual.joint.motor
    if motor is not None and motor.mode == "velocity":
        sign = -1.0 if values.get("reversed") else 1.0
        motor = replace(motor, speed=sign * motor.speed * float(values.get("speed", 1.0)))
    strength = float(values.get("strength", 1.0))
    special = dict(usual.special)
    if "stiffness" in special:
        special["stiffness"] *= strength
    joint = replace(usual.joint, motor=motor, stiffness=usual.joint.stiffness * strength)
    return replace(usual, mass=float(values.get("mass", usual.mass)), joint=joint, special=special)


def words_of_settings(settings: BlockSettings | None) -> Iterator[str]:
    """The parameters in words, such as "speed × 2"."""
    for name, value in settings.parameters if settings is not None else ():
        parameter = PARAMETERS[name]
        if parameter.form == "switch":
            yield name
        elif parameter.form == "key":
            yield f"{name.replace('_', ' ')} {value}"
        else:
            yield f"{name} × {value:g}" if parameter.unit == "×" else f"{name} {value:g} {parameter.unit}"


def _entries(kept: Any) -> tuple[GameEntry, ...] | None:
    if not isinstance(kept, list) or len(kept) > MOST_KEPT:
        return None
    if not all(isinstance(row, list | tuple) and len(row) == 3 for row in kept):
        return None
    if not all(isinstance(text, str) and len(text) <= MOST_KEPT_CHARS for row in kept for text in row):
        return None
    if any(_UNPRINTABLE.search(text) for row in kept for text in row) or not all(
        _KIND.fullmatch(row[0]) for row in kept
    ):
        return None
    return tuple((kind, key, value) for kind, key, value in kept)
