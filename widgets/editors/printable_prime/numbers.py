"""The whole number: stacking a typed one, and looking for primes nearby."""

from __future__ import annotations

from collections.abc import Callable

from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, Orientation, fit, number_of
from spatial_workbench.engine.tasks.printable_prime.neighbours import neighbouring_prime
from spatial_workbench.widgets.editing.runner import Job, Runner
from spatial_workbench.widgets.editors.printable_prime.workpiece import StackedDigits


class NumberSearch:
    """Finds stacks for whole numbers, in the background where that takes long."""

    def __init__(self, digits: StackedDigits, runner: Runner, say: Callable[[str], object]) -> None:
        self.is_searching = False
        """Whether a prime is being looked for."""
        self._digits = digits
        self.runner = runner
        self._say = say
        self._search: Job | None = None

    def refit(self) -> None:
        """Finds orientations for the present digits."""
        if self._digits.stack:
            self.fit(number_of(self._digits.stack), "Fit orientations")

    def to_prime(self, way: int) -> None:
        """Looks in the background for the next larger or smaller prime of the same length that stacks."""
        if not self._digits.stack:
            return
        self.stop_search()
        number = number_of(self._digits.stack)
        label = "Next prime" if way > 0 else "Previous prime"

        def done(stack: list[DigitPlaced] | None) -> None:
            self._search = None
            self.is_searching = False
            if number_of(self._digits.stack) != number:
                self._say("Not done: the digits have changed in the meantime.")
            elif stack is None:
                self._say("There is no such prime nearby: change digits further to the left.")
            else:
                self._digits.replace_digits(label, stack)

        self.is_searching = True
        job = self.runner.run(
            f"Looking for the {label.lower()}", neighbouring_prime, number, way, self._ways,
            done=done, failed=self._failed,
        )  # fmt: skip
        self._search = job if self.is_searching else None

    def stop_search(self) -> None:
        """Cancels the search for a prime."""
        if self._search is not None:
            self._search.cancel()
        self._search = None
        self.is_searching = False

    def _failed(self, why: str) -> None:
        self._search = None
        self.is_searching = False
        self._say(f"The prime was not found: {why}")

    @property
    def _ways(self) -> list[Orientation]:
        return [o for o in Orientation if self._digits.rules["standing"] or o.is_flat]

    def _orientations_of(self, number: str) -> list[DigitPlaced] | None:
        return fit([int(digit) for digit in number], self._ways)

    def fit(self, number: str, label: str) -> bool:
        """Stacks the digits of a number as high as possible, or says why not; returns whether it did."""
        stack = self._orientations_of(number)
        if stack is None:
            self._say("These digits cannot be stacked in any orientations.")
            return False
        self._digits.replace_digits(label, stack)
        return True
