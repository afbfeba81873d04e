"""All that a project knows of an attempt, attempt by attempt, so that long exports need little memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import Progress, Verdict
from engine.evaluation.collect import NAMELESS, contenders
from engine.models.settings import ModelSettings
from engine.store import Attempt, FailureLabel, Override, Project, Reply, Ruling, RunFilter, RunRow, StoredTry

_PAGE = 200


@dataclass(frozen=True)
class Dossier:
    """An attempt with everything around it.

    Attributes:
        repeat: Which of several attempts of this name at this address it is, from 0.
        settings: Of the model; None outside of batches.
        prompt: As it was sent; None where none is stored.
        replies: What the model said; an agent said something at each step.
    """

    row: RunRow
    attempt: Attempt
    repeat: int
    batch_name: str | None
    settings: ModelSettings | None
    prompt: str | None
    replies: tuple[Reply, ...]
    tries: tuple[StoredTry, ...]
    overrides: tuple[Override, ...]
    rulings: tuple[Ruling, ...]
    labels: tuple[FailureLabel, ...]
    transcript: str | None

    @property
    def name(self) -> str:
        """Whose attempt it is."""
        return self.row.actor_name or NAMELESS

    @property
    def text(self) -> str:
        """The answer as it came; of an agent, and outside of batches, what was judged."""
        return self.replies[-1].text if self.replies and self.transcript is None else self.attempt.answer

    @property
    def reasoning(self) -> str | None:
        """What the model let see of its reasoning."""
        return "\n".join(filter(None, (reply.reasoning for reply in self.replies))) or None


def wanted(project: Project, batches: Sequence[int] | None) -> list[int]:
    """The numbers of the attempts of some batches, or of all, in order."""
    if batches is None:
        return project.run_numbers(RunFilter(), descending=False)
    found = (project.run_numbers(RunFilter(batch=batch), descending=False) for batch in batches)
    return [number for numbers in found for number in numbers]


def rows_of(project: Project, numbers: Sequence[int], progress: Progress) -> Iterator[RunRow]:
    """Their rows in order, read page by page."""
    for begin in range(0, len(numbers), _PAGE):
        progress(begin, len(numbers), "Reading attempts")
        yield from project.run_rows(numbers[begin : begin + _PAGE])


def dossiers(project: Project, numbers: Sequence[int], progress: Progress) -> Iterator[Dossier]:
    """Everything about some attempts, in order; no two have the same name, address and repeat."""
    names = {row.number: row.name for row in project.batches()}
    asked = {(batch, one.name): one for batch, settings in contenders(project).items() for one in settings}
    taken: set[tuple[str, str, int]] = set()
    for row in rows_of(project, numbers, progress):
        repeat = row.repeat or 0
        while (row.actor_name, row.address, repeat) in taken:
            repeat += 1
        taken.add((row.actor_name, row.address, repeat))
        transcript = project.transcript(row.number) if row.has_transcript else None
        yield Dossier(
            row=row,
            attempt=project.attempt(row.number),
            repeat=repeat,
            batch_name=names.get(row.batch or 0),
            settings=asked.get((row.batch or 0, row.actor_name)),
            prompt=project.prompt_text(row.prompt) if row.prompt is not None else None,
            replies=tuple(project.replies(row.item)) if row.item is not None else (),
            tries=tuple(project.tries(row.item)) if row.item is not None else (),
            overrides=tuple(project.overrides(row.number)),
            rulings=tuple(project.rulings(row.number)),
            labels=tuple(project.labels(row.number)),
            transcript=transcript.record if transcript else None,
        )


def plain(record: str) -> Any:
    """A stored record as JSON data; numbers that JSON has not, such as infinity, as words."""
    return json.loads(record, parse_constant=str)


def plain_verdict(verdict: Verdict) -> Any:
    """A verdict as JSON data, without what is only there to be drawn."""
    return plain(verdict.model_dump_json(exclude={"details"}))
