"""Summaries of the tasks for the command line, cached so that listing need not load numpy and every task.

Uses only the standard library, unless a task or the code that tasks depend on has changed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from app.source import ROOT

Summary = dict[str, Any]

_WATCHED = ("engine/core", "engine/tasks", "resources/tasks")


def summaries(cache: Path | None = None) -> list[Summary]:
    """Id, title, family, bucket, number of instances and verifiers of every task, in the catalogue's order.

    cache: the cache file; by default one in the user's cache folder.
    """
    file, key = cache or _cache_file(), _state()
    try:
        cached = json.loads(file.read_text("utf-8"))
        if cached["key"] == key:
            rows: list[Summary] = cached["rows"]
            return rows
    except (OSError, ValueError, KeyError, TypeError):
        pass  # nothing remembered, or nothing that can be read
    rows = _from_tasks()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"key": key, "rows": rows}), "utf-8")
    except OSError:
        pass  # the next run asks the tasks again
    return rows


def _from_tasks() -> list[Summary]:
    from engine.core import tasks

    return [
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


def _state() -> str:
    """A fingerprint of everything the summaries depend on."""
    parts = [sys.version, *sorted(_stamps())]
    parts += sorted(f"{entry.name}={entry.value}" for entry in entry_points(group="spatial_workbench.tasks"))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _stamps() -> Iterator[str]:
    for folder in _WATCHED:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".json"):
                state = path.stat()
                yield f"{path} {state.st_mtime_ns} {state.st_size}"


def _cache_file() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "tasks.json"
