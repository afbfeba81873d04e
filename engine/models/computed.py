"""Answerers that need no model: the reference solution, and answers drawn at random."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, resolve, silent
from spatial_workbench.engine.models.contracts import ErrorKind, ModelError, Request, Response, Usage
from spatial_workbench.engine.models.settings import ModelSettings

_NO_TOKENS = Usage(input_tokens=0, cached_tokens=0, output_tokens=0, reasoning_tokens=0)
_MORE_ENTRIES = 8
_MAX_DEPTH = 12
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WIDTH = 10


class ReferenceSolver:
    """Answers with the tasks' reference solutions; an `Answerer`."""

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """The reference solution of `request.address`.

        Raises:
            ModelError: No instance is named, or it has no solution that can be found here.
            Cancelled: Raised by `progress`.
        """
        begin = time.monotonic()
        try:
            task, instance = resolve(request.address or "")
            text = task.format(task.solve(instance, progress))
        except Cancelled:
            raise
        except InstanceError as error:
            raise ModelError(ErrorKind.BAD_REQUEST, str(error)) from None
        except Exception as error:
            # A solver may need a program that is not installed, or find no solution; a batch goes on without it.
            raise ModelError(ErrorKind.UNAVAILABLE, f"{type(error).__name__}: {error}") from error
        return _free_answer(text, "reference", time.monotonic() - begin)

    def close(self) -> None:
        """Nothing to give back."""


class RandomAnswers:
    """Answers drawn at random from the answer's schema, or a random word if there is none; an `Answerer`.

    Equal settings, seeds, addresses and repeats give equal answers.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._seed = settings.seed

    def ask(self, request: Request, progress: Progress = silent) -> Response:
        """A random answer of the right form.

        Raises:
            Cancelled: Raised by `progress`.
        """
        progress(0, 1, "drawing")
        named = f"{self._seed} {request.seed} {request.address} {request.repeat}"
        digest = hashlib.sha256(named.encode()).digest()
        rng = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
        if request.schema is None:
            return _free_answer(_word(rng), "random", 0.0)
        drawn = random_data(request.schema, rng)
        return _free_answer(json.dumps(drawn), "random", 0.0)

    def close(self) -> None:
        """Nothing to give back."""


def random_data(schema: Mapping[str, Any], rng: np.random.Generator) -> Any:
    """Plain data that follows a JSON schema, as far as it uses bounds, enumerations, lengths, references and tuples.

    Patterns are followed only if they are sets of letters. Lists get up to eight entries more than they need.
    """
    return _Drawing(schema, rng).value(schema, 0)


class _Drawing:
    def __init__(self, root: Mapping[str, Any], rng: np.random.Generator) -> None:
        self._root = root
        self._rng = rng

    def value(self, schema: Any, depth: int) -> Any:
        if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
            return None
        if "$ref" in schema:
            return self.value(self._referred(schema["$ref"]), depth + 1)
        if "const" in schema:
            return schema["const"]
        options = schema.get("enum")
        if options:
            return options[self._whole(0, len(options) - 1)]
        branches = schema.get("anyOf") or schema.get("oneOf")
        if branches:
            return self.value(branches[self._whole(0, len(branches) - 1)], depth + 1)
        return self._of_type(schema, depth)

    def _of_type(self, schema: Mapping[str, Any], depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = kind[self._whole(0, len(kind) - 1)]
        if kind == "object":
            return {name: self.value(part, depth + 1) for name, part in schema.get("properties", {}).items()}
        if kind == "array":
            return self._list(schema, depth)
        if kind == "integer":
            return self._whole(*_bounds(schema, 1))
        if kind == "number":
            return round(float(self._rng.uniform(*_bounds(schema, 0))), 3)
        if kind == "boolean":
            return bool(self._rng.integers(2))
        return None if kind == "null" else self._text(schema)

    def _list(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        if "prefixItems" in schema:
            return [self.value(place, depth + 1) for place in schema["prefixItems"]]
        least = int(schema.get("minItems", 0))
        most = min(int(schema.get("maxItems", least + _MORE_ENTRIES)), least + _MORE_ENTRIES)
        return [self.value(schema.get("items", {}), depth + 1) for _ in range(self._whole(least, most))]

    def _text(self, schema: Mapping[str, Any]) -> str:
        allowed = _allowed_letters(str(schema.get("pattern", "")))
        least = max(1, int(schema.get("minLength", 1)))
        most = max(least, min(int(schema.get("maxLength", least + _MORE_ENTRIES)), least + _MORE_ENTRIES))
        return "".join(self._rng.choice(list(allowed), size=self._whole(least, most)))

    def _whole(self, low: float, high: float) -> int:
        return int(self._rng.integers(int(low), max(int(low), int(high)) + 1))

    def _referred(self, reference: str) -> Any:
        schema: Any = self._root
        for name in reference.removeprefix("#/").split("/"):
            schema = schema.get(name, {}) if isinstance(schema, Mapping) else {}
        return schema


def _bounds(schema: Mapping[str, Any], step: int) -> tuple[float, float]:
    """The least and the greatest number. An open end is 0, or `_WIDTH` away from the other end."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + (step or 1e-3)
    if high is None and "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - (step or 1e-3)
    if low is None:
        low = 0 if high is None or high >= 0 else high - _WIDTH
    return low, low + _WIDTH if high is None else max(low, high)


def _allowed_letters(pattern: str) -> str:
    """The letters of a pattern such as ^[01]*$; the alphabet for other patterns."""
    head, _, rest = pattern.partition("[")
    letters, bracket, tail = rest.partition("]")
    simple = bracket and head in ("", "^") and tail in ("*$", "+$", "*", "+") and letters.isalnum()
    return letters if simple else _LETTERS


def _word(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list(_LETTERS), size=8))


def _free_answer(text: str, name: str, seconds: float) -> Response:
    return Response(
        text=text, finish_reason="stop", usage=_NO_TOKENS, cost_usd=0.0, seconds=round(seconds, 3), model=name
    )
