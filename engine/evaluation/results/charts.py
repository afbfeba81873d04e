"""Charts as plain data, free of Qt: what a chart shows, and the same in words for those who cannot see it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

CATEGORY_STEP = 1.0
"""Categories are at 0, 1, 2, … along their axis."""


class Kind(Enum):
    """How the marks of a chart are drawn."""

    LINES = "lines"
    BARS = "bars"
    CELLS = "cells"


@dataclass(frozen=True)
class Axis:
    """An axis.

    Attributes:
        title: What it measures, for a person; empty for categories that need no title.
        unit: Such as "tokens"; empty for a share.
        low, high: The range that is shown.
        ticks: Values with their texts.
        is_log: Whether it is logarithmic.
        is_category: Whether the ticks name things, from top to bottom on a vertical axis.
    """

    title: str
    low: float
    high: float
    unit: str = ""
    ticks: tuple[tuple[float, str], ...] = ()
    is_log: bool = False
    is_category: bool = False

    @property
    def label(self) -> str:
        """Title with unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclass(frozen=True)
class ChartTarget:
    """What a mark represents in the project: a click on the mark opens it.

    Attributes:
        attempt: One stored attempt; None if a mark represents several.
        model: Name of the run.
        tools: Whether it had tools.
        label: Failure mode.
        how_read: How answers were read.
    """

    attempt: int | None = None
    model: str | None = None
    tools: bool | None = None
    label: str | None = None
    how_read: str | None = None


@dataclass(frozen=True)
class ChartMark:
    """A point, a bar or a cell.

    Attributes:
        x, y: Its centre.
        width, height: Of a bar or a cell; 0 for a point. A bar of no width is not drawn.
        low, high: The interval of a point along y; None: there is none.
        text: Written in it, or beside a point.
        tip: A sentence that is shown when the pointer is on it.
        role: Colour of a cell, as a role of the theme; "" if its series has one.
        strength: How opaque the colour is, from 0 to 1.
        target: None: a click does nothing.
    """

    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    low: float | None = None
    high: float | None = None
    text: str = ""
    tip: str = ""
    role: str = ""
    strength: float = 1.0
    target: ChartTarget | None = None


@dataclass(frozen=True)
class Series:
    """Marks that belong together: a line, or all bars of one meaning, or a row of cells.

    Attributes:
        name: For legend and table.
        role: Colour, as a role of the theme.
        dashed: Whether it is drawn with dashes and hollow points, as published series are.
        is_joined: Whether a line connects its points.
    """

    name: str
    role: str
    marks: tuple[ChartMark, ...]
    dashed: bool = False
    is_joined: bool = True


@dataclass(frozen=True)
class ChartKey:
    """An entry of a legend; `role` and `strength` are those of a `ChartMark`."""

    text: str
    role: str
    strength: float = 1.0
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes:
        about: A sentence under the title: what it counts, and where published figures come from.
        header, rows: The same data as a table.
    """

    title: str
    about: str
    kind: Kind
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    keys: tuple[ChartKey, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(series.marks for series in self.series)

    @property
    def description(self) -> str:
        """The chart in words, for screen readers; at most 40 marks are described."""
        tips = [mark.tip for series in self.series for mark in series.marks if mark.tip]
        shown = " ".join(tips[:40])
        more = f" And {len(tips) - 40} more." if len(tips) > 40 else ""
        return f"{self.about} {shown}{more}"

    def neighbour(self, place: tuple[int, int] | None, right: int, down: int) -> tuple[int, int] | None:
        """The mark that an arrow key leads to, as (series, position); the first visible one if `place` is None.

        The bars of a row belong to different series; the points of a line, or the cells of a row, to the same one.
        """
        if self.is_empty:
            return None
        if place is None:
            return self._nearest(0, 0, 1, 0)
        series, position = place
        across, along = (right, down) if self.kind is Kind.BARS else (down, right)
        return self._nearest(series + across, position + along, across, along) or place

    def _nearest(self, series: int, position: int, across: int, along: int) -> tuple[int, int] | None:
        """The first visible mark in a direction, beginning at the given one."""
        while 0 <= series < len(self.series):
            marks = self.series[series].marks
            if across and not along and self.kind is not Kind.BARS:
                position = max(0, min(position, len(marks) - 1))
            if not 0 <= position < len(marks):
                return None
            if self.kind is Kind.LINES or marks[position].width > 0:
                return series, position
            if not across and not along:
                return None
            series = series + across
            position = position + along
        return None


def nice_ticks(low: float, high: float, factors: Sequence[int] = (1, 2, 5)) -> tuple[tuple[float, str], ...]:
    """Ticks of a logarithmic axis at the powers of ten from 1, times each factor, such as 500, 1k, 2k."""
    ticks = []
    power = 1.0
    while power <= high:
        ticks += [(power * factor, short(power * factor)) for factor in factors if low <= power * factor <= high]
        power *= 10
    return tuple(ticks)


def short(value: float) -> str:
    """A short form of a count: 850, 1k, 8.2k, 1.5M. In a multiple of 1024, k is 1024, so 4096 is 4k."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            scaled = value / (1024 if letter == "k" and value % 1024 == 0 else size)
            return f"{scaled:.2g}{letter}" if scaled < 10 else f"{scaled:.0f}{letter}"
    return f"{value:.0f}"


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts names as people do: case does not matter, and run-4096 comes before run-32768."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts if part)


def percent(value: float | None) -> str:
    """A share as percent with one decimal: "53.3 %"; a dash if it is unknown."""
    return "–" if value is None else f"{100 * value:.1f} %"
