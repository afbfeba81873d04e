"""The digits of the answer, which of them is selected, and where a digit may go."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.tasks.printable_prime import DigitStack
from spatial_workbench.engine.tasks.printable_prime.digits import DigitPlaced, prints, refusal
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.selection import numbers_of
from spatial_workbench.widgets.scene_views.view import SceneView


class StackedDigits:
    """The stack of a document; one digit is selected in a view.

    is_judged: whether digits that break a rule are refused.
    """

    def __init__(self, document: AnswerDocument[DigitStack], view: SceneView, is_judged: bool) -> None:
        self.rules = document.instance.parameters
        self.is_judged = is_judged
        self._document = document
        self._view = view

    @property
    def stack(self) -> tuple[DigitPlaced, ...]:
        """The digits so far, the one on the build plate first."""
        return self._document.answer.stack

    @property
    def selected(self) -> int | None:
        """The selected digit."""
        places = numbers_of(self._view.selection, "digit")
        return places[0] if len(places) == 1 and places[0] < len(self.stack) else None

    @property
    def faulty(self) -> list[int]:
        """Digits that cannot be printed, or do not rest on the one below."""
        stack = self.stack
        bad = [k for k, placed in enumerate(stack) if not prints(placed)]
        return bad + [k for k in range(1, len(stack)) if refusal(stack[k - 1], stack[k])]

    @property
    def place(self) -> int:
        """Where a new digit goes: above the selected one, or on top."""
        return len(self.stack) if self.selected is None else self.selected + 1

    def select(self, k: int | None) -> None:
        """Selects a digit."""
        self._view.set_selection(() if k is None else (f"digit {k}",))

    def refuses(self, placed: DigitPlaced, place: int | None = None) -> str:
        """Why the rules do not allow a digit at a place; "" if they do, or if the answer may not be judged."""
        if not self.is_judged:
            return ""
        place = self.place if place is None else place
        if placed.digit not in self.rules["digits"]:
            return "this digit may not be used"
        if not (self.rules["standing"] or placed.orientation.is_flat):
            return "all digits lie flat here"
        if place == 0 and placed.digit == 0:
            return "the number cannot begin with 0"
        return refusal(self.stack[place - 1], placed) if 0 < place <= len(self.stack) else ""

    def replace_digits(self, label: str, stack: Sequence[DigitPlaced], merge: str = "") -> None:
        """Replaces the digits, as one step of the history."""
        answer = DigitStack.of(stack, self._document.answer.reasoning)
        self._document.edit(label, answer, merge)
