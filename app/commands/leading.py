"""Commands about leading a study that is kept in a project: from the draft to open outcomes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.plumbing import (
    NOT_PASSED,
    PASSED,
    STANDARD_OUTPUT,
    Actions,
    Refused,
    add_action,
    opened,
    output_file,
    print_message,
    read,
    show,
    tell_while,
    wide_prompts,
)
from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project
    from spatial_workbench.engine.store.studies.records import Conflict, StudyRow
    from spatial_workbench.engine.studies.analysis.progress import StudyProgress
    from spatial_workbench.engine.studies.planning.document import Study
    from spatial_workbench.engine.studies.sessions.schema import SessionRecord


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    _add_drafting(actions)
    _add_collecting(actions)
    _add_deciding(actions)


def _add_drafting(actions: Actions) -> None:
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
    new.add_argument("--passphrase", help="to leave the participant's window; made up and printed unless given")

    document = _action(actions, "document", _document, "Print the document of a study.")
    document.add_argument("--set", metavar="FILE.json", help="replace the document of a draft")

    delete = _action(actions, "delete", _delete, "Delete a draft; “study document” prints its document, to keep it.")
    delete.add_argument("--yes", action="store_true", help="do not ask")

    freeze = _action(actions, "freeze", _freeze, "Fix the document, its places and its materials.")
    freeze.add_argument("--amendment", metavar="FILE.json", help="a changed document of a frozen study")
    freeze.add_argument("--reason", default="", help="why it is amended")
    freeze.add_argument("--comparable", default="", metavar="SENTENCE", help="why sessions may be pooled")
    _add_passphrase(freeze, "made up and printed unless given")

    recovery = _action(actions, "recovery", _recovery, "Write a sheet with the key that replaces a lost passphrase.")
    recovery.add_argument("-o", "--output", required=True, metavar="FILE.txt")
    _add_passphrase(recovery, "asked for unless given")

    register = _action(actions, "register", _register, "Record where the plan was registered; not part of the hash.")
    register.add_argument("--link", required=True)
    register.add_argument("--date", required=True, help="YYYY-MM-DD")


def _add_collecting(actions: Actions) -> None:
    bundle = _action(actions, "bundle", _bundle, "Write a bundle for a machine. The first one freezes the study.")
    bundle.add_argument("-o", "--output", required=True, metavar="FILE.study")
    bundle.add_argument("--codes", default="", metavar="P001-P020", help="by default all places without the reserves")
    bundle.add_argument("--site", default="", help="name of the machine or the room")
    bundle.add_argument("--pilot", action="store_true", help="its sessions are never analysed; nothing is frozen")
    _add_passphrase(bundle, "of the bundle that freezes the study; made up and printed unless given")

    needs = _action(actions, "accommodate", _accommodate, "Set the accommodations of a place.", "code")
    needs.add_argument("--time-factor", type=float, default=1.0, help="1 to 3")
    needs.add_argument("--type-scale", type=float, default=1.0, help="1 to 2")
    for flag in ("reduced-motion", "high-contrast", "keyboard-only"):
        needs.add_argument(f"--{flag}", action="store_true")

    status = add_action(actions, "status", _status, "Show the progress of studies, never outcomes.")
    status.add_argument("project", metavar="PROJECT")
    status.add_argument("study", metavar="STUDY", nargs="?")

    merge = add_action(actions, "merge", _merge, "Merge the results of participants.")
    merge.add_argument("project", metavar="PROJECT")
    merge.add_argument("files", metavar="FILE", nargs="+", help="results files, folders of them, or JSON lines")

    settle = _action(
        actions, "settle", _settle, "Choose the state of a session that counts; without --state, list them."
    )
    settle.add_argument("--session", default="")
    settle.add_argument("--state", type=int, default=0, metavar="NUMBER")
    settle.add_argument("--reason", default="")

    replace = _action(actions, "replace", _replace, "Replace a place that dropped out by a reserve.", "code")
    replace.add_argument("--reason", required=True)

    points = _action(actions, "checklist", _checklist, "List the points of the checklist, or answer one.")
    points.add_argument("number", metavar="NUMBER", nargs="?", help="of a point, such as 1.9")
    points.add_argument("answer", metavar="ANSWER", nargs="?", help="your answer; an empty one withdraws it")
    points.add_argument("--reason", default="", help="why the software's answer does not hold")
    points.add_argument("--confirm", default="", metavar="A,B", help="points of which the software's answers hold")

    note = _action(actions, "note", _note, "Add a note to the log of a study.", "text")
    note.add_argument("--code", default="", help="whom it is about")

    show_ = _action(actions, "show", _show_data, "Print all data stored about a code.", "code")
    show_.add_argument("--events", action="store_true", help="the events, too")


def _add_passphrase(parser: argparse.ArgumentParser, help_: str) -> None:
    parser.add_argument("--passphrase-file", metavar="FILE", help=f"the passphrase for the outcomes, {help_}")


def _add_deciding(actions: Actions) -> None:
    exclude = _action(actions, "exclude", _exclude, "Exclude a session, or an item of it, with a reason.", "code")
    exclude.add_argument("--reason", required=True, help="at least 10 characters")
    exclude.add_argument("--item", default="", help="only this item; by default the whole session")
    exclude.add_argument("--session", default="", help="if the code has several")

    close = _action(actions, "close", _close, "End collection and fix the exclusions.")
    close.add_argument("--name", default="", help="the name of the study, as a confirmation")
    close.add_argument("--yes", action="store_true", help="do not ask")

    unseal = _action(actions, "unseal", _unseal, "Judge all answers and open the outcomes.")
    unseal.add_argument("--before-exclusions", action="store_true", help="look early; the report begins by saying so")
    _add_passphrase(unseal, "or the recovery key; asked for unless given")
    unseal.add_argument("--note", default="", help="why")
    unseal.add_argument("--workers", type=int, help="how many answers are judged at once")
    unseal.add_argument("--yes", action="store_true", help="do not ask")

    withdraw = _action(actions, "withdraw", _withdraw, "Delete all data of a code for good.", "code")
    withdraw.add_argument("--version", default="", help="beginning of a hash, if the code is in several versions")
    withdraw.add_argument("--phase", choices=("main", "pilot", "rehearsal"))
    withdraw.add_argument("--yes", action="store_true", help="do not ask")

    purge = _action(actions, "purge", _purge, "Delete session files of this machine whose results were merged.")
    purge.add_argument("--data", action="store_true", help="delete all sessions from the project, too")
    purge.add_argument("--yes", action="store_true", help="do not ask")


def _action(actions: Actions, name: str, run: Any, text: str, *more: str) -> argparse.ArgumentParser:
    """Adds an action on a study of a project."""
    action = add_action(actions, name, run, text)
    action.add_argument("project", metavar="PROJECT")
    action.add_argument("study", metavar="STUDY", help="its id, its name, or the beginning of its hash")
    for argument in more:
        action.add_argument(argument, metavar=argument.upper())
    return action


@contextmanager
def _chosen(options: argparse.Namespace) -> Iterator[tuple[Project, str]]:
    """The project, and the id of the study that a command names."""
    with opened(Path(options.project)) as project:
        yield project, project.studies.find(options.study)


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
        study = _read(options.source)
        changes: dict[str, Any] = {"id": new_id(), "name": options.name or study.name}
        if addresses:
            changes["blocks"] = (block_of("main", addresses),)
        return study.model_copy(update=changes)
    if not options.name or not addresses:
        raise Refused("Give --name and --items, or --from.")
    about = {name: getattr(options, name) for name in ("leader", "contact", "question", "population", "slots")}
    wish = Wish(options.name, addresses, passphrase, item_s=options.limit, **about)
    try:
        return drafted(wish)
    except ValueError as error:
        raise Refused(str(error)) from None


def _read(source: str) -> Study:
    from spatial_workbench.engine.studies.planning.document import read_study

    return read_study(read(source))


def _document(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.planning.document import write_study

    with _chosen(options) as (project, study):
        if options.set:
            project.studies.change(study, _read(options.set))
        document = project.studies.document(study)
    return show(options, document.data, write_study(document).decode())


def _delete(options: argparse.Namespace) -> int:
    with _chosen(options) as (project, study):
        _confirm(options, f"Delete the draft “{project.studies.row(study).name}”? [y/N] ")
        deleted = project.studies.delete_draft(study)
    return show(options, {"id": deleted.id, "name": deleted.name}, f"The draft “{deleted.name}” was deleted.")


def _freeze(options: argparse.Namespace) -> int:
    with _chosen(options) as (project, study):
        if options.amendment:
            document = _read(options.amendment)
            _refuse_wide_prompts(document)
            digest = project.studies.amend(study, document, options.reason, options.comparable)
        else:
            digest, made_up = _frozen(options, project, study)
            return show(options, {"hash": digest, "outcomes_passphrase": made_up}, [digest, *_made_up_line(made_up)])
    return show(options, {"hash": digest}, digest)


def _frozen(options: argparse.Namespace, project: Project, study: str) -> tuple[str, str]:
    """Freezes a study; returns its hash, and the passphrase if one was made up."""
    from spatial_workbench.engine.studies.planning.drafting import new_passphrase

    if not project.studies.row(study).is_editable:
        return project.studies.row(study).hash, ""
    _refuse_to_freeze(project, study)
    given = _typed_passphrase(options)
    made_up = "" if given else new_passphrase()
    return project.studies.freeze(study, given or made_up), made_up


def _made_up_line(passphrase: str) -> list[str]:
    return [f"Passphrase for the outcomes, stored nowhere: {passphrase}"] if passphrase else []


def _typed_passphrase(options: argparse.Namespace) -> str:
    """The passphrase in the file that the options name; "" without one.

    Raises:
        Refused: The file is not text, or empty.
    """
    if not options.passphrase_file:
        return ""
    try:
        passphrase = read(options.passphrase_file).decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise Refused(f"The passphrase in {options.passphrase_file} is not text in UTF-8.") from None
    if not passphrase:
        raise Refused(f"There is no passphrase in {options.passphrase_file}.")
    return passphrase


def _asked_passphrase(options: argparse.Namespace) -> str:
    """The passphrase in the file that the options name, or the one that is typed.

    Raises:
        Refused: There is none.
    """
    import getpass

    passphrase = _typed_passphrase(options)
    if not passphrase and sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase for the outcomes, or recovery key: ").strip()
    if not passphrase:
        raise Refused("Give the passphrase for the outcomes in a file: --passphrase-file FILE.")
    return passphrase


def _recovery(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.files.sealing import recovery_sheet

    with _chosen(options) as (project, study):
        row = project.studies.row(study)
        key = project.study_keys.recovery(study, _asked_passphrase(options))
    with output_file(options, ".txt") as path:
        path.write_text(recovery_sheet(row.name, row.hash, key))
    return show(options, {"file": options.output}, f"The recovery sheet is in {options.output}.")


def _refuse_to_freeze(project: Project, study: str) -> None:
    """Raises an error if a study that is not frozen yet has an item that is not shown as a whole."""
    if project.studies.row(study).is_editable:
        _refuse_wide_prompts(project.studies.document(study))


def _refuse_wide_prompts(document: Study) -> None:
    """Raises an error if an item's prompt has to be scrolled sideways; `engine` knows no fonts, and cannot tell."""
    for problem in wide_prompts(document):
        raise Refused(f"{problem.place}: {problem.message}.")


def _register(options: argparse.Namespace) -> int:
    try:
        registered = date.fromisoformat(options.date).isoformat()
    except ValueError:
        raise Refused(f"“{options.date}” is not a date; write it like 2026-11-22.") from None
    with _chosen(options) as (project, study):
        project.studies.register(study, options.link, registered)
    return show(options, {"link": options.link, "date": registered}, f"Registered on {registered}: {options.link}")


def _bundle(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.store.studies.places import codes_between
    from spatial_workbench.engine.studies.files.bundles import write_bundle

    if options.output != STANDARD_OUTPUT and Path(options.output).suffix != ".study":
        raise Refused("The name of a bundle ends in .study")
    codes = list(codes_between(options.codes))
    with _chosen(options) as (project, study):
        made_up = "" if options.pilot else _frozen(options, project, study)[1]
        bundle, warnings = project.places.add_bundle(study, codes, "pilot" if options.pilot else "main", options.site)
        with output_file(options, ".study") as path:
            digest = write_bundle(path, bundle)
        project.places.note_bundle_file(bundle.id, Path(options.output).name, digest)
    for warning in warnings:
        print_message(warning)
    codes = [slot.code for slot in bundle.slots]
    data = {"hash": bundle.hash, "bundle": bundle.id, "codes": codes, "digest": digest, "warnings": warnings}
    places = f"{len(codes)} places, {codes[0]} to {codes[-1]}"
    lines = [f"{options.output}: {places}, study {bundle.hash[:12]}", *_made_up_line(made_up)]
    return show(options, data | {"outcomes_passphrase": made_up}, lines)


def _accommodate(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.schema import Accommodations

    needs = Accommodations(**{name: getattr(options, name) for name in Accommodations.model_fields})
    code = _code(options)
    with _chosen(options) as (project, study):
        project.places.accommodate(study, code, needs)
    data = needs.model_dump()
    return show(options, data, f"{code}: " + ", ".join(f"{name} {value}" for name, value in data.items()))


def _code(options: argparse.Namespace) -> str:
    """The code that a command names, in its usual form."""
    from spatial_workbench.engine.studies.planning.codes import code_of, number_of

    return code_of(number_of(options.code))


def _status(options: argparse.Namespace) -> int:
    if options.study is None:
        with opened(Path(options.project)) as project:
            rows = project.studies.all()
        data = [_row(row) for row in rows]
        lines = [
            f"{row.id}  {row.short_hash}  {row.state:9} {row.sessions:4} of {row.slots:4} sessions  {row.name}"
            for row in rows
        ]
        return show(options, data, lines or "There are no studies in this project.")
    with _chosen(options) as (project, study):
        row = project.studies.row(study)
        progress = project.outcomes.progress(study)
        missing = project.outcomes.missing_codes(study)
        conflicts = project.merging.conflicts(study)
        if date.today().isoformat() > row.delete_after:
            print_message(f"The data were to be deleted after {row.delete_after}: study purge --data")
    more = {"missing": missing, "conflicts": _plain(conflicts), **_progress(progress)}
    lines = [f"{row.name}, {row.state}, {row.short_hash}", *_progress_lines(progress)]
    lines += [f"No results yet: {', '.join(missing)}"] if missing else []
    lines += [f"Conflict about {conflict.code}: study settle" for conflict in conflicts if not conflict.is_settled]
    return show(options, _row(row) | more, lines)


def _row(row: StudyRow) -> dict[str, Any]:
    return asdict(row) | {"created_at": row.created_at.isoformat()}


def _progress(progress: StudyProgress) -> dict[str, Any]:
    slots = [
        {
            "code": slot.code,
            "row": slot.place.slot.row,
            "condition": slot.place.slot.condition,
            "state": slot.state,
            "session": slot.session,
            "site": slot.site,
            "active_ms": slot.active_ms,
            "flags": list(slot.flags),
            "replaced_by": slot.replaced_by,
            "items": [asdict(cell) for cell in slot.cells],
        }
        for slot in progress.slots
    ]
    return {"states": progress.states, "rows": dict(progress.rows), "slots": slots}


def _progress_lines(progress: StudyProgress) -> Iterator[str]:
    yield ", ".join(f"{count} {state}" for state, count in progress.states.items()) or "no places yet"
    if progress.active_ms is not None:
        yield f"Median time of those who finished: {progress.active_ms / 60_000:.0f} min"
    for slot in progress.slots:
        words = [f"{slot.code}  {slot.state}"]
        words += [f"{slot.ended_words}, {slot.active_ms / 60_000:.0f} min"] if slot.session else []
        words += [f"flags: {', '.join(slot.flags)}"] if slot.flags else []
        words += [f"replaced by {slot.replaced_by}"] if slot.replaced_by else []
        yield "  ".join(words)


def _merge(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.files.merging import StudyMergeOutcome

    files = [
        path
        for name in options.files
        for path in (sorted(Path(name).glob("*.studyresult")) if Path(name).is_dir() else [Path(name)])
    ]
    with opened(Path(options.project)) as project:
        merged = project.merging.merge(files)
    show(options, [asdict(entry) for entry in merged], [entry.words for entry in merged])
    wrong = (StudyMergeOutcome.REFUSED, StudyMergeOutcome.CONFLICT)
    return NOT_PASSED if any(entry.outcome in wrong for entry in merged) else PASSED


def _settle(options: argparse.Namespace) -> int:
    with _chosen(options) as (project, study):
        if options.state:
            project.merging.settle(options.session, options.state, options.reason)
        conflicts = project.merging.conflicts(study)
    lines = [line for conflict in conflicts for line in _conflict_lines(conflict)]
    return show(options, _plain(conflicts), lines or "There is no conflict.")


def _plain(conflicts: Sequence[Conflict]) -> list[dict[str, Any]]:
    plain: list[dict[str, Any]] = json.loads(json.dumps([asdict(conflict) for conflict in conflicts], default=str))
    return plain


def _conflict_lines(conflict: Conflict) -> Iterator[str]:
    yield f"{conflict.code}, session {conflict.session}" + ("" if conflict.is_settled else ": not settled")
    for state in conflict.states:
        came = "" if state.merged_at is None else f", merged {state.merged_at:%Y-%m-%d %H:%M}"
        yield f"  {state.number}. {state.file or 'file not known'}{came}" + ("  (stands)" if state.stands else "")
        machine = f"machine {state.machine}, " if state.machine else ""
        worked = f"{counted(state.items_ended, 'item')} ended, {state.active_ms / 60_000:.1f} min"
        yield f"     {machine}began {state.began_at[:16]}, {state.state}, {worked}, {state.signature}"
        if state.differs:
            yield f"     differs in {'; '.join(state.differs)}"


def _replace(options: argparse.Namespace) -> int:
    code = _code(options)
    with _chosen(options) as (project, study):
        reserve = project.places.replace(study, code, options.reason)
    return show(options, {"code": code, "replaced_by": reserve}, f"{reserve} stands in for {code}.")


def _note(options: argparse.Namespace) -> int:
    with _chosen(options) as (project, study):
        project.study_log.add_note(study, options.text, options.code)
    return show(options, {"note": options.text}, "The note is in the log.")


def _checklist(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.reporting.contrasts import model_runs
    from spatial_workbench.engine.studies.analysis.checklist import answers, count_words

    with _chosen(options) as (project, study):
        if options.number is not None:
            if options.answer is None:
                raise Refused("Give an answer after the number; an empty one withdraws it.")
            project.study_log.answer_checklist(study, options.number, options.answer, options.reason)
        outcomes = project.outcomes.of(study)
        runs = model_runs(project, outcomes)
        if options.confirm:
            reported = {answer.point.number: answer.value for answer in answers(outcomes, runs)}
            for number in options.confirm.split(","):
                if not reported.get(number):
                    raise Refused(f"The software reports nothing to confirm at {number}.")
                project.study_log.answer_checklist(study, number, reported[number])
            outcomes = project.outcomes.of(study)
        given = answers(outcomes, runs)
    lines = [
        f"{answer.point.number:8} {answer.point.filled_by:9} {answer.point.title}: {answer.shown}"
        + (f" (software: {answer.software}; {answer.reason})" if answer.software else "")
        + ("" if answer.is_confirmed or not answer.value else " (to be confirmed)")
        for answer in given
    ]
    lines.append(count_words(given))
    data = [
        {
            "number": answer.point.number,
            "title": answer.point.title,
            "filled_by": answer.point.filled_by.value,
            "value": answer.value,
            "software": answer.software,
            "reason": answer.reason,
            "is_confirmed": answer.is_confirmed,
        }
        for answer in given
    ]
    return show(options, data, lines)


def _show_data(options: argparse.Namespace) -> int:
    import json

    code = _code(options)
    with _chosen(options) as (project, study):
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


def _exclude(options: argparse.Namespace) -> int:
    code = _code(options)
    with _chosen(options) as (project, study):
        sessions = [one for one in project.sessions.of_record(study) if one.code == code]
        session = _one(code, [one for one in sessions if options.session in ("", one.id)])
        kind = project.exclusions.exclude(study, session.id, options.reason, _position(session, options.item))
    words = "a post-hoc entry, listed separately" if kind == "post-hoc" else "an entry of the list that closing fixes"
    return show(options, {"session": session.id, "kind": kind}, f"{code}: {words}.")


def _one(code: str, sessions: list[SessionRecord]) -> SessionRecord:
    if len(sessions) != 1:
        ids = ", ".join(session.id for session in sessions)
        raise Refused(f"{code} has several sessions: {ids}. Name one." if sessions else f"{code} has no session.")
    return sessions[0]


def _position(session: SessionRecord, item: str) -> int | None:
    if not item:
        return None
    places = [trial.position for trial in session.trials if trial.item == item]
    if not places:
        raise Refused(f"The session has no item “{item}”.")
    return places[0]


def _close(options: argparse.Namespace) -> int:
    with _chosen(options) as (project, study):
        name = project.studies.row(study).name
        missing = project.outcomes.missing_codes(study)
        if missing:
            print_message(f"No results yet: {', '.join(missing)}")
        typed = options.name or (name if options.yes else _asked("Type the name of the study to close it: "))
        digest = project.exclusions.close_study(study, typed)
        entries = project.exclusions.fixed(study)
    data = {"list_hash": digest, "entries": [asdict(entry) for entry in entries]}
    lines = [f"Closed. {len(entries)} entries in the list of exclusions, {digest[:12]}"]
    lines += [f"{entry.code}  {entry.rule}: {entry.value} ({entry.response})" for entry in entries]
    return show(options, data, lines)


def _unseal(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.evaluation.unsealing import unseal

    with _chosen(options) as (project, study):
        missing = project.outcomes.missing_codes(study)
        if missing:
            print_message(f"No results were merged for {', '.join(missing)}; they cannot be merged afterwards.")
        _confirm(options, "Open the outcomes? This cannot be undone. [y/N] ")
        secret = _asked_passphrase(options) if project.study_keys.is_locked(study) else ""
        path = project.path
        done = unseal(path, study, secret, options.before_exclusions, options.note, tell_while(), options.workers)
    for sentence in (*done.warnings, *done.failures):
        print_message(sentence)
    show(options, asdict(done), f"{done.judged} submissions judged.")
    return NOT_PASSED if done.failures else PASSED


def _withdraw(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.session_file import SessionFileError
    from spatial_workbench.engine.studies.sessions.this_machine import delete_local

    code = _code(options)
    with _chosen(options) as (project, study):
        _confirm(options, f"Delete all data of {code}? This cannot be undone. [y/N] ")
        versions = {version.hash for version in project.studies.versions(study)}
        done = project.withdrawals.withdraw(study, code, options.version, options.phase)
        gone = project.sessions.tombstones(study)[-1]
    try:
        local = delete_local(gone.hash, code) if gone.hash in versions else []
    except (SessionFileError, OSError) as error:
        local = []
        print_message(f"The files on this machine were not deleted: {error}")
    lines = [f"{code}: {done.sessions} sessions and {done.attempts} attempts deleted."]
    lines += [f"Deleted on this machine: {name}" for name in local]
    lines += [f"Still holds the data: {name}" for name in done.elsewhere]
    if not done.is_journal_clear:
        lines.append("Another window has the project open; close it and run the command again to clear the journal.")
    show(options, asdict(done) | {"local": local}, lines)
    return PASSED if done.is_journal_clear else NOT_PASSED


def _purge(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.studies.sessions.this_machine import delete_merged

    with _chosen(options) as (project, study):
        delete_after = project.studies.row(study).delete_after
        question = "Delete all sessions of the study from the project? This cannot be undone. [y/N] "
        if options.data:
            if date.today().isoformat() <= delete_after:
                print_message(f"The data may be kept until {delete_after}.")
            _confirm(options, question)
        files = delete_merged(project.sessions.deliveries(study))
        sessions = project.withdrawals.purge(study) if options.data else 0
    lines = [f"Deleted on this machine: {name}" for name in files] or ["No files on this machine to delete."]
    lines += [f"{sessions} sessions deleted from the project."] if options.data else []
    return show(options, {"files": files, "sessions": sessions}, lines)


def _confirm(options: argparse.Namespace, question: str) -> None:
    if not options.yes and _asked(question).strip().lower() not in ("y", "yes"):
        raise Refused("Nothing was done. Use --yes to continue without a question.")


def _asked(question: str) -> str:
    """The reply typed after a question; empty without a terminal."""
    if not sys.stdin.isatty():
        return ""
    print_message(question, end="")
    return sys.stdin.readline().rstrip("\n")
