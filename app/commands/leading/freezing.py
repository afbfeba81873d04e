"""Commands that fix a study: freeze or amend it, write the recovery sheet, record the registration."""

from __future__ import annotations

import argparse
from datetime import date
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_study
from spatial_workbench.app.commands.leading.asking import add_passphrase_option, asked_passphrase, typed_passphrase
from spatial_workbench.app.commands.leading.drafting import read_document
from spatial_workbench.app.commands.plumbing import Actions, Refused, output_file, show, wide_prompts

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.studies.planning.document import Study


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    freeze = add_study_action(actions, "freeze", _freeze, "Fix the document, its places and its materials.")
    freeze.add_argument("--amendment", metavar="FILE.json", help="a changed document of a frozen study")
    freeze.add_argument("--reason", default="", help="why it is amended")
    freeze.add_argument("--comparable", default="", metavar="SENTENCE", help="why sessions may be pooled")
    add_passphrase_option(freeze, "made up and printed unless given")

    recovery = add_study_action(
        actions, "recovery", _recovery, "Write a sheet with the key that replaces a lost passphrase."
    )
    recovery.add_argument("-o", "--output", required=True, metavar="FILE.txt")
    add_passphrase_option(recovery, "asked for unless given")

    register = add_study_action(
        actions, "register", _register, "Record where the plan was registered; not part of the hash."
    )
    register.add_argument("--link", required=True)
    register.add_argument("--date", required=True, help="YYYY-MM-DD")


def _freeze(options: argparse.Namespace) -> int:
    with chosen_study(options) as (project, study):
        if options.amendment:
            document = read_document(options.amendment)
            _refuse_wide_prompts(document)
            digest = project.studies.amend(study, document, options.reason, options.comparable)
        else:
            digest, made_up = freeze_draft(options, project, study)
            return show(options, {"hash": digest, "outcomes_passphrase": made_up}, [digest, *made_up_lines(made_up)])
    return show(options, {"hash": digest}, digest)


def freeze_draft(options: argparse.Namespace, project: Project, study: str) -> tuple[str, str]:
    """Freezes a study unless it is frozen; returns its hash, and the passphrase if one was made up.

    Raises:
        Refused: An item's prompt is too wide, or the file of the passphrase holds none.
    """
    from spatial_workbench.engine.studies.planning.drafting import new_passphrase

    if not project.studies.row(study).is_editable:
        return project.studies.row(study).hash, ""
    _refuse_wide_prompts(project.studies.document(study))
    given = typed_passphrase(options)
    made_up = "" if given else new_passphrase()
    return project.studies.freeze(study, given or made_up), made_up


def made_up_lines(passphrase: str) -> list[str]:
    """The line that shows a passphrase that was made up; none without one."""
    return [f"Passphrase for the outcomes, stored nowhere: {passphrase}"] if passphrase else []


def _refuse_wide_prompts(document: Study) -> None:
    """Raises an error if an item's prompt has to be scrolled sideways; `engine` knows no fonts, and cannot tell."""
    for problem in wide_prompts(document):
        raise Refused(f"{problem.place}: {problem.message}.")


def _recovery(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.files.sealing import recovery_sheet

    with chosen_study(options) as (project, study):
        row = project.studies.row(study)
        key = project.study_keys.recovery(study, asked_passphrase(options))
    with output_file(options, ".txt") as path:
        path.write_text(recovery_sheet(row.name, row.hash, key))
    return show(options, {"file": options.output}, f"The recovery sheet is in {options.output}.")


def _register(options: argparse.Namespace) -> int:
    try:
        registered = date.fromisoformat(options.date).isoformat()
    except ValueError:
        raise Refused(f"“{options.date}” is not a date; write it like 2026-11-22.") from None
    with chosen_study(options) as (project, study):
        project.studies.register(study, options.link, registered)
    return show(options, {"link": options.link, "date": registered}, f"Registered on {registered}: {options.link}")
