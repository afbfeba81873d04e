"""The tables of a project, as migrations, each of which runs once (see `shape.bring_up_to_date`)."""

import json
from collections.abc import Sequence

from sqlite_utils import Database, Migrations

from spatial_workbench.engine.core.verdict import Verdict
from spatial_workbench.engine.store.endings import cut_off_by, run_end_of
from spatial_workbench.engine.store.records import how_read_of
from spatial_workbench.engine.store.views import create_views

migrations = Migrations("spatial_workbench")


@migrations()
def schema_1(db: Database) -> None:
    """Instances, drafts with their edits, attempts with their verdicts."""
    db.table("instances").create(
        {"address": str, "task": str, "number": int, "seed": int, "parameters": str},
        pk="address",
        not_null={"task", "parameters"},
    )
    db.table("drafts").create(
        {
            "address": str,
            "snapshot": str,
            "snapshot_edit": int,
            "first_edit": int,
            "seconds": float,
            "updated_at": str,
        },
        pk="address",
        foreign_keys=[("address", "instances", "address")],
    )
    db.table("edits").create(
        {"id": int, "address": str, "label": str, "patch": str, "at": str},
        pk="id",
        foreign_keys=[("address", "instances", "address")],
    ).create_index(["address", "id"])
    db.table("attempts").create(
        {
            "id": int,
            "address": str,
            "task": str,
            "actor": str,
            "actor_name": str,
            "answer": str,
            "submitted_at": str,
            "seconds": float,
            "first_edit": int,
            "last_edit": int,
            "edit_count": int,
        },
        pk="id",
        not_null={"address", "task", "actor", "answer", "submitted_at"},
        foreign_keys=[("address", "instances", "address")],
    ).create_index(["address"])
    db.table("verdicts").create(
        {
            "id": int,
            "attempt": int,
            "verifier": str,
            "version": str,
            "score": float,
            "passed": int,
            "verdict": str,
            "at": str,
        },
        pk="id",
        foreign_keys=[("attempt", "attempts", "id")],
    ).create_index(["attempt", "verifier", "version"], unique=True)


@migrations()
def schema_2(db: Database) -> None:
    """How an agent came to its answer, step by step."""
    db.table("transcripts").create(
        {"attempt": int, "kind": str, "record": str},
        pk="attempt",
        not_null={"kind", "record"},
        foreign_keys=[("attempt", "attempts", "id")],
    )


@migrations()
def schema_3(db: Database) -> None:
    """Batches with every try; facts of attempts, to list and to search; labels, overrides and rulings."""
    _batches(db)
    _facts(db)
    _judgements(db)


@migrations()
def schema_4(db: Database) -> None:
    """Drafts, edits and clocks belong to a person; attempts record aids and separate times."""
    _owned_drafts(db)
    db.table("aids").create(
        {"id": int, "address": str, "person": str, "name": str, "kind": str, "at": str, "seconds": float},
        pk="id",
        not_null={"address", "person", "name", "kind", "at", "seconds"},
        foreign_keys=[("address", "instances", "address")],
    ).create_index(["address", "person"])
    for column in ("away_s", "total_s", "total_away_s"):
        db.table("attempts").add_column(column, float)
        db.table("facts").add_column(column, float)
    db.table("attempts").add_column("aids", str, not_null_default="[]")
    db.table("facts").add_column("solving_aids", int, not_null_default=0)
    db.table("facts").add_column("differs", int, not_null_default=0)
    # Only default and cross-check can disagree; other verifiers follow other rules, so that theirs are differences.
    for column, comparison in (("disagrees", "="), ("differs", "!=")):
        differing = (
            f"SELECT 1 FROM differences d WHERE d.attempt = facts.attempt AND d.second {comparison} 'crosscheck'"
        )
        db.execute(f"UPDATE facts SET {column} = EXISTS ({differing})")


@migrations()
def schema_5(db: Database) -> None:
    """The figure that lists show of an attempt beside its score, such as metres, from the stored verdicts."""
    db.table("facts").add_column("measured", float)
    newest = (
        "SELECT f.attempt, f.task, v.verdict FROM facts f JOIN verdicts v ON v.id ="
        " (SELECT max(id) FROM verdicts WHERE attempt = f.attempt AND verifier = 'default')"
        " WHERE f.task LIKE 'machine\\_%' ESCAPE '\\'"
    )
    for row in list(db.query(newest)):
        metres = _metres(row["task"], row["verdict"])
        db.execute("UPDATE facts SET measured = ? WHERE attempt = ?", (metres, row["attempt"]))


@migrations()
def schema_6(db: Database) -> None:
    """Puzzles: the log of their reviews, judgements of steps, and the answers of judges."""
    events = {"id": str, "puzzle_set": str, "folder": str, "version": str, "at": str, "person": str, "kind": str}
    db.table("puzzle_events").create(
        {**events, "event": str}, pk="id", not_null={*events, "event"} - {"id"}
    ).create_index(["puzzle_set"])
    steps = {"attempt": int, "source": str, "who": str, "steps": str, "version": str, "note": str, "at": str}
    db.table("step_judgements").create(
        {"id": int, **steps}, pk="id", not_null=set(steps), foreign_keys=[("attempt", "attempts", "id")]
    ).create_index(["attempt"])
    db.table("judge_answers").create({"key": str, "answer": str, "at": str}, pk="key", not_null={"answer", "at"})


@migrations()
def schema_7(db: Database) -> None:
    """Sketches over the pages of puzzles: those of drafts (attempt 0), and as they were with each attempt."""
    columns = {"address": str, "person": str, "attempt": int, "page": str, "layer": str, "at": str}
    db.table("sketches").create(
        columns,
        pk=("address", "person", "attempt", "page"),
        not_null={"layer", "at"},
        foreign_keys=[("address", "instances", "address")],
    )


@migrations()
def schema_8(db: Database) -> None:
    """Idle time apart from active time and time away."""
    for column in ("idle_s", "credited_idle_s"):
        db.table("clocks").add_column(column, float, not_null_default=0)
    for column in ("idle_s", "total_idle_s"):
        db.table("attempts").add_column(column, float)
        db.table("facts").add_column(column, float)


@migrations()
def schema_9(db: Database) -> None:
    """Studies: documents, versions, places, bundles, sessions with all that is in them, and decisions."""
    _study_documents(db)
    _study_sessions(db)
    _study_decisions(db)
    db.table("facts").add_column("study", str)
    db.table("facts").create_index(["study"])


@migrations()
def schema_10(db: Database) -> None:
    """Views for other programs."""
    create_views(db.execute)


@migrations()
def schema_11(db: Database) -> None:
    """How answers were read, in the lists of attempts. Of older verdicts only what cannot be read is known."""
    for column in ("how_read", "mending"):
        db.table("facts").add_column(column, str)
    unread = (
        "SELECT f.attempt, f.finish_reason, v.verdict FROM facts f JOIN verdicts v ON v.id ="
        " (SELECT max(id) FROM verdicts WHERE attempt = f.attempt AND verifier = 'default')"
        " WHERE v.verdict LIKE '%the answer can be read%'"
    )
    for row in list(db.query(unread)):
        how = how_read_of(Verdict.model_validate_json(row["verdict"]), row["finish_reason"])
        db.execute("UPDATE facts SET how_read = ? WHERE attempt = ?", (how, row["attempt"]))


@migrations()
def schema_12(db: Database) -> None:
    """Whether a person explored an instance, with all verdicts open, before an attempt at it."""
    db.table("facts").add_column("explored", int, not_null_default=0)


@migrations()
def schema_13(db: Database) -> None:
    """Active time includes idle time and time away, as in studies; before, the three were counted apart."""
    db.execute("UPDATE clocks SET active_s = active_s + idle_s + away_s")
    db.execute("UPDATE clocks SET credited_active_s = credited_active_s + credited_idle_s + credited_away_s")
    for table in ("attempts", "facts"):
        # Attempts without these times, such as those of models and of studies, keep theirs.
        db.execute(f"UPDATE {table} SET seconds = seconds + coalesce(idle_s, 0) + coalesce(away_s, 0)")
        db.execute(f"UPDATE {table} SET total_s = total_s + coalesce(total_idle_s, 0) + coalesce(total_away_s, 0)")


@migrations()
def schema_14(db: Database) -> None:
    """The keys that seal the outcomes of studies."""
    columns: dict[str, type] = {"hash": str, "study": str, "seal": str, "private": str, "at": str}
    _create(db, "study_keys", "hash", columns, index=["study"])


@migrations()
def schema_15(db: Database) -> None:
    """Which state of a session a merged file brought; of earlier merges it is not known."""
    db.table("merges").add_column("state", str, not_null_default="")


@migrations()
def schema_16(db: Database) -> None:
    """The parameters that a model was asked with, in the lists of attempts; those of older ones from their batches."""
    for column, kind in (("effort", str), ("temperature", float), ("top_p", float), ("variant", str)):
        db.table("facts").add_column(column, kind)
    for batch in list(db.query("SELECT id, plan FROM batches WHERE json_valid(plan)")):
        plan = json.loads(batch["plan"])
        for model, contender in enumerate(plan.get("contenders", ()) if isinstance(plan, dict) else ()):
            settings = contender.get("settings", {})
            values = tuple(settings.get(name) for name in ("effort", "temperature", "top_p"))
            if values != (None, None, None):
                db.execute(
                    "UPDATE facts SET effort = ?, temperature = ?, top_p = ? WHERE batch = ?"
                    " AND item IN (SELECT id FROM items WHERE batch = ? AND model = ?)",
                    (*values, batch["id"], batch["id"], model),
                )


@migrations()
def schema_17(db: Database) -> None:
    """What a batch has spent since it was started or resumed, and its limits, as its process last told."""
    db.table("batches").add_column("spending", str)


@migrations()
def schema_18(db: Database) -> None:
    """Why runs ended and what cut attempts off, the first check that failed, and remarks of one's own."""
    remarks = {"id": int, "attempt": int, "kind": str, "text": str, "person": str, "at": str}
    db.table("remarks").create(
        {**remarks, "withdrawn_at": str},
        pk="id",
        not_null=set(remarks) - {"id"},
        foreign_keys=[("attempt", "attempts", "id")],
    ).create_index(["attempt"])
    db.table("remarks").create_index(["kind", "text"])
    for column in ("run_end", "cut_off", "failed_check", "tags", "note"):
        db.table("facts").add_column(column, str)
    for row in list(db.query("SELECT attempt, record FROM transcripts")):
        db.execute("UPDATE facts SET run_end = ? WHERE attempt = ?", (run_end_of(row["record"]), row["attempt"]))
    endings = "SELECT DISTINCT run_end, finish_reason FROM facts"
    for row in list(db.query(endings)):
        cut_off = cut_off_by(row["run_end"], row["finish_reason"])
        if cut_off:
            where = "run_end IS ? AND finish_reason IS ?"
            of_row = (cut_off, row["run_end"], row["finish_reason"])
            db.execute(f"UPDATE facts SET cut_off = ? WHERE {where}", of_row)
    db.execute(
        "UPDATE facts SET failed_check = (SELECT json_extract(c.value, '$.name') FROM verdicts v,"
        " json_each(v.verdict, '$.checks') c WHERE v.id ="
        " (SELECT max(id) FROM verdicts WHERE attempt = facts.attempt AND verifier = 'default')"
        " AND json_extract(c.value, '$.state') = 'failed' ORDER BY c.key LIMIT 1)"
        " WHERE passed IS NOT NULL"
    )
    for column in ("failed_check", "run_end", "finish_reason", "how_read"):
        db.table("facts").create_index([column])


@migrations()
def schema_19(db: Database) -> None:
    """The logs of Inspect that were imported, without samples, and their samples: compressed JSON."""
    batch, item = ("batch", "batches", "id"), ("item", "items", "id")
    _create(db, "inspect_logs", "batch", {"batch": int, "eval_id": str, "log": bytes}, references=[batch])
    _create(db, "inspect_samples", "item", {"item": int, "sample": bytes}, references=[item])


@migrations()
def schema_20(db: Database) -> None:
    """Searches for answers that verifiers judge differently, and the groups of what they found."""
    state: dict[str, type] = {"id": int, "task": str, "seed": int, "lane": int, "asked": int, "seconds": float}
    _create(db, "searches", "id", state | {"record": str, "created_at": str, "updated_at": str})
    db.table("searches").create_index(["task", "seed", "lane"], unique=True)
    _create(db, "findings", "id", {"id": int, "task": str, "group_key": str, "address": str, "record": str, "at": str})
    db.table("findings").create_index(["task", "group_key"], unique=True)


@migrations()
def schema_21(db: Database) -> None:
    """The endpoint, settings and prompt of the judges of steps; those of earlier judgements are not recorded."""
    db.table("step_judgements").add_column("setup", str, not_null_default="{}")


@migrations()
def schema_22(db: Database) -> None:
    """Judgings of steps that were begun and have not ended."""
    _create(db, "step_judgings", "id", {"id": str, "record": str, "at": str})


def _study_documents(db: Database) -> None:
    _create(
        db,
        "studies",
        "id",
        {"id": str, "name": str, "state": str, "document": str, "created_at": str},
        {"registration": str, "closed_at": str, "unsealed_at": str, "list_hash": str},
    )
    _create(
        db,
        "study_versions",
        ("hash", "kind"),
        {"hash": str, "kind": str, "study": str, "number": int, "document": str, "frozen": str, "at": str},
        {"parent": str, "reason": str, "comparable": str, "checklist": str},
        index=["study"],
    )
    _create(
        db,
        "slots",
        ("hash", "kind", "code"),
        {"hash": str, "kind": str, "code": str, "number": int, "slot": str, "accommodations": str, "replaces": str},
    )
    _create(
        db,
        "bundles",
        "id",
        {"id": str, "study": str, "hash": str, "phase": str, "site": str, "key": str, "codes": str, "at": str},
        {"file": str, "digest": str},
        index=["study"],
    )
    _create(
        db,
        "checklist_answers",
        ("study", "number"),
        {"study": str, "number": str, "answer": str, "reason": str, "at": str},
    )


def _study_sessions(db: Database) -> None:
    identity = {"id": str, "study": str, "hash": str, "code": str, "phase": str, "state": str}
    _create(db, "sessions", "id", {**identity, "bundle": str, "digest": str, "chain": str, "record": str})
    db.table("sessions").create_index(["study", "phase"])
    _create(
        db,
        "trials",
        ("session", "position"),
        {"session": str, "position": int, "item": str, "phase": str, "state": str, "active_ms": int, "record": str},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "submissions",
        ("session", "position", "number"),
        {"session": str, "position": int, "number": int, "active_ms": int, "answer": str, "record": str},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "responses",
        ("session", "position", "kind", "name"),
        {"session": str, "position": int, "kind": str, "name": str, "value": str},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "event_chunks",
        ("session", "number"),
        {"session": str, "number": int, "digest": str, "content": bytes},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "conflicting_states",
        ("session", "digest"),
        {"session": str, "digest": str, "record": str, "chain": str, "chunks": bytes},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "conflict_choices",
        "session",
        {"session": str, "digest": str, "chain": str, "reason": str, "at": str},
        references=[("session", "sessions", "id")],
    )
    _create(
        db,
        "study_attempts",
        "attempt",
        {"attempt": int, "session": str, "position": int, "submission": int, "counts": int},
        references=[("attempt", "attempts", "id"), ("session", "sessions", "id")],
        index=["session", "position", "submission"],
    )


def _study_decisions(db: Database) -> None:
    _create(
        db,
        "exclusions",
        "id",
        {"id": int, "study": str, "kind": str, "session": str, "code": str, "rule": str, "response": str}
        | {"value": str, "threshold": str, "at": str},
        {"position": int},
        index=["study"],
    )
    _create(db, "looks", "id", {"id": int, "study": str, "kind": str, "at": str, "note": str}, index=["study"])
    _create(
        db,
        "merges",
        "id",
        {"id": int, "study": str, "file": str, "digest": str, "session": str, "code": str, "phase": str}
        | {"outcome": str, "message": str, "at": str},
        index=["study"],
    )
    _create(
        db, "tombstones", ("hash", "phase", "code"), {"hash": str, "phase": str, "code": str, "study": str, "at": str}
    )
    _create(
        db,
        "study_notes",
        "id",
        {"id": int, "study": str, "kind": str, "code": str, "note": str, "at": str},
        index=["study"],
    )
    _create(
        db,
        "study_exports",
        "id",
        {"id": int, "study": str, "name": str, "kind": str, "digest": str, "at": str},
        index=["study"],
    )


def _create(
    db: Database,
    name: str,
    key: str | tuple[str, ...],
    needed: dict[str, type],
    optional: dict[str, type] | None = None,
    *,
    references: Sequence[tuple[str, str, str]] = (),
    index: list[str] | None = None,
) -> None:
    """Creates a table whose needed columns are never null."""
    keys = {key} if isinstance(key, str) else set(key)
    db.table(name).create(
        needed | (optional or {}),
        pk=key,
        not_null=set(needed) - (keys if len(keys) == 1 else set()),
        foreign_keys=list(references),
    )
    if index:
        db.table(name).create_index(index)


def _metres(task: str, verdict: str) -> float | None:
    """How far a machine came, threw, pushed or lifted; 0 if that did not count.

    None if its level has targets, or if the verdict is not one that this program wrote.
    """
    try:
        values = {figure["name"]: figure["value"] for figure in json.loads(verdict)["figures"]}
        metres = float(values["height gained" if task == "machine_pick" else "distance"])
        counts = float(values["R"]) > 0
    except (ValueError, TypeError, LookupError):
        return None
    return None if "targets hit" in values else metres if counts else 0.0


def _owned_drafts(db: Database) -> None:
    """Each draft goes to the person who last submitted it."""
    owner = (
        "coalesce((SELECT actor_name FROM attempts a WHERE a.actor = 'person' AND a.address = {0}.address"
        " ORDER BY a.id DESC LIMIT 1), '')"
    )
    author = (
        "(SELECT actor_name FROM attempts a WHERE a.actor = 'person' AND a.address = edits.address"
        " AND edits.id > a.first_edit AND edits.id <= a.last_edit ORDER BY a.id LIMIT 1)"
    )
    db.table("edits").add_column("person", str, not_null_default="")
    db.execute(f"UPDATE edits SET person = coalesce({author}, {owner.format('edits')})")
    db.execute("DROP INDEX IF EXISTS idx_edits_address_id")
    db.table("edits").create_index(["address", "person", "id"])
    key = ("address", "person")
    db.table("clocks").create(
        {
            "address": str,
            "person": str,
            "active_s": float,
            "away_s": float,
            "credited_active_s": float,
            "credited_away_s": float,
        },
        pk=key,
        not_null={"active_s", "away_s", "credited_active_s", "credited_away_s"},
        defaults={"active_s": 0, "away_s": 0, "credited_active_s": 0, "credited_away_s": 0},
        foreign_keys=[("address", "instances", "address")],
    )
    db.execute("ALTER TABLE drafts RENAME TO drafts_of_all")
    db.table("drafts").create(
        {"address": str, "person": str, "snapshot": str, "snapshot_edit": int, "first_edit": int, "updated_at": str},
        pk=key,
        foreign_keys=[("address", "instances", "address")],
    )
    name = owner.format("d")
    db.execute(
        "INSERT INTO drafts (address, person, snapshot, snapshot_edit, first_edit, updated_at)"
        f" SELECT address, {name}, snapshot, snapshot_edit, first_edit, updated_at FROM drafts_of_all d"
    )
    db.execute(f"INSERT INTO clocks (address, person, active_s) SELECT address, {name}, seconds FROM drafts_of_all d")
    db.execute("DROP TABLE drafts_of_all")


def _batches(db: Database) -> None:
    db.table("batches").create(
        {"id": int, "name": str, "plan": str, "state": str, "note": str, "created_at": str, "beat_at": str},
        pk="id",
        not_null={"name", "plan", "state", "created_at"},
    )
    items = db.table("items")
    items.create(
        {
            "id": int,
            "batch": int,
            "model": int,
            "address": str,
            "task": str,
            "repeat": int,
            "lead": int,
            "state": str,
            "is_answered": int,
            "error": str,
            "message": str,
            "attempt": int,
        },
        pk="id",
        not_null={"batch", "model", "address", "task", "repeat", "state"},
        defaults={"is_answered": 0},
        foreign_keys=[("batch", "batches", "id"), ("attempt", "attempts", "id")],
    )
    items.create_index(["batch", "model", "address", "repeat"], unique=True)
    items.create_index(["batch", "state"])
    items.create_index(["lead"])
    tries = db.table("tries")
    tries.create(
        {
            "id": int,
            "item": int,
            "started_at": str,
            "seconds": float,
            "error": str,
            "output_tokens": int,
            "cost_usd": float,
            "record": str,
        },
        pk="id",
        not_null={"item", "record"},
        foreign_keys=[("item", "items", "id")],
    )
    tries.create_index(["item"])
    db.table("prompts").create({"id": int, "digest": str, "text": str}, pk="id").create_index(["digest"], unique=True)
    db.table("replies").create(
        {"item": int, "number": int, "prompt": int, "text": str, "reasoning": str, "record": str},
        pk=("item", "number"),
        foreign_keys=[("item", "items", "id"), ("prompt", "prompts", "id")],
    )


def _facts(db: Database) -> None:
    db.table("facts").create(
        {
            "attempt": int,
            "address": str,
            "task": str,
            "actor": str,
            "who": str,
            "submitted_at": str,
            "seconds": float,
            "edit_count": int,
            "has_transcript": int,
            "first_score": float,
            "first_passed": int,
            "score": float,
            "passed": int,
            "is_overridden": int,
            "disagrees": int,
            "label": str,
            "batch": int,
            "item": int,
            "repeat": int,
            "tools": int,
            "budget": int,
            "input_tokens": int,
            "output_tokens": int,
            "reasoning_tokens": int,
            "cost_usd": float,
            "finish_reason": str,
            "prompt": int,
        },
        pk="attempt",
        foreign_keys=[("attempt", "attempts", "id")],
    )
    for columns in (["address", "actor", "task", "score", "passed"], ["task"], ["who"], ["label"]):
        db.table("facts").create_index(columns)
    db.execute("CREATE VIRTUAL TABLE words USING fts5(address, who, answer, reasoning, transcript, content='')")
    db.execute("CREATE VIRTUAL TABLE prompt_words USING fts5(text, content='')")
    # An attempt's verdicts are a history now: the newest of a verifier counts.
    db.execute("DROP INDEX IF EXISTS idx_verdicts_attempt_verifier_version")
    db.execute("CREATE INDEX idx_verdicts_attempt_verifier ON verdicts (attempt, verifier)")
    db.execute(
        "INSERT INTO facts (attempt, address, task, actor, who, submitted_at, seconds, edit_count, has_transcript,"
        " first_score, first_passed, score, passed, is_overridden, disagrees)"
        " SELECT a.id, a.address, a.task, a.actor, a.actor_name, a.submitted_at, a.seconds, a.edit_count,"
        " t.attempt IS NOT NULL, v.score, v.passed, v.score, v.passed, 0,"
        " (v.passed != c.passed OR abs(v.score - c.score) > 0.01) FROM attempts a"
        " LEFT JOIN verdicts v ON v.attempt = a.id AND v.verifier = 'default'"
        " LEFT JOIN verdicts c ON c.attempt = a.id AND c.verifier = 'crosscheck'"
        " LEFT JOIN transcripts t ON t.attempt = a.id GROUP BY a.id"
    )
    db.execute(
        "INSERT INTO words (rowid, address, who, answer) SELECT id, address, actor_name, substr(answer, 1, 20000)"
        " FROM attempts"
    )


def _judgements(db: Database) -> None:
    db.table("differences").create(
        {"attempt": int, "first": str, "second": str, "by_check": str, "first_score": float, "second_score": float},
        pk=("attempt", "first", "second"),
        foreign_keys=[("attempt", "attempts", "id")],
    )
    by_hand = {"id": int, "attempt": int, "person": str, "at": str}
    db.table("overrides").create(
        {**by_hand, "score": float, "passed": int, "reason": str, "withdrawn_at": str},
        pk="id",
        foreign_keys=[("attempt", "attempts", "id")],
    ).create_index(["attempt"])
    db.table("rulings").create(
        {**by_hand, "first": str, "second": str, "ruling": str, "note": str},
        pk="id",
        foreign_keys=[("attempt", "attempts", "id")],
    ).create_index(["attempt"])
    db.table("labels").create(
        {"id": int, "attempt": int, "status": str, "label": str, "record": str, "at": str},
        pk="id",
        foreign_keys=[("attempt", "attempts", "id")],
    ).create_index(["attempt"])
