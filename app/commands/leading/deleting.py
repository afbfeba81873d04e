"""Commands that delete data: of a person who withdraws, and of sessions no longer needed."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import date

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_code, chosen_study
from spatial_workbench.app.commands.leading.asking import confirm
from spatial_workbench.app.commands.plumbing import NOT_PASSED, PASSED, Actions, print_message, show


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    withdraw = add_study_action(actions, "withdraw", _withdraw, "Delete all data of a code for good.", "code")
    withdraw.add_argument("--version", default="", help="beginning of a hash, if the code is in several versions")
    withdraw.add_argument("--phase", choices=("main", "pilot", "rehearsal"))
    withdraw.add_argument("--yes", action="store_true", help="do not ask")

    purge = add_study_action(
        actions, "purge", _purge, "Delete session files of this machine whose results were merged."
    )
    purge.add_argument("--data", action="store_true", help="delete all sessions from the project, too")
    purge.add_argument("--yes", action="store_true", help="do not ask")


def _withdraw(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.session_file import SessionFileError
    from spatial_workbench.engine.studies.sessions.this_machine import delete_local

    code = chosen_code(options)
    with chosen_study(options) as (project, study):
        confirm(options, f"Delete all data of {code}? This cannot be undone. [y/N] ")
        versions = {version.hash for version in project.studies.versions(study)}
        done = project.withdrawals.withdraw(study, code, options.version, options.phase)
        gone = project.sessions.tombstones(study)[-1]
    try:
        local = delete_local(gone.hash, code) if gone.hash in versions else []
    except (SessionFileError, OSError) as error:
        local = []
        print_message(f"The files on this machine were not deleted: {error}")
    lines = [f"{code}: {done.sessions} sessions and {done.attempts} attempts deleted."]
    lines += [f"Deleted on this machine: {name}" for name in local]
    lines += [f"Still holds the data: {name}" for name in done.elsewhere]
    if not done.is_journal_clear:
        lines.append("Another window has the project open; close it and run the command again to clear the journal.")
    show(options, asdict(done) | {"local": local}, lines)
    return PASSED if done.is_journal_clear else NOT_PASSED


def _purge(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.this_machine import delete_merged

    with chosen_study(options) as (project, study):
        delete_after = project.studies.row(study).delete_after
        question = "Delete all sessions of the study from the project? This cannot be undone. [y/N] "
        if options.data:
            if date.today().isoformat() <= delete_after:
                print_message(f"The data may be kept until {delete_after}.")
            confirm(options, question)
        files = delete_merged(project.sessions.deliveries(study))
        sessions = project.withdrawals.purge(study) if options.data else 0
    lines = [f"Deleted on this machine: {name}" for name in files] or ["No files on this machine to delete."]
    lines += [f"{sessions} sessions deleted from the project."] if options.data else []
    return show(options, {"files": files, "sessions": sessions}, lines)
