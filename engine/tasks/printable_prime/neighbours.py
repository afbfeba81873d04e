"""The next primes that stack, above and below a number."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, fit
from spatial_workbench.engine.tasks.printable_prime.primes import is_prime

REACH = 20_000
"""How far from a number primes are searched for."""


def neighbouring_prime(
    number: str, way: int, orientations: Sequence[Orientation], progress: Progress = silent
) -> list[DigitPlaced] | None:
    """The nearest prime of the same length that stacks: larger (`way` 1) or smaller (-1); None within 20,000.

    Raises:
        Cancelled: Raised by `progress`.
    """
    start = int(number)
    for away in range(1, REACH):
        progress(away, REACH, f"{away} numbers tried")
        candidate = start + way * away
        if candidate < 0 or len(str(candidate)) != len(number):
            return None
        if candidate % 2 and is_prime(candidate):
            stack = fit([int(digit) for digit in str(candidate)], orientations)
            if stack is not None:
                return stack
    return None
