"""What only some tasks can do.

Each ability is a class that a task inherits beside `Task`, as in `class Mine(PlayedByAgents, Task[MyAnswer])`. Callers
ask for it with `isinstance`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel

from spatial_workbench.engine.core.acting.commands import HasCommands
from spatial_workbench.engine.core.agents import HANDS, HANDS_TITLE, AgentPlan, AgentRun, Model
from spatial_workbench.engine.core.bodies import Body, FileFormat
from spatial_workbench.engine.core.instance import Instance
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.scene import Scene

if TYPE_CHECKING:
    from spatial_workbench.engine.core.contract import Task
    from spatial_workbench.engine.core.verdict import Verdict

EXPECTED_CALLS = 10
"""About how many questions an agent's run takes, unless the task knows better."""


class PlayedByAgents(ABC):
    """A task that a model may solve step by step, as an agent with tools."""

    agents: ClassVar[Mapping[str, str]]
    """The kinds of agents that `play` supports, each with its title in the window."""
    needs_agent: ClassVar[bool] = False
    """Whether the prompt does not say everything: a solver has to look around with tools."""
    agent_options: ClassVar[type[BaseModel] | None] = None
    """What `AgentPlan.options` may hold; None: nothing."""
    agents_write_code: ClassVar[bool] = False
    """Whether agents run programs of their own, in the sandbox, if the plan says so."""
    agents_converse: ClassVar[bool] = True
    """Whether each question to an agent repeats the conversation so far."""

    @abstractmethod
    def play(self, instance: Instance, plan: AgentPlan, model: Model, progress: Progress = silent) -> AgentRun:
        """Lets a model find the answer step by step; called only for the kinds in `agents`.

        Raises:
            NoReply: The model gave no reply.
            AgentFailed: The run ended early through no fault of the model.
        """

    def expected_calls(self, plan: AgentPlan) -> int:
        """About how many questions a run of `play` takes."""
        return min(EXPECTED_CALLS, plan.max_steps)

    def words_of_run(self, record: str) -> str:
        """The words of a run of `play`, for searching. Raises ValueError if the record is not one of a run."""
        return ""


class NamesWhatItAsks(ABC):
    """A task whose questions depend on something else than just the parameters that a solver may see."""

    @abstractmethod
    def what_is_asked(self, instance: Instance) -> Mapping[str, Any]:
        """JSON data of which the question is made: equal for equal questions, and different for different ones.

        Ids in data sets are made from it, so it stays the same in later versions.
        """


def agents_of(task: object) -> Mapping[str, str]:
    """The kinds of agents that a task supports, with their titles; none if models only answer its prompt."""
    own = task.agents if isinstance(task, PlayedByAgents) else {}
    return {**own, HANDS: HANDS_TITLE} if isinstance(task, HasCommands) else own


def needs_agent(task: object) -> bool:
    """Whether the task's prompt alone is not enough to solve it."""
    return isinstance(task, PlayedByAgents) and task.needs_agent


class WritesBodies(ABC):
    """A task whose answers are solids that files of other programs can hold."""

    unit_mm: ClassVar[float] = 1.0
    """The length of a unit of the bodies in millimetres, for files that state a unit."""

    @abstractmethod
    def bodies(self, instance: Instance, answer: Any) -> Sequence[Body]:
        """The answer as solids; empty if there is nothing solid yet."""


class ReadsBodies(WritesBodies):
    """A task whose answers can be made of the solids in a file, too."""

    @abstractmethod
    def from_bodies(self, instance: Instance, bodies: Sequence[Body]) -> Any:
        """The answer that consists of the solids in a file.

        Raises:
            CannotRepresent: The solids are not an answer; says why.
        """


class HasFileFormats(ABC):
    """A task whose answers can be written to files of other programs, or read from them, other than as solids."""

    file_formats: ClassVar[Mapping[str, FileFormat]]
    """The formats by suffix."""


class ShowsMotion(ABC):
    """A task whose answers can be drawn in motion."""

    @abstractmethod
    def motion(self, instance: Instance, answer: Any, progress: Progress = silent) -> Scene:
        """A drawing of an answer with frames that show what happens to it; this may take long to compute.

        Raises:
            Cancelled: Raised by `progress`.
        """


def moving_scene(task: Task[Any], instance: Instance, answer: Any, progress: Progress = silent) -> Scene:
    """A drawing of an answer in motion if the task can make one, otherwise at rest. See `ShowsMotion.motion`."""
    return task.motion(instance, answer, progress) if isinstance(task, ShowsMotion) else task.scene(instance, answer)


class MakesFilm(ABC):
    """A task whose answers can be shown step by step, or put together, though nothing happens to them."""

    @abstractmethod
    def film(self, instance: Instance, answer: Any, progress: Progress = silent) -> Scene:
        """A drawing of an answer with frames, for a video; without frames if there is nothing to show.

        Raises:
            Cancelled: Raised by `progress`.
        """


def has_film(task: object) -> bool:
    """Whether answers to the task can be shown in a video."""
    return isinstance(task, MakesFilm | ShowsMotion)


def filmed_scene(task: Task[Any], instance: Instance, answer: Any, progress: Progress = silent) -> Scene:
    """A drawing of an answer for a video: its film, or else in motion if the task can make that."""
    if isinstance(task, MakesFilm):
        return task.film(instance, answer, progress)
    return moving_scene(task, instance, answer, progress)


FIRST_ONLY, SECOND_ONLY, BOTH = "series 0", "series 1", "passed"
"""The colours of what only the first of two verifiers counts, only the second, and both."""


@dataclass(frozen=True)
class CountedDifferently:
    """What one verifier of an answer counts and another does not.

    Attributes:
        scene: The drawing, in the colours FIRST_ONLY, SECOND_ONLY and BOTH.
        says: How much it is, in a sentence or two.
        is_detail: Whether the drawing shows a part of the instance from near, so that other views do not move with it.
    """

    scene: Scene
    says: str
    is_detail: bool = False


class DrawsContrasts(ABC):
    """A task that can draw what one verifier of an answer counts and another does not."""

    @abstractmethod
    def contrast(self, instance: Instance, answer: Any, first: Verdict, second: Verdict) -> CountedDifferently | None:
        """What differs between two verdicts on an answer; None if these two cannot be drawn."""


class SharesPrompts(ABC):
    """A task with instances that have the same prompt and the same answer, and differ in how it is judged."""

    @abstractmethod
    def answer_group(self, instance: Instance) -> str | None:
        """A name shared by the instances with the same prompt and answer; None: the instance is in no group.

        An evaluation asks once per group and judges the answer on each of its instances.
        """


def answer_group_of(task: object, instance: Instance) -> str | None:
    """The name of the group of instances that one answer is judged on; None: the instance is in no group."""
    return task.answer_group(instance) if isinstance(task, SharesPrompts) else None


@dataclass(frozen=True)
class Named:
    """An instance that a person added.

    Attributes:
        name: The part of its address after the colon: a collection and a name in it, "hunt/Harbour_Clocks".
        caption: A short name for people.
    """

    name: str
    caption: str

    @property
    def collection(self) -> str:
        """The collection that it belongs to."""
        return self.name.partition("/")[0]


class HoldsCollections(ABC):
    """A task to which people add instances, such as sets of puzzles of their own."""

    @abstractmethod
    def named(self) -> Sequence[Named]:
        """The instances that were added."""

    @abstractmethod
    def instance_named(self, name: str) -> Instance:
        """The instance that was added under this name.

        Raises:
            InstanceError: There is none; the message says where it was expected.
        """

    def collections(self) -> Mapping[str, Sequence[Named]]:
        """The instances that were added, by collection."""
        sets: dict[str, list[Named]] = {}
        for entry in self.named():
            sets.setdefault(entry.collection, []).append(entry)
        return sets


def collections_of(task: object) -> Mapping[str, Sequence[Named]]:
    """The instances that people added to a task, by collection."""
    return task.collections() if isinstance(task, HoldsCollections) else {}
