"""Answers as files of other programs: STL, OBJ, 3MF and glTF for solids, LDraw for bricks, lists for machines.

    apart        reads untrusted files in a process of their own with a limit on time and memory
    importing    reads a file of another program as an answer
    meshes       bodies in mesh files, in the units of tasks

STL and OBJ state no unit and hold the task's own; 3MF states its unit, glTF holds metres (y up), and the task says how
long its unit is. What a format or an answer cannot hold raises `CannotRepresent` with a sentence. Files are read in a
process of their own, with limits on time and memory. See docs/files.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import (
    Answer,
    CannotRepresent,
    FileFormat,
    HasFileFormats,
    Instance,
    Progress,
    ReadsBodies,
    Task,
    WritesBodies,
    silent,
)
from spatial_workbench.engine.exchange.apart import read_apart
from spatial_workbench.engine.exchange.meshes import write_bodies
from spatial_workbench.engine.geometry.mesh_files import MESH_FORMATS
from spatial_workbench.engine.geometry.mesh_limits import MAX_FILE_BYTES

__all__ = ["MAX_FILE_BYTES", "format_of", "formats_of", "left_out", "read_answer", "write_answer"]


def formats_of(task: Task[Any], reading: bool) -> Mapping[str, str]:
    """The file formats that a task's answers can be read from (`reading`), or written to.

    Returns:
        The name of each format by its suffix, which is in lower case and has no dot.
    """
    special = {suffix: form.name for suffix, form in _own_formats(task).items() if not reading or form.read is not None}
    return special | (MESH_FORMATS if isinstance(task, ReadsBodies if reading else WritesBodies) else {})


def format_of(task: Task[Any], name: str, reading: bool) -> str | None:
    """The longest suffix in `formats_of` that a file's name ends with; None if it ends with none of them."""
    endings = [suffix for suffix in formats_of(task, reading) if Path(name).name.lower().endswith(f".{suffix}")]
    return max(endings, key=len, default=None)


def write_answer(
    task: Task[Any], instance: Instance, answer: Answer, suffix: str, progress: Progress = silent
) -> bytes:
    """The contents of a file with the answer, in the format of a suffix from `formats_of`.

    Raises:
        CannotRepresent: The task's answers cannot be written in that format, the format cannot hold this answer, or
            there is nothing to write.
    """
    suffix = suffix.lower().lstrip(".")
    own = _own_formats(task)
    if suffix in own:
        return own[suffix].write(task, instance, answer)
    if not isinstance(task, WritesBodies) or suffix not in MESH_FORMATS:
        raise _unknown_format(task, suffix, reading=False)
    progress(0, 2, "making bodies")
    bodies = task.bodies(instance, answer)
    if not bodies:
        raise CannotRepresent("There is nothing solid to write yet")
    progress(1, 2, "writing")
    return write_bodies(bodies, suffix, task.unit_mm)


def left_out(task: Task[Any], instance: Instance, answer: Answer, suffix: str) -> Sequence[str]:
    """What a file in the format of a suffix cannot hold of an answer, in sentences."""
    form = _own_formats(task).get(suffix)
    return form.left_out(task, instance, answer) if form is not None and form.left_out is not None else ()


def read_answer(task: Task[Any], instance: Instance, name: str, data: bytes, progress: Progress = silent) -> Answer:
    """The answer that a file holds; its name says which format it is.

    Raises:
        CannotRepresent: The task's answers cannot be read from that format, the file cannot be read within the limits,
            or an answer cannot hold its contents.
        Cancelled: Raised by `progress`.
    """
    suffix = format_of(task, name, reading=True) or suffix_of(name)
    if len(data) > MAX_FILE_BYTES:
        limit = f"at most {MAX_FILE_BYTES / 1e6:.0f} MB are read"
        raise CannotRepresent(f"The file is {len(data) / 1e6:.0f} MB long; {limit}")
    if suffix not in formats_of(task, reading=True):
        raise _unknown_format(task, suffix, reading=True)
    text = read_apart(
        "spatial_workbench.engine.exchange.importing:answer_text",
        data,
        progress,
        address=instance.address,
        task_id=task.id,
        suffix=suffix,
    )
    answer: Answer = task.parse(text)
    return answer


def suffix_of(name: str) -> str:
    """The ending of a file's name, in lower case and without its dot."""
    return Path(name).suffix.lower().lstrip(".")


def _own_formats(task: Task[Any]) -> Mapping[str, FileFormat]:
    return task.file_formats if isinstance(task, HasFileFormats) else {}


def _unknown_format(task: Task[Any], suffix: str, reading: bool) -> CannotRepresent:
    verb = "read from" if reading else "written to"
    some = ", ".join(f".{name}" for name in formats_of(task, reading)) or "no files of other programs"
    return CannotRepresent(f"Answers of “{task.title}” can be {verb} {some}, not .{suffix}")
