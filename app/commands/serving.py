"""The command that lets people take part in a study in their browsers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.leading.actions import chosen_study
from spatial_workbench.app.commands.plumbing import PASSED, Actions, Refused, add_action, print_message
from spatial_workbench.app.commands.serving_address import (
    add_address_options,
    chosen_address,
    listening_socket,
    parts_of_system,
)
from spatial_workbench.app.commands.studies.trying_load import add_load_options, check_load, show_load

if TYPE_CHECKING:
    from spatial_workbench.app.serving.addresses import ServingAddress
    from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFile
    from spatial_workbench.app.serving.served_study import ServedStudy
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.store.studies.records import StudyVersion
    from spatial_workbench.engine.studies.files.bundles import Bundle
    from spatial_workbench.engine.studies.planning.document import Study

AT_ONCE = 10


def add_actions(actions: Actions) -> None:
    """Adds the action to the command `study`."""
    serve = add_action(actions, "serve", _serve, "Let people take part in a study in their browsers.")
    serve.add_argument("project", metavar="PROJECT", help="or a bundle, whose results are merged elsewhere")
    serve.add_argument(
        "study", metavar="STUDY", nargs="?", default="", help="its id, its name, or the beginning of its hash"
    )
    add_address_options(serve)
    serve.add_argument(
        "--recruit",
        type=Path,
        metavar="FILE",
        help="people come from a recruiter, such as Prolific or SONA, as FILE says",
    )
    serve.add_argument(
        "--servers",
        type=Path,
        metavar="FILE",
        help="show nobody a window, but send people on to the servers in FILE, which have places of their own",
    )
    serve.add_argument("--codes", default="", metavar="P001-P020", help="by default all places without the reserves")
    serve.add_argument("--drain", action="store_true", help="nobody begins any more; who has begun may go on")
    serve.add_argument("--at-once", type=int, default=AT_ONCE, help=f"people at the same time; by default {AT_ONCE}")
    add_load_options(serve)


def _serve(options: argparse.Namespace) -> int:
    if options.servers:
        return _serve_entrance(options)
    parts = parts_of_system()
    if options.try_load is not None:
        check_load(options)
        return show_load(options, _tried_bundle(options))
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


def _serve_entrance(options: argparse.Namespace) -> int:
    """Serves the entrance of several servers."""
    from spatial_workbench.app.serving.recruiting.recruiters_file import RecruitersFileError, read_recruiters_file
    from spatial_workbench.app.serving.recruiting.servers_file import read_servers
    from spatial_workbench.app.serving.recruiting.shared_entrance import EntranceServer, SharedEntrance

    if options.recruit is None:
        raise Refused("--servers needs --recruit: people with links of their own go to their server at once.")
    address = chosen_address(options)
    try:
        file = read_recruiters_file(options.recruit)
        servers = read_servers(options.servers)
        entrance = SharedEntrance(servers, _planned(options), file, options.recruit.absolute().parent, print_message)
    except RecruitersFileError as error:
        raise Refused(str(error)) from None
    listening = listening_socket(options, address)
    _print_address(address.url, file)
    print_message(f"People come in at {address.url} until you press Ctrl+C, and go on to {len(servers)} servers.")
    EntranceServer(entrance, address, listening, print_message).run()
    return PASSED


def _planned(options: argparse.Namespace) -> Study:
    """The study of a project, or of a bundle."""
    if _is_bundle(options):
        return _read_bundle(options).study
    with chosen_study(options) as (project, study):
        return project.studies.document(study)


def _print_entry(study: ServedStudy) -> None:
    """Prints the address for the recruiter, and what has to be known of it."""
    from spatial_workbench.app.serving.recruiting.recruiters_file import read_recruiters_file

    assert study.recruiter is not None
    _print_address(study.url, read_recruiters_file(study.recruiter))


def _print_address(url: str, file: RecruitersFile) -> None:
    from spatial_workbench.app.serving.recruiting.entrance import ENTRY
    from spatial_workbench.app.serving.recruiting.recruiters_file import entry_query

    print(f"{url}{ENTRY}?{entry_query(file)}")
    if not file.is_signed:
        print_message("Identities are unsigned: whoever knows one can begin under it.")


def _served_study(options: argparse.Namespace, address: ServingAddress) -> ServedStudy:
    from spatial_workbench.app.serving.served_study import ServedStudy
    from spatial_workbench.engine.studies.files.serving_state import served_folder

    path = Path(options.project).absolute()
    if _is_bundle(options):
        project = None
        folder = path.with_suffix(".served")
        bundle = _read_bundle(options)
    else:
        project = path
        with chosen_study(options) as (opened, study):
            folder = served_folder(path, study)
            bundle = _bundle(options, opened, study, folder)
    recruiter = options.recruit.absolute() if options.recruit else None
    served = ServedStudy(project, bundle, folder, address, options.at_once, options.drain, recruiter)
    try:
        served.prepare()
    except OSError as error:
        raise Refused(f"{folder} cannot be written: {error.strerror}.") from None
    except ValueError as error:
        raise Refused(str(error)) from None
    return served


def _is_bundle(options: argparse.Namespace) -> bool:
    """Whether a bundle is served.

    Raises:
        Refused: What was given does not fit together.
    """
    from spatial_workbench.engine.studies.files.bundles import SUFFIX

    is_bundle = Path(options.project).suffix == SUFFIX
    if is_bundle and (options.study or options.codes):
        raise Refused("A bundle has one study, and its places: leave STUDY and --codes out.")
    if not is_bundle and not options.study:
        raise Refused("Say which study of the project: spatial-workbench study serve PROJECT STUDY")
    return is_bundle


def _read_bundle(options: argparse.Namespace) -> Bundle:
    """The bundle that is served.

    Raises:
        Refused: It cannot be read, or its people take part at a desk.
    """
    from spatial_workbench.engine.studies.files.bundles import BundleError, read_bundle
    from spatial_workbench.engine.studies.planning.document import StudySetting

    try:
        bundle = read_bundle(Path(options.project))
    except BundleError as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"{options.project} cannot be read: {error.strerror}.") from None
    if StudySetting.BROWSER not in bundle.study.settings:
        raise Refused("By its plan, people take part in this study at a desk.")
    return bundle


def _bundle(options: argparse.Namespace, project: Project, study: str, folder: Path) -> Bundle:
    """The bundle that was served before, if it is of the present version; else a new one."""
    from spatial_workbench.app.serving.served_study import BUNDLE, PEOPLE
    from spatial_workbench.engine.store.studies.places import codes_between
    from spatial_workbench.engine.studies.files.bundles import BundleError, read_bundle
    from spatial_workbench.engine.studies.planning.document import StudySetting
    from spatial_workbench.engine.studies.sessions.session_file import SUFFIX as SESSION

    newest = _frozen_version(project, study)
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


def _tried_bundle(options: argparse.Namespace) -> Bundle:
    """The bundle of which a copy is tried; of a project, one with all places, which is not kept there."""
    from spatial_workbench.engine.studies.files.bundles import bundle_of
    from spatial_workbench.engine.studies.planning.document import StudySetting

    if _is_bundle(options):
        return _read_bundle(options)
    with chosen_study(options) as (project, study):
        version = _frozen_version(project, study)
        project.places.require_setting(study, StudySetting.BROWSER)
    return bundle_of(version.study, version.frozen, frozenset())


def _frozen_version(project: Project, study: str) -> StudyVersion:
    """The version of a study that people take part in."""
    newest = project.studies.newest_version(study)
    if newest is None:
        raise Refused("The study is a draft. Freeze it first: spatial-workbench study freeze")
    return newest
