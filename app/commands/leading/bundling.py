"""Commands about what a machine is given: write a bundle, set the accommodations of a place."""

from __future__ import annotations

import argparse
from pathlib import Path

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_code, chosen_study
from spatial_workbench.app.commands.leading.asking import add_passphrase_option
from spatial_workbench.app.commands.leading.freezing import freeze_draft, made_up_lines
from spatial_workbench.app.commands.plumbing import STANDARD_OUTPUT, Actions, Refused, output_file, print_message, show


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    bundle = add_study_action(
        actions, "bundle", _bundle, "Write a bundle for a machine. The first one freezes the study."
    )
    bundle.add_argument("-o", "--output", required=True, metavar="FILE.study")
    bundle.add_argument("--codes", default="", metavar="P001-P020", help="by default all places without the reserves")
    bundle.add_argument("--site", default="", help="name of the machine or the room")
    bundle.add_argument(
        "--setting",
        choices=("desk", "browser"),
        default="desk",
        help="where its people take part",
    )
    bundle.add_argument("--pilot", action="store_true", help="its sessions are never analysed; nothing is frozen")
    add_passphrase_option(bundle, "of the bundle that freezes the study; made up and printed unless given")

    needs = add_study_action(actions, "accommodate", _accommodate, "Set the accommodations of a place.", "code")
    needs.add_argument("--time-factor", type=float, default=1.0, help="1 to 3")
    needs.add_argument("--type-scale", type=float, default=1.0, help="1 to 2")
    for flag in ("reduced-motion", "high-contrast", "keyboard-only"):
        needs.add_argument(f"--{flag}", action="store_true")


def _bundle(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.store.studies.places import codes_between
    from spatial_workbench.engine.studies.files.bundles import Phase, write_bundle
    from spatial_workbench.engine.studies.planning.document import StudySetting

    if options.output != STANDARD_OUTPUT and Path(options.output).suffix != ".study":
        raise Refused("The name of a bundle ends in .study")
    codes = list(codes_between(options.codes))
    with chosen_study(options) as (project, study):
        made_up = "" if options.pilot else freeze_draft(options, project, study)[1]
        phase: Phase = "pilot" if options.pilot else "main"
        setting = StudySetting(options.setting)
        bundle, warnings = project.places.add_bundle(study, codes, phase, options.site, setting=setting)
        with output_file(options, ".study") as path:
            digest = write_bundle(path, bundle)
        project.places.note_bundle_file(bundle.id, Path(options.output).name, digest)
    for warning in warnings:
        print_message(warning)
    codes = [slot.code for slot in bundle.slots]
    data = {"hash": bundle.hash, "bundle": bundle.id, "codes": codes, "digest": digest, "warnings": warnings}
    places = f"{len(codes)} places, {codes[0]} to {codes[-1]}"
    lines = [f"{options.output}: {places}, study {bundle.hash[:12]}", *made_up_lines(made_up)]
    return show(options, data | {"outcomes_passphrase": made_up}, lines)


def _accommodate(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.schema import Accommodations

    needs = Accommodations(**{name: getattr(options, name) for name in Accommodations.model_fields})
    code = chosen_code(options)
    with chosen_study(options) as (project, study):
        project.places.accommodate(study, code, needs)
    data = needs.model_dump()
    return show(options, data, f"{code}: " + ", ".join(f"{name} {value}" for name, value in data.items()))
