"""Everything a project stores about one attempt, and its wording."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from spatial_workbench.app.attempts.columns import settings_words
from spatial_workbench.app.attempts.steps import StepSheet, read_steps
from spatial_workbench.app.attempts.words import end_words, format_seconds
from spatial_workbench.app.frame.people import author_of, shown_name
from spatial_workbench.engine.core import Aid, Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.evaluation.transcripts import has_more_than_a_reply, transcript_of
from spatial_workbench.engine.store import (
    Actor,
    Attempt,
    FailureLabel,
    Override,
    Remark,
    Ruling,
    RunRow,
    StoredReply,
    StoredTry,
)

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

RULINGS = {"both": "Both defensible", "neither": "Neither is right"}
NO_REPLY = "No output of a model is stored with this attempt. This is the answer as it was checked:\n\n"


@dataclass(frozen=True)
class Dossier:
    """All that is known about an attempt."""

    row: RunRow
    attempt: Attempt
    prompt: str | None
    replies: Sequence[StoredReply]
    tries: Sequence[StoredTry]
    verdicts: Sequence[tuple[datetime, Verdict]]
    overrides: Sequence[Override]
    rulings: Sequence[Ruling]
    labels: Sequence[FailureLabel]
    steps: StepSheet | None = None
    remarks: Sequence[Remark] = ()
    has_transcript: bool = False
    """Whether there is more to read than one prompt and one reply, or a person's edits."""
    sketches: Mapping[str, str] = field(default_factory=dict)
    """The sketches (JSON) over the pages of a puzzle, by page."""

    @property
    def override(self) -> Override | None:
        """The latest override that has not been withdrawn."""
        return next((override for override in reversed(self.overrides) if override.withdrawn_at is None), None)

    @property
    def judged_score(self) -> float | None:
        """The default verifier's score, before any override."""
        return next((verdict.score for verdict in self.attempt.verdicts if verdict.verifier == "default"), None)


@dataclass(frozen=True)
class Event:
    """One line of an attempt's history."""

    at: datetime
    what: str
    words: str


def collect(project: Project, number: int) -> Dossier | None:
    """Reads everything about an attempt; None if it does not exist any more."""
    rows = project.runs.rows([number])
    if not rows:
        return None
    (row,) = rows
    replies = () if row.item is None else project.runs.replies(row.item)
    return Dossier(
        row=row,
        attempt=project.attempts.get(number),
        prompt=None if row.prompt is None else project.runs.prompt_text(row.prompt),
        replies=replies,
        tries=() if row.item is None else project.items.tries(row.item),
        verdicts=project.attempts.verdict_history(number),
        overrides=project.judgements.overrides(number),
        rulings=project.judgements.rulings(number),
        labels=project.judgements.labels(number),
        steps=read_steps(project, row),
        remarks=project.remarks.of_attempt(number),
        has_transcript=_has_transcript(row, replies),
        sketches=project.attempts.sketches(number),
    )


def _has_transcript(row: RunRow, replies: Sequence[StoredReply]) -> bool:
    """Whether a transcript is worth opening; told without reading the record of the run."""
    by_person = row.actor is Actor.PERSON and bool(row.edit_count)
    return row.has_transcript or by_person or has_more_than_a_reply(transcript_of(replies, None, lambda number: ""))


def raw_output(dossier: Dossier) -> str:
    """The model's replies in order, or the answer if there are none."""
    if not dossier.replies:
        return NO_REPLY + dossier.attempt.answer
    return _joined([reply.text for reply in dossier.replies])


def reasoning(dossier: Dossier) -> str:
    """The model's reasoning, as far as it was disclosed."""
    return _joined([reply.reasoning or "" for reply in dossier.replies])


def usage(row: RunRow) -> list[tuple[str, str]]:
    """Names and figures for what the attempt cost, with units; unknown ones are left out."""
    counts = (
        ("Input tokens", row.input_tokens),
        ("Output tokens", row.output_tokens),
        ("of which reasoning", row.reasoning_tokens),
        ("Output limit, in tokens", row.budget),
    )
    entries = [(name, f"{count:,}") for name, count in counts if count is not None]
    if row.cost_usd is not None:
        entries.append(("Cost", f"$ {row.cost_usd:.4f}"))
    elif row.actor is Actor.MODEL and row.output_tokens is not None:
        entries.append(("Cost", "unknown: the model had no price"))
    for name, seconds in (
        ("Time", row.seconds),
        ("Idle time", row.idle_s),
        ("Time away", row.away_s),
        ("Time over all attempts", row.total_s),
        ("Idle time over all attempts", row.total_idle_s),
        ("Time away over all attempts", row.total_away_s),
    ):
        if seconds is not None:
            entries.append((name, f"{format_seconds(seconds)} ({seconds:.1f} s)"))
    if row.tools is not None:
        entries.append(("Tools", "with" if row.tools else "without"))
    entries += settings_words(row)
    if row.run_end:
        entries.append(("Stop reason", end_words(row.run_end)))
    if row.finish_reason:
        entries.append(("Finish reason", end_words(row.finish_reason)))
    if row.batch is not None:
        entries.append(("Batch", f"{row.batch}, repeat {(row.repeat or 0) + 1}"))
    if row.edit_count:
        entries.append(("Edits", f"{row.edit_count:,}"))
    return entries


def message_of(tried: StoredTry) -> str:
    """Why a request failed, in the provider's words, as far as they were stored."""
    try:
        record = json.loads(tried.record)
    except ValueError:
        return tried.error or ""
    message = record.get("message") if isinstance(record, dict) else None
    return ": ".join(part for part in (tried.error, message) if isinstance(part, str) and part)


def history(dossier: Dossier) -> list[Event]:
    """What happened to the attempt since it was submitted, newest first."""
    return sorted(_events(dossier), key=lambda event: event.at, reverse=True)


def label_words(label: FailureLabel) -> list[tuple[str, str]]:
    """A judge's findings on an attempt as names and values; empty ones are left out."""
    try:
        record = json.loads(label.record)
    except ValueError:
        record = {}
    record = record if isinstance(record, dict) else {}
    confidence = record.get("confidence")
    tags = record.get("evidence_tags")
    entries = [
        ("Failure mode", label.label or "None"),
        ("Confidence", f"{confidence:.0%}" if isinstance(confidence, int | float) else ""),
        ("Justification", record.get("justification")),
        ("Evidence", ", ".join(map(str, tags)) if isinstance(tags, list) else ""),
        ("Why there is no label", record.get("message")),
        ("Judge", record.get("judge")),
        ("When", label.at.astimezone().strftime("%d %b %Y %H:%M")),
    ]
    return [(name, value) for name, value in entries if isinstance(value, str) and value]


def ruling_words(ruling: str) -> str:
    """A ruling as a sentence."""
    return RULINGS.get(ruling, f"{ruling} is right")


def _events(dossier: Dossier) -> Iterator[Event]:
    yield Event(dossier.row.submitted_at, "Submitted", f"by {author_of(dossier.row)}")
    for use in dossier.attempt.aids:
        is_help = use.kind is not Aid.VIEWING
        name = f"{use.name} ({use.kind.value})" if is_help else use.name
        what = "Aid used" if is_help else "Clock"
        yield Event(use.at, what, f"{name}, {format_seconds(use.seconds)} on the clock")
    for at, verdict in dossier.verdicts:
        word = "passed" if verdict.passed else "not passed"
        yield Event(
            at,
            "Verdict",
            f"{verdict.verifier} {verdict.version}: {score_words(verdict.score)}, {word}",
        )
    for override in dossier.overrides:
        yield Event(override.at, "Override", override.in_words(dossier.judged_score))
        if override.withdrawn_at is not None:
            yield Event(override.withdrawn_at, "Override withdrawn", "The verifier's score counts again")
    for ruling in dossier.rulings:
        words = f"{ruling.first} and {ruling.second}: {ruling_words(ruling.ruling)}"
        yield Event(ruling.at, f"Ruling by {ruling.person or 'somebody'}", f"{words}. {ruling.note}".strip())
    for label in dossier.labels:
        yield Event(label.at, "Failure mode", _label_line(label))
    for remark in dossier.remarks:
        what = remark.kind.value.capitalize()
        yield Event(remark.at, what, f"{shown_name(remark.person)}: {remark.text}")
        if remark.withdrawn_at is not None:
            yield Event(remark.withdrawn_at, f"{what} removed", remark.text)
    for judged in dossier.steps.judgements if dossier.steps else ():
        yield Event(judged.stored.at, "Steps judged", " ".join(filter(None, (judged.title, judged.stored.note))))


def _label_line(label: FailureLabel) -> str:
    words = dict(label_words(label))
    more = [f"confidence {words['Confidence']}" if "Confidence" in words else "", words.get("Justification", "")]
    return ". ".join(filter(None, (f"{label.status}: {label.label or 'none'}", *more)))


def _joined(texts: Sequence[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(f"── Reply {i} ──\n{text}" for i, text in enumerate(texts, 1) if text)
