"""Commands that decide what counts: exclude, close the collection, open the outcomes."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_code, chosen_study
from spatial_workbench.app.commands.leading.asking import add_passphrase_option, asked_passphrase, asked_reply, confirm
from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    Actions,
    Refused,
    print_message,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.sessions.schema import SessionRecord


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    exclude = add_study_action(
        actions, "exclude", _exclude, "Exclude a session, or an item of it, with a reason.", "code"
    )
    exclude.add_argument("--reason", required=True, help="at least 10 characters")
    exclude.add_argument("--item", default="", help="only this item; by default the whole session")
    exclude.add_argument("--session", default="", help="if the code has several")

    close = add_study_action(actions, "close", _close, "End collection and fix the exclusions.")
    close.add_argument("--name", default="", help="the name of the study, as a confirmation")
    close.add_argument("--yes", action="store_true", help="do not ask")

    unseal = add_study_action(actions, "unseal", _unseal, "Judge all answers and open the outcomes.")
    unseal.add_argument("--before-exclusions", action="store_true", help="look early; the report begins by saying so")
    add_passphrase_option(unseal, "or the recovery key; asked for unless given")
    unseal.add_argument("--note", default="", help="why")
    unseal.add_argument("--workers", type=int, help="how many answers are judged at once")
    unseal.add_argument("--yes", action="store_true", help="do not ask")


def _exclude(options: argparse.Namespace) -> int:
    code = chosen_code(options)
    with chosen_study(options) as (project, study):
        sessions = [one for one in project.sessions.of_record(study) if one.code == code]
        session = _only_session(code, [one for one in sessions if options.session in ("", one.id)])
        kind = project.exclusions.exclude(study, session.id, options.reason, _position_of(session, options.item))
    words = "a post-hoc entry, listed separately" if kind == "post-hoc" else "an entry of the list that closing fixes"
    return show(options, {"session": session.id, "kind": kind}, f"{code}: {words}.")


def _only_session(code: str, sessions: list[SessionRecord]) -> SessionRecord:
    if len(sessions) != 1:
        ids = ", ".join(session.id for session in sessions)
        raise Refused(f"{code} has several sessions: {ids}. Name one." if sessions else f"{code} has no session.")
    return sessions[0]


def _position_of(session: SessionRecord, item: str) -> int | None:
    if not item:
        return None
    places = [trial.position for trial in session.trials if trial.item == item]
    if not places:
        raise Refused(f"The session has no item “{item}”.")
    return places[0]


def _close(options: argparse.Namespace) -> int:
    with chosen_study(options) as (project, study):
        name = project.studies.row(study).name
        missing = project.outcomes.missing_codes(study)
        if missing:
            print_message(f"No results yet: {', '.join(missing)}")
        typed = options.name or (name if options.yes else asked_reply("Type the name of the study to close it: "))
        digest = project.exclusions.close_study(study, typed)
        entries = project.exclusions.fixed(study)
    data = {"list_hash": digest, "entries": [asdict(entry) for entry in entries]}
    lines = [f"Closed. {len(entries)} entries in the list of exclusions, {digest[:12]}"]
    lines += [f"{entry.code}  {entry.rule}: {entry.value} ({entry.response})" for entry in entries]
    return show(options, data, lines)


def _unseal(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.unsealing import unseal

    with chosen_study(options) as (project, study):
        missing = project.outcomes.missing_codes(study)
        if missing:
            print_message(f"No results were merged for {', '.join(missing)}; they cannot be merged afterwards.")
        confirm(options, "Open the outcomes? This cannot be undone. [y/N] ")
        secret = asked_passphrase(options) if project.study_keys.is_locked(study) else ""
        path = project.path
        done = unseal(
            path, study, secret, options.before_exclusions, options.note, printing_progress(), options.workers
        )
    for sentence in (*done.warnings, *done.failures):
        print_message(sentence)
    show(options, asdict(done), f"{done.judged} submissions judged.")
    return NOT_PASSED if done.failures else PASSED
