"""Lists of labelled squares in one reading order: what the tasks about class interfaces show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core.instance import InstanceError
from spatial_workbench.engine.tasks.labelled_squares.square import CORNERS, Labels, read, walk_of

SHORT = ("BL", "BR", "TR", "TL")
"""Short names of the corners in walk order."""
MAX_LABEL = 9
ANY = "any"


@dataclass(frozen=True)
class LabelledSquares:
    """Squares with labelled corners. `squares` are in reading order, as a solver sees them."""

    order: tuple[int, ...]
    squares: tuple[Labels, ...]

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "LabelledSquares":
        """The squares in an instance's parameters."""
        return cls(tuple(parameters["corner_order"]), tuple(tuple(square) for square in parameters["squares"]))

    @classmethod
    def drawn(
        cls, rng: np.random.Generator, cases: Sequence[Labels], count: int, corner_order: str
    ) -> "LabelledSquares":
        """A number of squares out of these cases (each once as long as there are others), with renamed labels.

        Raises:
            InstanceError: the order is not a permutation of the corners.
        """
        order = parse_order(corner_order) if corner_order != ANY else tuple(rng.permutation(4).tolist())
        rounds = [rng.permutation(len(cases)) for _ in range(-(-count // len(cases)))]
        chosen = [cases[i] for i in np.concatenate(rounds)[:count]]
        return cls(order, tuple(read(_renamed(rng, walk), order) for walk in chosen))

    @property
    def parameters(self) -> dict[str, Any]:
        """As an instance's parameters."""
        return {"corner_order": list(self.order), "squares": [list(square) for square in self.squares]}

    @property
    def walks(self) -> tuple[Labels, ...]:
        """The labels of each square in walk order."""
        return tuple(walk_of(square, self.order) for square in self.squares)

    @property
    def order_text(self) -> str:
        """The reading order in short: "BL BR TR TL"."""
        return " ".join(SHORT[corner] for corner in self.order)

    @property
    def order_words(self) -> str:
        """The reading order in words."""
        return ", ".join(CORNERS[corner] for corner in self.order)

    @property
    def squares_text(self) -> str:
        """The squares, one tuple a line."""
        return "\n".join(f"({', '.join(map(str, square))})" for square in self.squares)


def order_field() -> Any:
    """The generator's argument for the reading order."""
    return Field(ANY, description="Reading order of the corners, such as BL BR TR TL; any: drawn")


def parse_order(text: str) -> tuple[int, ...]:
    """The reading order in a text such as "BL BR TR TL".

    Raises:
        InstanceError: It is not a permutation of the corners.
    """
    words = text.upper().replace(",", " ").split()
    if sorted(words) != sorted(SHORT):
        raise InstanceError(f"corner_order: '{text}' does not name each of BL, BR, TR, TL once")
    return tuple(SHORT.index(word) for word in words)


def _renamed(rng: np.random.Generator, walk: Labels) -> Labels:
    names = rng.permutation(MAX_LABEL)[: max(walk)] + 1
    return tuple(int(names[label - 1]) for label in walk)
