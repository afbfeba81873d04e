"""What "Replay" shows of an attempt: a person's edits, an agent's steps, or a machine and the run that made it.

Free of Qt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core import AnswerError, Family, InstanceError, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.agents import HANDS
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.edit_histories import (
    EditHistory,
    NoEditHistory,
    history_of_hands,
    history_of_person,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.core import Instance
    from spatial_workbench.engine.search.run_tree import RunTree
    from spatial_workbench.engine.store import AttemptRow, Project, StoredReply, StoredTry, Transcript

REPLAY = "Replay", "Show the edits or the agent's steps one after the other, or play the machine"
SHOW_TREE = (
    "Show the run's tree",
    "Show every machine of the workflow, each below the one that it was made from",
)


@dataclass(frozen=True)
class MachineRun:
    """A run to browse: where it was made, its name, its tree, and the person who built it, if it was a person."""

    address: str
    title: str
    tree: RunTree
    person: str = ""


def can_replay(row: AttemptRow) -> bool:
    """Whether there is something to replay of an attempt."""
    by_person = row.actor == "person" and bool(row.edit_count)
    return by_person or row.has_transcript or _is_of_machines(row.address)


def words_of_replay(row: AttemptRow) -> tuple[str, str]:
    """What a button that shows it says, and its tooltip; a workflow's run is a tree of machines."""
    if _is_of_machines(row.address) and row.transcript not in (None, HANDS):
        return SHOW_TREE
    return REPLAY


def _is_of_machines(address: str) -> bool:
    try:
        return task_of(re.split("[:@]", address)[0]).family is Family.MACHINES
    except KeyError:
        return False


def replay_of(project: Project, number: int) -> Any:
    """An EditHistory, a RunRecord of the cube, a MachineRun, or a sentence that says why there is none of them."""
    rows = project.runs.rows([number])
    if not rows:
        return f"Attempt {number} no longer exists."
    transcript = project.attempts.transcript(number)
    if _is_of_machines(rows[0].address) and (transcript is None or transcript.kind != HANDS):
        return _machine_run(project, number, transcript.record if transcript else None)
    try:
        history = _edit_history(project, rows[0], transcript)
    except NoEditHistory as error:
        return str(error)
    if history is not None:
        return history
    if transcript is None or transcript.kind != "cube":
        return f"Attempt {number} has no run that could be replayed."
    from spatial_workbench.engine.cube.agent import RunRecord

    try:
        return RunRecord.model_validate_json(transcript.record)
    except ValueError:
        return f"The run of attempt {number} cannot be read."


def _edit_history(project: Project, row: AttemptRow, transcript: Transcript | None) -> EditHistory | None:
    """How an answer was built, if its edits are known. Raises NoEditHistory."""
    if row.actor == "person" and (edits := project.attempts.edits(row.number)):
        return history_of_person(row.address, row.number, edits)
    if transcript is not None and transcript.kind == HANDS:
        return history_of_hands(row.address, row.number, transcript.record, row.submitted_at)
    return None


def _machine_run(project: Project, number: int, record: str | None) -> MachineRun | str:
    from spatial_workbench.engine.machines.designing.workflow_records import WorkflowRecord
    from spatial_workbench.engine.search.run_tree import tree_of_workflow

    (row,) = project.runs.rows([number])
    try:
        _, instance = resolve(row.address)
    except InstanceError as error:
        return f"This version does not know the instance of attempt {number}. {error}"
    if record is None:
        attempt = project.attempts.get(number)
        person = attempt.actor_name if attempt.actor == "person" else ""
        return MachineRun(row.address, f"Replay of attempt {number}", _lone(instance, attempt.answer), person)
    from spatial_workbench.engine.tasks.machine.task import level_of_instance

    try:
        tree = tree_of_workflow(WorkflowRecord.model_validate_json(record), level_of_instance(instance))
    except ValueError:
        return f"The run of attempt {number} cannot be read."
    replies, tries = ((), ()) if row.item is None else (project.runs.replies(row.item), project.items.tries(row.item))
    return MachineRun(row.address, f"Run of attempt {number}", tree.with_facts(_usage(replies, tries)))


def _lone(instance: Instance, answer: str) -> RunTree:
    """The run of a machine that was built by hand or imported: itself."""
    from spatial_workbench.engine.search.run_tree import lone_machine

    try:
        reading = task_of(instance.task).parse(answer).reading
    except AnswerError as error:
        return lone_machine("", None, str(error))
    trouble = " ".join(fault.sentence for fault in reading.faults[:1])
    return lone_machine("", reading.tree, trouble)


def _usage(replies: Sequence[StoredReply], tries: Sequence[StoredTry]) -> list[str]:
    tokens = sum(tried.output_tokens or 0 for tried in tries)
    failed = len(tries) - len(replies)
    facts = [f"{tokens:,} output tokens"] if tokens else []
    return [*facts, counted(failed, "failed request")] if failed > 0 else facts
