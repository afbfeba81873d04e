"""Starts the process that works on a batch. It outlives its starter, and a later process continues where it stopped."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from spatial_workbench.engine.core.interpreter import python_command, python_environment
from spatial_workbench.engine.evaluation.lock import file_name, is_running


def start(project: Path, batch: int, drawer: str = "") -> bool:
    """Starts a batch's process in the background, unless there is one; returns whether it did.

    drawer: What a child runs that draws for models with hands, "package.module:name"; empty: they see no pictures.

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
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=python_environment(), **detached
        )
    return True


def log_file(project: Path, batch: int) -> Path:
    """The file to which a batch's process writes its errors."""
    from platformdirs import user_log_path

    folder = user_log_path("spatial-workbench", appauthor=False, ensure_exists=True)
    return folder / f"{file_name(project, batch)}.log"
