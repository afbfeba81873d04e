"""Jobs on answers that run in the background processes. Importable by name, free of Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Instance, Progress, Verdict, resolve, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.acting.commands import commands_of, questions_of
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.exchange import left_out, read_answer, write_answer


def read(task_id: str, raw: str | bytes, progress: Progress = silent) -> str:
    """Normalizes a submitted answer to the shortest text that the task can read.

    Raises:
        AnswerError: It cannot be read.
    """
    task = task_of(task_id)
    return packed(task, task.parse(raw))


def read_file(instance: Instance, name: str, raw: bytes, progress: Progress = silent) -> str:
    """Reads the answer from another program's file, as the shortest text that the task can read.

    Raises:
        CannotRepresent: An answer cannot hold its contents.
    """
    task = task_of(instance.task)
    return packed(task, read_answer(task, instance, name, raw, progress))


def write_file(
    instance: Instance, text: str, suffix: str, progress: Progress = silent
) -> tuple[bytes, tuple[str, ...]]:
    """Writes an answer in another program's file format; returns its contents, and what it cannot hold, in sentences.

    Raises:
        CannotRepresent: The format cannot hold it.
    """
    task = task_of(instance.task)
    answer = task.parse(text)
    return write_answer(task, instance, answer, suffix, progress), tuple(left_out(task, instance, answer, suffix))


def verify(instance: Instance, text: str, verifier: str = "default", progress: Progress = silent) -> Verdict:
    """The verdict of one verifier ("crosscheck" included)."""
    task = task_of(instance.task)
    if verifier == "crosscheck":
        return task.crosscheck(instance, text, progress)
    return task.verify(instance, text, verifier, progress)


def verify_all(instance: Instance, text: str, progress: Progress = silent) -> tuple[Verdict, ...]:
    """The verdicts of all verifiers and of the cross-check, as stored with an attempt. Programs in the answer are
    run, in the sandbox."""
    with allow_programs():
        return task_of(instance.task).verify_all(instance, text, progress)


def verify_submitted(address: str, text: str, progress: Progress = silent) -> Verdict:
    """The default verdict on an answer that was handed in. Programs in it are run, in the sandbox."""
    task, instance = resolve(address)
    with allow_programs():
        return task.verify(instance, text, "default", progress)


def check_materials(path: str, language: str, progress: Progress = silent) -> str:
    """Why the items of a study's bundle are asked differently on this machine, in a language; empty if they are not."""
    from spatial_workbench.engine.studies.files.bundles import read_bundle
    from spatial_workbench.engine.studies.sessions.entry import check_materials

    with in_language(language):
        return check_materials(read_bundle(Path(path)))


def solve(instance: Instance, progress: Progress = silent) -> str:
    """The reference solution, as text."""
    task = task_of(instance.task)
    return packed(task, task.solve(instance, progress))


def act(instance: Instance, text: str, name: str, arguments: Any, progress: Progress = silent) -> str:
    """The answer after a command of its task, as text.

    Raises:
        AnswerError: The command is impossible; says why.
    """
    task = task_of(instance.task)
    return packed(task, commands_of(task)[name].apply(instance, task.parse(text), arguments))


def ask(
    instance: Instance, text: str, name: str, arguments: Any, progress: Progress = silent
) -> tuple[str, tuple[bytes, ...]]:
    """What a question of its task tells about an answer: a text, and pictures.

    Raises:
        AnswerError: Nothing can be told; says why.
        InstanceError: A page cannot be shown; says why.
    """
    task = task_of(instance.task)
    told = questions_of(task)[name].ask(instance, task.parse(text), arguments, progress)
    return told.text, told.pictures


def find(address: str, progress: Progress = silent) -> Instance:
    """The instance of an address; generating one may take a while.

    Raises:
        InstanceError: Says what is wrong with the address.
    """
    return resolve(address)[1]


def add_level(path: str, progress: Progress = silent) -> str:
    """Adds the level in a file to the machine tasks; returns the address of its instance.

    Raises:
        InstanceError: The file is no level; says where.
        OSError: It cannot be read.
    """
    from spatial_workbench.engine.tasks.machine.open_levels import add_level_file

    return add_level_file(Path(path))
