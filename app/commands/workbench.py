"""The command that shows the whole workbench to one trusted person in a browser."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from spatial_workbench.app.commands.plumbing import PASSED, AddCommand, Refused, opened, print_message
from spatial_workbench.app.commands.serving_address import (
    add_address_options,
    chosen_address,
    listening_socket,
    parts_of_system,
)


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("serve", _serve, "Show the workbench in a browser, to one person whom you trust.")
    command.add_argument("project", metavar="PROJECT", type=Path)
    command.add_argument("--person", metavar="NAME", required=True, help="who solves")
    command.add_argument("--new", action="store_true", help="nobody of that name has worked in the project before")
    command.add_argument(
        "--files", metavar="FOLDER", type=Path, help="for uploads and downloads; by default PROJECT-files"
    )
    add_address_options(command)


def _serve(options: argparse.Namespace) -> int:
    parts = parts_of_system(confines=False)
    from spatial_workbench.app.serving.workbench.server import WorkbenchServer
    from spatial_workbench.app.serving.workbench.window_host import WorkbenchChoices

    address = chosen_address(options)
    project = options.project.absolute()
    person = _known_person(project, options.person.strip(), options.new)
    files = (options.files or project.with_name(f"{project.stem}-files")).absolute()
    _make_folder(files)
    listening = listening_socket(options, address)
    server = WorkbenchServer(WorkbenchChoices(project, person, files), address, parts, listening, print_message)

    def tell_link() -> None:
        print(server.gate.link, flush=True)
        print_message("Open this link, and show it to nobody: whoever has it acts as you. Ctrl+C closes the window.")

    server.run(tell_link)
    return PASSED


def _known_person(path: Path, name: str, is_new: bool) -> str:
    """The name of somebody who works in a project.

    is_new: whether nobody of that name has to have worked there before.

    Raises:
        Refused: It is no name, or nobody of that name has worked there although somebody should have.
        ProjectError: There is no such project, or it is damaged.
    """
    from spatial_workbench.engine.store.project import MAX_NAME

    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Refused(f"A name has 1 to {MAX_NAME} characters, all of which can be printed.")
    with opened(path) as project:
        people = project.people()
    if not is_new and name not in people:
        known = f"Known are: {', '.join(people)}." if people else "Nobody has."
        raise Refused(f"{name} has not worked in this project before. {known} If {name} begins now, add --new.")
    return name


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise Refused(f"{folder} cannot be used for files: {os.strerror(error.errno or 0)}.") from None
