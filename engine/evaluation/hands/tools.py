"""The tools of an episode: the common ones, and the commands and questions of its task that the condition allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from spatial_workbench.engine.core import Aid, Number, Task, WholeNumber, at_most
from spatial_workbench.engine.core.acting.commands import (
    CommandArguments,
    NoArguments,
    TaskCommand,
    TaskQuestion,
    commands_of,
    questions_of,
    schema_of,
)
from spatial_workbench.engine.core.acting.views import SeenThroughViews, ViewTurn
from spatial_workbench.engine.evaluation.hands.conditions import HandsOptions, Sees

MAX_NOTE_CHARS = 20_000
MOST_SHOWN = 2000
VIEWS = ("best", "isometric", "front", "back", "left", "right", "top", "bottom")


class StateAsked(CommandArguments):
    """Which part of the answer is wanted."""

    first: Annotated[WholeNumber, Field(ge=0)] = Field(default=0, description="id of the first element")
    count: Annotated[WholeNumber, Field(ge=1, le=MOST_SHOWN)] = Field(
        default=500, description="how many elements of each list"
    )


class LookAsked(CommandArguments):
    """How the picture is taken."""

    view: Literal[VIEWS] = Field(default="best", description="from where, if the scene is solid")  # type: ignore[valid-type]
    labels: bool = Field(default=False, description="whether elements are labelled with their ids")
    cut_axis: Literal["", "x", "y", "z"] = Field(default="", description="axis across which the scene is cut open")
    cut_at: Number = Field(default=0.0, description="where; what lies beyond is not drawn")
    width_px: Annotated[WholeNumber, Field(ge=64, le=1600)] = Field(default=800, description="width")
    height_px: Annotated[WholeNumber, Field(ge=64, le=1600)] = Field(default=600, description="height")


class MeasureAsked(CommandArguments):
    """What is measured."""

    elements: Annotated[tuple[str, ...], at_most(200, "elements"), Field(min_length=1)] = Field(
        description='names of elements as pictures label them, such as "brick 3"'
    )


class StepCount(CommandArguments):
    """How many steps."""

    steps: Annotated[WholeNumber, Field(ge=1, le=10_000)] = Field(default=1, description="how many steps")


class NoteText(CommandArguments):
    """A note."""

    text: Annotated[str, Field(max_length=MAX_NOTE_CHARS)] = Field(description="what to keep in mind")


@dataclass(frozen=True)
class HandsTool:
    """A tool as models and other programs are told of it.

    Attributes:
        schema: JSON schema of its arguments.
        command: The task's command that it carries out.
        turn: The way in which it turns the view of the task.
        question: The task's question that it asks. Where none of the three is given, it is one of the common tools.
    """

    name: str
    about: str
    arguments: type[CommandArguments]
    aid: Aid
    schema: Mapping[str, Any]
    command: TaskCommand | None = None
    turn: ViewTurn | None = None
    question: TaskQuestion | None = None

    def is_for(self, sees: Sees) -> bool:
        """Whether it is for those who see text, pictures, or both."""
        shows_pictures = self.question is not None and self.question.shows_pictures
        return self.name != _UNSEEN.get(sees) and not (shows_pictures and sees == "text")


_COMMON: Sequence[tuple[str, str, type[CommandArguments], Aid]] = (
    ("rules", "Tells the task again.", NoArguments, Aid.VIEWING),
    ("state", "Tells the answer as it is now, with the ids of its elements.", StateAsked, Aid.VIEWING),
    ("look", "Shows a picture of the answer as it is now.", LookAsked, Aid.VIEWING),
    ("measure", "Tells where elements are, how large, and how far apart.", MeasureAsked, Aid.MEASURING),
    ("undo", "Takes back the last changes.", StepCount, Aid.EDITING),
    ("redo", "Makes changes again that were taken back.", StepCount, Aid.EDITING),
    ("verdict", "Tells what is wrong with the answer so far.", NoArguments, Aid.JUDGING),
    ("note", "Keeps a note; it changes nothing.", NoteText, Aid.VIEWING),
    ("submit", "Hands the answer in and ends the run.", NoArguments, Aid.EDITING),
)
COMMON_NAMES = frozenset(name for name, *_ in _COMMON)
_UNSEEN = {"text": "look", "pictures": "state"}
"""What is not offered where a model sees only text, or only pictures."""


def all_tools(task: Task[Any]) -> dict[str, HandsTool]:
    """Every tool that a task has in any condition, by name."""
    common = [HandsTool(name, about, kind, aid, schema_of(kind)) for name, about, kind, aid in _COMMON]
    own = [
        HandsTool(command.name, command.about, command.arguments, command.aid, command.schema(), command)
        for command in commands_of(task).values()
    ]
    own += [
        HandsTool(asked.name, asked.about, asked.arguments, asked.aid, asked.schema(), question=asked)
        for asked in questions_of(task).values()
    ]
    turns = [
        HandsTool(turn.name, turn.about, turn.arguments, Aid.VIEWING, schema_of(turn.arguments), turn=turn)
        for turn in (task.view_turns() if isinstance(task, SeenThroughViews) else ())
    ]
    return {tool.name: tool for tool in (*own, *turns, *common)}


def tools_of(task: Task[Any], options: HandsOptions) -> dict[str, HandsTool]:
    """The tools that a condition offers, by name."""
    tools = all_tools(task).values()
    return {tool.name: tool for tool in tools if tool.aid in options.aids and tool.is_for(options.sees)}
