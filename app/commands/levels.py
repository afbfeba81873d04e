"""The command about levels of people's own."""

from __future__ import annotations

import argparse
from pathlib import Path

from spatial_workbench.app.commands.plumbing import AddCommand, show


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    levels = add("levels", _levels, "List levels of your own for machines, or add them from files.")
    levels.add_argument("files", nargs="*", metavar="FILE", help="files of levels to add; their addresses are printed")


def _levels(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.tasks.machine.open_levels import add_level_file, added_levels

    if options.files:
        addresses = [add_level_file(Path(file)) for file in options.files]
        return show(options, addresses, "\n".join(addresses))
    rows = added_levels()
    lines = [f"{address}  {title}" for address, title in rows.items()] or ["No levels have been added."]
    return show(options, rows, "\n".join(lines))
