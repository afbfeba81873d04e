"""Commands while results come in: show the progress, merge, settle conflicts, replace a place."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spatial_workbench.app.commands.leading.actions import add_study_action, chosen_code, chosen_study
from spatial_workbench.app.commands.plumbing import NOT_PASSED, PASSED, Actions, add_action, opened, print_message, show

if TYPE_CHECKING:
    from spatial_workbench.engine.store.studies.records import Conflict, StudyRow
    from spatial_workbench.engine.studies.analysis.progress import StudyProgress


def add_actions(actions: Actions) -> None:
    """Adds the actions to the command `study`."""
    status = add_action(actions, "status", _status, "Show the progress of studies, never outcomes.")
    status.add_argument("project", metavar="PROJECT")
    status.add_argument("study", metavar="STUDY", nargs="?")

    merge = add_action(actions, "merge", _merge, "Merge the results of participants.")
    merge.add_argument("project", metavar="PROJECT")
    merge.add_argument("files", metavar="FILE", nargs="+", help="results files, folders of them, or JSON lines")

    settle = add_study_action(
        actions, "settle", _settle, "Choose the state of a session that counts; without --state, list them."
    )
    settle.add_argument("--session", default="")
    settle.add_argument("--state", type=int, default=0, metavar="NUMBER")
    settle.add_argument("--reason", default="")

    replace = add_study_action(actions, "replace", _replace, "Replace a place that dropped out by a reserve.", "code")
    replace.add_argument("--reason", required=True)


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
    with chosen_study(options) as (project, study):
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
    with chosen_study(options) as (project, study):
        if options.state:
            project.merging.settle(options.session, options.state, options.reason)
        conflicts = project.merging.conflicts(study)
    lines = [line for conflict in conflicts for line in _conflict_lines(conflict)]
    return show(options, _plain(conflicts), lines or "There is no conflict.")


def _plain(conflicts: Sequence[Conflict]) -> list[dict[str, Any]]:
    plain: list[dict[str, Any]] = json.loads(json.dumps([asdict(conflict) for conflict in conflicts], default=str))
    return plain


def _conflict_lines(conflict: Conflict) -> Iterator[str]:
    from spatial_workbench.engine.core.words import counted

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
    code = chosen_code(options)
    with chosen_study(options) as (project, study):
        reserve = project.places.replace(study, code, options.reason)
    return show(options, {"code": code, "replaced_by": reserve}, f"{reserve} stands in for {code}.")
