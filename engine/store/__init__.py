"""Projects: one SQLite file with the drafts, edits, attempts and verdicts of a person's work."""

from engine.store.opening import ProjectError, ProjectProblem
from engine.store.project import Project
from engine.store.records import Actor, Attempt, AttemptRow, Draft, Edit, Progressed, Transcript

__all__ = [
    "Actor",
    "Attempt",
    "AttemptRow",
    "Draft",
    "Edit",
    "Progressed",
    "Project",
    "ProjectError",
    "ProjectProblem",
    "Transcript",
]
