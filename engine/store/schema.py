"""The tables of a project, as migrations: each runs once, in a transaction of its own."""

from sqlite_utils import Database, Migrations

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
