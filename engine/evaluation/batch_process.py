"""Starts the process that works on a batch. It outlives its starter, and a later process continues where it stopped."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import IO

from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.evaluation.lock import file_name, is_running
from spatial_workbench.engine.models.keys import give_session_key


def start(project: Path, batch: int, drawer: str = "", keys: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Starts a batch's process in the background, unless there is one; returns whether it did.

    drawer: What a child runs that draws for models with hands, "package.module:name"; empty: they see no pictures.
    keys: Those of endpoints by their names, which the process reads from a pipe and keeps in its memory.

    The process writes its errors to `log_file`.
    """
    if is_running(project, batch):
        return False
    arguments = [str(project.resolve()), str(batch), *filter(None, [drawer])]
    command = python_command("-m", "spatial_workbench.engine.evaluation", *arguments)
    detached = (
        {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}  # type: ignore[attr-defined]
        if os.name == "nt"
        else {"start_new_session": True}
    )
    with log_file(project, batch).open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=python_environment(), **detached
        )
    assert process.stdin is not None
    with suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(json.dumps(dict(keys)).encode())
    return True


def take_keys(pipe: IO[bytes]) -> None:
    """Keeps the keys that the starter has sent in the memory of this process."""
    sent = pipe.read()
    for name, key in (json.loads(sent) if sent else {}).items():
        give_session_key(name, key)


def log_file(project: Path, batch: int) -> Path:
    """The file to which a batch's process writes its errors."""
    from platformdirs import user_log_path

    folder = user_log_path("spatial-workbench", appauthor=False, ensure_exists=True)
    return folder / f"{file_name(project, batch)}.log"
