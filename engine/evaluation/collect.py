"""Collects the results of a project: attempts, and items that ended without one, as records to be averaged."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.reading.how_read import how_unanswered
from spatial_workbench.engine.core.words import override_words
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.scores import Ending, Scored, depth_of
from spatial_workbench.engine.evaluation.study_results import study_results
from spatial_workbench.engine.models.settings import ModelSettings
from spatial_workbench.engine.store import ItemState, Project, RunFilter

_GOING_ON = (ItemState.WAITING, ItemState.ASKING, ItemState.ANSWERED)
_ENDINGS = {
    ItemState.NOT_ASKED: Ending.NOT_ASKED,
    ItemState.ERROR: Ending.ERROR,
    ItemState.CRASHED: Ending.ERROR,
    **dict.fromkeys(_GOING_ON, Ending.UNFINISHED),
}
_USUAL = HandsOptions().condition
"""The condition of hands whose plan names none."""
NAMELESS = "without a name"
WITH_HELP = " (with help)"
"""Appended to the name of a run whose attempts were made with solving aids."""


def scored(
    project: Project, batches: Sequence[int] | None = None, verifier: str = "default", overrides: bool = True
) -> list[Scored]:
    """Every attempt, and every item that ended without one: the people of studies first, then the others by batch.

    Attempts outside of batches come before those of batches.

    Args:
        batches: Only these; None: all, and the attempts of people, imports and single runs as well.
        verifier: Whose scores count. Where it did not judge an attempt, the score of the default verifier counts.
        overrides: Whether a score that a person set takes precedence over both.

    Outside of batches, each further attempt of the same name at the same address is a repeat. Attempts with solving
    aids are a run of their own, "Ada (with help)". The people of a study are one run for each of its conditions,
    "human · Two mazes (8)", and never runs of their own.
    """
    people = study_results(project, verifier, overrides) if batches is None else []
    return [*people, *scored_outside_studies(project, batches, verifier, overrides)]


def scored_outside_studies(
    project: Project, batches: Sequence[int] | None = None, verifier: str = "default", overrides: bool = True
) -> list[Scored]:
    """The results of `scored` without the people of studies; it takes the same arguments."""
    results = [(row["batch"] or 0, item) for row, item in _answered(project, batches, verifier, overrides)]
    unanswered = list(_unanswered(project, batches))
    if unanswered:
        results = sorted([*results, *unanswered], key=lambda pair: pair[0])
    return [item for _, item in results]


def contenders(project: Project, batches: Sequence[int] | None = None) -> dict[int, tuple[ModelSettings, ...]]:
    """The settings of the models that were asked in each batch, by its number; None: of all batches."""
    return {
        number: tuple(contender.settings for contender in plan.contenders)
        for number, plan in plans(project, batches).items()
    }


def plans(project: Project, batches: Sequence[int] | None = None) -> dict[int, BatchPlan]:
    """The plan of each batch, by its number; None: of all batches, the oldest first."""
    numbers = [row.number for row in reversed(project.batches.all())] if batches is None else batches
    return {number: BatchPlan.model_validate_json(project.batches.plan(number)) for number in numbers}


def cube_runs(
    project: Project, batches: Sequence[int] | None = None
) -> tuple[dict[str, list[RunRecord]], tuple[int, ...]]:
    """The runs of agents on the cube, in some batches or (None) in the whole project.

    Returns:
        The runs by the name of the agent, without texts and pictures, and the numbers of the attempts whose run cannot
        be read.
    """
    attempts = None if batches is None else _attempts_of(project, batches)
    runs: dict[str, list[RunRecord]] = {}
    unread = []
    for row, transcript in project.attempts.transcripts("cube"):
        if attempts is not None and row.number not in attempts:
            continue
        try:
            record = RunRecord.model_validate_json(transcript.record)
        except ValueError:
            unread.append(row.number)
            continue
        runs.setdefault(row.actor_name or NAMELESS, []).append(_slim(record))
    return runs, tuple(unread)


def _answered(
    project: Project, batches: Sequence[int] | None, verifier: str, overrides: bool
) -> Iterator[tuple[sqlite3.Row, Scored]]:
    repeats: Counter[tuple[str, str]] = Counter()
    agents = project.batches.agents()
    conditions = project.batches.agent_conditions()
    for row in project.runs.scored(batches, verifier, overrides):
        address = row["address"]
        repeat = row["repeat"]
        reason = row["reason"]
        name = (row["who"] or NAMELESS) + (WITH_HELP if row["solving_aids"] else "")
        is_overridden = reason is not None
        if row["batch"] is None:
            repeat = repeats[name, address]
            repeats[name, address] += 1
        is_told = is_overridden and overrides
        words = override_words(row["own_score"], row["score"], row["person"], reason) if is_told else ""
        agent = _played_by(row, agents)
        yield (
            row,
            Scored(
                task=row["task"],
                address=address,
                number=_number(address),
                model=name,
                repeat=repeat or 0,
                tools=bool(row["tools"]),
                score=row["score"],
                passed=None if row["passed"] is None else bool(row["passed"]),
                input_tokens=row["input_tokens"],
                output_tokens=row["output_tokens"],
                reasoning_tokens=row["reasoning_tokens"],
                budget=row["budget"],
                finish_reason=row["finish_reason"],
                cost_usd=row["cost_usd"],
                seconds=row["seconds"],
                text_length=row["text_length"],
                failure_mode=row["label"],
                how_read=row["how_read"],
                cut_off=row["cut_off"],
                attempt=row["attempt"],
                depth=depth_of(address, row["task"]),
                measured=row["measured"],
                agent=agent,
                condition=conditions.get(row["batch"], row["condition"] or _USUAL) if agent == HANDS else "",
                actor=row["actor"],
                is_helped=bool(row["solving_aids"]),
                is_overridden=is_overridden,
                override=words,
            ),
        )


def _played_by(row: sqlite3.Row, agents: Mapping[int, str]) -> str:
    """The kind of agent that answered; attempts with hands may come from programs outside of batches."""
    if row["transcript"] is None:
        return ""
    return agents.get(row["batch"], HANDS if row["transcript"] == HANDS else "")


def _unanswered(project: Project, batches: Sequence[int] | None) -> Iterator[tuple[int, Scored]]:
    rows = project.runs.unanswered(batches)
    asked = plans(project, sorted({row["batch"] for row in rows}))
    for row in rows:
        batch, address, task, state, error = (row[name] for name in ("batch", "address", "task", "state", "error"))
        plan = asked[batch]
        contender = plan.contenders[row["model"]]
        settings = contender.settings
        agent = _agent_of(plan, contender, task)
        options = dict(plan.agent.options) if plan.agent is not None else {}
        yield (
            batch,
            Scored(
                task=task,
                address=address,
                number=_number(address),
                model=settings.name,
                repeat=row["repeat"],
                tools=settings.tools,
                state=_ENDINGS[ItemState(state)],
                budget=settings.max_output_tokens,
                error=None if state in _GOING_ON else error or state,
                how_read=None if state in _GOING_ON else how_unanswered(error),
                agent=agent,
                condition=str(options.get("condition", _USUAL)) if agent == HANDS else "",
                depth=depth_of(address, task),
            ),
        )


def _agent_of(plan: BatchPlan, contender: Contender, task_id: str) -> str:
    """The kind of agent that was to answer a task; empty for a single question."""
    try:
        plays = plan.plays(contender, task_of(task_id))
    except KeyError:
        return ""
    return plan.agent.kind if plan.agent is not None and plays else ""


def _attempts_of(project: Project, batches: Sequence[int]) -> set[int]:
    return {number for batch in batches for number in project.runs.numbers(RunFilter(batch=batch))}


@lru_cache(maxsize=4096)
def _number(address: str) -> int | None:
    """The number of a published instance; None for generated ones."""
    name, colon, number = address.partition(":")
    return int(number) if colon and "@" not in name and number.isdecimal() else None


def _slim(record: RunRecord) -> RunRecord:
    """The record with nothing but figures in its steps, so that thousands of runs fit in memory."""
    empty = {"reply": "", "code": "", "observation": "", "pictures": (), "calls": ()}
    return record.model_copy(update={"steps": tuple(step.model_copy(update=empty) for step in record.steps)})
