"""Collects the results of a project: attempts, and items that ended without one, as records to be averaged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Family
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.reading.how_read import how_unanswered
from spatial_workbench.engine.core.words import override_words
from spatial_workbench.engine.cube.agent.records import RunRecord
from spatial_workbench.engine.evaluation.columns import (
    Column,
    Figures,
    ScoredColumns,
    TextColumn,
    columns_of,
    counted_before,
    joined,
    numbered,
)
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.scored import Ending, Scored
from spatial_workbench.engine.evaluation.scores import depth_of, family_of
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
_NUMBER = re.compile(r"[0-9]{1,9}")
_USUAL = HandsOptions().condition
"""The condition of hands whose plan names none."""
_AS_STORED = (
    *("task", "tools", "score", "passed", "input_tokens", "output_tokens", "reasoning_tokens", "budget"),
    *("finish_reason", "cost_usd", "seconds", "text_length", "failure_mode", "how_read", "cut_off", "attempt"),
    *("measured", "actor"),
)
"""Attributes of a record that are stored with the attempt."""
_STORED_AS = {"failure_mode": "label"}
NAMELESS = "without a name"
WITH_HELP = " (with help)"
"""Appended to the name of a run whose attempts were made with solving aids."""


def scored(
    project: Project, batches: Sequence[int] | None = None, verifier: str = "default", overrides: bool = True
) -> ScoredColumns:
    """Every attempt, and every item that ended without one: the people of studies first, then the others by batch.

    Attempts outside of batches come before those of batches.

    Args:
        batches: Only these; None: all, and the attempts of people, imports and single runs as well.
        verifier: Whose scores count. Where it did not judge an attempt, the score of the default verifier counts; of a
            verifier of somebody else's ("own:NAME", "own:NAME@VERSION"), nothing but its own verdicts.
        overrides: Whether a score that a person set takes precedence over both.

    Outside of batches, each further attempt of the same name at the same address is a repeat. Attempts with solving
    aids are a run of their own, "Ada (with help)". The people of a study are one run for each of its conditions,
    "human · Two mazes (8)", and never runs of their own.
    """
    people = study_results(project, verifier, overrides) if batches is None else []
    return joined([columns_of(people), scored_outside_studies(project, batches, verifier, overrides)])


def scored_outside_studies(
    project: Project, batches: Sequence[int] | None = None, verifier: str = "default", overrides: bool = True
) -> ScoredColumns:
    """The results of `scored` without the people of studies; it takes the same arguments."""
    answered, of_batch = _answered(project, batches, verifier, overrides)
    unanswered = list(_unanswered(project, batches))
    if not unanswered:
        return answered
    others = columns_of(item for _, item in unanswered)
    order = np.argsort([*of_batch, *(batch for batch, _ in unanswered)], kind="stable")
    return joined([answered, others]).at(order)


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
) -> tuple[ScoredColumns, list[int]]:
    """The attempts, and the batch of each; 0: it is outside of batches."""
    found = project.runs.scored(batches, verifier, overrides)
    count = len(found["attempt"])
    helped = np.array([aids or 0 for aids in found["solving_aids"]], dtype=float) > 0
    names = TextColumn.of(found["who"]).crossed(TextColumn.of(helped.tolist())).mapped(_name_of_run)
    addresses = TextColumn.of(found["address"])
    agents, conditions = _played_by(project, found)
    columns: dict[str, Column] = {
        "model": names,
        "address": addresses,
        "number": _known(_number(address) for address in addresses.words)[addresses.codes],
        "repeat": _repeats(found, names, addresses),
        "depth": _depths(addresses, TextColumn.of(found["task"])),
        "is_helped": helped,
        "is_overridden": np.array([reason is not None for reason in found["reason"]], dtype=bool),
        "agent": TextColumn.of(agents),
        "condition": TextColumn.of(conditions),
        "override": TextColumn.of(_overrides(found) if overrides else ("",) * count),
    }
    as_stored = {name: found[_STORED_AS.get(name, name)] for name in _AS_STORED}
    plain = ScoredColumns.of_lists(as_stored, count)
    return plain.with_columns(**columns), [batch or 0 for batch in found["batch"]]


def _name_of_run(name: tuple[str, bool]) -> str:
    who, is_helped = name
    return (who or NAMELESS) + (WITH_HELP if is_helped else "")


def _repeats(found: Mapping[str, Sequence[Any]], names: TextColumn, addresses: TextColumn) -> NDArray[np.int64]:
    """The repeat of each attempt; outside of batches, each further one of a name at an address is one."""
    repeats = np.array([repeat or 0 for repeat in found["repeat"]], dtype=np.int64)
    outside = np.flatnonzero([batch is None for batch in found["batch"]])
    repeats[outside] = counted_before(numbered(names.codes[outside], addresses.codes[outside]))
    return repeats


def _depths(addresses: TextColumn, tasks: TextColumn) -> Figures:
    """The depth of the cube's state of each attempt."""
    depths = np.full(len(addresses.codes), np.nan)
    for task in tasks.words:
        rows = np.flatnonzero(tasks.is_any(task))
        if family_of(task) == Family.CUBE.id:
            codes, places = np.unique(addresses.codes[rows], return_inverse=True)
            depths[rows] = _known(depth_of(addresses.words[code], task) for code in codes.tolist())[places]
    return depths


def _known(values: Iterable[int | None]) -> Figures:
    return np.array(list(values), dtype=float)


def _overrides(found: Mapping[str, Sequence[Any]]) -> list[str]:
    """How a person overrode the score of each attempt, in words; empty if nobody did."""
    columns = (found[name] for name in ("own_score", "score", "person", "reason"))
    return [
        "" if reason is None else override_words(own, score, person, reason)
        for own, score, person, reason in zip(*columns, strict=True)
    ]


def _played_by(project: Project, found: Mapping[str, Sequence[Any]]) -> tuple[list[str], list[str]]:
    """The kind of agent that gave each answer, and the condition of its hands; both empty for most.

    Attempts with hands may come from programs outside of batches.
    """
    kinds = project.batches.agents()
    conditions = project.batches.agent_conditions()
    agents, under = ([""] * len(found["attempt"]) for _ in range(2))
    for place, transcript in enumerate(found["transcript"]):
        if transcript is not None:
            batch = found["batch"][place]
            agents[place] = kinds.get(batch, HANDS if transcript == HANDS else "")
            if agents[place] == HANDS:
                under[place] = conditions.get(batch, found["condition"][place] or _USUAL)
    return agents, under


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
    name, _, number = address.partition(":")
    return int(number) if "@" not in name and _NUMBER.fullmatch(number) else None


def _slim(record: RunRecord) -> RunRecord:
    """The record with nothing but figures in its steps, so that thousands of runs fit in memory."""
    empty = {"reply": "", "code": "", "observation": "", "pictures": (), "calls": ()}
    return record.model_copy(update={"steps": tuple(step.model_copy(update=empty) for step in record.steps)})
