"""Commands and questions: what can be done to the answers of a task, and asked about them, declared once.

A task that has commands inherits `HasCommands`, and declares them in a module `commands` beside its rules:

    commands = CommandList()

    class Place(CommandArguments):
        corner: Corner = Field(description="lowest corner: x, y, z")

    @commands.add("Place box", Place)
    def place(instance: Instance, answer: Packing, given: Place) -> Packing:
        \"""Places a box.\"""

What tells something and changes nothing is a question, such as what a machine does:

    questions = QuestionList()

    @questions.add("Simulate", NoArguments, Aid.JUDGING)
    def simulate(instance: Instance, answer: MachineAnswer, given: NoArguments, progress: Progress) -> QuestionReply:
        \"""Simulates the machine, and tells what it does.\"""
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema

from spatial_workbench.engine.core.answer import Answer, explained, validated
from spatial_workbench.engine.core.contract import Task
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.reading.limits import within_limits
from spatial_workbench.engine.core.solving.aids import Aid

if TYPE_CHECKING:
    from spatial_workbench.engine.core.instance import Instance
    from spatial_workbench.engine.core.scene import Scene

Change = Callable[[Any, Any, Any], Any]
"""(instance, answer, arguments) -> the new answer. Raises AnswerError, with the place, if the change is impossible."""


@dataclass(frozen=True)
class QuestionReply:
    """What a question is answered with: a text, and pictures as PNG or JPEG files."""

    text: str
    pictures: tuple[bytes, ...] = ()


Call = tuple[str, Mapping[str, Any]]
"""The name of a command, and its arguments as plain data."""
CallWays = Callable[[Any, Any, Any], "Iterator[Sequence[Call]]"]
"""(instance, before, after) -> calls that may lead from one answer to another, in some ways, the best one first."""
Telling = Callable[[Any, Any, Any, Progress], QuestionReply]
"""(instance, answer, arguments, progress) -> what is told. Raises AnswerError, with the place, if nothing can be."""


class CommandArguments(Answer):
    """Base of the arguments of a command: frozen and strict, each with a description, and its unit in its name."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Names bounds as JSON Schema does; pydantic has its own names for those of numbers that are read leniently."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        _name_bounds(schema)
        return schema


class NoArguments(CommandArguments):
    """The arguments of a command that takes none."""


@dataclass(frozen=True)
class TaskCommand:
    """Something that can be done to an answer.

    Attributes:
        name: Unique in its task: "place".
        label: What the undo menu calls it: "Place brick".
        about: One sentence that says what it does.
        arguments: What it takes.
        change: What it does.
        aid: How much it helps.
    """

    name: str
    label: str
    about: str
    arguments: type[CommandArguments]
    change: Change
    aid: Aid = Aid.EDITING

    def read(self, raw: Any) -> CommandArguments:
        """The arguments in plain data.

        Raises:
            AnswerError: They cannot be read; names the place.
        """
        return read_arguments(self.name, self.arguments, raw)

    def apply(self, instance: Instance, answer: Any, raw: Any) -> Any:
        """The answer after the command; `raw` holds its arguments as plain data.

        Raises:
            AnswerError: The arguments cannot be read, or the change is impossible; the answer stays as it is.
        """
        given = self.read(raw)
        try:
            return self.change(instance, answer, given)
        except ValidationError as error:
            raise explained(type(answer), error) from None

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, as tools of models have it."""
        return schema_of(self.arguments)


@dataclass(frozen=True)
class TaskQuestion:
    """Something that can be asked about an answer, or about the instance; it changes nothing.

    Attributes:
        name: Unique among the commands and questions of its task: "simulate".
        label: What forms call it: "Simulate".
        about: One sentence that says what it tells.
        arguments: What it takes.
        tell: What it tells.
        aid: How much it helps.
        shows_pictures: Whether it is for those who see pictures only.
    """

    name: str
    label: str
    about: str
    arguments: type[CommandArguments]
    tell: Telling
    aid: Aid
    shows_pictures: bool = False

    def ask(self, instance: Instance, answer: Any, raw: Any, progress: Progress = silent) -> QuestionReply:
        """What is told; `raw` holds the arguments as plain data.

        Raises:
            AnswerError: The arguments cannot be read, or nothing can be told; says why.
            Cancelled: Raised by `progress`.
        """
        return self.tell(instance, answer, read_arguments(self.name, self.arguments, raw), progress)

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, as tools of models have it."""
        return schema_of(self.arguments)


class CommandList(Sequence[TaskCommand]):
    """The commands of a task, in the order of their declaration.

    Attributes:
        ways: Finds the calls that lead from one answer to another; None: nobody has said how.
    """

    def __init__(self) -> None:
        self._commands: list[TaskCommand] = []
        self.ways: CallWays | None = None

    def add(
        self, label: str, arguments: type[CommandArguments], aid: Aid = Aid.EDITING, name: str = ""
    ) -> Callable[[Change], Change]:
        """Decorator: adds a function under its own name, or another; the docstring's first line says what it does."""

        def keep(function: Change) -> Change:
            about = _first_line(function)
            self._commands.append(TaskCommand(name or function.__name__, label, about, arguments, function, aid))
            return function

        return keep

    def leading(self, function: CallWays) -> CallWays:
        """Decorator: lets a function find the calls that lead from one answer to another; each way is tried."""
        self.ways = function
        return function

    def __getitem__(self, index: Any) -> Any:
        return self._commands[index]

    def __len__(self) -> int:
        return len(self._commands)

    def __iter__(self) -> Iterator[TaskCommand]:
        return iter(self._commands)


class QuestionList(Sequence[TaskQuestion]):
    """The questions of a task, in the order of their declaration."""

    def __init__(self) -> None:
        self._questions: list[TaskQuestion] = []

    def add(
        self, label: str, arguments: type[CommandArguments], aid: Aid, shows_pictures: bool = False
    ) -> Callable[[Telling], Telling]:
        """Decorator: adds a function under its own name; the first line of its docstring says what it tells."""

        def keep(function: Telling) -> Telling:
            about = _first_line(function)
            name = function.__name__
            self._questions.append(TaskQuestion(name, label, about, arguments, function, aid, shows_pictures))
            return function

        return keep

    def __getitem__(self, index: Any) -> Any:
        return self._questions[index]

    def __len__(self) -> int:
        return len(self._questions)

    def __iter__(self) -> Iterator[TaskQuestion]:
        return iter(self._questions)


class HasCommands(ABC):
    """A task whose answers can be built command by command: by models with hands, and by other programs."""

    @abstractmethod
    def commands(self) -> Sequence[TaskCommand]:
        """What can be done to its answers."""

    def questions(self) -> Sequence[TaskQuestion]:
        """What can be asked about its answers and instances."""
        return ()

    def state(self, instance: Instance, answer: Any) -> Any:
        """The answer as plain data, in which each element has the number by which commands name it."""
        from spatial_workbench.engine.core.acting.elements import numbered

        return numbered(answer)

    def sight(self, instance: Instance, answer: Any, aids: Collection[Aid]) -> Scene:
        """What `look` and `measure` are about: the drawing of the answer that an editor with these aids shows."""
        assert isinstance(self, Task)
        return self.scene(instance, answer)


def commands_of(task: object) -> Mapping[str, TaskCommand]:
    """The commands of a task by name; none if it has no commands."""
    return {command.name: command for command in task.commands()} if isinstance(task, HasCommands) else {}


def questions_of(task: object) -> Mapping[str, TaskQuestion]:
    """The questions of a task by name; none if it has no commands."""
    return {question.name: question for question in task.questions()} if isinstance(task, HasCommands) else {}


def read_arguments(name: str, kind: type[CommandArguments], raw: Any) -> CommandArguments:
    """The arguments of a call in plain data.

    Raises:
        AnswerError: They cannot be read; names the place.
    """
    data = within_limits({} if raw is None else raw)
    if not isinstance(data, Mapping):
        raise AnswerError(f"The arguments of {name} must be an object")
    return validated(kind, data, _no_warning)


def schema_of(kind: type[CommandArguments]) -> dict[str, Any]:
    """The JSON schema of arguments, as tools of models have it."""
    schema = kind.model_json_schema()
    for part in ("title", "description"):
        schema.pop(part, None)
    for field in schema.get("properties", {}).values():
        field.pop("rows", None)  # only forms need it
    return schema


_UNITS = ("mm", "cm", "m", "deg", "px")


def words_of_argument(name: str) -> tuple[str, str]:
    """What forms call an argument, and its unit or "": ("Turn", "deg") for `turn_deg`."""
    words, _, unit = name.rpartition("_")
    if unit not in _UNITS or not words:
        words, unit = name, ""
    words = words.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}", unit


_BOUNDS = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}


def _name_bounds(schema: Any) -> None:
    """Renames the bounds in a schema, in place."""
    if isinstance(schema, list):
        for part in schema:
            _name_bounds(part)
    elif isinstance(schema, dict):
        for own, name in _BOUNDS.items():
            if own in schema and not isinstance(schema[own], dict):
                schema[name] = schema.pop(own)
        for part in schema.values():
            _name_bounds(part)


def _first_line(function: Callable[..., Any]) -> str:
    """The first line of a function's docstring."""
    return (function.__doc__ or "").strip().partition("\n")[0]


def _no_warning(sentence: str) -> None:
    """Arguments with unknown fields are refused, so that there is nothing to warn about."""
