"""Views: a task of which only a part is seen at a time, through a view that is turned without changing the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.acting.commands import CommandArguments, read_arguments

if TYPE_CHECKING:
    from spatial_workbench.engine.core.instance import Instance
    from spatial_workbench.engine.core.scene import Scene


@dataclass(frozen=True)
class ViewTurn:
    """A way to turn the view.

    Attributes:
        name: Unique among the commands of its task.
        about: One sentence that says what it does.
        arguments: What it takes.
        turn: (view, arguments) -> the new view, and what is said about it.
    """

    name: str
    about: str
    arguments: type[CommandArguments]
    turn: Callable[[Any, Any], tuple[Any, str]]

    def apply(self, view: Any, raw: Any) -> tuple[Any, str]:
        """The view afterwards, and what is said about it; `raw` holds the arguments as plain data.

        Raises:
            AnswerError: The arguments cannot be read.
        """
        return self.turn(view, read_arguments(self.name, self.arguments, raw))


class SeenThroughViews(ABC):
    """A task with commands whose answers are seen through a view."""

    @abstractmethod
    def first_view(self) -> Any:
        """The view at the beginning."""

    @abstractmethod
    def view_turns(self) -> Sequence[ViewTurn]:
        """The ways to turn it."""

    @abstractmethod
    def sight_from(self, view: Any, instance: Instance, answer: Any) -> Scene:
        """What is seen of an answer through a view, and nothing else."""
