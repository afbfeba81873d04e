"""Which attempts at puzzles a judge is asked about, and the questions about each of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.models import BudgetNote, ModelSettings
from spatial_workbench.engine.puzzles.judging import (
    PuzzleQuestion,
    StepsJudgement,
    cache_key,
    prompt_digest,
    questions,
    stored_judgement,
)
from spatial_workbench.engine.store import JudgementSource, Project, RunFilter, RunRow, StepJudge, StepJudgement
from spatial_workbench.engine.tasks.puzzle_hunt.source import HuntSource, source_of, title_of

TASK = "puzzle_hunt"


@dataclass(frozen=True)
class StepJudging:
    """What is to be judged, and how.

    Attributes:
        batch: Only its attempts; None: all of the project.
        attempts: Only these; None: all.
        together: Whether one question covers all steps of an attempt, in place of one question a step.
        again: Whether attempts that this judge has judged are judged again, without its stored answers.
        since: When this judging began, if it goes on after a pause: what was judged, could not be judged, or was
            answered from then on is done.
    """

    batch: int | None = None
    attempts: tuple[int, ...] | None = None
    together: bool = False
    again: bool = False
    since: datetime | None = None


@dataclass(frozen=True)
class JudgedCandidate:
    """An attempt that is to be judged, with the puzzle that it is about."""

    attempt: int
    text: str
    version: str
    source: HuntSource


class LineState(StrEnum):
    """How far an attempt is judged."""

    WAITING = "waiting"
    JUDGED = "judged"
    FAILED = "could not be judged"


@dataclass(frozen=True)
class JudgingLine:
    """An attempt, and what a judge says of it.

    Attributes:
        puzzle: Its title, or the address if the puzzle is gone.
        who: Whose attempt it is.
        judgement: None unless it is judged.
        note: Why it could not be judged.
    """

    attempt: int
    puzzle: str
    who: str
    state: LineState
    judgement: StepsJudgement | None = None
    note: str = ""


def judge_of(settings: ModelSettings, together: bool = False) -> StepJudge:
    """A model as a judge of steps. Whatever changes its answers makes it another judge: its endpoint, its settings, the
    prompt, and being asked about all steps at once.
    """
    name = f"{settings.name} (all steps at once)" if together else settings.name
    setup = {**_settings_by_name(settings), "prompt": prompt_digest(together)}
    return StepJudge(source=JudgementSource.JUDGE, name=name, setup=json.dumps(setup, ensure_ascii=False))


def _settings_by_name(settings: ModelSettings) -> dict[str, str | int | float]:
    """The settings that change answers, as people call them, as far as they are set."""
    is_endpoint = settings.provider.is_endpoint
    budget = settings.budget_note
    named = {
        "endpoint": settings.url if is_endpoint else f"this computer ({settings.provider.value})",
        "model": settings.model if is_endpoint else Path(settings.source or "").name or None,
        "interface": settings.api if is_endpoint else None,
        "effort": settings.effort.value if settings.effort else None,
        "temperature": settings.temperature,
        "top-p": settings.top_p,
        "output limit": settings.max_output_tokens,
        "limit in the prompt": None if budget is BudgetNote.NONE else budget.value,
        "structured output": settings.structured.value,
        "extra fields": None if settings.extra_json == "{}" else settings.extra_json,
    }
    return {name: value for name, value in named.items() if value is not None}


def rows_to_judge(project: Project, judge: StepJudge, what: StepJudging) -> list[RunRow]:
    """The attempts at puzzles that a judge has not judged yet, or all of them with `again`."""
    done = _judged_by(project, judge, what)
    rows = project.runs.select(RunFilter(tasks=(TASK,), batch=what.batch))
    chosen = None if what.attempts is None else set(what.attempts)
    return [row for row in rows if row.number not in done and (chosen is None or row.number in chosen)]


def judging_lines(
    project: Project, judge: StepJudge, what: StepJudging, titles: dict[str, str] | None = None
) -> list[JudgingLine]:
    """The attempts that a judge is asked about, judged or not.

    Pages are not read: an attempt counts as judged, too, whose puzzle has changed, until it is judged again.

    titles: Of puzzles by address, as far as they are known; the others are added.
    """
    titles = {} if titles is None else titles
    own = [judged for judged in project.puzzles.step_judgements() if judged.judge == judge]
    newest = {judged.attempt: judged for judged in own if not what.again or _is_since(judged, what.since)}
    rows = rows_to_judge(project, judge, StepJudging(what.batch, what.attempts, again=True))
    missing = dict.fromkeys(row.address for row in rows if row.address not in titles)
    titles.update({address: _title_of(address) for address in missing})
    return [_line(row, titles[row.address], newest.get(row.number)) for row in rows]


def _title_of(address: str) -> str:
    name = address.partition(":")[2]
    try:
        return title_of(name) if "/" in name else source_of(resolve(address)[1]).puzzle.title
    except InstanceError:
        return address


def _line(row: RunRow, title: str, judged: StepJudgement | None) -> JudgingLine:
    waiting = JudgingLine(row.number, title, row.actor_name, LineState.WAITING)
    if judged is None:
        return waiting
    read = stored_judgement(judged.steps)
    if read is None:
        return replace(waiting, state=LineState.FAILED, note=judged.note)
    return replace(waiting, state=LineState.JUDGED, judgement=read) if read.is_complete else waiting


def _judged_by(project: Project, judge: StepJudge, what: StepJudging) -> set[int]:
    """The attempts that a judge has judged whole, the last step included, if their puzzle has not changed since."""
    own = [judged for judged in project.puzzles.step_judgements() if judged.judge == judge]
    newest = {judged.attempt: judged for judged in own if not what.again or _is_since(judged, what.since)}
    rows = {row.number: row.address for row in project.runs.rows(list(newest))}
    return {
        attempt
        for attempt, judged in newest.items()
        if _is_since(judged, what.since)
        or (attempt in rows and _is_complete(judged) and judged.version == _version_of(rows[attempt]))
    }


def _is_since(judged: StepJudgement, since: datetime | None) -> bool:
    return since is not None and judged.at >= since


def _is_complete(judged: StepJudgement) -> bool:
    read = stored_judgement(judged.steps)
    return read is not None and read.is_complete


def _version_of(address: str) -> str | None:
    try:
        return str(resolve(address)[1].parameters["version"])
    except InstanceError:
        return None


def candidate_of(project: Project, row: RunRow) -> JudgedCandidate | str:
    """What a judge is shown of an attempt, or why it cannot be judged."""
    try:
        instance = resolve(row.address)[1]
        source = source_of(instance)
    except InstanceError as error:
        return str(error)
    return JudgedCandidate(row.number, text_of(project, row), str(instance.parameters["version"]), source)


def text_of(project: Project, row: RunRow) -> str:
    """What a candidate wrote: the replies of a model, or the answer itself."""
    replies = project.runs.replies(row.item) if row.item is not None else []
    return "\n\n".join(reply.text for reply in replies) or project.attempts.get(row.number).answer


def questions_about(candidate: JudgedCandidate, together: bool) -> list[PuzzleQuestion]:
    """The questions about an attempt: one a step, or one for all."""
    puzzle = candidate.source.puzzle
    pages = len(candidate.source.pages)
    return list(questions(puzzle, candidate.text, pages, together))


def answer_key(judge: StepJudge, candidate: JudgedCandidate, question: PuzzleQuestion) -> str:
    """The key under which the answer of a judge to a question about an attempt is kept."""
    return cache_key(judge.key, question, candidate.version, candidate.text)
