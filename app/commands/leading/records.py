"""Commands about what is written down: add a note to the log, print all data of a code."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_code, chosen_study
from spatial_workbench.app.commands.plumbing import Actions, show

if TYPE_CHECKING:
    from spatial_workbench.engine.studies.sessions.schema import SessionRecord


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    note = add_study_action(actions, "note", _note, "Add a note to the log of a study.", "text")
    note.add_argument("--code", default="", help="whom it is about")

    show_ = add_study_action(actions, "show", _show_data, "Print all data stored about a code.", "code")
    show_.add_argument("--events", action="store_true", help="the events, too")


def _note(options: argparse.Namespace) -> int:
    with chosen_study(options) as (project, study):
        project.study_log.add_note(study, options.text, options.code)
    return show(options, {"note": options.text}, "The note is in the log.")


def _show_data(options: argparse.Namespace) -> int:

    code = chosen_code(options)
    with chosen_study(options) as (project, study):
        sessions = [_shown_session(session) for session in project.sessions.all(study, code=code)]
        if options.events:
            for session in sessions:
                chunks = project.sessions.readable_events(session["id"])
                session["events"] = [json.loads(line) for chunk in chunks for line in chunk.splitlines()]
        notes = [f"{note.at.isoformat()} {note.text}" for note in project.study_log.notes(study) if note.code == code]
        files = [entry.file for entry in project.merging.log(study) if entry.code == code]
        withdrawn = [stone.at.isoformat() for stone in project.sessions.tombstones(study) if stone.code == code]
    data = {"code": code, "sessions": sessions, "notes": notes, "files": files, "withdrawn": withdrawn}
    return show(options, data, json.dumps(data, ensure_ascii=False, indent=1))


def _shown_session(session: SessionRecord) -> dict[str, Any]:
    """A session as data, with the size of its sealed part in place of the part."""
    from spatial_workbench.engine.studies.files.sealed_parts import sealed_size

    data = session.model_dump(mode="json")
    return data | {"sealed": f"{sealed_size(session)} bytes"} if session.sealed else data
