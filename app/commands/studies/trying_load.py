"""How many people a machine holds: the part of `study serve` that tries it with simulated people."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import Refused, print_message, show

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.files.bundles import Bundle

USUAL_S = 60.0
MOST_PEOPLE = 500


def add_load_options(serve: argparse.ArgumentParser) -> None:
    """Adds the options to the action."""
    serve.add_argument(
        "--try-load",
        type=int,
        metavar="N",
        help="instead, let N simulated people take part in a temporary copy on this machine, and print how long "
        "pictures take and what each person needs; writes nothing into the project",
    )
    serve.add_argument(
        "--seconds", type=float, default=USUAL_S, help=f"how long they work, with --try-load; by default {USUAL_S:.0f}"
    )
    serve.add_argument("--anyway", action="store_true", help="with --try-load: even if the memory may not suffice")


def check_load(options: argparse.Namespace) -> None:
    """Refuses what cannot be tried.

    Raises:
        Refused: A figure makes no sense, or the memory may not suffice.
    """
    from spatial_workbench.app.serving.load.load_trial import memory_lacking
    from spatial_workbench.app.serving.load.taken_share import free_memory

    if not 1 <= options.try_load <= MOST_PEOPLE:
        raise Refused(f"--try-load must be from 1 to {MOST_PEOPLE}.")
    if not options.seconds > 0:
        raise Refused("--seconds must be more than 0.")
    if not options.anyway and (lacking := memory_lacking(options.try_load, free_memory())):
        raise Refused(f"{lacking} With --anyway it is tried nevertheless.")


def show_load(options: argparse.Namespace, bundle: Bundle) -> int:
    """Tries it, and shows the figures."""
    from spatial_workbench.app.serving.load.copied_study import NobodyFits
    from spatial_workbench.app.serving.load.load_summary import load_table
    from spatial_workbench.app.serving.load.load_trial import LoadTrialFailed, try_load

    try:
        summary = try_load(bundle, options.try_load, options.seconds, print_message)
    except (LoadTrialFailed, NobodyFits) as error:
        raise Refused(str(error)) from None
    return show(options, summary.model_dump(mode="json"), load_table(summary))
