"""What an instance of pipe_loop asks for."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from spatial_workbench.engine.tasks.pipe_loop.constraints import Constraint, ExactCrossings, constraints_of
from spatial_workbench.engine.tasks.pipe_loop.shape import Point

C = TypeVar("C", bound=Constraint)


@dataclass(frozen=True)
class PipeOrder:
    """A number of pipes of one metre, the side of the square, and the constraints."""

    pipes: int
    side: float
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "PipeOrder":
        """The order of an instance's parameters."""
        return cls(parameters["pipes"], parameters["side"], constraints_of(parameters["constraints"]))

    @property
    def crossings(self) -> int:
        """How many crossings the loop must have."""
        exact = self.constraint_of(ExactCrossings)
        return exact.count if exact else 0

    def constraint_of(self, kind: type[C]) -> C | None:
        """The constraint of a type, if there is one."""
        return next((constraint for constraint in self.constraints if isinstance(constraint, kind)), None)


@dataclass(frozen=True)
class PipeLimits:
    """The limits of a chain while it is being built.

    Attributes:
        side: Of the square, in metres.
        pipes: How many there may be at most.
        keeps_inside: Whether the chain stays in the square.
    """

    side: float
    pipes: int
    keeps_inside: bool = True

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest coordinate."""
        return (0.0, self.side) if self.keeps_inside else (-math.inf, math.inf)

    def contain(self, place: Point) -> bool:
        """Whether a place is within the bounds."""
        low, high = self.bounds
        return low <= min(place) and max(place) <= high

    def clamped(self, place: Point) -> Point:
        """The nearest place within the bounds."""
        low, high = self.bounds
        x, y = (min(max(float(v), low), high) for v in place)
        return x, y
