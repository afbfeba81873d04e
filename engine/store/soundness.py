"""Checks that a project file, which may come from anywhere, has the tables and values that this program writes.

Every check returns a sentence about the first thing that is wrong, or "" if nothing is.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial

from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.solving.aids import Aid
from spatial_workbench.engine.store.records import Actor, BatchState, ItemState, JudgementSource, RemarkKind
from spatial_workbench.engine.store.shape import affinity, expected_shape, shape_of
from spatial_workbench.engine.store.studies.records import ExclusionKind, LookKind, NoteKind, VersionKind
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.files.merging import StudyMergeOutcome
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState

SoundnessCheck = Callable[[sqlite3.Connection], str]
MAX_NAME_CHARS = 10_000
_CHOICES = {
    ("items", "state"): ItemState,
    ("batches", "state"): BatchState,
    ("attempts", "actor"): Actor,
    ("facts", "actor"): Actor,
    ("facts", "how_read"): HowRead,
    ("aids", "kind"): Aid,
    ("remarks", "kind"): RemarkKind,
    ("step_judgements", "source"): JudgementSource,
    ("studies", "state"): StudyState,
    ("study_versions", "kind"): VersionKind,
    ("slots", "kind"): VersionKind,
    ("sessions", "state"): SessionState,
    ("trials", "state"): TrialState,
    ("exclusions", "kind"): ExclusionKind,
    ("exclusions", "response"): StudyResponse,
    ("looks", "kind"): LookKind,
    ("merges", "outcome"): StudyMergeOutcome,
    ("study_notes", "kind"): NoteKind,
}
_JSON = (
    *(("batches", "plan"), ("drafts", "snapshot"), ("edits", "patch"), ("attempts", "aids"), ("labels", "record")),
    *(
        ("puzzle_events", "event"),
        ("step_judgements", "steps"),
        ("step_judgements", "setup"),
        ("step_judgings", "record"),
        ("sketches", "layer"),
    ),
    *(("studies", "document"), ("studies", "registration"), ("study_versions", "document")),
    *(("study_versions", "frozen"), ("study_versions", "checklist"), ("slots", "slot"), ("slots", "accommodations")),
    *(("bundles", "codes"), ("sessions", "record"), ("sessions", "chain"), ("trials", "record")),
    *(("submissions", "record"), ("responses", "value"), ("conflicting_states", "record")),
    *(("conflicting_states", "chain"), ("conflict_choices", "chain"), ("searches", "record"), ("findings", "record")),
)
_REFERENCES = (
    *(("facts", "prompt", "prompts", "id"), ("facts", "item", "items", "id"), ("facts", "batch", "batches", "id")),
    *(("items", "lead", "items", "id"), ("replies", "prompt", "prompts", "id")),
    *(("study_versions", "study", "studies", "id"), ("sessions", "study", "studies", "id")),
    *(("slots", "hash", "study_versions", "hash"), ("sessions", "hash", "study_versions", "hash")),
    *(("bundles", "study", "studies", "id"), ("facts", "study", "studies", "id")),
)
"""Columns that refer to a row of a table, in addition to the foreign keys."""
_OF_STUDIES = ("closed_at", "unsealed_at")
_TIMES = ("at", "created_at", "updated_at", "submitted_at", "started_at", "beat_at", "withdrawn_at", *_OF_STUDIES)
_NAMES = (
    *("address", "task", "actor", "actor_name", "who", "person", "name", "note", "label", "state", "verifier", "kind"),
    *("error", "first", "second", "by_check", "ruling", "puzzle_set", "folder", "version", *_TIMES),
    *("run_end", "cut_off", "failed_check", "tags"),
    *("eval_id", "code", "phase", "site", "file", "digest", "rule", "response", "hash", "key"),
)
_TYPES = {
    "INTEGER": "!= 'integer'",
    "REAL": "NOT IN ('real', 'integer')",
    "TEXT": "!= 'text'",
    "BLOB": "!= 'blob'",
}
_SCORES = ("score", "first_score", "second_score")


def wrong_tables(connection: sqlite3.Connection, schema: int) -> str:
    """Compares the tables, columns and indexes with those that the migrations create."""
    expected = expected_shape(schema)
    shape = shape_of(connection)
    for (kind, name), parts in shape.items():
        if (kind, name) not in expected:
            return f"it holds the {kind} “{name[:40]}”, which does not belong to this program"
        if parts != expected[kind, name]:
            return f"its {kind} “{name}” has other columns than this program makes"
    missing = next((key for key in expected if key not in shape), None)
    return f"its {missing[0]} “{missing[1]}” is missing" if missing else ""


def checks_of(connection: sqlite3.Connection) -> list[SoundnessCheck]:
    """Checks that look for values that this program never writes; each may run with another connection to the file."""
    tables = _tables(connection)
    return [*(partial(_wrong_rows, table) for table in tables), _loose_ends, _wrong_models]


def _wrong_rows(table: str, connection: sqlite3.Connection) -> str:
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
    conditions = list(_conditions(table, dict(columns)))
    # A sound table is read only once; which condition is violated is looked up only if one is.
    if not _holds(connection, table, " OR ".join(f"({wrong})" for wrong, _ in conditions)):
        return ""
    return next(sentence for wrong, sentence in conditions if _holds(connection, table, wrong))


def _loose_ends(connection: sqlite3.Connection) -> str:
    table = _table_with_loose_ends(connection)
    return f"a row of its table “{table}” belongs to nothing" if table else ""


def _holds(connection: sqlite3.Connection, table: str, wrong: str) -> bool:
    return connection.execute(f'SELECT 1 FROM "{table}" WHERE {wrong} LIMIT 1').fetchone() is not None


def _table_with_loose_ends(connection: sqlite3.Connection) -> str:
    """The first table with a row that refers to a missing row; SQLite's own check takes ten times as long."""
    tables = _tables(connection)
    loose = [reference for reference in _REFERENCES if reference[0] in tables and reference[2] in tables]
    for table in tables:
        keys = connection.execute('SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)', (table,)).fetchall()
        loose += [(table, column, other, key or "rowid") for column, other, key in keys]
    for table, column, other, key in loose:
        wrong = f'"{column}" IS NOT NULL AND "{column}" NOT IN (SELECT "{key}" FROM "{other}")'
        if _holds(connection, table, wrong):
            return table
    return ""


def _conditions(table: str, columns: dict[str, str]) -> Iterator[tuple[str, str]]:
    """SQL conditions that a wrong row meets, each with a sentence about it."""
    for name, declared in columns.items():
        place = f"in its table “{table}”, the column “{name}” holds"
        # Truth values are stored as 0 and 1, and a float without decimals may be stored as an integer.
        types = _TYPES.get(affinity(declared))
        if types:
            yield f'"{name}" IS NOT NULL AND typeof("{name}") {types}', f"{place} a value of the wrong type"
        if name in _NAMES:
            yield f'length("{name}") > {MAX_NAME_CHARS}', f"{place} a text that is far too long"
        if name in _TIMES:
            yield f'"{name}" IS NOT NULL AND julianday("{name}") IS NULL', f"{place} something that is not a time"
        if name in _SCORES:
            yield f'"{name}" NOT BETWEEN 0 AND 1', f"{place} a score that is not between 0 and 1"
        if (table, name) in _JSON:
            yield f'NOT json_valid("{name}")', f"{place} something that is not JSON"
        if (table, name) in _CHOICES:
            choices = ", ".join(f"'{choice.value}'" for choice in _CHOICES[table, name])
            yield f'"{name}" NOT IN ({choices})', f"{place} a word that is not one of {choices}"


def _wrong_models(connection: sqlite3.Connection) -> str:
    if "items" not in _tables(connection):
        return ""
    row = connection.execute(
        "SELECT b.id FROM batches b JOIN (SELECT batch, max(model) AS last, min(model) AS first FROM items"
        " GROUP BY batch) i ON i.batch = b.id"
        " WHERE i.first < 0 OR i.last >= json_array_length(b.plan, '$.contenders')"
    ).fetchone()
    return f"batch {row[0]} asks a model that its plan does not name" if row else ""


def _tables(connection: sqlite3.Connection) -> list[str]:
    """The tables that this program writes to, without the internal tables of the full-text search."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    virtual = [name for name, sql in rows if (sql or "").upper().startswith("CREATE VIRTUAL")]
    return [
        name
        for name, _ in rows
        if not name.startswith(("sqlite_", "_sqlite")) and not any(name.startswith(prefix) for prefix in virtual)
    ]
