"""Commands about taking part in a study: the participant's window, and rehearsals with simulated people."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import (
    Actions,
    Refused,
    add_action,
    output_folder,
    print_message,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.files.bundles import Bundle


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    run = add_action(actions, "run", _run, "Open the participant's window of a bundle.")
    run.add_argument("file", metavar="FILE.study")
    run.add_argument("--code", default="", help="the participant's code, as if it had been typed")
    run.add_argument("--windowed", action="store_true", help="an ordinary window, which can be closed between people")
    run.add_argument("--try", action="store_true", dest="tries", help="leave nothing behind")
    run.add_argument(
        "--autostart", action="store_true", help="open again when the computer starts, until somebody leaves it"
    )
    run.add_argument("--control", help=argparse.SUPPRESS)
    run.add_argument("--sessions", help=argparse.SUPPRESS)
    rehearse = add_action(actions, "rehearse", _rehearse, "Let simulated people work through a bundle.")
    rehearse.add_argument("file", metavar="FILE.study")
    rehearse.add_argument("--people", type=int, help="how many; by default all places of the bundle")
    rehearse.add_argument("--seed", type=int, default=1)
    rehearse.add_argument("--model", choices=("reference", "random"), default="reference", help="how they answer")
    rehearse.add_argument("-o", "--output", metavar="FOLDER", help="where the results files go; beside the bundle")


def _run(options: argparse.Namespace) -> int:
    from spatial_workbench.app.studies.participant import application, autostart
    from spatial_workbench.app.studies.participant.window_form import WindowForm
    from spatial_workbench.app.window.application import has_display, refuse_bad_platform

    if (reason := refuse_bad_platform()) is not None:
        raise Refused(reason)
    if not has_display():
        raise Refused("No display was found, so no window can open.")
    path = Path(options.file).absolute()
    bundle = bundle_in(path)
    if date.today() > bundle.study.retention.delete_after:
        print_message(
            f"The data of this study were to be deleted after {bundle.study.retention.delete_after}; see “study purge”."
        )
    if options.autostart:
        autostart.write_entry(path, bundle.study.name)
    from spatial_workbench.engine.studies.sessions.entry import running_code

    code = options.code or (running_code(bundle) if options.autostart else "") or ""
    try:
        if options.control:
            return application.run_served(bundle, path, code, Path(options.sessions), Path(options.control))
        form = WindowForm.ORDINARY if options.windowed else WindowForm.KIOSK
        return application.run(bundle, path, code, form, options.tries)
    finally:
        if options.autostart:
            autostart.remove_entry()


def bundle_in(path: Path) -> Bundle:
    """The bundle in a file.

    Raises:
        Refused: It cannot be used.
    """
    from spatial_workbench.engine.studies.files.bundles import BundleError, read_bundle

    try:
        return read_bundle(path)
    except BundleError as error:
        raise Refused(str(error)) from None


def _rehearse(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.freezing import differences
    from spatial_workbench.engine.studies.sessions.rehearsing import rehearse

    path = Path(options.file)
    bundle = bundle_in(path)
    people = len(bundle.slots) if options.people is None else options.people
    if not 1 <= people <= len(bundle.slots):
        raise Refused(f"--people must be from 1 to {len(bundle.slots)}, the number of codes in the bundle.")
    if sentence := next(differences(bundle.study, bundle.materials), ""):
        raise Refused(sentence)
    folder = output_folder(options) if options.output else path.parent
    written = list(rehearse(bundle, people, options.seed, options.model, folder, printing_progress()))
    return show(options, [str(file) for file in written], [str(file) for file in written])
