"""JSON lines: an attempt a line with everything; `engine.models.read_answers` takes them back.

The first fields are those of a recorded answer: task, instance, model, text, repeat, reasoning, finish_reason, usage,
cost_usd, seconds. What follows is passed over when they are read as answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.evaluation.export.dossiers import Dossier, plain, plain_verdict
from engine.evaluation.export.files import replacing
from engine.store import StoredTry


def write_lines(found: Iterable[Dossier], path: Path) -> None:
    """Writes attempts as JSON lines. Raises OSError."""
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for dossier in found:
            file.write(json.dumps(line_of(dossier), ensure_ascii=False, allow_nan=False) + "\n")


def line_of(dossier: Dossier) -> dict[str, Any]:
    """An attempt as JSON data."""
    return _as_answer(dossier) | _about(dossier) | _judged(dossier) | _asked(dossier)


def _as_answer(dossier: Dossier) -> dict[str, Any]:
    row = dossier.row
    return {
        "task": row.task,
        "instance": row.address,
        "model": dossier.name,
        "text": dossier.text,
        "repeat": dossier.repeat,
        "reasoning": dossier.reasoning,
        "finish_reason": row.finish_reason or "stop",
        "usage": {name: getattr(row, name) for name in ("input_tokens", "output_tokens", "reasoning_tokens")},
        "cost_usd": row.cost_usd,
        "seconds": row.seconds or 0.0,
    }


def _about(dossier: Dossier) -> dict[str, Any]:
    row = dossier.row
    return {
        "attempt": row.number,
        "batch": row.batch,
        "batch_name": dossier.batch_name,
        "actor": row.actor.value,
        "submitted_at": row.submitted_at.isoformat(),
        "edits": row.edit_count,
        "tools": bool(row.tools),
        "budget": row.budget,
        "settings": dossier.settings.model_dump(mode="json") if dossier.settings else None,
    }


def _judged(dossier: Dossier) -> dict[str, Any]:
    row = dossier.row
    return {
        "answer": dossier.attempt.answer,
        "score": row.score,
        "passed": row.passed,
        "first_score": row.first_score,
        "failure_mode": row.label,
        "verdicts": [plain_verdict(verdict) for verdict in dossier.attempt.verdicts],
        "overrides": [one.model_dump(mode="json", exclude={"attempt"}) for one in dossier.overrides],
        "rulings": [one.model_dump(mode="json", exclude={"attempt"}) for one in dossier.rulings],
        "labels": [
            {"status": one.status, "label": one.label, "at": one.at.isoformat(), "decision": plain(one.record)}
            for one in dossier.labels
        ],
    }


def _asked(dossier: Dossier) -> dict[str, Any]:
    # The last reply of a single turn is the text, and an agent's replies are in its transcript.
    return {
        "prompt": dossier.prompt,
        "replies": [plain(reply.record) for reply in dossier.replies],
        "tries": [_try(one) for one in dossier.tries],
        "transcript": plain(dossier.transcript) if dossier.transcript else None,
    }


def _try(one: StoredTry) -> dict[str, Any]:
    """A request without its body, which the prompt and the settings tell, and without the answer if it came."""
    record = plain(one.record)
    record.pop("sent", None)
    if one.error is None:
        record.pop("text", None)
        record.pop("reasoning", None)
    return {"error": one.error, **record}
