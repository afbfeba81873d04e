"""Imports an export in JSON lines as it was: no model is asked and nothing is judged again.

The file cannot be trusted: every line is checked before anything is stored, and either all of it is stored or nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from spatial_workbench.engine.core import InstanceError, Progress, resolve, silent
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.attempt_lines import AttemptLine, Header, read_line
from spatial_workbench.engine.models import ImportProblem
from spatial_workbench.engine.models.recorded import EXPORT_FORMAT, lines_of
from spatial_workbench.engine.store import ItemState, Project, StoredAttempt, StoredItem

_PROGRESS_EVERY = 100
_ROWS_AT_ONCE = 500
_UNSTORABLE = (ValueError, OverflowError, sqlite3.Error)
"""Errors about a value of the file."""
_KEPT_BYTES = 48_000_000
"""So much of a file is kept as it was read; the rest is read a second time when it is stored."""


class AlreadyThere(ValueError):
    """A file was imported before, or a part of it.

    Attributes:
        count: How many of the file's answers are in the project.
        total: How many answers the file has.
    """

    def __init__(self, count: int, total: int) -> None:
        self.count = count
        self.total = total
        which = f"All {counted(total, 'answer')}" if count == total else f"{count} of the {counted(total, 'answer')}"
        super().__init__(
            "The answer in the file is in this project already."
            if total == 1
            else f"{which} in the file are in this project already."
        )


class CannotRestore(ValueError):
    """The export cannot be imported; nothing was stored. The message says which line is at fault and why."""


@dataclass(frozen=True)
class RestoreOutcome:
    """How much was imported, and the lines that were skipped."""

    attempts: int
    items: int
    batches: int
    problems: tuple[ImportProblem, ...]


def is_export(path: Path) -> bool:
    """Whether a file of JSON lines was exported from a project. Raises OSError."""
    with path.open("rb") as file:
        first = next(lines_of(file), (0, b""))[1]
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("format") == EXPORT_FORMAT


def restore(project: Project, path: Path, again: bool = False, progress: Progress = silent) -> RestoreOutcome:
    """Stores the attempts and batches of an export. If this raises, nothing is stored.

    again: Whether to store attempts that the project already has a second time.

    Raises:
        AlreadyThere: The project has some of the attempts, and `again` is not set.
        CannotRestore: Nothing in the file can be used, or it contradicts itself.
        OSError: The file cannot be read.
        Cancelled: Raised by `progress`.
    """
    checked = _Check(project, path, progress)
    if checked.duplicates and not again:
        raise AlreadyThere(checked.duplicates, checked.attempts)
    with project.database.write_transaction():
        batches, items = checked.restore_batches()
        stored: dict[int, int] = {}
        for k, (number, line, attempt) in enumerate(checked.lines()):
            if not k % _PROGRESS_EVERY:
                progress(k, checked.count, "Storing")
            try:
                found = _restore_line(project, line, attempt, batches, items.get(line.batch or 0, {}))
            except _UNSTORABLE as error:
                raise _cannot_store(path, number, error) from None
            if found is not None:
                stored[found] = number
        _read_back(project, path, stored)
    return RestoreOutcome(checked.attempts, checked.count - checked.attempts, len(batches), tuple(checked.problems))


def _read_back(project: Project, path: Path, stored: Mapping[int, int]) -> None:
    """Reads the rows of attempts, each with the number of its line, since one that cannot be read must not stay.

    Raises:
        CannotRestore: One cannot be read; names its line.
    """
    numbers = list(stored)
    for begin in range(0, len(numbers), _ROWS_AT_ONCE):
        part = numbers[begin : begin + _ROWS_AT_ONCE]
        try:
            project.runs.rows(part)
        except _UNSTORABLE:
            for number in part:
                try:
                    project.runs.rows([number])
                except _UNSTORABLE as error:
                    raise _cannot_store(path, stored[number], error) from None
            raise


def _cannot_store(path: Path, line: int, error: Exception) -> CannotRestore:
    return CannotRestore(f"Line {line} of “{path.name}” cannot be stored: {_sentence(error)}")


class _Check:
    """Reads and checks the whole file before anything is stored, so that nothing has to be undone."""

    def __init__(self, project: Project, path: Path, progress: Progress) -> None:
        self.problems: list[ImportProblem] = []
        self.attempts = self.duplicates = self.count = 0
        self._project = project
        self._path = path
        self._good: set[int] = set()
        self._kept: dict[int, tuple[AttemptLine, StoredAttempt | None]] = {}
        self._items: dict[int, dict[int, tuple[StoredItem, str, str]]] = {}
        self._header = self._read_header()
        self._plans = {batch.number: batch.plan for batch in self._header.batches}
        size = 0
        for number, text in self._texts():
            progress(number, 0, "Reading")
            size += len(text)
            try:
                checked = self._check_line(number, self._read_line(text))
                if size <= _KEPT_BYTES:
                    self._kept[number] = checked
            except (ValueError, InstanceError) as error:
                self.problems.append(ImportProblem(number, _sentence(error)))
        if not self.count:
            first = self.problems[0] if self.problems else None
            why = f" Line {first.line}: {first.message}" if first else ""
            raise CannotRestore(f"“{path.name}” holds no attempt that can be imported.{why}")

    def lines(self) -> Iterator[tuple[int, AttemptLine, StoredAttempt | None]]:
        """The lines that passed, with their numbers and their attempts."""
        for number, text in self._texts():
            if number in self._kept:
                yield number, *self._kept.pop(number)
            elif number in self._good:
                line = self._read_line(text)
                yield number, line, line.stored_attempt if line.attempt is not None else None

    def _read_line(self, text: bytes) -> AttemptLine:
        line: AttemptLine = read_line(AttemptLine, text)
        return line.with_all_time_active if self._header.version == 1 else line

    def restore_batches(self) -> tuple[dict[int, int], dict[int, dict[int, int]]]:
        """Stores the batches.

        Returns:
            By each batch's number in the file: its number in the project, and the numbers of its items by position.
        """
        stored = {}
        for batch in self._header.batches:
            items = self._items.get(batch.number, {}).values()
            stored[batch.number] = self._project.archive.restore_batch(batch.stored, items)
        return {number: pair[0] for number, pair in stored.items()}, {n: pair[1] for n, pair in stored.items()}

    def _read_header(self) -> Header:
        with self._path.open("rb") as file:
            first = next(lines_of(file), (0, b""))[1]
        try:
            header: Header = read_line(Header, first)
        except ValueError as error:
            raise CannotRestore(f"The first line of “{self._path.name}” cannot be read: {_sentence(error)}") from None
        return header

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        with self._path.open("rb") as file:
            texts = lines_of(file)
            next(texts, None)
            yield from texts

    def _check_line(self, number: int, line: AttemptLine) -> tuple[AttemptLine, StoredAttempt | None]:
        instance = resolve(line.instance)[1]
        if line.item is not None or line.batch is not None:
            self._check_item(line)
        elif line.attempt is None:
            raise ValueError("The line is neither an attempt nor an item of a batch")
        attempt = line.stored_attempt if line.attempt is not None else None
        if attempt is not None:
            self.duplicates += self._project.archive.is_stored(
                instance.address, attempt.actor, attempt.actor_name, attempt.answer, attempt.submitted_at
            )
        if line.item is not None and line.batch is not None:
            self._items.setdefault(line.batch, {})[line.item.position] = (line.item, line.instance, line.task)
        self.attempts += line.attempt is not None
        self.count += 1
        self._good.add(number)
        return line, attempt

    def _check_item(self, line: AttemptLine) -> None:
        if line.item is None or line.batch not in self._plans:
            raise ValueError("batch: the first line does not describe it, or the item is missing")
        if line.item.model >= len(self._plans[line.batch].contenders):
            raise ValueError("item.model: the batch has no such model")
        if (line.item.state is ItemState.DONE) != (line.attempt is not None):
            raise ValueError("item.state: an item is done if it has an attempt")
        if line.item.position in self._items.get(line.batch, {}):
            raise ValueError(f"item.position: another line has {line.item.position}")


def _restore_line(
    project: Project,
    line: AttemptLine,
    attempt: StoredAttempt | None,
    batches: dict[int, int],
    items: dict[int, int],
) -> int | None:
    """Stores what a line tells; returns the number of the attempt, if it has one."""
    item = items[line.item.position] if line.item else None
    if item is not None:
        project.archive.restore_asking(item, line.stored_replies(), line.stored_tries(), line.inspect)
    if attempt is None:
        return None
    task, instance = resolve(line.instance)
    lead = items.get(line.item.lead, item) if line.item else None
    asked = line.asked(batches.get(line.batch or 0), lead)
    number = project.archive.restore_attempt(instance, attempt, asked, line.prompt or "", item, task.score_tolerance)
    # The attempt is read back within the transaction: one that cannot be read must not stay in the project.
    project.attempts.get(number)
    return number


def _sentence(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    return f"{format_path(first['loc']) or 'The line'}: {first['msg']}"
