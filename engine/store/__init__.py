"""Projects: one SQLite file with the drafts, edits, attempts and verdicts of a person's work, and batches of models."""

from engine.store.attempts import differences
from engine.store.opening import ProjectError, ProjectProblem
from engine.store.project import Project
from engine.store.records import (
    Actor,
    Asked,
    Attempt,
    AttemptRow,
    BatchRow,
    BatchState,
    Difference,
    Draft,
    Edit,
    FailureLabel,
    Item,
    ItemState,
    Override,
    Progressed,
    Reply,
    Ruling,
    RunFilter,
    RunRow,
    StoredTry,
    Transcript,
)
from engine.store.runs import SORTED_BY

__all__ = [
    "SORTED_BY",
    "Actor",
    "Asked",
    "Attempt",
    "AttemptRow",
    "BatchRow",
    "BatchState",
    "Difference",
    "Draft",
    "Edit",
    "FailureLabel",
    "Item",
    "ItemState",
    "Override",
    "Progressed",
    "Project",
    "ProjectError",
    "ProjectProblem",
    "Reply",
    "Ruling",
    "RunFilter",
    "RunRow",
    "StoredTry",
    "Transcript",
    "differences",
]
