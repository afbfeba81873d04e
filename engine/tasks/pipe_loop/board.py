"""What an instance of pipe_loop asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from engine.tasks.pipe_loop.constraints import Constraint, ExactCrossings, constraints_of

C = TypeVar("C", bound=Constraint)


@dataclass(frozen=True)
class Order:
    """So many pipes of one metre in a square of a side, and the constraints."""

    pipes: int
    side: float
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Order":
        """The order of an instance's parameters."""
        return cls(parameters["pipes"], parameters["side"], constraints_of(parameters["constraints"]))

    @property
    def crossings(self) -> int:
        """How many crossings the loop has to have."""
        wanted = self.find(ExactCrossings)
        return wanted.count if wanted else 0

    def find(self, kind: type[C]) -> C | None:
        """The constraint of a type, if there is one."""
        return next((one for one in self.constraints if isinstance(one, kind)), None)
