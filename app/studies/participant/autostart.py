"""Opens the participant's window again when the computer starts, until the leader has left it."""

from __future__ import annotations

import os
from pathlib import Path

from spatial_workbench.engine.core.interpreter import program_command

NAME = "spatial-workbench-study.desktop"


def entry_path() -> Path:
    """Where desktops look for what they start."""
    home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(home) / "autostart" / NAME


def write_entry(bundle: Path, name: str) -> Path:
    """Writes the desktop entry that opens a bundle's window.

    Raises:
        OSError: It cannot be written.
    """
    command = program_command("study", "run", str(bundle), "--autostart")
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        f"Name={_one_line(name)}",
        f"Exec={' '.join(map(_quoted, command))}",
    ]
    path = entry_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, f"Path={Path.cwd()}", ""]), "utf-8")
    return path


def remove_entry() -> None:
    """Removes the entry; nothing opens automatically any more."""
    entry_path().unlink(missing_ok=True)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(argument: str) -> str:
    """An argument as desktop entries quote it."""
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`").replace("$", "\\$")
    return f'"{escaped}"'.replace("%", "%%")
