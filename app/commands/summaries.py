"""Summaries of the tasks for the command line, cached so that listing need not load numpy and every task.

Uses only the standard library, unless a task or the code that tasks depend on has changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from pathlib import Path
from typing import Any

from spatial_workbench.root import ROOT

Summary = dict[str, Any]

_WATCHED = ("spatial_workbench/engine/core", "spatial_workbench/engine/tasks", "spatial_workbench/resources/tasks")
_KINDS = (".py", ".json", ".so", ".pyd", ".txt")
GROUP = "spatial_workbench.tasks"


@dataclass(frozen=True)
class TaskListing:
    """All tasks, as the command line lists them.

    Attributes:
        rows: Id, title, family, bucket, number of instances and verifiers of every task, in the catalogue's order.
        broken: A sentence about each task that cannot be used.
    """

    rows: list[Summary]
    broken: list[str]


def listing(cache: Path | None = None) -> TaskListing:
    """The tasks, from the cache unless something has changed.

    cache: the cache file; by default one in the user's cache folder.
    """
    file = cache or _cache_file()
    key = _state()
    try:
        cached = json.loads(file.read_text("utf-8"))
        if cached["key"] == key:
            return TaskListing(cached["rows"], cached["broken"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # nothing remembered, or nothing that can be read
    found = from_tasks()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"key": key, "rows": found.rows, "broken": found.broken}), "utf-8")
    except OSError:
        pass  # the next run asks the tasks again
    return found


def from_tasks() -> TaskListing:
    """The tasks, as they say themselves."""
    from spatial_workbench.engine.core import broken_tasks, tasks

    rows = [
        {
            "id": task.id,
            "title": task.title,
            "family": task.family.id,
            "bucket": task.bucket.id,
            "instances": len(task.instances()),
            "verifiers": list(task.verifiers()),
        }
        for task in tasks()
    ]
    return TaskListing(rows, [f"The task “{broken.name}” cannot be used: {broken.reason}" for broken in broken_tasks()])


def _state() -> str:
    """A fingerprint of everything the summaries depend on."""
    parts = [sys.version, *sorted(_stamps())]
    parts += sorted(chain.from_iterable(map(_stamps_of_plug_in, entry_points(group=GROUP))))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _stamps() -> Iterator[str]:
    for folder in _WATCHED:
        yield from _stamps_of_folder(ROOT / folder)


def _stamps_of_plug_in(entry: EntryPoint) -> Iterator[str]:
    """The entry point and the state of the files of the package that it names, which is not imported for this."""
    yield f"{entry.name}={entry.value}"
    try:
        spec = importlib.util.find_spec(entry.module.partition(".")[0])
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        yield from _stamps_of_folder(Path(folder))
    if spec.origin and Path(spec.origin).is_file():
        yield _stamp(Path(spec.origin))


def _stamps_of_folder(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.suffix in _KINDS:
            yield _stamp(path)


def _stamp(path: Path) -> str:
    try:
        state = path.stat()
    except OSError:
        return f"{path} is gone"
    return f"{path} {state.st_mtime_ns} {state.st_size}"


def _cache_file() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "tasks.json"
