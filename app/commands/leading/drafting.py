"""Commands about a study as a draft: make it, print or replace its document, delete it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_study
from spatial_workbench.app.commands.leading.asking import confirm
from spatial_workbench.app.commands.plumbing import Actions, Refused, add_action, opened, read, show

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.planning.document import Study


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    new = add_action(actions, "new", _new, "Make a draft of a study with defaults.")
    new.add_argument("project", metavar="PROJECT", help="is created if there is none")
    new.add_argument("--name", help="1 to 80 characters; by default that of --from")
    new.add_argument("--items", metavar="A,B:0-3", help="tasks and instances, as for evaluate")
    new.add_argument("--from", dest="source", metavar="FILE.json", help="a document to start from")
    new.add_argument("--slots", type=int, help="how many people; at least 8, so that all rows are used equally")
    new.add_argument("--limit", type=float, default=600.0, metavar="SECONDS", help="for an item")
    new.add_argument("--leader", default="")
    new.add_argument("--contact", default="", help="is shown to participants")
    new.add_argument("--question", default="")
    new.add_argument("--population", default="")
    new.add_argument("--languages", default="en", metavar="en,de", help="what people choose from, the first one first")
    new.add_argument("--passphrase", help="to leave the participant's window; made up and printed unless given")

    document = add_study_action(actions, "document", _document, "Print the document of a study.")
    document.add_argument("--set", metavar="FILE.json", help="replace the document of a draft")

    delete = add_study_action(
        actions, "delete", _delete, "Delete a draft; “study document” prints its document, to keep it."
    )
    delete.add_argument("--yes", action="store_true", help="do not ask")


def _new(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.drafting import new_passphrase

    passphrase = options.passphrase or new_passphrase()
    study = _draft(options, passphrase)
    with opened(Path(options.project), create=True) as project:
        project.studies.add(study)
    lines = [study.id]
    if not options.passphrase and not options.source:
        lines.append(f"Passphrase to leave the participant's window, stored nowhere: {passphrase}")
    return show(options, {"id": study.id, "name": study.name, "passphrase": passphrase}, lines)


def _draft(options: argparse.Namespace, passphrase: str) -> Study:
    from spatial_workbench.engine.evaluation.planning.plan import select
    from spatial_workbench.engine.studies.planning.document import new_id
    from spatial_workbench.engine.studies.planning.drafting import Wish, block_of, drafted

    addresses = select(options.items) if options.items else ()
    if options.source:
        study = read_document(options.source)
        changes: dict[str, Any] = {"id": new_id(), "name": options.name or study.name}
        if addresses:
            changes["blocks"] = (block_of("main", addresses),)
        return study.model_copy(update=changes)
    if not options.name or not addresses:
        raise Refused("Give --name and --items, or --from.")
    about = {name: getattr(options, name) for name in ("leader", "contact", "question", "population", "slots")}
    languages = tuple(filter(None, (code.strip() for code in options.languages.split(","))))
    if not languages:
        raise Refused("Give at least one language to --languages.")
    wish = Wish(options.name, addresses, passphrase, item_s=options.limit, languages=languages, **about)
    try:
        return drafted(wish)
    except ValueError as error:
        raise Refused(str(error)) from None


def read_document(source: str) -> Study:
    from spatial_workbench.engine.studies.planning.document import read_study

    return read_study(read(source))


def _document(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.document import write_study

    with chosen_study(options) as (project, study):
        if options.set:
            project.studies.change(study, read_document(options.set))
        document = project.studies.document(study)
    return show(options, document.data, write_study(document).decode())


def _delete(options: argparse.Namespace) -> int:
    with chosen_study(options) as (project, study):
        confirm(options, f"Delete the draft “{project.studies.row(study).name}”? [y/N] ")
        deleted = project.studies.delete_draft(study)
    return show(options, {"id": deleted.id, "name": deleted.name}, f"The draft “{deleted.name}” was deleted.")
