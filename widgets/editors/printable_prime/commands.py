"""Commands of buttons and keys on the digits: each is one step of the history, or says why it is not done."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.printable_prime import MAX_DIGITS
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, refusal
from spatial_workbench.widgets.editors.printable_prime.palette import distinct_ways
from spatial_workbench.widgets.editors.printable_prime.workpiece import StackedDigits


class DigitCommands:
    """The commands; `say` shows why one is not done."""

    def __init__(self, digits: StackedDigits, say: Callable[[str], object]) -> None:
        self._digits = digits
        self._say = say

    def add(self, placed: DigitPlaced) -> None:
        """Adds a digit above the selected one, or on top."""
        if len(self._digits.stack) >= MAX_DIGITS:
            self._say(f"A number has at most {MAX_DIGITS} digits.")
            return
        place = self._digits.place
        inserts = self._digits.selected is not None
        self._digits.replace_digits(
            f"Add {placed.digit}", (*self._digits.stack[:place], placed, *self._digits.stack[place:])
        )
        self._digits.select(place if inserts else None)

    def add_digit(self, digit: int) -> None:
        """Adds a digit in the first orientation that fits, or says why none does."""
        ways = distinct_ways(digit)
        fitting = [placed for placed in ways if not self._digits.refuses(placed)]
        if fitting:
            self.add(fitting[0])
        else:
            self._say(f"No {digit} fits here: {self._digits.refuses(ways[0])}.")

    def turn_digit(self) -> None:
        """Turns the selected digit, or the top one, to its next orientation that fits both neighbours."""
        k = len(self._digits.stack) - 1 if self._digits.selected is None else self._digits.selected
        if k < 0:
            return
        ways = [placed for placed in distinct_ways(self._digits.stack[k].digit) if self._fits_between(placed, k)]
        others = [placed for placed in ways if placed != self._digits.stack[k]]
        if not others:
            self._say("No other orientation fits here.")
            return
        now = ways.index(self._digits.stack[k]) if self._digits.stack[k] in ways else -1
        following = ways[(now + 1) % len(ways)]
        self._digits.replace_digits(
            "Turn digit", (*self._digits.stack[:k], following, *self._digits.stack[k + 1 :]), merge=f"turn {k}"
        )

    def turn_on(self) -> None:
        """Turns the selected digit, or the top one, to its next orientation, whether or not that fits."""
        k = len(self._digits.stack) - 1 if self._digits.selected is None else self._digits.selected
        if k >= 0:
            ways = distinct_ways(self._digits.stack[k].digit)
            now = ways.index(self._digits.stack[k]) if self._digits.stack[k] in ways else -1
            following = ways[(now + 1) % len(ways)]
            self._digits.replace_digits(
                "Turn digit", (*self._digits.stack[:k], following, *self._digits.stack[k + 1 :]), merge=f"turn {k}"
            )

    def _fits_between(self, placed: DigitPlaced, k: int) -> bool:
        above = self._digits.stack[k + 1 : k + 2]
        return not self._digits.refuses(placed, k) and not any(refusal(placed, upper) for upper in above)

    def remove(self) -> None:
        """Deletes the selected digit, or the top one."""
        k = len(self._digits.stack) - 1 if self._digits.selected is None else self._digits.selected
        if k >= 0:
            self._digits.replace_digits("Delete digit", (*self._digits.stack[:k], *self._digits.stack[k + 1 :]))
            self._digits.select(None)

    def shift(self, by: int) -> None:
        """Swaps the selected digit with its neighbour."""
        k = self._digits.selected
        if k is None or not 0 <= k + by < len(self._digits.stack):
            return
        stack = list(self._digits.stack)
        stack[k], stack[k + by] = stack[k + by], stack[k]
        self._digits.replace_digits("Move digit", stack)
        self._digits.select(k + by)

    def step(self, by: int) -> None:
        """Selects the digit above or below."""
        if self._digits.stack:
            k = self._digits.selected
            self._digits.select(
                len(self._digits.stack) - 1 if k is None else min(max(k + by, 0), len(self._digits.stack) - 1)
            )
