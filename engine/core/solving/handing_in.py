"""How an answer is changed when a person hands it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from spatial_workbench.engine.core.answer import Answer
    from spatial_workbench.engine.core.contract import Task


@runtime_checkable
class PutsInPlace(Protocol):
    """A task whose answers may lie anywhere while they are built, but not where they are handed in."""

    def put_in_place(self, answer: Any) -> Any:
        """The same answer, moved to where the prompt asks for it."""


def handed_in(task: Task[Any], answer: Answer) -> Answer:
    """The answer as it is handed in; the rules judge it as they judge the one that was built."""
    if isinstance(task, PutsInPlace):
        placed: Answer = task.put_in_place(answer)
        return placed
    return answer
