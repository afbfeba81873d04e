"""The contracts between tasks and everything that uses them.

abilities         what only some tasks can do
acting            acting on an answer step by step: the commands of tasks
agents            a task may let a model answer step by step, instead of by a single prompt
answer            what a person or a model gives: `Answer` and its shared types
bodies            an answer as solids in space, for files of other programs
checks            the rows of a verification, in the order of the task's specification
clocks            how time is measured while a person works on an item
consent           whether programs in answers may be run: only if somebody has asked for it
contract          `Task`: the contract that every task of the workbench fulfils
declared_fields   the declarations of a record's fields, for forms and summaries
drawer            draws scenes without a window, for code that knows no screen
errors            `AnswerError`, and how errors are worded for people
extras            what is installed only on request, and the sentence that names what is missing
families          how tasks are grouped: by the system they come from, and by what they ask for
files             writes files completely or not at all
formats           JSON as people read it, patches, pictures, and the lines of prompts
headline          the measured figure that tables show of an attempt beside its score
instance          one question of a task, published or generated
interpreter       how Python is started as a child process, never with files from the working folder
languages         the program's own words in the language of the person who reads them
plug_ins          tasks of other packages: the names that older ones import, and guards around their code
progress          how a long computation reports its progress and is cancelled
rates             rates and their confidence intervals
reading           how answers are read: one pipeline for all tasks, whose steps are each entered once
registry          finds tasks by the names of their modules, and through the entry points of other packages
reuse             whether results that took long to compute were there already
scene             drawings that are independent of any toolkit
shipped           the data that ship with the program
solving           what concerns a person who solves by hand: aids, live verdicts, what is handed in
verdict           a verifier's judgement of an answer
version           the version of the workbench, as it is installed
words             numbers in words, as sentences name them
"""

from spatial_workbench.engine.core.abilities import (
    BOTH,
    FIRST_ONLY,
    SECOND_ONLY,
    CountedDifferently,
    DrawsContrasts,
    HasFileFormats,
    HoldsCollections,
    MakesFilm,
    Named,
    NamesWhatItAsks,
    PlayedByAgents,
    ReadsBodies,
    SharesPrompts,
    ShowsMotion,
    WritesBodies,
    agents_of,
    answer_group_of,
    collections_of,
    filmed_scene,
    has_film,
    moving_scene,
    needs_agent,
)
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
from spatial_workbench.engine.core.contract import Difficulty, Outcome, Prompt, Task, Verifier, vary_field, verifier
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.families import Bucket, Family
from spatial_workbench.engine.core.headline import Headline, headline_of, measured, measured_text
from spatial_workbench.engine.core.instance import Instance, InstanceError, address_order, task_of_address
from spatial_workbench.engine.core.progress import Cancelled, Progress, silent
from spatial_workbench.engine.core.registry import BrokenTask, broken_tasks, resolve, task, tasks
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.solving.aids import Aid, AidUse
from spatial_workbench.engine.core.solving.live import LiveRule, Openness, Tells
from spatial_workbench.engine.core.verdict import FULL_SCORE, Figure, Verdict

__all__ = [
    "BOTH",
    "FIRST_ONLY",
    "FULL_SCORE",
    "SECOND_ONLY",
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
    "CountedDifferently",
    "Difficulty",
    "DrawsContrasts",
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
    "MakesFilm",
    "Named",
    "NamesWhatItAsks",
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
    "filmed_scene",
    "has_film",
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
