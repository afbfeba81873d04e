"""Instances: one question of a task, published or generated."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

_ADDRESS = re.compile(r"([^:@]*)([:@]?)(\d*)")


class InstanceError(ValueError):
    """The address, seed or parameters do not describe an instance of the task."""


@dataclass(frozen=True)
class Instance:
    """One question of a task.

    One of `number` (a published instance, from 0), `seed` (a generated one) and `name` (one that a person added) is
    set. The parameters are kept as canonical JSON, so that instances are hashable and equal parameters give equal
    prompts, byte for byte.
    """

    task: str
    number: int | None
    seed: int | None
    parameters_json: str
    difficulty_json: str = "{}"
    name: str | None = None

    @classmethod
    def published(cls, task: str, number: int, parameters: Mapping[str, Any]) -> "Instance":
        """The published instance `number` of a task."""
        return cls(task, number, None, canonical(parameters))

    @classmethod
    def generated(
        cls, task: str, seed: int, parameters: Mapping[str, Any], difficulty: Mapping[str, Any] | None = None
    ) -> "Instance":
        """An instance made from a seed; `difficulty` holds the generator's arguments that are not defaults."""
        return cls(task, None, seed, canonical(parameters), canonical(difficulty or {}))

    @classmethod
    def added(cls, task: str, name: str, parameters: Mapping[str, Any]) -> "Instance":
        """An instance that a person added, under its name: a collection and a name in it, "hunt/Harbour_Clocks"."""
        return cls(task, None, None, canonical(parameters), name=name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters as plain data (a fresh copy)."""
        data: dict[str, Any] = json.loads(self.parameters_json)
        return data

    @property
    def address(self) -> str:
        """`TASK:N` for a published instance, `TASK@SEED` (with `?name=value&...`) for a generated one, `TASK:NAME`."""
        if self.seed is None:
            return f"{self.task}:{self.number if self.name is None else self.name}"
        difficulty = json.loads(self.difficulty_json)
        query = "&".join(f"{name}={quote(json.dumps(value), safe='')}" for name, value in difficulty.items())
        return f"{self.task}@{self.seed}" + (f"?{query}" if query else "")

    def __str__(self) -> str:
        return self.address


def canonical(data: Mapping[str, Any]) -> str:
    """Parameters as the JSON that an instance keeps them as."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def task_of_address(address: str) -> str:
    """The id of the task that an address begins with."""
    return address.partition("@")[0].partition(":")[0]


def address_order(address: str) -> tuple[str, bool, int, str]:
    """A key that sorts addresses by task, the published instances first, and each by its number or seed."""
    match = _ADDRESS.match(address)
    assert match is not None
    task, sign, number = match.groups()
    return task, sign == "@", int(number[:18] or 0), address
