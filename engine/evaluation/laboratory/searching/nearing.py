"""Answers whose figures come to numbers that the rules name: a stack of exactly so many millimetres, a lake of so much.

An answer is changed again and again; of the changes, those are kept that bring a figure of the default's verdict nearer
to the number, and leave the answer a score.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.evaluation.laboratory.searching.drawing import Rng, drawn

MOST_APPROACHES = 4
MOST_TRIES = 400
"""An approach is given up after so many changes none of which brought it nearer."""
_REACH = 20.0
"""A number is aimed at if it is at most so many times as large, or as small, as the figure."""
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?(\w+|°|%)?")
_LIMITS = re.compile(
    r"\b(?:at (?:least|most)|exactly|(?:more|less|fewer|lower|higher|longer|shorter|larger|smaller|nearer|farther|"
    r"greater) than|above|below|over|under|within|up to|maximum|minimum)\b[^.,;:\d]{0,20}$"
)
_SHARE = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class NamedNumber:
    """A number that the rules name.

    Attributes:
        value: The number.
        word: The word behind it, such as "mm".
        is_limit: Whether the words before it say that it is one, such as "at most".
    """

    value: float
    word: str = ""
    is_limit: bool = False


@dataclass
class Approach:
    """An answer that is brought nearer to a number.

    Attributes:
        address: Address of its instance.
        answer: The text of the nearest answer so far.
        figure: The name of the figure that should become equal to the number.
        target: The number.
        distance: How far the figure is from it.
        tries: How many changes were drawn since it came nearer.
    """

    address: str
    answer: str
    figure: str
    target: float
    distance: float
    tries: int = 0

    @property
    def is_over(self) -> bool:
        """Whether it has arrived, or come to nothing."""
        return self.distance == 0 or self.tries > MOST_TRIES

    def compare(self, address: str, answer: str, figures: Mapping[str, Sequence[Any]]) -> None:
        """Goes on from an answer that is as near or nearer, by the figures of the verdict on it."""
        if address != self.address or self.figure not in figures:
            return
        distance = abs(float(figures[self.figure][0]) - self.target)
        if distance < self.distance:
            self.tries = 0
        if distance <= self.distance:
            self.answer, self.distance = answer, distance


@dataclass
class Approaches:
    """The approaches of a search, a few at a time. Converts to JSON data as a dataclass does."""

    under_way: list[Approach] = field(default_factory=list)

    def compare(self, address: str, answer: str, verdict: object) -> None:
        """Takes note of an answer and the default's verdict on it."""
        figures = figures_of(verdict)
        for approach in self.under_way:
            approach.compare(address, answer, figures)
        self.under_way = [approach for approach in self.under_way if not approach.is_over]

    def next(self, rng: Rng) -> Approach | None:
        """One of those that are under way; None if there is none."""
        return drawn(rng, self.under_way) if self.under_way else None

    def begin(
        self, address: str, answer: str, figures: Mapping[str, Sequence[Any]], numbers: Sequence[NamedNumber], rng: Rng
    ) -> None:
        """Begins to bring one of some figures to one of some numbers, if that makes sense for any."""
        aims = [(name, number) for name, (value, unit) in figures.items() for number in _aims(value, unit, numbers)]
        if not aims or len(self.under_way) >= MOST_APPROACHES:
            return
        name = drawn(rng, list(dict.fromkeys(name for name, _ in aims)))
        target = drawn(rng, [number for of, number in aims if of == name])
        self.under_way.append(Approach(address, answer, name, target, abs(float(figures[name][0]) - target)))


def figures_of(verdict: object) -> dict[str, tuple[float, str]]:
    """The figures of a verdict that are numbers, with their units; of "64/36", the first. None if the score is 0."""
    if not isinstance(verdict, Verdict) or verdict.score == 0:
        return {}
    found = {}
    for figure in verdict.figures:
        share = _SHARE.fullmatch(figure.value) if isinstance(figure.value, str) else None
        value = float(share[1]) if share else figure.value
        if isinstance(value, int | float) and math.isfinite(value):
            found[figure.name] = (float(value), figure.unit)
    return found


def numbers_named(text: str) -> list[NamedNumber]:
    """The numbers in the text of a task, each once with each word that follows it."""
    return list(
        dict.fromkeys(
            NamedNumber(float(found[1]), found[2] or "", _LIMITS.search(text[: found.start()]) is not None)
            for found in _NUMBER.finditer(text)
        )
    )


def _aims(value: float, unit: str, numbers: Sequence[NamedNumber]) -> list[float]:
    """The numbers that a figure may be brought to.

    Those with its unit if it has one and there are any, and of these the limits if there are any.
    """
    of_unit = [number for number in numbers if unit and number.word == unit] or numbers
    values = dict.fromkeys(number.value for number in [each for each in of_unit if each.is_limit] or of_unit)
    return [each for each in values if each and each != value and 1 / _REACH <= abs(value / each) <= _REACH]
