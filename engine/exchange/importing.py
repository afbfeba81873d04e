"""Reads a file of another program as an answer; runs in the process that `engine.exchange.apart` starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import Answer, CannotRepresent, HasFileFormats, Instance, ReadsBodies, Task, resolve
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS
from spatial_workbench.engine.exchange.apart import Data, refusing
from spatial_workbench.engine.exchange.meshes import read_bodies


def answer_text(path: str, address: str, task_id: str, suffix: str) -> Data:
    """Reads a file as an answer to the instance at an address; called by `read_apart`.

    Returns:
        {"text": the answer, as the task's `parse` reads it}, or what `refusing` returns.
    """
    task = task_of(task_id)
    try:
        answer = answer_in(task, resolve(address)[1], suffix, Path(path).read_bytes())
    except CannotRepresent as error:
        return refusing(error)
    text = answer.model_dump_json() if task.answer_format == "json" else task.format(answer)
    if len(text) > MAX_TEXT_CHARS:
        limit = f"an answer has at most {MAX_TEXT_CHARS / 1e6:.0f} million characters"
        return refusing(
            CannotRepresent(f"The file is too detailed: {limit}, this one would have {len(text) / 1e6:.0f}")
        )
    return {"text": text}


def answer_in(task: Task[Any], instance: Instance, suffix: str, data: bytes) -> Answer:
    """The answer in the contents of a file, read in this process: without limits on time and memory.

    Raises:
        CannotRepresent: If the contents cannot be read, or an answer cannot hold what is in them.
    """
    answer: Answer
    form = task.file_formats.get(suffix) if isinstance(task, HasFileFormats) else None
    if form is not None and form.read is not None:
        answer = form.read(task, instance, data)
    elif isinstance(task, ReadsBodies):
        answer = task.from_bodies(instance, read_bodies(data, suffix, task.unit_mm))
    else:
        raise CannotRepresent(f"Answers of “{task.title}” cannot be made of solids")
    return answer
