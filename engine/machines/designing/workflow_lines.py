"""How a workflow goes on and is written down: who is asked, what candidates do at once, and the record of it.

A *line* is what one candidate does: it asks roles, and has its machine simulated. The lines of a step go on at once.
When the last has ended, what they asked is entered in their order, so equal replies and equal simulations give equal
records, whoever was quickest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from spatial_workbench.engine.core.agents import NobodyReplies, NoReply
from spatial_workbench.engine.machines.building.edits import Edited
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Tree, read_tree, write_tree
from spatial_workbench.engine.machines.designing.prompts import Briefing
from spatial_workbench.engine.machines.designing.roles import ROLES, Heard, Role, RolePrompt, prompt_of
from spatial_workbench.engine.machines.designing.workflow_records import Call, Machine, Stage
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.machines.results.scoring import Score
from spatial_workbench.engine.machines.results.trace import Trace

T = TypeVar("T")


class Crew(Protocol):
    """Who works for a workflow; all of it may be called in several threads at a time."""

    def ask(self, place: str, role: Role, prompt: RolePrompt) -> str:
        """A role's answer.

        place: Which question of the run this is; no other has the same.

        Raises:
            TimeUp: Nobody may be asked any more.
            NoReply: There is no answer; others may still get one, unless it is a NobodyReplies.
        """

    def simulate(self, tree: Tree) -> tuple[Trace, Score]:
        """What a machine does and is worth."""

    def together(self, works: Sequence[Callable[[], T]]) -> list[T]:
        """Does all of it, at once as far as possible, and gives the results in the order of the works."""


class TimeUp(Exception):
    """The run's time is over; what was found so far counts."""


@dataclass(frozen=True)
class RoleQuestion:
    """A question to a role.

    Attributes:
        place: Which question of the run it is, under which its reply is stored.
        about: The machine that is shown.
        candidate: Which of several questions like it, from 0.
        attempt: Which try of this candidate, from 1.
    """

    place: str
    role: Role
    told: Briefing
    about: int | None = None
    candidate: int = 0
    attempt: int = 1


@dataclass(frozen=True)
class RoleAnswer:
    """A question with its answer, and what was read of it."""

    question: RoleQuestion
    prompt: RolePrompt
    text: str
    heard: Heard[Any]


@dataclass(frozen=True)
class MachineReport:
    """What a machine does and is worth, and what a refiner is told of that."""

    trace: Trace
    score: Score
    feedback: str


@dataclass(frozen=True)
class DesignedMachine:
    """A machine that a line came to: with the edits that made it of another, and with a report if it was simulated."""

    tree: Tree
    edited: Edited | None = None
    report: MachineReport | None = None


@dataclass
class CandidateLine(Generic[T]):
    """What one candidate does, while others do the same.

    Attributes:
        crew: Who works for it.
        asked: Its questions with their answers.
        value: What it came to; None: its first answer cannot be used.
        failed: Why there was no reply.
        is_late: Whether time is up.
        first_call: Where its calls begin in the record.
    """

    crew: Crew
    asked: list[RoleAnswer] = field(default_factory=list)
    value: T | None = None
    failed: NoReply | None = None
    is_late: bool = False
    first_call: int = 0

    def ask(self, question: RoleQuestion) -> Any:
        """What was read of a role's answer; None where it cannot be used. Raises TimeUp or NoReply."""
        if self.is_late:
            raise TimeUp
        prompt = prompt_of(question.role, question.told)
        try:
            text = self.crew.ask(question.place, question.role, prompt)
        except TimeUp:
            self.is_late = True
            raise
        except NoReply as error:
            heard: Heard[Any] = Heard(None, error=f"There was no reply: {error}")
            self.asked.append(RoleAnswer(question, prompt, "", heard))
            raise
        heard = ROLES[question.role].hear(text, question.told)
        self.asked.append(RoleAnswer(question, prompt, text, heard))
        return heard.value

    @property
    def heard(self) -> Heard[Any] | None:
        """What was read of the first answer; None: nobody answered."""
        return self.asked[0].heard if self.asked and self.failed is None else None


class WorkflowLines:
    """Lets lines go on, and keeps what came of them.

    Attributes:
        calls: Every question, in the order of the lines.
        systems: The system texts of the calls, each with its place.
        machines, trees: Every machine by its id.
        is_over: Whether time is up: nobody is asked any more.
    """

    def __init__(self, level: Level, crew: Crew) -> None:
        self._level = level
        self._crew = crew
        self.calls: list[Call] = []
        self.systems: dict[str, int] = {}
        self.machines: list[Machine] = []
        self.trees: list[Tree] = []
        self.is_over = False

    def together(
        self, works: Sequence[Callable[[CandidateLine[T]], T | None]], needs_reply: bool = True
    ) -> list[CandidateLine[T]]:
        """Lets lines go on at once, and enters what they asked.

        A line that got no reply says so, and the others go on.

        Raises:
            NoReply: No line got a reply, and one `needs_reply`.
        """
        lines: list[CandidateLine[T]] = [CandidateLine(self._crew, is_late=self.is_over) for _ in works]
        self._crew.together([partial(_walk, line, work) for line, work in zip(lines, works, strict=True)])
        for line in lines:
            line.first_call = len(self.calls)
            self.calls += [self._call(answer) for answer in line.asked]
        failures = [line.failed for line in lines if line.failed is not None]
        if needs_reply and len(failures) == len(lines):
            raise failures[0]
        self.is_over |= any(line.is_late for line in lines)
        return lines

    def _call(self, answer: RoleAnswer) -> Call:
        question = answer.question
        return Call(
            role=question.role,
            about=question.about,
            candidate=question.candidate,
            attempt=question.attempt,
            system=self.systems.setdefault(answer.prompt.system, len(self.systems)),
            prompt=answer.prompt.user,
            answer=answer.text,
            parsed=answer.heard.parsed,
            error=answer.heard.error,
        )

    def ask_one(self, question: RoleQuestion) -> Heard[Any]:
        """What is read of the answer to a single question. Raises TimeUp or NoReply where there is no answer."""
        (line,) = self.together([partial(CandidateLine.ask, question=question)])
        if self.is_over or line.heard is None:
            raise TimeUp
        return line.heard

    def add(
        self,
        line: CandidateLine[Any],
        made: DesignedMachine,
        parent: int | None,
        stage: Stage,
        layer: int | None = None,
    ) -> Machine:
        """Enters a machine that the first call of a line made, and its report."""
        faults = spatial_faults(made.tree, self._level.size_limits)
        machine = Machine(
            id=len(self.machines),
            parent=parent,
            call=line.first_call,
            stage=stage,
            layer=layer,
            tree=tuple(write_tree(made.tree)),
            lines=() if made.edited is None else tuple(step.text for step in made.edited.steps),
            faults=tuple(f"{fault.sentence} ({fault.code})" for fault in faults),
        )
        self.machines.append(machine)
        self.trees.append(made.tree)
        return machine if made.report is None else self.enter_report(machine, made.report, line)

    def enter_report(self, machine: Machine, report: MachineReport, line: CandidateLine[Any] | None = None) -> Machine:
        """Enters what a machine does and is worth; the line's querier was asked about it."""
        calls = range(line.first_call, line.first_call + len(line.asked)) if line is not None else ()
        for k in calls:
            if self.calls[k].role is Role.QUERIER:
                self.calls[k] = self.calls[k].model_copy(update={"about": machine.id})
        score = report.score
        simulated = {
            "score": score.rank,
            "reward": score.reward,
            "success": score.success,
            "figures": tuple((figure.name, round(figure.value, 4), figure.unit) for figure in score.figures),
            "fault": report.trace.fault,
            "feedback": report.feedback,
        }
        self.machines[machine.id] = machine.model_copy(update=simulated)
        return self.machines[machine.id]


def _walk(line: CandidateLine[T], work: Callable[[CandidateLine[T]], T | None]) -> None:
    """Lets a line go as far as it gets."""
    try:
        line.value = work(line)
    except TimeUp:
        line.is_late = True
    except NobodyReplies:
        raise
    except NoReply as error:
        line.failed = error


def tree_of(machine: Machine) -> Tree:
    """The construction tree of a recorded machine."""
    tree = read_tree(list(machine.tree)).tree
    assert tree is not None
    return tree
