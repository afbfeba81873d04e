"""The command that opens the window as somebody."""

from __future__ import annotations

import argparse
from pathlib import Path

from spatial_workbench.app.commands.plumbing import AddCommand, Refused


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("open", _open, "Open the window on a project, as somebody.")
    command.add_argument("project", metavar="PROJECT", type=Path)
    command.add_argument("--person", metavar="NAME", help="who solves; by default whoever was chosen last")
    command.add_argument("--files", metavar="FOLDER", type=Path, help="where dialogs for files start")
    command.add_argument("--served", choices=("light", "dark"), help=argparse.SUPPRESS)
    command.set_defaults(opens_window=True)


def _open(options: argparse.Namespace) -> int:
    from spatial_workbench.app.window.application import refuse_missing_screen, run

    if (reason := refuse_missing_screen()) is not None:
        raise Refused(reason)
    from spatial_workbench.app.frame.settings import Settings

    files = options.files and options.files.absolute()
    return run(options.project.absolute(), Settings(options.person), files, options.served)
