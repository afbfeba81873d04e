"""The lines of a workflow: who is asked and who simulates, what candidates do at once, and the record of it.

A *line* is what one candidate does: it is asked, its machine is simulated, and the querier is asked about it. The lines
of a step go on at once. When the last has ended, what they asked is entered in their order, so equal replies and equal
simulations give equal records, whoever was quickest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol, TypeVar

from spatial_workbench.engine.core.agents import NobodyReplies, NoReply
from spatial_workbench.engine.machines.building.edits import Edited
from spatial_workbench.engine.machines.building.spatial import spatial_faults
from spatial_workbench.engine.machines.building.tree import Tree, read_tree, write_tree
from spatial_workbench.engine.machines.designing import roles
from spatial_workbench.engine.machines.designing.replies import Heard, hear_queries
from spatial_workbench.engine.machines.designing.roles import Assignment, Role, RolePrompt, Seen
from spatial_workbench.engine.machines.designing.workflow_records import Call, Machine, Stage, WorkflowOptions
from spatial_workbench.engine.machines.results.feedback import feedback_of
from spatial_workbench.engine.machines.results.queries import answer_of, read_queries
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
    """A question to a role, and how its answer is read."""

    place: str
    role: Role
    prompt: RolePrompt
    read: Callable[[str], Heard[Any]]
    about: int | None = None
    candidate: int = 0
    attempt: int = 1


@dataclass
class CandidateLine:
    """What one candidate does, while others do the same.

    Attributes:
        asked: Its questions with their answers and what was read of them.
        value: What was read of the first; None: it cannot be used.
        judged: What the machine that came of it does, and what is told of that.
        failed: Why there was no reply.
        is_late: Whether time was up.
        first_call: Where its calls begin in the record.
    """

    asked: list[tuple[RoleQuestion, str, Heard[Any]]] = field(default_factory=list)
    value: Any = None
    judged: tuple[Trace, Score, str] | None = None
    failed: NoReply | None = None
    is_late: bool = False
    first_call: int = 0

    @property
    def heard(self) -> Heard[Any] | None:
        """What was read of the first answer; None: nobody answered."""
        return self.asked[0][2] if self.asked and self.failed is None else None


class WorkflowLines:
    """Lets lines go on, and keeps what came of them.

    Attributes:
        calls: Every question, in the order of the lines.
        systems: The system texts of the calls, each with its place.
        machines, trees: Every machine by its id.
        is_over: Whether time is up: nobody is asked any more.
    """

    def __init__(self, assignment: Assignment, options: WorkflowOptions, crew: Crew) -> None:
        self._assignment = assignment
        self._options = options
        self._crew = crew
        self.calls: list[Call] = []
        self.systems: dict[str, int] = {}
        self.machines: list[Machine] = []
        self.trees: list[Tree] = []
        self.is_over = False

    def seen(self, tree: Tree, feedback: str = "") -> Seen:
        """What a role is told of a machine, if no inspector decides that."""
        return Seen(tree, self._options.information != "never", feedback)

    # Lines -------------------------------------------------------------------------------------------------------

    def together(
        self, works: Sequence[Callable[[CandidateLine], None]], needs_reply: bool = True
    ) -> list[CandidateLine]:
        """Lets lines go on at once, and enters what they asked.

        A line that got no reply says so, and the others go on.

        Raises:
            NoReply: No line got a reply, and one `needs_reply`.
        """
        lines = self._crew.together([partial(_walk, work) for work in works])
        for line in lines:
            line.first_call = len(self.calls)
            self.calls += [self._call(*asked) for asked in line.asked]
        failures = [line.failed for line in lines if line.failed is not None]
        if needs_reply and len(failures) == len(lines):
            raise failures[0]
        self.is_over |= any(line.is_late for line in lines)
        return lines

    def _call(self, question: RoleQuestion, answer: str, heard: Heard[Any]) -> Call:
        prompt = question.prompt
        return Call(
            role=question.role,
            about=question.about,
            candidate=question.candidate,
            attempt=question.attempt,
            system=self.systems.setdefault(prompt.system, len(self.systems)),
            prompt=prompt.user,
            answer=answer,
            parsed=heard.parsed,
            error=heard.error,
        )

    def ask_one(self, question: RoleQuestion) -> CandidateLine:
        """A line of a single question. Raises TimeUp or NoReply where there is no answer."""
        (line,) = self.together([partial(self.ask_first, question=question)])
        if self.is_over:
            raise TimeUp
        return line

    def ask_first(self, line: CandidateLine, question: RoleQuestion) -> None:
        """Asks the question that a line begins with."""
        line.value = self._ask(line, question).value

    def change(self, line: CandidateLine, question: RoleQuestion) -> None:
        """Asks for a change, and judges the machine that comes of it."""
        self.ask_first(line, question)
        if line.value is not None:
            self.judge(line, question.place, line.value.tree)

    def _ask(self, line: CandidateLine, question: RoleQuestion) -> Heard[Any]:
        if self.is_over:
            raise TimeUp
        try:
            answer = self._crew.ask(question.place, question.role, question.prompt)
        except NoReply as error:
            line.asked.append((question, "", Heard(None, error=f"There was no reply: {error}")))
            raise
        heard = question.read(answer)
        line.asked.append((question, answer, heard))
        return heard

    def judge(self, line: CandidateLine, place: str, tree: Tree, asked: str = "") -> None:
        """Simulates a machine, and finds out what is told of it: to everybody, to `asked`, and to the querier."""
        trace, score = self._crew.simulate(tree)
        feedback = self._basic_feedback(tree, trace, score)
        line.judged = trace, score, feedback
        if trace.fault or self._options.feedback == "score":
            return
        answers = [self._answers(asked, tree, trace)]
        if self._options.querier:
            answers.append(self._answers(self._queries(line, place, tree, feedback), tree, trace))
        line.judged = trace, score, "\n".join(filter(None, [feedback, *answers]))

    def _queries(self, line: CandidateLine, place: str, tree: Tree, feedback: str) -> str:
        """What the querier wants to know of a machine; nothing where it does not reply."""
        prompt = roles.querier_prompt(self._assignment, self.seen(tree, feedback))
        read = hear_queries(tree, self._assignment.level.window_s)
        try:
            self._ask(line, RoleQuestion(f"{place}, querier", Role.QUERIER, prompt, read))
        except TimeUp:
            line.is_late = True
            return ""
        except NobodyReplies:
            raise
        except NoReply:
            return ""
        return line.asked[-1][1]

    def _basic_feedback(self, tree: Tree, trace: Trace, score: Score) -> str:
        if self._options.feedback == "score" or trace.fault:
            shown = f"{score.shown.name.capitalize()}: {score.shown.value:.4g} {score.shown.unit}".rstrip() + "."
            return "\n".join([shown, *score.notes])
        return feedback_of(self._assignment.level, tree, trace, score)

    def _answers(self, asked: str, tree: Tree, trace: Trace) -> str:
        return answer_of(read_queries(asked, tree, self._assignment.level.window_s), tree, trace)

    # Machines ----------------------------------------------------------------------------------------------------

    def add(
        self,
        line: CandidateLine,
        tree: Tree,
        parent: int | None,
        stage: Stage,
        edited: Edited | None = None,
        layer: int | None = None,
    ) -> Machine:
        """A machine that the first call of a line made."""
        faults = spatial_faults(tree, self._assignment.level.size_limits)
        machine = Machine(
            id=len(self.machines),
            parent=parent,
            call=line.first_call,
            stage=stage,
            layer=layer,
            tree=tuple(write_tree(tree)),
            lines=() if edited is None else tuple(step.text for step in edited.steps),
            faults=tuple(f"{fault.sentence} ({fault.code})" for fault in faults),
        )
        self.machines.append(machine)
        self.trees.append(tree)
        return machine

    def score_design(self, machine: Machine) -> Machine:
        """A design with its score, and with what it reports to everybody."""
        tree = self.trees[machine.id]
        trace, score = self._crew.simulate(tree)
        return self._enter(machine, trace, score, self._basic_feedback(tree, trace, score))

    def score(self, machine: Machine, line: CandidateLine) -> Machine:
        """The machine as a line has judged it; the line's querier was asked about it."""
        for k in range(line.first_call, line.first_call + len(line.asked)):
            if self.calls[k].role is Role.QUERIER:
                self.calls[k] = self.calls[k].model_copy(update={"about": machine.id})
        assert line.judged is not None
        trace, score, feedback = line.judged
        return self._enter(machine, trace, score, feedback)

    def _enter(self, machine: Machine, trace: Trace, score: Score, feedback: str) -> Machine:
        figures = tuple((figure.name, round(figure.value, 4), figure.unit) for figure in score.figures)
        simulated = {
            "score": score.rank,
            "reward": score.reward,
            "success": score.success,
            "figures": figures,
            "fault": trace.fault,
            "feedback": feedback,
        }
        self.machines[machine.id] = machine.model_copy(update=simulated)
        return self.machines[machine.id]


def _walk(work: Callable[[CandidateLine], None]) -> CandidateLine:
    """A line as far as it got."""
    line = CandidateLine()
    try:
        work(line)
    except TimeUp:
        line.is_late = True
    except NobodyReplies:
        raise
    except NoReply as error:
        line.failed = error
    return line


def tree_of(machine: Machine) -> Tree:
    """The construction tree of a recorded machine."""
    tree = read_tree(list(machine.tree)).tree
    assert tree is not None
    return tree
