"""Projects: one SQLite file with the drafts, edits, attempts and verdicts of a person's work, and batches of models.

project             `Project`: creates, opens and closes the file, and holds the parts below
base                what parts share: `Database` (the connection, short transactions) and `Part`
drafts              answers that people work on, edit by edit, with clocks, aids and sketches
attempts            submitted answers, with verdicts and transcripts
facts               the row that lists show of each attempt
runs                lists of attempts: filters, sorting, what results are made of
judgements          overridden scores, rulings on verifiers that disagree, failure modes
remarks             notes and labels of one's own on attempts
endings             how runs and replies ended, and what cut them off
puzzles             reviews of puzzles, judgements of steps
step_judges         judges of steps: what each is called where several have the same name
batches, items      which models are asked what; how far each question has got
archive             complete attempts and batches: read, and restored in another project
inspect_logs        logs of Inspect that were imported, as they were
searches            searches for answers that verifiers judge differently, and what they found
studies             studies: documents, places, sessions, exclusions, outcomes, and the log
records             what parts return
inspection, soundness, shape, schema, views  the file: checks of strangers' files, tables, migrations, views
holding             keeps the locks of a file that a window has open, whatever else its process does with the file
sound_files         which large files were found sound, so that they are not checked again until they change
"""

from spatial_workbench.engine.store.archive import StoredAttempt, StoredBatch, StoredItem, time_text
from spatial_workbench.engine.store.facts import differences
from spatial_workbench.engine.store.inspect_logs import pack, unpack
from spatial_workbench.engine.store.inspection import ProjectError, ProjectProblem
from spatial_workbench.engine.store.project import Project
from spatial_workbench.engine.store.records import (
    Actor,
    Asked,
    Attempt,
    AttemptRow,
    BatchItem,
    BatchRow,
    BatchState,
    ClockReading,
    Difference,
    Draft,
    Edit,
    Effort,
    FailureLabel,
    ItemLine,
    ItemState,
    JudgementSource,
    MissingRecord,
    Override,
    OwnScore,
    PuzzleEvent,
    Remark,
    RemarkKind,
    Ruling,
    RunFilter,
    RunGroup,
    RunRow,
    StepJudge,
    StepJudgement,
    StoredReply,
    StoredTry,
    TaskProgress,
    Transcript,
)
from spatial_workbench.engine.store.runs import SORTED_BY

__all__ = [
    "SORTED_BY",
    "Actor",
    "Asked",
    "Attempt",
    "AttemptRow",
    "BatchItem",
    "BatchRow",
    "BatchState",
    "ClockReading",
    "Difference",
    "Draft",
    "Edit",
    "Effort",
    "FailureLabel",
    "ItemLine",
    "ItemState",
    "JudgementSource",
    "MissingRecord",
    "Override",
    "OwnScore",
    "Project",
    "ProjectError",
    "ProjectProblem",
    "PuzzleEvent",
    "Remark",
    "RemarkKind",
    "Ruling",
    "RunFilter",
    "RunGroup",
    "RunRow",
    "StepJudge",
    "StepJudgement",
    "StoredAttempt",
    "StoredBatch",
    "StoredItem",
    "StoredReply",
    "StoredTry",
    "TaskProgress",
    "Transcript",
    "differences",
    "pack",
    "time_text",
    "unpack",
]
