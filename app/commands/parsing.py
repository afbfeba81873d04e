"""The parser of the command line: it suggests what may have been meant, and shells complete words by it."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import chain
from typing import NoReturn

from spatial_workbench.app.commands.plumbing import PASSED, AddCommand

PROGRAM = "spatial-workbench"
SHELLS = ("bash", "zsh", "fish")
_CHOICE = re.compile(r"invalid choice: '(.*?)' \(choose from (.*)\)")
_QUOTED = re.compile(r"'([^']*)'|([^\s,']+)")


class SuggestingParser(argparse.ArgumentParser):
    """A parser whose errors name the word that was most likely meant. Its commands are parsed in the same way."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with an error, and what may have been meant."""
        super().error(f"{message}{suggestion(message, self._known_options())}")

    def _known_options(self) -> list[str]:
        """Its options and those of its commands: an unknown option of a command is an error of the whole line."""
        own = [option for action in self._actions for option in action.option_strings]
        commands = [action.choices for action in self._actions if isinstance(action.choices, dict)]
        parsers = {id(parser): parser for choices in commands for parser in choices.values()}
        theirs = [parser._known_options() for parser in parsers.values() if isinstance(parser, SuggestingParser)]
        return list(dict.fromkeys([*own, *chain.from_iterable(theirs)]))


def suggestion(message: str, options: Sequence[str]) -> str:
    """What may have been meant by a word that an error message is about; "" if nothing is near.

    options: What the command takes, for messages about an unknown option.
    """
    choice = _CHOICE.search(message)
    if choice:
        return _nearest([choice[1]], ["".join(words) for words in _QUOTED.findall(choice[2])])
    words = message.partition("unrecognized arguments: ")[2].split()
    return _nearest([word.partition("=")[0] for word in words if word.startswith("-")], options)


def _nearest(words: Sequence[str], known: Sequence[str]) -> str:
    found = [near for word in words for near in get_close_matches(word, known, n=1, cutoff=0.6)]
    return f"; did you mean {', '.join(f'“{near}”' for near in found)}?" if found else ""


class _PrintVersion(argparse.Action):
    """Prints the version and ends the program; what tells it is imported only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from spatial_workbench.engine.core.version import application_version

        print(f"{PROGRAM} {application_version()}")
        parser.exit()


def add_version(parser: argparse.ArgumentParser) -> None:
    """Adds the option that prints the version."""
    parser.add_argument("--version", action=_PrintVersion, nargs=0, help="print the version")


def add_commands(add: AddCommand) -> None:
    """Adds the command that prints how a shell completes words."""
    command = add("completion", _completion, "Print what makes a shell complete words of this program.")
    command.add_argument("shell", choices=SHELLS, help="the shell")


def is_asked_by_a_shell() -> bool:
    """Whether a shell asks how a word may go on."""
    return "_ARGCOMPLETE" in os.environ


def complete(parser: argparse.ArgumentParser) -> None:
    """Tells a shell how a word may go on, and ends the program."""
    from spatial_workbench.engine.core.extras import require

    require("completion")
    import argcomplete

    argcomplete.autocomplete(parser)


def _completion(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.extras import require

    require("completion")
    from argcomplete.shell_integration import shellcode

    sys.stdout.write(shellcode([PROGRAM], shell=options.shell))
    return PASSED
