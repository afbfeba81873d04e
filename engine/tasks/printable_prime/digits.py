"""Seven-segment digits as printed bars: their segments, orientations, layers, and what may stand on what.

Lengths in mm. A digit lies in the plane z = 0, centred, 1 mm thick, built of bars 10 x 1 x 1. Printing leaves 0.2 mm
between digits. The rules in words: docs/tasks/printable_prime.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple


class Orientation(StrEnum):
    """How a digit is printed: four ways flat, or standing on its head or on its long right side."""

    FLAT = "flat"
    FLIPPED_X = "flippedX"
    FLIPPED_Y = "flippedY"
    ROTATE_180_Z = "rotate180Z"
    HEAD = "rotate90X"
    SIDE = "rotate90Y"

    @property
    def is_flat(self) -> bool:
        """Whether the digit lies on the layer below."""
        return self not in (Orientation.HEAD, Orientation.SIDE)


class DigitPlaced(NamedTuple):
    """A digit of the stack in its orientation."""

    digit: int
    orientation: Orientation

    def __str__(self) -> str:
        return f"{self.digit} {self.orientation}"


SEGMENTS = {
    0: "ABCDEF",
    1: "BC",
    2: "ABDEG",
    3: "ABCDG",
    4: "BCFG",
    5: "ACDFG",
    6: "ACDEFG",
    7: "ABC",
    8: "ABCDEFG",
    9: "ABCDFG",
}
CENTERS = {"A": (0, 10), "G": (0, 0), "D": (0, -10), "B": (5, 5), "C": (5, -5), "E": (-5, -5), "F": (-5, 5)}
"""Centres (x, y) of the bars; A, G, D run along x, the others along y."""
_LEFT_RIGHT = str.maketrans("BFCE", "FBEC")
_TOP_BOTTOM = str.maketrans("ADBCFE", "DACBEF")

FLAT_HEIGHT, HEAD_HEIGHT, SIDE_HEIGHT = 12, 212, 112
"""Heights of layers with the gap, in tenths of a millimetre."""
HEAD_STANDERS, SIDE_STANDERS = frozenset({1, 7}), frozenset({1, 3, 7})
"""The digits that print on their head and on their side; every other one would hang 9 mm of a bar in the air."""


def segments(placed: DigitPlaced) -> frozenset[str]:
    """The segments that a flat digit covers after it was flipped or turned."""
    letters = SEGMENTS[placed.digit]
    if placed.orientation in (Orientation.FLIPPED_X, Orientation.ROTATE_180_Z):
        letters = letters.translate(_LEFT_RIGHT)
    if placed.orientation in (Orientation.FLIPPED_Y, Orientation.ROTATE_180_Z):
        letters = letters.translate(_TOP_BOTTOM)
    return frozenset(letters)


def layer_tenths(placed: DigitPlaced) -> int:
    """Height of the layer that a digit makes, in tenths of a millimetre."""
    if placed.orientation is Orientation.HEAD:
        return HEAD_HEIGHT
    if placed.orientation is Orientation.SIDE and placed.digit != 1:
        return SIDE_HEIGHT
    return FLAT_HEIGHT


def prints(placed: DigitPlaced) -> bool:
    """Whether the digit prints by itself, without support."""
    if placed.orientation is Orientation.HEAD:
        return placed.digit in HEAD_STANDERS
    return placed.orientation is not Orientation.SIDE or placed.digit in SIDE_STANDERS


@cache
def refusal(lower: DigitPlaced, upper: DigitPlaced) -> str:
    """Why one digit cannot be printed on another; empty if it can. Each is assumed to be printable by itself."""
    if upper == DigitPlaced(1, Orientation.HEAD):
        return ""
    lies = lower == DigitPlaced(1, Orientation.SIDE)
    if not (lower.orientation.is_flat or lies):
        return "only a 1 on its head can stand on the tip of a standing digit"
    below = frozenset("BC") if lies else segments(lower)
    if upper.orientation.is_flat and lies:
        return "" if upper.digit == 1 else "only a 1 fits on a lying 1"
    if upper.orientation.is_flat:
        return _flat_refusal(below, upper)
    if upper.orientation is Orientation.HEAD:
        return "" if below & set("AGD") else f"its head needs a horizontal bar, and {lower} has none"
    has_long_side = below >= set("BC") or below >= set("EF")
    return "" if has_long_side else f"its long side needs a full long side, and {lower} has none"


def _flat_refusal(below: frozenset[str], upper: DigitPlaced) -> str:
    missing = sorted(segments(upper) - below)
    if not missing:
        return ""
    bars = ", ".join(missing)
    return f"its bar {bars} would hang in the air" if len(missing) == 1 else f"its bars {bars} would hang in the air"


PUBLISHED_FLAT = {
    0: {0, 1, 7},
    1: {1},
    2: {2, 5},
    3: {1, 3, 7},
    4: {1, 4},
    5: {2, 5},
    6: {1, 3, 4, 5, 6, 7, 9},
    7: {1, 7},
    8: set(range(10)),
    9: {1, 3, 5, 6, 7, 9},
}
"""Flat on flat in the published verifier, which looks at the digits alone."""


def published_prints(placed: DigitPlaced) -> bool:
    """The published table, in which the standing orientations of the 3 are exchanged."""
    if placed.digit == 3 and not placed.orientation.is_flat:
        return placed.orientation is Orientation.HEAD
    return prints(placed)


def published_refusal(lower: DigitPlaced, upper: DigitPlaced) -> str:
    """The published stacking rule, as far as it is known: flat orientations are ignored, a head stands on anything."""
    refused = f"the published rules do not allow {upper} on {lower}"
    if upper.orientation is Orientation.HEAD:
        return ""
    if upper.orientation is Orientation.SIDE:
        return "" if lower.orientation.is_flat and lower.digit not in (2, 5) else refused
    if lower.orientation.is_flat:
        return "" if upper.digit in PUBLISHED_FLAT[lower.digit] else refused
    return "" if upper.digit == 1 and lower == DigitPlaced(1, Orientation.HEAD) else refused


def number_of(stack: Sequence[DigitPlaced]) -> str:
    """The digits as a string, the one on the build plate first."""
    return "".join(str(placed.digit) for placed in stack)


def groups_of(number: str, length: int) -> list[str]:
    """The number split into groups from the right, like thousands; the leading group may be shorter."""
    head = len(number) % length
    return [number[:head]] * (head > 0) + [number[k : k + length] for k in range(head, len(number), length)]


def fit(digits: Sequence[int], orientations: Sequence[Orientation] = tuple(Orientation)) -> list[DigitPlaced] | None:
    """The orientations that give the tallest stack of a number; None if it cannot be stacked."""
    best: dict[DigitPlaced, tuple[int, DigitPlaced | None]] = {}
    rows: list[dict[DigitPlaced, tuple[int, DigitPlaced | None]]] = []
    for k, digit in enumerate(digits):
        options = [placed for placed in (DigitPlaced(digit, o) for o in orientations) if prints(placed)]
        row: dict[DigitPlaced, tuple[int, DigitPlaced | None]] = {}
        for upper in options:
            below = [(height, lower) for lower, (height, _) in best.items() if not refusal(lower, upper)]
            if k == 0:
                row[upper] = layer_tenths(upper), None
            elif below:
                height, lower = max(below, key=lambda pair: pair[0])
                row[upper] = height + layer_tenths(upper), lower
        best = row
        rows.append(row)
    return _traced(rows)


def _traced(rows: list[dict[DigitPlaced, tuple[int, DigitPlaced | None]]]) -> list[DigitPlaced] | None:
    if not rows or not rows[-1]:
        return None
    placed: DigitPlaced | None = max(rows[-1], key=lambda top: rows[-1][top][0])
    stack = []
    for row in reversed(rows):
        assert placed is not None
        stack.append(placed)
        placed = row[placed][1]
    return stack[::-1]
