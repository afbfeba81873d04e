"""Verifiers of other people: a list in the user's settings, asked about single answers and about all of a project."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.laboratory.choosing import own_verifier
from spatial_workbench.app.commands.laboratory.trusting import add_trust_actions
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    AddCommand,
    Refused,
    add_action,
    print_message,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier

MOST_LISTED = 20


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    command = add("verifiers", _list, "List, add, remove and run verifiers of your own.")
    actions = command.add_subparsers(metavar="ACTION")
    add_action(actions, "list", _list, "List the verifiers that were added, and those that packages bring.")
    adding = add_action(actions, "add", _add, "Add a verifier of a task (docs/own_verifiers.md).")
    adding.add_argument("name")
    adding.add_argument("task", metavar="TASK")
    what = adding.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--file",
        metavar="FILE.py",
        help="with a function verify(instance, answer); runs in the sandbox unless it is trusted",
    )
    what.add_argument("--command", metavar="WORDS", help="a command that reads a case and prints a verdict, as JSON")
    adding.add_argument(
        "--lasting",
        action="store_true",
        help="the command stays: a case on each line it reads, a verdict on each it prints",
    )
    adding.add_argument(
        "--trust",
        action="store_true",
        help="run the file outside of the sandbox, as you do: it can read and change your files",
    )
    adding.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for one answer; by default 60")
    removing = add_action(actions, "remove", _remove, "Remove a verifier; its verdicts stay where they are stored.")
    removing.add_argument("name")
    running = add_action(actions, "run", _run, "Judge all attempts of a project at the verifier's task by it.")
    running.add_argument("name")
    running.add_argument("project", metavar="PROJECT")
    add_trust_actions(actions)


def _list(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError, OwnVerifiers, plugged_in

    try:
        found = (*OwnVerifiers().all(), *plugged_in())
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    rows = [verifier.model_dump(mode="json") | {"version": _version(verifier)} for verifier in found]
    lines = [f"{row['name']}  {row['task']}  {row['version']}  {_place(row)}" for row in rows]
    return show(options, rows, lines or ["No verifiers yet. “verifiers add” adds one; see docs/own_verifiers.md."])


def _version(verifier: OwnVerifier) -> str:
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError

    try:
        return verifier.version
    except OwnVerifierError as error:
        return str(error)


def _place(row: dict[str, Any]) -> str:
    place = shlex.join(row["command"]) or str(row["path"])
    return f"{place}  (outside of the sandbox)" if row["trusted"] else place


def _add(options: argparse.Namespace) -> int:
    from pydantic import ValidationError

    from spatial_workbench.engine.evaluation.laboratory.own import (
        OwnKind,
        OwnVerifier,
        OwnVerifierError,
        OwnVerifiers,
    )

    command = tuple(shlex.split(options.command or ""))
    what: dict[str, Any] = {"kind": OwnKind.COMMAND, "command": command, "lasting": options.lasting}
    if options.file and options.lasting:
        raise Refused("--lasting belongs to --command; a file stays loaded anyway.")
    if options.trust and not options.file:
        raise Refused("--trust belongs to --file; a command runs outside of the sandbox anyway.")
    if options.file:
        what = {"kind": OwnKind.FILE, "path": str(Path(options.file).resolve())}
    try:
        verifier = OwnVerifier(name=options.name, task=options.task, seconds=options.seconds, **what)
        verifier = verifier.with_trust() if options.trust else verifier
        OwnVerifiers().add(verifier)
    except ValidationError:
        raise Refused("--seconds: more than 0, and at most 3600") from None
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    words = f"“{verifier.name}” judges answers to {verifier.task}, in version {verifier.version}."
    if verifier.trusted:
        words += " It runs outside of the sandbox until the file changes."
    return show(options, verifier.model_dump(mode="json") | {"version": verifier.version}, words)


def _remove(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifierError, OwnVerifiers

    try:
        OwnVerifiers().remove(options.name)
    except OwnVerifierError as error:
        raise Refused(str(error)) from None
    return show(options, {"removed": options.name}, f"“{options.name}” is removed; its verdicts stay.")


def _run(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.evaluation.laboratory.own import judge_attempts

    outcome = judge_attempts(Path(options.project), own_verifier(options.name), printing_progress())
    for number, trouble in outcome.troubles[:MOST_LISTED]:
        print_message(f"attempt {number}: no verdict: {trouble}")
    if len(outcome.troubles) > MOST_LISTED:
        print_message(f"… and {len(outcome.troubles) - MOST_LISTED} more")
    data = {"judged": outcome.judged, "known": outcome.known, "differing": outcome.differing}
    data["without_verdict"] = len(outcome.troubles)
    words = (
        f"{counted(outcome.judged, 'attempt')} judged, {outcome.differing} of them differently from the default; "
        f"{outcome.known} were judged before; no verdict on {len(outcome.troubles)}."
    )
    show(options, data, words)
    return NOT_PASSED if outcome.troubles else PASSED
