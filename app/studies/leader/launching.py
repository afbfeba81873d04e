"""Opens the participant's window in a separate process."""

from __future__ import annotations

import subprocess

from spatial_workbench.engine.core.interpreter import python_command, python_environment


def launch(*arguments: str) -> str:
    """Starts a command of the workbench; returns a message about it. It outlives this window."""
    nothing = subprocess.DEVNULL
    try:
        subprocess.Popen(
            python_command("-m", "spatial_workbench.app.commands.main", *arguments),
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            env=python_environment(),
            start_new_session=True,
        )
    except OSError as error:
        return f"The participant's window could not be started: {error.strerror}"
    return "The participant's window opens."
