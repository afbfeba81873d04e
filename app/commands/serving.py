"""The command that lets people take part in a study in their browsers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_study
from spatial_workbench.app.commands.plumbing import PASSED, Actions, Refused, print_message
from spatial_workbench.app.commands.serving_address import (
    add_address_options,
    chosen_address,
    listening_socket,
    parts_of_system,
)

if TYPE_CHECKING:
    from spatial_workbench.app.serving.addresses import ServingAddress
    from spatial_workbench.app.serving.served_study import ServedStudy
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.studies.files.bundles import Bundle

AT_ONCE = 10


def add_actions(actions: Actions) -> None:
    """Adds the action to the command `study`."""
    serve = add_study_action(actions, "serve", _serve, "Let people take part in a study in their browsers.")
    add_address_options(serve)
    serve.add_argument(
        "--recruit",
        type=Path,
        metavar="FILE",
        help="people come from a recruiter, such as Prolific or SONA, as FILE says",
    )
    serve.add_argument("--codes", default="", metavar="P001-P020", help="by default all places without the reserves")
    serve.add_argument("--drain", action="store_true", help="nobody begins any more; who has begun may go on")
    serve.add_argument("--at-once", type=int, default=AT_ONCE, help=f"people at the same time; by default {AT_ONCE}")


def _serve(options: argparse.Namespace) -> int:
    parts = parts_of_system()
    from spatial_workbench.app.serving.server import StudyServer

    if options.at_once < 1:
        raise Refused("--at-once must be at least 1.")
    address = chosen_address(options)
    study = _served_study(options, address)
    listening = listening_socket(options, address)
    try:
        server = StudyServer(study, parts, listening, print_message)
    except ValueError as error:
        raise Refused(str(error)) from None
    if study.recruiter is None:
        for code in server.gate.links.codes:
            print(f"{code}  {server.gate.link_of(code)}  PIN {server.gate.links.pin_of(code)}")
    else:
        _print_entry(study)
    print_message(f"People take part at {study.url} until you press Ctrl+C. Sessions go on when you serve again.")
    server.run()
    return PASSED


def _print_entry(study: ServedStudy) -> None:
    """Prints the address for the recruiter, and what has to be known of it."""
    from spatial_workbench.app.serving.recruiting.entrance import ENTRY
    from spatial_workbench.app.serving.recruiting.recruiters_file import entry_query, read_recruiters_file

    assert study.recruiter is not None
    file = read_recruiters_file(study.recruiter)
    print(f"{study.url}{ENTRY}?{entry_query(file)}")
    if not file.is_signed:
        print_message("Identities are unsigned: whoever knows one can begin under it.")


def _served_study(options: argparse.Namespace, address: ServingAddress) -> ServedStudy:
    from spatial_workbench.app.serving.served_study import ServedStudy
    from spatial_workbench.engine.studies.files.serving_state import served_folder

    path = Path(options.project).absolute()
    with chosen_study(options) as (project, study):
        folder = served_folder(path, study)
        bundle = _bundle(options, project, study, folder)
    recruiter = options.recruit.absolute() if options.recruit else None
    served = ServedStudy(path, bundle, folder, address, options.at_once, options.drain, recruiter)
    try:
        served.prepare()
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise Refused(str(error)) from None
    return served


def _bundle(options: argparse.Namespace, project: Project, study: str, folder: Path) -> Bundle:
    """The bundle that was served before, if it is of the present version; else a new one."""
    from spatial_workbench.app.serving.served_study import BUNDLE, PEOPLE
    from spatial_workbench.engine.store.studies.places import codes_between
    from spatial_workbench.engine.studies.files.bundles import BundleError, read_bundle
    from spatial_workbench.engine.studies.planning.document import StudySetting
    from spatial_workbench.engine.studies.sessions.session_file import SUFFIX as SESSION

    newest = project.studies.newest_version(study)
    if newest is None:
        raise Refused("The study is a draft. Freeze it first: spatial-workbench study freeze")
    codes = list(codes_between(options.codes))
    if options.recruit and not codes:
        # Reserves, too: they are dealt where somebody has given a place back.
        codes = [place.slot.code for place in project.places.slots(study)]
    try:
        served = read_bundle(folder / BUNDLE)
    except (BundleError, FileNotFoundError):
        served = None
    if served is not None and served.hash == newest.hash and set(codes) <= {slot.code for slot in served.slots}:
        return served
    if any(folder.glob(f"{PEOPLE}/*/*{SESSION}")):
        raise Refused(
            f"{folder} holds sessions of other places, or of an earlier version. Serve those until they have ended, "
            "and then move the folder away."
        )
    bundle, warnings = project.places.add_bundle(study, codes, setting=StudySetting.BROWSER)
    for warning in warnings:
        print_message(warning)
    return bundle
