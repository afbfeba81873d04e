"""What the background processes are asked to do with answers. Importable by name, free of Qt."""

from __future__ import annotations

from typing import Any

from engine.core import Answer, Instance, Progress, Task, Verdict, resolve, silent, task
from engine.core.consent import allow_programs
from engine.exchange import read_answer, write_answer


def pack(one: Task[Any], answer: Answer) -> str:
    """An answer as the shortest text that the task reads back."""
    return answer.model_dump_json() if one.answer_format == "json" else one.format(answer)


def read(task_id: str, raw: str | bytes, progress: Progress = silent) -> str:
    """An answer that somebody gave, as the shortest text that the task reads back.

    Raises:
        AnswerError: it cannot be read.
    """
    one = task(task_id)
    return pack(one, one.parse(raw))


def read_file(instance: Instance, name: str, raw: bytes, progress: Progress = silent) -> str:
    """The answer in a file of another program, as the shortest text that the task reads back.

    Raises:
        CannotRepresent: an answer cannot hold what is in it.
    """
    one = task(instance.task)
    return pack(one, read_answer(one, instance, name, raw, progress))


def write_file(instance: Instance, text: str, suffix: str, progress: Progress = silent) -> bytes:
    """The contents of a file of another program with an answer.

    Raises:
        CannotRepresent: the format cannot hold it.
    """
    one = task(instance.task)
    return write_answer(one, instance, one.parse(text), suffix, progress)


def verify(instance: Instance, text: str, verifier: str = "default", progress: Progress = silent) -> Verdict:
    """The verdict of one verifier ("crosscheck" included)."""
    judge = task(instance.task)
    if verifier == "crosscheck":
        return judge.crosscheck(instance, text, progress)
    return judge.verify(instance, text, verifier, progress)


def verify_all(instance: Instance, text: str, progress: Progress = silent) -> tuple[Verdict, ...]:
    """The verdicts of all verifiers and of the cross-check: what is stored with an attempt. Programs in the answer
    are run, in the sandbox."""
    with allow_programs():
        return task(instance.task).verify_all(instance, text, progress)


def solve(instance: Instance, progress: Progress = silent) -> str:
    """The reference solution, as text."""
    one = task(instance.task)
    return pack(one, one.solve(instance, progress))


def find(address: str, progress: Progress = silent) -> Instance:
    """The instance of an address; generating one may take a while.

    Raises:
        InstanceError: says what is wrong with the address.
    """
    return resolve(address)[1]
