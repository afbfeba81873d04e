"""The data of a study as tables: one row per session, trial, submission, answer to a question, item, or event.

Empty means not known; booleans are 0 and 1; times are whole milliseconds. Before outcomes are unsealed, every column
about them is empty.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.export import write_rows
from spatial_workbench.engine.evaluation.export.parquet import write_parquet
from spatial_workbench.engine.studies.analysis.counting import (
    NOBODY,
    Counting,
    counting_submission,
    main_instances,
    time_of,
)
from spatial_workbench.engine.studies.analysis.figures import ModelRun, cells_of
from spatial_workbench.engine.studies.analysis.intervals import item_means
from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.analysis.statistics import discriminations
from spatial_workbench.engine.studies.files.publishing import SHARES
from spatial_workbench.engine.studies.planning.document import ItemKind, Study, StudyItem, StudyResponse, Text
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, Submission, TrialRecord

Value = str | int | float | None
Events = Mapping[str, Sequence[bytes]]
"""The events of each session by its id: JSON lines, in pieces."""


@dataclass(frozen=True)
class ColumnInfo:
    """A column: its name, what it holds, its unit, and the least and greatest value."""

    name: str
    about: str
    unit: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class DataTable:
    """A table, with a value for each column in every row; `name` is the name of its file without the suffix."""

    name: str
    columns: tuple[ColumnInfo, ...]
    rows: tuple[tuple[Value, ...], ...]

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    def save(self, path: Path) -> None:
        """Writes the table as CSV or, by the file's suffix, as Parquet. Raises OSError, CannotRepresent."""
        (write_parquet if path.suffix == ".parquet" else write_rows)(path, self.header, self.rows)


def data_tables(outcomes: Outcomes, events: Events | None = None, runs: Sequence[ModelRun] = ()) -> list[DataTable]:
    """All tables of a study; those of events and of models only if `events` or `runs` are given."""
    tables = [
        _table("participants", _participant_columns(outcomes.study), _participants(outcomes)),
        _table("trials", _TRIALS, _trials(outcomes)),
        _table("submissions", _SUBMISSIONS, _submissions(outcomes)),
        _table("responses", _RESPONSES, _responses(outcomes)),
        _table("items", _ITEMS, _items(outcomes)),
    ]
    if runs:
        tables.append(_table("models", _MODELS, _models(runs)))
    return [*tables, _table("events", _EVENTS, _events(outcomes, events))] if events is not None else tables


def write_tables(folder: Path, tables: Iterable[DataTable], suffix: str = "csv") -> list[Path]:
    """Writes each table as a file of its name into a folder. Raises OSError, CannotRepresent."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in tables:
        paths.append(folder / f"{table.name}.{suffix}")
        table.save(paths[-1])
    return paths


def _table(name: str, columns: Sequence[ColumnInfo], rows: Iterable[Sequence[Any]]) -> DataTable:
    numbered = (ColumnInfo("row_id", "Unique number of the row", low=1), *columns)
    return DataTable(name, numbered, tuple((i, *map(_plain, row)) for i, row in enumerate(rows, 1)))


def _plain(value: Any) -> Value:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return int(value)
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, float) and value != value:
        return None
    return value  # type: ignore[no-any-return]


def trial_id(session: SessionRecord, trial: TrialRecord) -> str:
    """The id of a trial: its session's and its position."""
    return f"{session.id}.{trial.position}"


# Rows ------------------------------------------------------------------------------------------------------------


def _participants(outcomes: Outcomes) -> Iterator[list[Any]]:
    slots = {slot.code: slot for slot in outcomes.frozen.slots} if outcomes.frozen else {}
    keys = [covariate.key for covariate in outcomes.study.covariates]
    for session in outcomes.sessions:
        slot = slots.get(session.code)
        aids = session.accommodations.model_dump(exclude_defaults=True)
        yield [
            *(session.code, session.id, slot.row if slot else None, slot.condition if slot else None),
            *(
                session.state.value,
                session.setting.value,
                session.language,
                session.began_at,
                aids or None,
                outcomes.study.consent.version,
            ),
            " ".join(sorted(_rules(outcomes, session, None, StudyResponse.EXCLUDE))) or None,
            *(sum(trial.active_ms for trial in session.trials), bool(session.boxes.get(SHARES))),
            *(session.covariates.get(key) for key in keys),
        ]


def _participant_columns(study: Study) -> tuple[ColumnInfo, ...]:
    """The columns about people, the study's own questions last, under names that no other column has."""
    return (*_PARTICIPANTS, *(ColumnInfo(f"q_{item.key}", first_version(item.ask)) for item in study.covariates))


def first_version(text: Text) -> str:
    """A text in the first of its languages."""
    return text if isinstance(text, str) else next(iter(text.values()), "")


def _trials(outcomes: Outcomes) -> Iterator[list[Any]]:
    addresses = _addresses(outcomes.study)
    rule = Counting(outcomes)
    for session, trial in _every_trial(outcomes):
        result = counting_submission(outcomes, session, trial)
        yield [
            *(session.code, session.id, trial_id(session, trial), trial.condition, addresses.get(trial.item)),
            *(trial.position, trial.block, trial.item, trial.phase, trial.state.value),
            *(result and result.score, result and result.passed, result and result.published),
            *(trial.limit_ms, trial.active_ms, trial.elapsed_ms, trial.idle_ms, trial.away_ms, trial.gap_ms),
            *(trial.connection_ms, *_round_trips(trial)),
            *(trial.first_input_ms, trial.first_edit_ms, trial.edits, trial.undos, len(trial.submissions)),
            *(trial.resumes, trial.responses.get("confidence"), trial.responses.get("difficulty")),
            " ".join(sorted(_rules(outcomes, session, trial.position, StudyResponse.FLAG))) or None,
            *_analysed(rule, session, trial),
        ]


def _round_trips(trial: TrialRecord) -> tuple[int | None, int | None, int | None]:
    trips = trial.round_trips
    return (None, None, None) if trips is None else (trips.median_ms, trips.p95_ms, trips.worst_ms)


def _analysed(rule: Counting, session: SessionRecord, trial: TrialRecord) -> Iterator[Any]:
    """How the analysis counts a trial: the values of the last columns, from `excluded` to `solved`."""
    excluded = rule.rules_against(session, trial)
    reason = rule.reason_against(session, trial)
    result = rule.result_of(session, trial)
    time = time_of(rule.outcomes, session, trial) if result else None
    yield bool(excluded)
    yield " ".join(sorted(excluded)) or None
    yield rule.is_excluded_later(session, trial)
    yield not reason
    yield reason or None
    yield from result or (None, None)
    yield from (round(1000 * time.seconds), time.is_solved) if time else (None, None)


def _submissions(outcomes: Outcomes) -> Iterator[list[Any]]:
    for session, trial, submission in every_submission(outcomes):
        judged = outcomes.judged.get((session.id, trial.position, submission.number))
        yield [
            *(session.code, session.id, trial_id(session, trial), submission.number, submission.active_ms),
            *(submission.is_given_up, submission.is_readable, judged and judged.how_read),
            *(judged and judged.score, judged and judged.passed),
            hashlib.sha256(submission.answer.encode()).hexdigest(),
        ]


def _responses(outcomes: Outcomes) -> Iterator[list[Any]]:
    for session in outcomes.sessions:
        for key, value in session.responses.items():
            yield [session.code, session.id, None, key, value]
        for trial in session.trials:
            for key, value in trial.responses.items():
                yield [session.code, session.id, trial_id(session, trial), key, value]


def _items(outcomes: Outcomes) -> Iterator[list[Any]]:
    cells = cells_of(outcomes, selection=NOBODY)
    figures: dict[str, tuple[Any, ...]] = {}
    if outcomes.judged and cells.people:
        people = np.isfinite(cells.scores).sum(axis=0).tolist()
        rows = zip(cells.items, people, item_means(cells.scores).tolist(), discriminations(cells.scores), strict=True)
        figures = {item.id: (count, mean, sharpness) for item, count, mean, sharpness in rows}
    materials = {material.item: material for material in outcomes.frozen.materials} if outcomes.frozen else {}
    for item in main_instances(outcomes.study):
        task, _ = resolve(item.address)
        material = materials.get(item.id)
        yield [
            *(item.address, item.id, task.id, task.bucket.id),
            *(material and material.prompt, material and f"{material.verifier} {material.version}"),
            *figures.get(item.id, (None, None, None)),
        ]


def _models(runs: Sequence[ModelRun]) -> Iterator[list[Any]]:
    for number, run in enumerate(runs, 1):
        for address, scores in run.scores.items():
            for sample, (score, passed) in enumerate(zip(scores, run.passed[address], strict=True), 1):
                yield [number, run.name, run.condition, address, sample, score, passed]


def _events(outcomes: Outcomes, events: Events) -> Iterator[list[Any]]:
    for session in outcomes.sessions:
        for line in b"".join(events.get(session.id, ())).splitlines():
            event = json.loads(line)
            known = [event.pop(key, None) for key in ("n", "t", "b", "trial", "kind")]
            yield [session.code, session.id, *known, event or None]


def every_submission(outcomes: Outcomes) -> Iterator[tuple[SessionRecord, TrialRecord, Submission]]:
    """All submissions, by session and trial."""
    for session, trial in _every_trial(outcomes):
        for submission in trial.submissions:
            yield session, trial, submission


def _every_trial(outcomes: Outcomes) -> Iterator[tuple[SessionRecord, TrialRecord]]:
    return ((session, trial) for session in outcomes.sessions for trial in session.trials)


def _addresses(study: Study) -> dict[str, str]:
    """The stimulus of each item by the item's id: the address of an instance, otherwise the item's own id."""
    return {item.id: _stimulus(item) for item in study.items()}


def _stimulus(item: StudyItem) -> str:
    return item.address if item.kind is ItemKind.INSTANCE else item.id


def _rules(outcomes: Outcomes, session: SessionRecord, position: int | None, response: StudyResponse) -> set[str]:
    """The rules with this response that the trial at a position broke; None: those that the whole session broke."""
    return {
        breach.rule
        for breach in outcomes.breaches
        if (breach.session, breach.position, breach.response) == (session.id, position, response)
    }


# Columns ---------------------------------------------------------------------------------------------------------

_SUBJECT = ColumnInfo("subject_id", "Code of the participant")
_SESSION = ColumnInfo("session_id", "Id of the session")
_TRIAL = ColumnInfo("trial_id", "Id of the trial: session and position")
_EXCLUDED_BY = ColumnInfo("excluded_by", "Rules that exclude the session or the trial, with blanks between them")


def _ms(name: str, about: str) -> ColumnInfo:
    return ColumnInfo(name, about, "ms", 0)


def _count(name: str, about: str) -> ColumnInfo:
    return ColumnInfo(name, about, low=0)


def _share(name: str, about: str) -> ColumnInfo:
    return ColumnInfo(name, about, low=0, high=1)


_PARTICIPANTS = (
    *(_SUBJECT, _SESSION),
    _count("slot_row", "Row of the orders that the place takes"),
    ColumnInfo("condition_id", "Condition of the place; empty where each block has its own"),
    ColumnInfo("state", "How far the session came"),
    ColumnInfo("setting", "Where the person took part: desk or browser"),
    ColumnInfo("language", "Language of the texts"),
    ColumnInfo("began_at", "When the session began (UTC)"),
    ColumnInfo("accommodations", "What the person had beyond the others, as JSON"),
    ColumnInfo("consent_version", "Version of the consent"),
    _EXCLUDED_BY,
    _ms("total_active_ms", "Active time over all trials"),
    _share("shares", "Whether the person agreed to share the answers"),
)
_TRIALS = (
    *(_SUBJECT, _SESSION, _TRIAL),
    ColumnInfo("condition_id", "Condition in which the item was met"),
    ColumnInfo("stimulus_id", "Address of the instance, or id of the item"),
    _count("position", "Place in the session, from 0"),
    ColumnInfo("block", "Id of the block"),
    ColumnInfo("item", "Id of the item"),
    ColumnInfo("phase", "practice, comprehension, main or attention"),
    ColumnInfo("state", "How the trial ended"),
    _share("score", "By the default verifier"),
    _share("passed", "Whether it passed"),
    _share("score_published", "By the published rules"),
    _ms("limit_ms", "Limit of time"),
    _ms("active_ms", "Time that counts against the limit"),
    _ms("elapsed_ms", "All time"),
    _ms("idle_ms", "Part of the active time: a minute or more without input"),
    _ms("away_ms", "Part of the active time: another window was in front"),
    _ms("gap_ms", "Time in which the computer slept or stalled, or the connection was lost"),
    _ms("connection_ms", "Part of the gaps: the connection to the browser was lost"),
    _ms("round_trip_median_ms", "To the browser and back: median; empty at a desk"),
    _ms("round_trip_p95_ms", "To the browser and back: 95 % were shorter"),
    _ms("round_trip_worst_ms", "To the browser and back: the longest"),
    _ms("first_input_ms", "Active time at the first key, button or wheel"),
    _ms("first_edit_ms", "Active time at the first edit"),
    _count("edits", "Number of edits"),
    _count("undos", "How many of them were undone"),
    _count("submissions", "Number of submissions"),
    _count("resumes", "How often the trial went on after a crash"),
    ColumnInfo("confidence", "How sure the person was", "%", 0, 100),
    ColumnInfo("difficulty", "How hard the person found it", low=1, high=7),
    ColumnInfo("flags", "Rules that flag the trial, with blanks between them"),
    _share("excluded", "Whether rules exclude the trial, or its session"),
    _EXCLUDED_BY,
    _share("excluded_later", "Whether the trial, or its session, was excluded after the list of exclusions was fixed"),
    _share("counted", "Whether the trial counts in the analysis as planned"),
    ColumnInfo("not_counted_because", "Why it does not count; empty where it does"),
    _share("analysed_score", "Score as the analysis has it: 0 where no answer was handed in or the item was skipped"),
    _share("analysed_passed", "Whether it passed, as the analysis has it"),
    _ms("analysed_ms", "Active time to the solution, or until which the trial counts as not solved"),
    _share("solved", "Whether it was solved in that time"),
)
_SUBMISSIONS = (
    *(_SUBJECT, _SESSION, _TRIAL),
    ColumnInfo("number", "Number of the submission in its trial", low=1),
    _ms("active_ms", "Active time of the trial when it was handed in"),
    _share("given_up", "Whether it is the answer as it was when the person gave up"),
    _share("readable", "Whether the answer can be read"),
    ColumnInfo("how_read", "How the answer was read: as it is, mended, unreadable …; empty before it was judged"),
    _share("score", "By the default verifier"),
    _share("passed", "Whether it passed"),
    ColumnInfo("answer_sha256", "SHA-256 of the answer's text"),
)
_RESPONSES = (
    *(_SUBJECT, _SESSION, _TRIAL),
    ColumnInfo("key", "Which question"),
    ColumnInfo("value", "What was answered"),
)
_ITEMS = (
    ColumnInfo("stimulus_id", "Address of the instance"),
    ColumnInfo("item", "Id of the item"),
    ColumnInfo("task", "Id of the task"),
    ColumnInfo("bucket", "What the task asks for"),
    ColumnInfo("prompt_sha256", "SHA-256 of the prompt: its text, then each picture"),
    ColumnInfo("verifier", "Default verifier with its version"),
    _count("people", "How many people had it"),
    _share("difficulty", "Mean score over all conditions, with nobody excluded"),
    ColumnInfo("discrimination", "Correlation with people's means over the other items", low=-1, high=1),
)
_MODELS = (
    ColumnInfo("contrast", "Number of the comparison of people with a model", low=1),
    ColumnInfo("run", "Name of the model's run"),
    ColumnInfo("condition_id", "Condition in which the item was met"),
    ColumnInfo("stimulus_id", "Address of the instance"),
    ColumnInfo("sample", "Number of the model's answer to the item", low=1),
    _share("score", "By the default verifier"),
    _share("passed", "Whether it passed"),
)
_EVENTS = (
    *(_SUBJECT, _SESSION),
    ColumnInfo("n", "Number of the event", low=1),
    _ms("t", "Active time of the session"),
    _ms("b", "Time since the session began"),
    _count("trial", "Position of the trial"),
    ColumnInfo("kind", "What happened"),
    ColumnInfo("data", "Details, as JSON"),
)
