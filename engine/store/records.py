"""The records of a project, as the rest of the workbench sees them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engine.core.patch import Patch
from engine.core.verdict import Verdict


class Record(BaseModel):
    """Base of the records: frozen."""

    model_config = ConfigDict(frozen=True)


class Actor(StrEnum):
    """Who gave an answer."""

    PERSON = "person"
    MODEL = "model"
    REFERENCE = "reference"
    IMPORT = "import"


class Draft(Record):
    """An answer that is being worked on."""

    address: str = Field(description="Address of the instance")
    answer: Any = Field(description="The answer as plain data")
    seconds: float = Field(description="Time that its editor was in use")
    edit_count: int = Field(description="Edits since the draft was begun, undo and redo included")
    updated_at: datetime


class Edit(Record):
    """One step of a draft's history."""

    number: int
    label: str = Field(description="What the undo menu calls it, such as 'Place brick'")
    patch: Patch
    at: datetime


class AttemptRow(Record):
    """What a table shows of an attempt."""

    number: int
    address: str
    actor: Actor
    actor_name: str
    submitted_at: datetime
    seconds: float | None = Field(description="Time on the clock; None where nobody took it")
    edit_count: int
    score: float | None = Field(description="By the default verifier; None until it was verified")
    passed: bool | None
    has_transcript: bool = Field(default=False, description="Whether it can be replayed step by step")


class Transcript(Record):
    """How an agent came to its answer."""

    kind: str = Field(description="Which record it is, such as 'cube'")
    record: str = Field(description="The record as JSON")


class Attempt(AttemptRow):
    """A submitted answer with everything that was said of it."""

    answer: str = Field(description="The answer as it was given: JSON, or text")
    verdicts: tuple[Verdict, ...]


class Progressed(Record):
    """How far a task is: for the catalogue."""

    solved: frozenset[str] = Field(description="Addresses that a person or an import solved")
    drafts: frozenset[str]
    best_person: float | None
    best_model: float | None
