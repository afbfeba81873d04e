"""An answer as data in which each element has its number, and elements named by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.acting.commands import CommandArguments
from spatial_workbench.engine.core.answer import Answer, WholeNumber, at_most
from spatial_workbench.engine.core.errors import AnswerError

MAX_ELEMENTS = 10_000
Numbers = Annotated[tuple[WholeNumber, ...], at_most(MAX_ELEMENTS, "numbers"), Field(min_length=1)]
"""Elements by their numbers, from 0 in the order of the answer."""
Pair = Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=2, max_length=2)]
"""Two whole numbers, such as row and column."""
Triple = Annotated[tuple[WholeNumber, ...], Field(strict=False, min_length=3, max_length=3)]
"""Three whole numbers, such as x, y, z."""
Pairs = Annotated[tuple[Pair, ...], at_most(MAX_ELEMENTS, "cells"), Field(min_length=1)]
Triples = Annotated[tuple[Triple, ...], at_most(MAX_ELEMENTS, "cells"), Field(min_length=1)]


class SeedArguments(CommandArguments):
    """The arguments of a command that draws at random."""

    seed: Annotated[WholeNumber, Field(ge=0, lt=2**53)] = Field(default=0, description="of what is random")

    @property
    def random(self) -> np.random.Generator:
        """Random numbers from the seed."""
        return np.random.Generator(np.random.PCG64(self.seed))


def numbered(answer: Answer) -> Any:
    """The answer as plain data without its reasoning; each record of a list begins with its place in it as "id"."""
    data = answer.model_dump(mode="json", by_alias=True, exclude={"reasoning"})
    return {name: _numbered(value) for name, value in data.items()}


def chosen(numbers: Sequence[int], count: int, noun: str, field: str = "") -> tuple[int, ...]:
    """The numbers of existing elements, each once, in rising order; `field` is the argument that holds them.

    Raises:
        AnswerError: There is no element of a number; names it.
    """
    for place, number in enumerate(numbers):
        if not 0 <= number < count:
            there = f"ids go from 0 to {count - 1}" if count else f"there is no {noun} yet"
            raise AnswerError(f"There is no {noun} {number}; {there}", (field, place) if field else (place,))
    return tuple(sorted(set(numbers)))


def inside(cells: Sequence[Sequence[int]], size: Sequence[int], field: str) -> list[tuple[int, ...]]:
    """The cells of a grid of that size, each axis from 0.

    Raises:
        AnswerError: A cell lies outside; names it.
    """
    for place, cell in enumerate(cells):
        if not all(0 <= c < n for c, n in zip(cell, size, strict=True)):
            ends = ", ".join(str(n - 1) for n in size)
            raise AnswerError(f"There is no cell {list(cell)}; cells go from 0 to {ends}", (field, place))
    return [tuple(cell) for cell in cells]


def _numbered(value: Any) -> Any:
    if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
        return value
    return [{"id": k, **entry} for k, entry in enumerate(value)]
