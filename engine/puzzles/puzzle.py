"""Puzzles and their annotations, and the text of metadata.json (docs/puzzles.md, "Files")."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from spatial_workbench.engine.core.formats.jsontext import Path, format_path

FIELDS = ("title", "flavor_text", "difficulty", "solution", "reasoning", "modality", "skills", "source")
"""The fields of metadata.json in the order in which they are written."""
_OTHER_NAMES = {"flavor text": "flavor_text"}
_TEXTS = ("title", "flavor_text", "difficulty", "solution", "source")
_LISTS = ("modality", "skills")
MAX_METADATA_BYTES = 4_000_000


class MetadataError(ValueError):
    """A metadata.json that cannot be read at all; says why."""


@dataclass(frozen=True)
class PuzzleStep:
    """One annotated step: an action and its outcome, perhaps with a figure.

    `extra` holds fields that the format does not know, or whose values have a wrong type; they are kept on saving.
    `key` is what a step is known by while a puzzle is open and its steps are moved and rewritten; it is not stored.
    """

    explanation: str
    figure: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    key: str = field(default="", compare=False, repr=False)

    @property
    def words(self) -> int:
        """How many words the explanation has."""
        return len(self.explanation.split())


@dataclass(frozen=True)
class Puzzle:
    """What metadata.json says of a puzzle. Values may be invalid; `annotation.validation` finds out.

    `extra` holds fields that the format does not know, or whose values have a wrong type; they are kept on saving.
    """

    title: str = ""
    flavor_text: str = ""
    difficulty: str = ""
    solution: str = ""
    reasoning: tuple[PuzzleStep, ...] = ()
    modality: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    source: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Misread:
    """A part of metadata.json that is missing or has a wrong type."""

    path: Path
    message: str


@dataclass(frozen=True)
class PuzzleReading:
    """A puzzle as far as it could be read, and what could not."""

    puzzle: Puzzle
    misread: tuple[Misread, ...] = ()


def read_metadata(raw: bytes | str) -> PuzzleReading:
    """Reads the text of a metadata.json, generously: what has a wrong type is reported and kept aside.

    Raises:
        MetadataError: It is no JSON object, or too large.
    """
    if len(raw) > MAX_METADATA_BYTES:
        raise MetadataError(f"metadata.json is {len(raw) / 1e6:.0f} MB; the limit is {MAX_METADATA_BYTES // 10**6} MB")
    try:
        data = json.loads(raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw)
    except UnicodeDecodeError as error:
        raise MetadataError(f"metadata.json is not UTF-8 text (byte {error.start})") from None
    except RecursionError:
        raise MetadataError("metadata.json is nested too deeply") from None
    except ValueError as error:
        raise MetadataError(f"metadata.json is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise MetadataError("metadata.json must be a JSON object")
    return _Reader().read(data)


class _Reader:
    def __init__(self) -> None:
        self.misread: list[Misread] = []

    def read(self, data: dict[str, Any]) -> PuzzleReading:
        named = {name: value for name, value in data.items() if name not in _OTHER_NAMES}
        for other, name in _OTHER_NAMES.items():
            if other in data:
                named.setdefault(name, data[other])
        extra = {name: value for name, value in named.items() if name not in FIELDS}
        texts: dict[str, Any] = {name: self._text(named, name, (name,), extra) for name in _TEXTS}
        modality, skills = (self._texts(named, name, extra) for name in _LISTS)
        steps = self._steps(named, extra)
        puzzle = Puzzle(**texts, modality=modality, skills=skills, reasoning=steps, extra=extra)
        return PuzzleReading(puzzle, tuple(self.misread))

    def _text(self, data: Mapping[str, Any], name: str, path: Path, extra: dict[str, Any]) -> str:
        if name not in data:
            self._report(path, "is missing")
            return ""
        if not isinstance(data[name], str):
            self._report(path, "must be text")
            extra[name] = data[name]
            return ""
        return str(data[name])

    def _texts(self, data: Mapping[str, Any], name: str, extra: dict[str, Any]) -> tuple[str, ...]:
        value = data.get(name)
        if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
            return tuple(value)
        self._report((name,), "is missing" if name not in data else "must be a list of texts")
        if name in data:
            extra[name] = value
        return ()

    def _steps(self, data: Mapping[str, Any], extra: dict[str, Any]) -> tuple[PuzzleStep, ...]:
        value = data.get("reasoning")
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self._report(("reasoning",), "is missing" if "reasoning" not in data else "must be a list of steps")
            if "reasoning" in data:
                extra["reasoning"] = value
            return ()
        return tuple(self._step(entry, i) for i, entry in enumerate(value))

    def _step(self, data: Mapping[str, Any], index: int) -> PuzzleStep:
        extra = {name: value for name, value in data.items() if name not in ("explanation", "figure")}
        path: Path = ("reasoning", index)
        explanation = self._text(data, "explanation", (*path, "explanation"), extra)
        figure = data.get("figure")
        if figure is not None and not isinstance(figure, str):
            self._report((*path, "figure"), "must be a file name")
            extra["figure"] = figure
            figure = None
        return PuzzleStep(explanation, figure or None, extra)

    def _report(self, path: Path, message: str) -> None:
        self.misread.append(Misread(path, f"{format_path(path)} {message}"))


def write_metadata(puzzle: Puzzle) -> str:
    """The text of metadata.json: the known fields in their order, then the unknown ones."""
    known = {
        **{name: getattr(puzzle, name) for name in FIELDS if name != "reasoning"},
        "reasoning": [_step_data(step) for step in puzzle.reasoning],
        **{name: list(getattr(puzzle, name)) for name in _LISTS},
    }
    data = {name: _kept(known[name], puzzle.extra, name) for name in FIELDS}
    data |= {name: value for name, value in puzzle.extra.items() if name not in FIELDS}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _step_data(step: PuzzleStep) -> dict[str, Any]:
    data: dict[str, Any] = {"explanation": _kept(step.explanation, step.extra, "explanation")}
    figure = _kept(step.figure, step.extra, "figure")
    if figure is not None:
        data["figure"] = figure
    return data | {name: value for name, value in step.extra.items() if name not in ("explanation", "figure")}


def _kept(value: Any, unread: Mapping[str, Any], name: str) -> Any:
    """What could not be read stays as long as nothing has taken its place."""
    return value if value or name not in unread else unread[name]


def texts_of(puzzle: Puzzle) -> Iterator[str]:
    """Everything in a puzzle that a person may search for."""
    yield from (puzzle.title, puzzle.flavor_text, puzzle.solution, puzzle.source)
    yield from (step.explanation for step in puzzle.reasoning)
