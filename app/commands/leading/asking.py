"""Questions on the terminal before something that cannot be undone, and passphrases for the outcomes."""

from __future__ import annotations

import argparse
import sys

from spatial_workbench.app.commands.plumbing import Refused, print_message, read


def confirm(options: argparse.Namespace, question: str) -> None:
    """Asks before something is done, unless the options say yes.

    Raises:
        Refused: The reply is no, or there is no terminal.
    """
    if not options.yes and asked_reply(question).strip().lower() not in ("y", "yes"):
        raise Refused("Nothing was done. Use --yes to continue without a question.")


def asked_reply(question: str) -> str:
    """The reply typed after a question; empty without a terminal."""
    if not sys.stdin.isatty():
        return ""
    print_message(question, end="")
    return sys.stdin.readline().rstrip("\n")


def add_passphrase_option(parser: argparse.ArgumentParser, help_: str) -> None:
    """Adds the option that names a file with the passphrase."""
    parser.add_argument("--passphrase-file", metavar="FILE", help=f"the passphrase for the outcomes, {help_}")


def typed_passphrase(options: argparse.Namespace) -> str:
    """The passphrase in the file that the options name; "" without one.

    Raises:
        Refused: The file is not text, or empty.
    """
    if not options.passphrase_file:
        return ""
    try:
        passphrase = read(options.passphrase_file).decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise Refused(f"The passphrase in {options.passphrase_file} is not text in UTF-8.") from None
    if not passphrase:
        raise Refused(f"There is no passphrase in {options.passphrase_file}.")
    return passphrase


def asked_passphrase(options: argparse.Namespace) -> str:
    """The passphrase in the file that the options name, or the one that is typed.

    Raises:
        Refused: There is none.
    """
    import getpass

    passphrase = typed_passphrase(options)
    if not passphrase and sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase for the outcomes, or recovery key: ").strip()
    if not passphrase:
        raise Refused("Give the passphrase for the outcomes in a file: --passphrase-file FILE.")
    return passphrase
