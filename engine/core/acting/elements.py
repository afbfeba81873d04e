"""An answer as data in which each element has its number, and elements named by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from spatial_workbench.engine.core.answer import Answer, WholeNumber, at_most
from spatial_workbench.engine.core.errors import AnswerError

MAX_ELEMENTS = 10_000
Numbers = Annotated[tuple[WholeNumber, ...], at_most(MAX_ELEMENTS, "numbers"), Field(min_length=1)]
"""Elements by their numbers, from 0 in the order of the answer."""


def numbered(answer: Answer) -> Any:
    """The answer as plain data without its reasoning; each record of a list begins with its place in it as "id"."""
    data = answer.model_dump(mode="json", by_alias=True, exclude={"reasoning"})
    return {name: _numbered(value) for name, value in data.items()}


def chosen(numbers: Sequence[int], count: int, noun: str) -> tuple[int, ...]:
    """The numbers of existing elements, each once, in rising order.

    Raises:
        AnswerError: There is no element of a number; names it.
    """
    for place, number in enumerate(numbers):
        if not 0 <= number < count:
            there = f"ids go from 0 to {count - 1}" if count else f"there is no {noun} yet"
            raise AnswerError(f"There is no {noun} {number}; {there}", (place,))
    return tuple(sorted(set(numbers)))


def _numbered(value: Any) -> Any:
    if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
        return value
    return [{"id": k, **entry} for k, entry in enumerate(value)]
