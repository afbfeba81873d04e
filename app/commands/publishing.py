"""A site of a project's results."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.commands.plumbing import (
    AddCommand,
    Refused,
    opened,
    output_folder,
    printing_progress,
    show,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.reporting.site.choice import SiteChoice


def add_commands(add: AddCommand) -> None:
    """Adds the command to the parser that `add` belongs to."""
    publish = add("publish", _publish, "Write the results of a project as a site that any web server can show.")
    publish.add_argument("project", metavar="PROJECT")
    publish.add_argument("-o", "--output", metavar="FOLDER", help="the site's folder; an older site there is replaced")
    publish.add_argument("--dry-run", action="store_true", help="only list what would go in and what stays out")
    publish.add_argument("--title", help="what the site is called")
    publish.add_argument(
        "--person", action="append", metavar="NAME", help="show a person's attempts without the name; they agreed to it"
    )
    publish.add_argument(
        "--named", action="append", metavar="NAME", help="show a person's attempts under the name; they agreed to it"
    )
    publish.add_argument(
        "--study", action="append", metavar="NAME", help="add a study whose outcomes are unsealed, in its public form"
    )
    publish.add_argument("--no-pictures", action="store_true", help="draw nothing")
    publish.add_argument("--no-motion", action="store_true", help="draw attempts that turn, but replay nothing")
    publish.add_argument("--canary", metavar="GUID", help="the canary's GUID, if it is not to be a new one")


def _publish(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.reporting.site.choice import CannotPublish

    if not options.dry_run and not options.output:
        raise Refused("Name the site's folder with -o, or add --dry-run.")
    try:
        return _previewed(options) if options.dry_run else _published(options)
    except CannotPublish as error:
        raise Refused(str(error)) from None


def _choice(options: argparse.Namespace) -> SiteChoice:
    from spatial_workbench.engine.reporting.site.choice import USUAL_TITLE, SiteChoice

    return SiteChoice(
        title=options.title or USUAL_TITLE,
        people=tuple(options.person or ()),
        named=tuple(options.named or ()),
        studies=tuple(options.study or ()),
        pictures=not options.no_pictures,
        motion=not options.no_motion,
        canary=options.canary or "",
    )


def _previewed(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.reporting.site.publishing import preview

    with opened(Path(options.project)) as project:
        listed = preview(project, _choice(options), printing_progress())
    return show(options, listed.data, listed.lines)


def _published(options: argparse.Namespace) -> int:
    from spatial_workbench.app.results.site import write_site

    site = write_site(Path(options.project), output_folder(options), _choice(options), printing_progress())
    undrawn = [f"{count:,} not drawn: {why}" for why, count in site.undrawn.items()]
    data = {"folder": str(site.folder), "files": site.files, "undrawn": dict(site.undrawn), **site.listing.data}
    return show(options, data, [*site.listing.lines, *undrawn, f"The site is in {site.folder}; open index.html."])
