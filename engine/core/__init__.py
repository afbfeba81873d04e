"""The contracts between tasks and everything that uses them."""

from engine.core.aids import Aid, AidUse
from engine.core.answer import (
    Answer,
    AnswerPart,
    Integer,
    Number,
    ReasonedAnswer,
    WholeNumber,
    at_most,
)
from engine.core.bodies import Body, CannotRepresent, FileFormat
from engine.core.checks import Check, CheckList, Problem, State
from engine.core.errors import AnswerError
from engine.core.families import Bucket, Family
from engine.core.headline import Headline, headline_of, measured, measured_text
from engine.core.instance import Instance, InstanceError, address_order, task_of_address
from engine.core.live import LiveRule, Openness, Tells
from engine.core.progress import Cancelled, Progress, silent
from engine.core.registry import BrokenTask, broken_tasks, resolve, task, tasks
from engine.core.scene import Scene
from engine.core.task import Difficulty, Named, Outcome, Prompt, Task, Verifier, vary_field, verifier
from engine.core.verdict import FULL_SCORE, Figure, Verdict

__all__ = [
    "FULL_SCORE",
    "Aid",
    "AidUse",
    "Answer",
    "AnswerError",
    "AnswerPart",
    "Body",
    "BrokenTask",
    "Bucket",
    "Cancelled",
    "CannotRepresent",
    "Check",
    "CheckList",
    "Difficulty",
    "Family",
    "Figure",
    "FileFormat",
    "Headline",
    "Instance",
    "InstanceError",
    "Integer",
    "LiveRule",
    "Named",
    "Number",
    "Openness",
    "Outcome",
    "Problem",
    "Progress",
    "Prompt",
    "ReasonedAnswer",
    "Scene",
    "State",
    "Task",
    "Tells",
    "Verdict",
    "Verifier",
    "WholeNumber",
    "address_order",
    "at_most",
    "broken_tasks",
    "headline_of",
    "measured",
    "measured_text",
    "resolve",
    "silent",
    "task",
    "task_of_address",
    "tasks",
    "vary_field",
    "verifier",
]
