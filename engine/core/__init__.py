"""The contracts between tasks and everything that uses them."""

from spatial_workbench.engine.core.abilities import (
    HasFileFormats,
    HoldsCollections,
    Named,
    PlayedByAgents,
    ReadsBodies,
    SharesPrompts,
    ShowsMotion,
    WritesBodies,
    agents_of,
    answer_group_of,
    collections_of,
    moving_scene,
    needs_agent,
)
from spatial_workbench.engine.core.aids import Aid, AidUse
from spatial_workbench.engine.core.answer import (
    Answer,
    AnswerPart,
    Integer,
    Number,
    ReasonedAnswer,
    WholeNumber,
    at_most,
)
from spatial_workbench.engine.core.bodies import Body, CannotRepresent, FileFormat
from spatial_workbench.engine.core.checks import Check, CheckList, Problem, State
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.families import Bucket, Family
from spatial_workbench.engine.core.headline import Headline, headline_of, measured, measured_text
from spatial_workbench.engine.core.instance import Instance, InstanceError, address_order, task_of_address
from spatial_workbench.engine.core.live import LiveRule, Openness, Tells
from spatial_workbench.engine.core.progress import Cancelled, Progress, silent
from spatial_workbench.engine.core.registry import BrokenTask, broken_tasks, resolve, task, tasks
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.task import Difficulty, Outcome, Prompt, Task, Verifier, vary_field, verifier
from spatial_workbench.engine.core.verdict import FULL_SCORE, Figure, Verdict

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
    "HasFileFormats",
    "Headline",
    "HoldsCollections",
    "Instance",
    "InstanceError",
    "Integer",
    "LiveRule",
    "Named",
    "Number",
    "Openness",
    "Outcome",
    "PlayedByAgents",
    "Problem",
    "Progress",
    "Prompt",
    "ReadsBodies",
    "ReasonedAnswer",
    "Scene",
    "SharesPrompts",
    "ShowsMotion",
    "State",
    "Task",
    "Tells",
    "Verdict",
    "Verifier",
    "WholeNumber",
    "WritesBodies",
    "address_order",
    "agents_of",
    "answer_group_of",
    "at_most",
    "broken_tasks",
    "collections_of",
    "headline_of",
    "measured",
    "measured_text",
    "moving_scene",
    "needs_agent",
    "resolve",
    "silent",
    "task",
    "task_of_address",
    "tasks",
    "vary_field",
    "verifier",
]
