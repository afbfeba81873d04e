"""Starts the participant's window, or the server of a study, as a process of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import IO

from spatial_workbench.engine.core.interpreter import python_command, python_environment


def launch(*arguments: str) -> str:
    """Starts a command of the workbench; returns a message about it. It outlives this window."""
    try:
        start(arguments)
    except OSError as error:
        return f"The participant's window could not be started: {error.strerror}"
    return "The participant's window opens."


def start(arguments: Sequence[str], errors: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
    """Starts a command of the workbench, which outlives this window.

    errors: where it writes what went wrong; None: nowhere.

    Raises:
        OSError: It could not be started.
    """
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        python_command("-m", "spatial_workbench.app.commands.main", *arguments),
        stdin=nothing,
        stdout=nothing,
        stderr=nothing if errors is None else errors,
        env=python_environment(),
        start_new_session=True,
    )
