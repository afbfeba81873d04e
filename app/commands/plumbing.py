"""The common parts of all commands: output, errors and input."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from spatial_workbench.app.commands.terminal import escaped, escaped_json, escaped_line

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.studies.planning.checking import StudyProblem
    from spatial_workbench.engine.studies.planning.document import Study

PASSED = 0
NOT_PASSED = 1
BAD_INPUT = 2


class Refused(Exception):
    """A command cannot be carried out; the message is for the user."""


class AddCommand(Protocol):
    """Adds a command to the parser: its name, what runs it, and what it does in a sentence."""

    def __call__(self, name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser: ...


Actions = Any
"""What `add_subparsers` returns; argparse does not name its type."""


def add_action(
    actions: Actions, name: str, run: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    """Adds an action to a command that has several."""
    command: argparse.ArgumentParser = actions.add_parser(name, help=text, description=text)
    command.set_defaults(run=run)
    # Suppressed, so that “puzzles --json check” and “puzzles check --json” both work.
    command.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print machine-readable output")
    add_quiet(command)
    return command


def add_quiet(command: argparse.ArgumentParser, default: bool | str = argparse.SUPPRESS) -> None:
    """Adds the option that every command has, wherever it stands among its words."""
    command.add_argument("--quiet", action="store_true", default=default, help="print no progress")


def positive(text: str) -> int:
    """A whole number from 1 on, as the type of an option."""
    return _at_least(1, text)


def natural(text: str) -> int:
    """A whole number from 0 on, as the type of an option."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no whole number from {least} on")
    return number


STANDARD_OUTPUT = "-"


def show(options: argparse.Namespace, data: Any, text: str | Sequence[str]) -> int:
    """Prints a command's result, as JSON if that was requested; to standard error where a file goes to the output.

    text: The result in words, or its lines, of which none can be broken by a name.
    """
    stream = sys.stderr if getattr(options, "output", None) == STANDARD_OUTPUT else sys.stdout
    if options.json:
        words = escaped_json(json.dumps(data, ensure_ascii=False))
    else:
        words = escaped(text) if isinstance(text, str) else "\n".join(map(escaped_line, text))
    print(words, file=stream)
    return PASSED


@contextmanager
def output_file(options: argparse.Namespace, suffix: str = "") -> Iterator[Path]:
    """The path that a command writes its file to. With “-o -” what is written there goes to standard output.

    suffix: The ending of the path in that case, for writers that heed it.
    """
    if options.output != STANDARD_OUTPUT:
        yield Path(options.output)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"output{suffix}")
        yield path
        if path.is_file():
            with path.open("rb") as contents:
                sys.stdout.flush()
                shutil.copyfileobj(contents, sys.stdout.buffer)


def output_folder(options: argparse.Namespace) -> Path:
    """The folder that a command writes to.

    Raises:
        Refused: It is standard output, which holds one file only.
    """
    if options.output == STANDARD_OUTPUT:
        raise Refused("This writes a folder, which cannot go to standard output; name one with -o.")
    return Path(options.output)


def refuse(message: str, options: argparse.Namespace) -> int:
    """Prints why a command cannot be carried out."""
    if options.json:
        print(escaped_json(json.dumps({"error": message}, ensure_ascii=False)))
    print_message(message)
    return BAD_INPUT


def print_message(text: str, end: str = "\n") -> None:
    """Writes a message to standard error, as one line of bounded length."""
    print(escaped_line(text), file=sys.stderr, end=end, flush=True)


def printing_progress() -> Callable[..., None]:
    """A Progress that prints how far the work is and how long it has taken."""
    begin = time.monotonic()
    return lambda done, total, text="": print_progress(f"{done:.0f}/{total:.0f} {text}", time.monotonic() - begin)


_is_quiet = [False]


def be_quiet(quiet: bool) -> None:
    """Decides whether progress is printed."""
    _is_quiet[0] = quiet


def print_progress(text: str, seconds: float) -> None:
    """Rewrites one line on a terminal; elsewhere, and if that is wished, prints nothing."""
    if sys.stderr.isatty() and not _is_quiet[0]:
        print_message(f"{text} · {seconds:.0f} s   ", end="\r")


def resolve(address: str) -> tuple[Any, Any]:
    """The task and the instance of an address, or of the file of a level (docs/machines.md), which is added."""
    from spatial_workbench.engine import core
    from spatial_workbench.engine.core.plug_ins import foreign

    foreign.on_stuck = _end_stuck
    return core.resolve(_address_of_level(Path(address)) if address.endswith(".level.json") else address)


def _address_of_level(path: Path) -> str:
    from spatial_workbench.engine.tasks.machine.open_levels import add_level_file

    return add_level_file(path)


def _end_stuck(sentence: str) -> None:
    """Ends the program, because what a plug-in does cannot be ended otherwise."""
    print_message(sentence)
    os._exit(BAD_INPUT)


def read(source: str) -> bytes:
    """A file, or standard input for "-"."""
    return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()


def opened(path: Path, create: bool = False) -> Project:
    """Opens a project, and creates it if that is allowed."""
    from spatial_workbench.engine.store import Project

    return Project.create(path) if create and not path.exists() else Project.open(path)


def plain(record: Any) -> dict[str, Any]:
    """Converts a record to plain data."""
    data: dict[str, Any] = record.model_dump(mode="json")
    return data


def wide_prompts(study: Study) -> list[StudyProblem]:
    """The items whose prompts a small screen cannot show as a whole; where Qt cannot be loaded nobody can tell."""
    try:
        from spatial_workbench.app.studies.prompt_room import prompts_too_wide
    except ImportError as error:
        print_message(f"Whether prompts fit into the window was not checked: {error}")
        return []
    return prompts_too_wide(study)
