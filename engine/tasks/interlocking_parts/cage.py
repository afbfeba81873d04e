"""The required cage: its dimensions, and what follows from them. Lengths in mm; the frame of the assembly stands
on z = 0, centred in x and y."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Floats

CRITERIA = (
    "basic validity",
    marked("printability"),
    "bar gap",
    "assembly size",
    "rod clearance",
    marked("interference"),
    "rod engagement",
    "bar thickness",
    "gap uniformity",
)
"""The nine criteria, by their numbers."""

PUBLISHED_WIDTH = 350.0
_SMALL_REACH, _LARGE_REACH = 120.0, 160.0
_SPARE_SIDE, _SPARE_HEIGHT = 10.0, 20.0
"""Allowance of the outer limit beyond the inside and a bar on either side: 380 x 380 x 740 for 350 x 350 x 700."""


@dataclass(frozen=True)
class Cage:
    """The required cage.

    Attributes:
        width: Of the free inside, in x and y.
        height: Of the free inside.
        bar: Side of the bars' square section.
        gap_least, gap_most: What the gap between bars may be.
        printer: Build volume x, y, z.
        rod: Diameter of the threaded rods.
        parts: How many parts there are to be.
    """

    width: float
    height: float
    bar: float
    gap_least: float
    gap_most: float
    printer: tuple[float, float, float]
    rod: float
    parts: int

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> "Cage":
        """The cage of an instance's parameters."""
        data = dict(parameters["cage"])
        return cls(**{**data, "printer": tuple(data["printer"])})

    def data(self) -> dict[str, Any]:
        """Plain data that `of` reads."""
        return {**asdict(self), "printer": list(self.printer)}

    @property
    def axis_offset(self) -> float:
        """The rods stand at x, y = plus or minus this: in the middle of the corner bars."""
        return (self.width + self.bar) / 2

    @property
    def axes(self) -> tuple[tuple[float, float], ...]:
        """x and y of the four rods."""
        a = self.axis_offset
        return ((-a, -a), (a, -a), (a, a), (-a, a))

    @property
    def outer_side(self) -> float:
        """Nothing may be outside of this square, centred in x and y."""
        return self.width + 2 * self.bar + _SPARE_SIDE

    @property
    def outer_height(self) -> float:
        """Nothing may be above."""
        return self.height + 2 * self.bar + _SPARE_HEIGHT

    @property
    def inner_box(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the space that must stay free."""
        half = self.width / 2
        return np.array([-half, -half, self.bar]), np.array([half, half, self.bar + self.height])

    @property
    def outer_box(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the space that the parts must not leave."""
        half = self.outer_side / 2
        return np.array([-half, -half, 0.0]), np.array([half, half, self.outer_height])

    @property
    def blocked(self) -> float:
        """Diameter of the cylinder on a rod's axis that must meet material: 6 more than the bar's side."""
        return self.bar + 6.0

    @property
    def small_cube(self) -> float:
        """Side of the cube that must fit between bars."""
        return self.gap_least - 10.0

    @property
    def large_cube(self) -> float:
        """Side of the cube that must not fit anywhere."""
        return self.gap_most + 1.0

    @property
    def small_reach(self) -> float:
        """The small cubes' centres are within plus or minus this in x and y."""
        return _SMALL_REACH * self.width / PUBLISHED_WIDTH

    @property
    def large_reach(self) -> float:
        """The large cubes' centres are within plus or minus this in x and y."""
        return _LARGE_REACH * self.width / PUBLISHED_WIDTH

    @property
    def pitch(self) -> float | None:
        """The smallest spacing of bars that divides the width, keeps the gap and fits the outer height, if any."""
        for count in range(int((self.width + self.bar) / (self.gap_least + self.bar)), 0, -1):
            pitch = (self.width + self.bar) / count
            fits = self.levels_at(pitch) * pitch + self.bar <= self.outer_height
            if fits and self.gap_least + 1 <= pitch - self.bar <= self.gap_most - 1:
                return pitch
        return None

    def levels_at(self, pitch: float) -> int:
        """How many steps of the pitch fit the height."""
        return math.ceil((self.height + self.bar) / pitch - 1e-9)

    def segments(self) -> Iterator[tuple[int, int]]:
        """The runs of levels (first, beyond the last) into which the sides are cut; of `parts` = 2 + 4 each."""
        assert self.pitch is not None
        count = (self.parts - 2) // 4
        levels = self.levels_at(self.pitch) - 1
        ends = [1 + levels * i // count for i in range(count + 1)]
        yield from pairwise(ends)


def name_of(part: int) -> str:
    """The id of a part's element in scenes and verdicts."""
    return f"part {part}"
