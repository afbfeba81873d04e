"""What "Replay" shows of an attempt: an agent's steps, or a machine and the run that made it. Free of Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core import AnswerError, Family, InstanceError, resolve
from engine.core import task as task_of
from engine.core.words import counted

if TYPE_CHECKING:
    from engine.core import Instance
    from engine.machines.run_tree import RunTree
    from engine.store import AttemptRow, Project, StoredReply, StoredTry


@dataclass(frozen=True)
class MachineRun:
    """A run to browse: where it was made, what it is called, its tree, and the person who built it, if it was one."""

    address: str
    title: str
    tree: RunTree
    person: str = ""


def can_replay(row: AttemptRow) -> bool:
    """Whether there is something to replay of an attempt."""
    return row.has_transcript or _is_of_machines(row.address)


def _is_of_machines(address: str) -> bool:
    try:
        return task_of(re.split("[:@]", address)[0]).family is Family.MACHINES
    except KeyError:
        return False


def replay_of(project: Project, number: int) -> Any:
    """A RunRecord of the cube, a MachineRun, or a sentence that says why there is neither."""
    rows = project.run_rows([number])
    if not rows:
        return f"Attempt {number} no longer exists."
    transcript = project.transcript(number)
    if _is_of_machines(rows[0].address):
        return _machine_run(project, number, transcript.record if transcript else None)
    if transcript is None or transcript.kind != "cube":
        return f"Attempt {number} has no run that could be replayed."
    from engine.cube.agent import RunRecord

    try:
        return RunRecord.model_validate_json(transcript.record)
    except ValueError:
        return f"The run of attempt {number} cannot be read."


def _machine_run(project: Project, number: int, record: str | None) -> MachineRun | str:
    from engine.machines.run_tree import tree_of_workflow
    from engine.machines.workflow_records import WorkflowRecord

    (row,) = project.run_rows([number])
    try:
        _, instance = resolve(row.address)
    except InstanceError as error:
        return f"This version does not know the instance of attempt {number}. {error}"
    title = f"Replay of attempt {number}"
    if record is None:
        attempt = project.attempt(number)
        person = attempt.actor_name if attempt.actor == "person" else ""
        return MachineRun(row.address, title, _lone(instance, attempt.answer), person)
    from engine.tasks.machine.task import level_of_instance

    try:
        tree = tree_of_workflow(WorkflowRecord.model_validate_json(record), level_of_instance(instance))
    except ValueError:
        return f"The run of attempt {number} cannot be read."
    replies, tries = ((), ()) if row.item is None else (project.replies(row.item), project.tries(row.item))
    return MachineRun(row.address, title, tree.with_facts(_usage(replies, tries)))


def _lone(instance: Instance, answer: str) -> RunTree:
    """The run of a machine that was built by hand or imported: itself."""
    from engine.machines.run_tree import lone_machine

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
