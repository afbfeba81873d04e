"""Commands about people whom a recruiter sends: what the recruiter reports of them, and who is to be paid."""

from __future__ import annotations

import argparse
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_study
from spatial_workbench.app.commands.leading.asking import add_passphrase_option, asked_passphrase
from spatial_workbench.app.commands.plumbing import Actions, Refused, show

if TYPE_CHECKING:
    from spatial_workbench.app.serving.recruiting.payments import Bonuses
    from spatial_workbench.app.serving.recruiting.places import RecruitedPlaces
    from spatial_workbench.engine.store import Project


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    text = "Note who gave their place back, by the recruiter's table; such places are dealt again."
    recruited = add_study_action(actions, "recruited", _recruited, text, "table")
    pay = add_study_action(actions, "pay", _pay, "Write whom to pay, as the recruiter's table.")
    pay.add_argument("--recruit", type=Path, required=True, metavar="FILE", help="the file about the recruiter")
    pay.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where the table is written")
    pay.add_argument(
        "--without-bonus", action="store_true", help="leave the bonus of the plan out, while outcomes are sealed"
    )
    for action in (recruited, pay):
        action.add_argument(
            "--served",
            type=Path,
            action="append",
            default=[],
            metavar="FOLDER",
            help="the folder of a server, if not that beside the project; several times for several servers",
        )
    add_passphrase_option(pay, "which opens the identities, and no outcomes")


def _recruited(options: argparse.Namespace) -> int:
    from spatial_workbench.app.serving.links import kept_secret
    from spatial_workbench.app.serving.recruiting.arrivals import identity_hash
    from spatial_workbench.app.serving.recruiting.reports import ReportRefused, reports_in
    from spatial_workbench.app.serving.served_study import SECRET
    from spatial_workbench.engine.core.words import counted

    try:
        kind, reports = reports_in(Path(options.table).read_text("utf-8-sig"))
        secrets = {folder: kept_secret(folder / SECRET) for folder in _served(options)}
    except ReportRefused as error:
        raise Refused(f"{options.table} cannot be used. {error}") from None
    except UnicodeDecodeError:
        raise Refused(f"{options.table} is no text in UTF-8.") from None
    except OSError as error:
        raise Refused(f"{error.filename} cannot be read: {error.strerror}.") from None
    known = [False] * len(reports)
    for folder, secret in secrets.items():
        with closing(_places(folder)) as places:
            for number, report in enumerate(reports):
                known[number] |= places.report(identity_hash(secret, kind, report.person), report.status)
    given_back = counted(sum(known), "person has", "people have")
    others = f" {counted(len(known) - sum(known), 'other is', 'others are')} not known here." if not all(known) else ""
    return show(options, {"known": sum(known), "unknown": len(known) - sum(known)}, f"{given_back} given up.{others}")


def _pay(options: argparse.Namespace) -> int:
    from spatial_workbench.app.serving.recruiting.identities import SUFFIX, Identities, IdentitiesError
    from spatial_workbench.app.serving.recruiting.payments import PaidPerson, paid_people, payments_table
    from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFileError, read_recruiters_file
    from spatial_workbench.app.serving.served_study import BUNDLE
    from spatial_workbench.engine.core.files import write_whole
    from spatial_workbench.engine.core.words import counted
    from spatial_workbench.engine.studies.files.bundles import BundleError, read_bundle

    folders = _served(options)
    try:
        file = read_recruiters_file(options.recruit)
        version = read_bundle(folders[0] / BUNDLE).hash
    except (RecruitersFileError, BundleError) as error:
        raise Refused(str(error)) from None
    with chosen_study(options) as (project, study):
        bonuses = None if options.without_bonus else _bonuses(project, study)
        private = project.study_keys.private_by(version, asked_passphrase(options))
    people: list[PaidPerson] = []
    for folder in folders:
        try:
            identities = Identities(folder.with_suffix(SUFFIX)).open(private)
        except IdentitiesError as error:
            raise Refused(str(error)) from None
        with closing(_places(folder)) as places:
            people += paid_people(identities, places)
    table = payments_table(file, people, bonuses)
    try:
        write_whole(options.output, table.encode())
        options.output.chmod(0o600)
    except OSError as error:
        raise Refused(f"{options.output} cannot be written: {error.strerror}.") from None
    words = f"{counted(len(people), 'person', 'people')} in {options.output.name}, which only you can read."
    return show(options, {"people": len(people), "file": str(options.output)}, words)


def _bonuses(project: Project, study: str) -> Bonuses | None:
    """What people get beside their pay; None if the plan works out no bonus.

    Raises:
        Refused: Outcomes are sealed, or not all answers are judged.
    """
    from spatial_workbench.app.serving.recruiting.payments import Bonuses
    from spatial_workbench.engine.studies.analysis.bonuses import bonus_of
    from spatial_workbench.engine.studies.analysis.outcomes import StudyState

    outcomes = project.outcomes.of(study)
    if outcomes.study.incentive.per_solved is None:
        return None
    if outcomes.state is not StudyState.UNSEALED:
        raise Refused(
            "The bonus depends on outcomes, which are sealed. Open them first, or leave it out: --without-bonus"
        )
    if project.outcomes.submissions_to_judge(study):
        raise Refused("The bonus depends on answers that are not judged yet: spatial-workbench study unseal")
    by_code = {session.code: bonus_of(outcomes, session) for session in outcomes.sessions}
    return Bonuses(outcomes.study.incentive.currency, by_code)


def _served(options: argparse.Namespace) -> list[Path]:
    """The folders in which the study was served.

    Raises:
        Refused: It was not served, or not to people from a recruiter.
    """
    from spatial_workbench.app.serving.recruiting.recruited_study import PLACES
    from spatial_workbench.engine.studies.files.serving_state import served_folder

    folders: list[Path] = options.served
    if not folders:
        with chosen_study(options) as (_, study):
            folders = [served_folder(Path(options.project).absolute(), study)]
    for folder in folders:
        if not (folder / PLACES).is_file():
            raise Refused(
                f"In {folder}, no study was served to people from a recruiter: spatial-workbench study serve --recruit"
            )
    return folders


def _places(folder: Path) -> RecruitedPlaces:
    """Which place each person has.

    Raises:
        Refused: The file is damaged.
    """
    from spatial_workbench.app.serving.recruiting.places import RecruitedPlaces
    from spatial_workbench.app.serving.recruiting.recruited_study import PLACES

    try:
        return RecruitedPlaces(folder / PLACES)
    except sqlite3.Error as error:
        raise Refused(f"{folder / PLACES} cannot be used: {error}.") from None
