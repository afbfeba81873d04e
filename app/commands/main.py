"""The command line: everything in the window that needs no screen.

Exit codes: 0 passed (or done), 1 not passed, 2 bad input.
"""

from __future__ import annotations

import argparse
import errno
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from spatial_workbench.app.commands import (
    acting,
    answers,
    attempts,
    batches,
    datasets,
    levels,
    measuring,
    models,
    parsing,
    pictures,
    publishing,
    puzzles,
    report,
    searching,
    window,
    workbench,
)
from spatial_workbench.app.commands.laboratory import cases, disagreeing, own
from spatial_workbench.app.commands.plumbing import BAD_INPUT, Refused, add_quiet, be_quiet, refuse
from spatial_workbench.app.commands.studies import documents
from spatial_workbench.app.source import NotFromSource

_MODULES = (
    *(window, workbench, answers, levels, searching, pictures, measuring),
    *(report, publishing, batches, attempts, disagreeing, cases, own),
    *(models, acting, datasets, puzzles, documents, parsing),
)
"""The modules with commands, in the order of the help."""
INTERRUPTED, NOBODY_READS = 130, 141
"""The exit codes that shells use for Ctrl-C, and when a program such as `head` stops reading."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; without any, opens the window; with a study's bundle alone, the participant's window."""
    if parsing.is_asked_by_a_shell():
        parsing.complete(_parser())
    words = list(sys.argv[1:] if arguments is None else arguments)
    kind = Path(words[0]).suffix.lower() if len(words) == 1 else ""
    if not words or kind == ".workbench":
        return _open_window(Path(words[0]) if words else None)
    if kind == ".study":
        words = ["study", "run", words[0]]
    options = _parser().parse_args(words)
    be_quiet(options.quiet)
    if not hasattr(options, "opens_window"):
        _silence_plug_in_log()
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output at exit, and would raise the error again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except ImportError as error:
        if (sentence := _about_extra(error)) is None:
            raise
        return refuse(sentence, options)
    except Exception as error:
        # Imported only now: loading these exception classes takes a second.
        if not isinstance(error, _bad_input_errors()):
            raise
        return refuse(_sentence(error), options)
    return code


def _silence_plug_in_log() -> None:
    """What a plug-in does wrong is the error of a command, or a line of `tasks`; the log need not repeat it."""
    log = logging.getLogger("spatial_workbench.engine.core")
    log.addHandler(logging.NullHandler())
    log.propagate = False


def _open_window(project: Path | None) -> int:
    try:
        from spatial_workbench.app.window.application import refuse_missing_screen, run

        if (reason := refuse_missing_screen()) is None:
            return run(project)
    except ImportError as error:
        if (reason := _about_extra(error)) is None:
            raise
    print(reason, file=sys.stderr)
    return BAD_INPUT


def _about_extra(error: ImportError) -> str | None:
    """The sentence that names the extra whose module is missing; None if the module is of no extra."""
    # Imported only now: a command that has nothing to import starts in a tenth of a second.
    from spatial_workbench.engine.core.extras import explained

    return explained(error)


def _sentence(error: Exception) -> str:
    """An error as a sentence; for invalid data, the place and what is wrong there."""
    from pydantic import ValidationError

    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "The disk is full, and nothing was written. Free some space, or choose another place."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def _bad_input_errors() -> tuple[type[Exception], ...]:
    from pydantic import ValidationError

    from spatial_workbench.engine.core import AnswerError, CannotRepresent, InstanceError
    from spatial_workbench.engine.core.drawer import CannotDraw
    from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
    from spatial_workbench.engine.models import LibraryProblem, ModelError
    from spatial_workbench.engine.puzzles.sets.folders import SetError
    from spatial_workbench.engine.store import MissingRecord, ProjectError
    from spatial_workbench.engine.store.studies.records import StudyError
    from spatial_workbench.engine.studies.files.bundles import BundleError
    from spatial_workbench.engine.studies.planning.codes import CodeError
    from spatial_workbench.engine.studies.planning.document import DocumentError

    own = (
        NotFromSource,
        AnswerError,
        BundleError,
        CannotDraw,
        CannotRepresent,
        CodeError,
        DocumentError,
        InstanceError,
        LibraryProblem,
        MissingRecord,
        ModelError,
        ProjectError,
        Refused,
        SetError,
        StudyError,
        TaskFault,
    )
    return *own, OSError, ValidationError


def _parser() -> argparse.ArgumentParser:
    parser = parsing.SuggestingParser(
        prog=parsing.PROGRAM,
        description="Build, solve and inspect spatial-reasoning tasks. Without arguments, the window opens.",
        epilog="Addresses: TASK:N is a published instance, TASK@SEED a generated one. '-' reads standard input. "
        "Exit codes: 0 passed, 1 not passed, 2 bad input.",
    )
    parsing.add_version(parser)
    add_quiet(parser, default=False)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        command.add_argument("--json", action="store_true", help="print machine-readable output")
        add_quiet(command)
        return command

    for module in _MODULES:
        module.add_commands(add)
    return parser


if __name__ == "__main__":
    sys.exit(main())
