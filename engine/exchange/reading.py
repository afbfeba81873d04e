"""What the process does that reads a file of another program; see `engine.exchange.apart`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.core import Answer, CannotRepresent, Instance, Task, resolve, task
from engine.core.limits import MAX_TEXT_CHARS
from engine.exchange.apart import Data, refusing
from engine.exchange.meshes import read_bodies


def answer_text(path: str, address: str, task_id: str, suffix: str) -> Data:
    """The answer that a file holds, as text that the task reads back."""
    one = task(task_id)
    try:
        answer = answer_in(one, resolve(address)[1], suffix, Path(path).read_bytes())
    except CannotRepresent as error:
        return refusing(error)
    text = answer.model_dump_json() if one.answer_format == "json" else one.format(answer)
    if len(text) > MAX_TEXT_CHARS:
        limit = f"an answer has at most {MAX_TEXT_CHARS / 1e6:.0f} million characters"
        return refusing(
            CannotRepresent(f"The file is too detailed: {limit}, this one would have {len(text) / 1e6:.0f}")
        )
    return {"text": text}


def answer_in(one: Task[Any], instance: Instance, suffix: str, data: bytes) -> Answer:
    """The answer in the contents of a file, read in this process: without limits on time and memory.

    Raises:
        CannotRepresent: If the contents cannot be read, or an answer cannot hold what is in them.
    """
    answer: Answer
    if suffix in one.file_formats:
        answer = one.file_formats[suffix].read(one, instance, data)
    else:
        answer = one.from_bodies(instance, read_bodies(data, suffix, one.unit_mm))
    return answer
