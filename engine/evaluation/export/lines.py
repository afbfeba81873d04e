"""JSON lines: first the batches, then one line for each attempt, with everything.

`importing.json_lines` reads them again. The first fields of a line are those of a recorded answer: task,
instance, model, text, repeat, reasoning, finish_reason, usage, cost_usd, seconds. See docs/results.md for the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.export.dossiers import ExportedDossier, Selection, plain, plain_verdict
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan
from spatial_workbench.engine.models.recorded import EXPORT_FORMAT
from spatial_workbench.engine.store import Project, StoredTry, as_plain

VERSION = 2
"""In version 1, idle time and time away were no parts of active time."""


def write_lines(project: Project, selection: Selection, dossiers: Iterable[ExportedDossier], path: Path) -> None:
    """Writes the batches and the dossiers as JSON lines. Raises OSError."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_json(header(project, selection)))
        for dossier in dossiers:
            file.write(_json(line_of(dossier)))


def header(project: Project, selection: Selection) -> dict[str, Any]:
    """The first line: the batches with their plans."""
    return {"format": EXPORT_FORMAT, "version": VERSION, "batches": list(_batches(project, selection))}


def line_of(dossier: ExportedDossier) -> dict[str, Any]:
    """An attempt, or an item without one, as JSON data."""
    return _as_answer(dossier) | _about(dossier) | _of_study(dossier) | _judged(dossier) | _asked(dossier)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"


def _batches(project: Project, selection: Selection) -> Iterator[dict[str, Any]]:
    for number in selection.batches:
        row = project.batches.get(number)
        plan = BatchPlan.model_validate_json(project.batches.plan(number))
        facts = as_plain(row, *(set(type(row).model_fields) - {"number", "name", "state", "note", "created_at"}))
        yield facts | {"plan": plan.model_dump(mode="json")}


def _as_answer(dossier: ExportedDossier) -> dict[str, Any]:
    row = dossier.row
    counts = ("input_tokens", "output_tokens", "reasoning_tokens")
    return {
        "task": dossier.task,
        "instance": dossier.address,
        "model": dossier.name,
        "text": dossier.text,
        "repeat": dossier.repeat,
        "reasoning": dossier.reasoning,
        "finish_reason": row.finish_reason if row else None,
        "usage": {name: getattr(row, name) if row else None for name in counts},
        "cost_usd": row.cost_usd if row else None,
        "seconds": row.seconds if row else None,
    }


def _about(dossier: ExportedDossier) -> dict[str, Any]:
    row = dossier.row
    return {
        "attempt": row.number if row else None,
        "error": dossier.error,
        "batch": dossier.batch,
        "batch_name": dossier.batch_name,
        "item": _item(dossier),
        "actor": dossier.actor.value,
        "submitted_at": as_plain(row)["submitted_at"] if row else None,
        "edits": row.edit_count if row else 0,
        "aids": [use.model_dump(mode="json") for use in dossier.attempt.aids] if dossier.attempt else [],
        "more": dossier.more,
        "tools": dossier.tools,
        "budget": dossier.budget,
        "settings": dossier.settings.model_dump(mode="json") if dossier.settings else None,
    }


def _of_study(dossier: ExportedDossier) -> dict[str, Any]:
    """Where an attempt of a study came from; nothing for others."""
    origin = dossier.origin
    if origin is None:
        return {}
    return {
        "study": origin.study,
        "participant": origin.code,
        "condition": origin.condition,
        "phase": origin.phase,
        "trial": origin.item,
        "position": origin.position,
    }


def _item(dossier: ExportedDossier) -> dict[str, Any] | None:
    placed = dossier.placed
    if placed is None:
        return None
    item = as_plain(placed.item, "number", "batch", "address", "task", "lead", "attempt")
    return {"position": placed.position, "lead": placed.lead, **item, "state": placed.item.state.value}


def _judged(dossier: ExportedDossier) -> dict[str, Any]:
    return {
        "answer": dossier.attempt.answer if dossier.attempt else None,
        "score": dossier.score,
        "passed": dossier.passed,
        "how_read": dossier.how_read,
        "mending": dossier.mending,
        "measured": dossier.row.measured if dossier.row else None,
        "first_score": dossier.row.first_score if dossier.row else None,
        "failure_mode": dossier.row.label if dossier.row else None,
        "verdicts": [{"at": at} | plain_verdict(verdict) for at, verdict in dossier.history],
        "overrides": [as_plain(record, "attempt") for record in dossier.overrides],
        "rulings": [as_plain(record, "attempt") for record in dossier.rulings],
        "labels": [
            as_plain(record, "attempt", "record") | {"decision": plain(record.record)} for record in dossier.labels
        ],
        "step_judgements": [
            as_plain(record, "attempt") | {"source": record.source.value, "steps": plain(record.steps)}
            for record in dossier.step_judgements
        ],
        "sketches": {page: plain(layer) for page, layer in dossier.sketches.items()},
    }


def _asked(dossier: ExportedDossier) -> dict[str, Any]:
    # Replies and requests are written once, with the item that was asked.
    is_lead = dossier.placed is not None and dossier.placed.is_lead
    return {
        "prompt": dossier.prompt,
        "replies": list(_replies(dossier)) if is_lead else [],
        "tries": [_try(request) for request in dossier.tries] if is_lead else [],
        "transcript_kind": dossier.transcript.kind if dossier.transcript else None,
        "transcript": plain(dossier.transcript.record) if dossier.transcript else None,
    }


def _replies(dossier: ExportedDossier) -> Iterator[dict[str, Any]]:
    """The replies; text, reasoning and prompt only if they differ from those of the line."""
    for reply, prompt in dossier.replies:
        own = {"text": dossier.text, "reasoning": dossier.reasoning, "prompt": dossier.prompt}
        texts = {"text": reply.text, "reasoning": reply.reasoning, "prompt": prompt}
        other = {name: value for name, value in texts.items() if value != own[name]}
        yield {"number": reply.number, **other, "response": plain(reply.record)}


def _try(request: StoredTry) -> dict[str, Any]:
    """A request without its body, which follows from prompt and settings, and without its answer if there was one."""
    record = plain(request.record)
    record.pop("sent", None)
    if request.error is None:
        record.pop("text", None)
        record.pop("reasoning", None)
    return as_plain(request, "item", "record") | {"record": record}
