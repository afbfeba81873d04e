"""Checks: the rows of a verification, in the order of the task's specification."""

from collections.abc import Callable, Collection, Iterable, Iterator
from enum import StrEnum
from itertools import islice
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

MAX_PROBLEMS = 200
"""How many problems a check lists; the rest are only counted."""


DECIDED_LATER = "Decided when the answer is submitted"
"""The message, while somebody builds the answer, of a check that is only made when the answer is submitted."""

INCOMPLETE = "Something is still missing"
"""The message, while somebody builds the answer, that replaces everything that is missing."""


class State(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_REACHED = "not reached"


class Problem(BaseModel):
    """One thing that is wrong, in words for a person."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    message: str = Field(description="A sentence, such as 'Brick 17 overlaps brick 21 by 3.2 mm'")
    elements: tuple[str, ...] = Field(default=(), description="Ids of the scene's elements that it concerns")
    is_omission: bool = Field(default=False, description="Whether it names something missing, not something wrong")
    is_evident: bool = Field(default=False, description="Whether an omission is seen without the key: an empty cell")

    def __init__(self, message: str, elements: Iterable[str] = (), **data: Any) -> None:
        super().__init__(message=message, elements=elements, **data)


class Check(BaseModel):
    """One row of a verdict."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    state: State
    message: str = Field(default="", description="A sentence for a person; empty where the name says it all")
    problems: tuple[Problem, ...] = ()
    problem_count: int = Field(default=0, description="How many problems there are, also those that are not listed")

    @property
    def elements(self) -> tuple[str, ...]:
        """The ids of all elements that its problems name, each once."""
        return tuple(dict.fromkeys(element for problem in self.problems for element in problem.elements))

    @classmethod
    def of(cls, name: str, problems: Iterable[Problem], passed: str = "") -> "Check":
        """The check that these problems make: passed if there are none."""
        problems = iter(problems)
        listed = tuple(islice(problems, MAX_PROBLEMS))
        if not listed:
            return cls(name=name, state=State.PASSED, message=passed)
        count = len(listed) + sum(1 for _ in problems)
        more = f" (and {count - 1} more)" if count > 1 else ""
        return cls(
            name=name, state=State.FAILED, message=listed[0].message + more, problems=listed, problem_count=count
        )

    @property
    def is_decided_later(self) -> bool:
        """Whether it is made only when the answer is submitted."""
        return self.state is State.NOT_REACHED and self.message == DECIDED_LATER

    def while_building(self, later: Collection[str] = ()) -> "Check":
        """The check as a person who is still working on the answer may see it: without the names of what is missing.

        If its name is in `later`, nothing is said about it before the answer is submitted.
        """
        if self.name in later:
            return Check(name=self.name, state=State.NOT_REACHED, message=DECIDED_LATER)
        shown_problems = [problem for problem in self.problems if not problem.is_omission]
        if len(shown_problems) == len(self.problems):
            return self
        message = shown_problems[0].message if shown_problems else INCOMPLETE
        more = f" (and {len(shown_problems) - 1} more)" if len(shown_problems) > 1 else ""
        shown = tuple(shown_problems) or (Problem(INCOMPLETE),)
        return self.model_copy(update={"message": message + more, "problems": shown, "problem_count": len(shown)})

    @classmethod
    def not_reached(cls, name: str) -> "Check":
        """A check that was not made, because an earlier one failed."""
        return cls(name=name, state=State.NOT_REACHED, message="Not reached, because an earlier check failed.")


Step = Callable[..., Iterator[Problem]]


class CheckList:
    """The steps of a verification, in order.

    Each step is a small generator that yields problems and decides nothing else:

        checks = CheckList()

        @checks.step("inside the grid")
        def _inside(board: Board, answer: Rectangles) -> Iterator[Problem]:
            ...
    """

    def __init__(self) -> None:
        self._steps: list[tuple[str, Step]] = []

    def step(self, name: str) -> Callable[[Step], Step]:
        """Decorator: adds a step under the name that the verdict shows."""

        def add(function: Step) -> Step:
            self._steps.append((name, function))
            return function

        return add

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the steps, in order."""
        return tuple(name for name, _ in self._steps)

    def run(self, *arguments: Any, stop_at_first: bool = True) -> list[Check]:
        """Runs the steps with the same arguments.

        With `stop_at_first`, the steps after the first that fails are not run; their checks are "not reached".
        """
        checks: list[Check] = []
        failed = False
        for name, function in self._steps:
            if failed and stop_at_first:
                checks.append(Check.not_reached(name))
                continue
            check = Check.of(name, function(*arguments))
            failed = failed or check.state is State.FAILED
            checks.append(check)
        return checks


def all_passed(checks: Iterable[Check]) -> bool:
    """Whether every check passed."""
    return all(check.state is State.PASSED for check in checks)
