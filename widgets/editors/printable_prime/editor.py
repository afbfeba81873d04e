"""The editor: a stack of digits, with the number above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.printable_prime import MAX_DIGITS, DigitStack
from spatial_workbench.engine.tasks.printable_prime.digits import (
    DigitPlaced,
    Orientation,
    fit,
    layer_tenths,
    number_of,
    prints,
    refusal,
)
from spatial_workbench.engine.tasks.printable_prime.drawing import draw_stack
from spatial_workbench.engine.tasks.printable_prime.neighbours import neighbouring_prime
from spatial_workbench.engine.tasks.printable_prime.primes import is_prime, smallest_factor
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Reading,
    Section,
    Setting,
    Slider,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import free_digit_keys
from spatial_workbench.widgets.editing.runner import Job
from spatial_workbench.widgets.editors.printable_prime.number_bar import NumberBar
from spatial_workbench.widgets.editors.printable_prime.palette import NAMES, DigitPalette, distinct_ways
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Type digits, or click a digit on the left.  Backspace deletes a digit."
MAX_SPREAD_TENTHS = 60


class PrintablePrimeEditor(Editor[DigitStack]):
    """Stacks digits; new digits go above the selected one, or on top of the stack."""

    marks_with_answer = True

    def prepare(self) -> None:
        self.rules = self.instance.parameters
        self._spread_tenths = Setting(0, self.redraw)
        self._palette = DigitPalette()
        self._palette.chosen.connect(self.add)
        self._search: Job | None = None
        self._is_searching = False

    def begin(self) -> None:
        if not self.stack:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.box_select = False
        free_digit_keys(view)
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Bars(CustomPart("The number so far", self._make_number, aid=Aid.VIEWING, refresh=self._show_number))
        turned = "Turn the digit to the next orientation that fits both neighbours"
        digits = CustomPart("Digits", lambda: self._palette, refresh=lambda palette: palette.offer(self.refuses))
        yield Section("Next digit", digits)
        yield Section(
            "Digit",
            Buttons(
                Action("Turn", self.turn, "R", "rotate", turned, Aid.SOLVING),
                Action("Delete", self.remove, "Backspace, Delete", "delete", "Delete the digit", verb=Verb.DELETE),
                columns=2,
            ),
        )
        yield Keys(
            Action("Next orientation", self.turn_on, "Shift+R"),
            Action("Move digit up", partial(self.shift, 1), "Ctrl+Up"),
            Action("Move digit down", partial(self.shift, -1), "Ctrl+Down"),
            Action("Select digit above", partial(self.step, 1), "Up", aid=Aid.VIEWING),
            Action("Select digit below", partial(self.step, -1), "Down", aid=Aid.VIEWING),
        )
        yield self._number_controls()
        apart = "Move the layers apart to look between them"
        spread = self._spread_tenths
        bounds = (0, MAX_SPREAD_TENTHS)
        yield Section("View", Slider("Exploded view", spread.get, spread.put, bounds, apart, "Exploded"))

    def _number_controls(self) -> Section:
        fitting = "Find orientations that fit, with the tallest stack"
        larger = "Find the next larger prime that stacks; Esc stops"
        smaller = "Find the next smaller one; Esc stops"
        return Section(
            "Number",
            CustomPart("The whole number", self._make_field, aid=Aid.SOLVING),
            Buttons(
                Action("Fit", self.refit, "T", "check", fitting, Aid.SOLVING),
                Action("Next prime", partial(self.to_prime, 1), "N", "", larger, Aid.SOLVING),
                Action("Previous prime", partial(self.to_prime, -1), "P", "", smaller, Aid.SOLVING),
            ),
            Gauge("Prime", self._prime, aid=Aid.SOLVING, shown=lambda: self.document.tells_all),
        )

    def _make_number(self) -> NumberBar:
        number = NumberBar()
        number.digit_clicked.connect(self.select)
        return number

    def _make_field(self) -> QWidget:
        self._field = QLineEdit(placeholderText="888,999,…")
        self._field.setAccessibleName("The whole number")
        self._field.setToolTip("Type or paste a number and press Return; it is stacked as high as possible")
        self._field.returnPressed.connect(self.take_number)
        return self._field

    def make_scene(self) -> Scene:
        return draw_stack(self.stack, self.rules["height_goal_mm"], self._spread_tenths.value / 10)

    def status(self) -> str:
        height = sum(map(layer_tenths, self.stack)) / 10
        words = [f"{counted(len(self.stack), 'digit')} · {height:.1f} mm"] if self.allows(Aid.MEASURING) else []
        if (k := self.selected) is not None:
            words.append(f"digit {k}: {self.stack[k].digit}, {NAMES[self.stack[k].orientation]}")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Digits that cannot be printed, or do not rest on the one below, without waiting for the verdict."""
        faulty = self.faulty if self.allows(Aid.JUDGING) else ()
        return dict.fromkeys((f"digit {k}" for k in faulty), "failed")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits are added to the stack."""
        if event.text().isdecimal() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.add_digit(int(event.text()))
        elif event.key() == Qt.Key.Key_Escape and self._is_searching:
            self.stop_search()
        elif event.key() == Qt.Key.Key_Escape:
            self.view.set_selection(())
        else:
            super().keyPressEvent(event)

    # The stack ---------------------------------------------------------------------------------------------------

    @property
    def stack(self) -> tuple[DigitPlaced, ...]:
        """The digits so far, the one on the build plate first."""
        return self.document.answer.stack

    @property
    def selected(self) -> int | None:
        """The selected digit."""
        places = [int(name.split()[1]) for name in self.view.selection if name.startswith("digit ")]
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
        self.view.set_selection(() if k is None else (f"digit {k}",))

    def refuses(self, placed: DigitPlaced, place: int | None = None) -> str:
        """Why the rules do not allow a digit at a place; "" if they do, or if the answer may not be judged."""
        if not self.allows(Aid.JUDGING):
            return ""
        place = self.place if place is None else place
        if placed.digit not in self.rules["digits"]:
            return "this digit may not be used"
        if not (self.rules["standing"] or placed.orientation.is_flat):
            return "all digits lie flat here"
        if place == 0 and placed.digit == 0:
            return "the number cannot begin with 0"
        return refusal(self.stack[place - 1], placed) if 0 < place <= len(self.stack) else ""

    def add(self, placed: DigitPlaced) -> None:
        """Adds a digit above the selected one, or on top."""
        if len(self.stack) >= MAX_DIGITS:
            self.message.emit(f"A number has at most {MAX_DIGITS} digits.")
            return
        place = self.place
        inserts = self.selected is not None
        self._edit_stack(f"Add {placed.digit}", (*self.stack[:place], placed, *self.stack[place:]))
        self.select(place if inserts else None)

    def add_digit(self, digit: int) -> None:
        """Adds a digit in the first orientation that fits, or says why none does."""
        ways = distinct_ways(digit)
        fitting = [placed for placed in ways if not self.refuses(placed)]
        if fitting:
            self.add(fitting[0])
        else:
            self.message.emit(f"No {digit} fits here: {self.refuses(ways[0])}.")

    def turn(self) -> None:
        """Turns the selected digit, or the top one, to its next orientation that fits both neighbours."""
        k = len(self.stack) - 1 if self.selected is None else self.selected
        if k < 0:
            return
        ways = [placed for placed in distinct_ways(self.stack[k].digit) if self._fits_between(placed, k)]
        others = [placed for placed in ways if placed != self.stack[k]]
        if not others:
            self.message.emit("No other orientation fits here.")
            return
        now = ways.index(self.stack[k]) if self.stack[k] in ways else -1
        following = ways[(now + 1) % len(ways)]
        self._edit_stack("Turn digit", (*self.stack[:k], following, *self.stack[k + 1 :]), merge=f"turn {k}")

    def turn_on(self) -> None:
        """Turns the selected digit, or the top one, to its next orientation, whether or not that fits."""
        k = len(self.stack) - 1 if self.selected is None else self.selected
        if k >= 0:
            ways = distinct_ways(self.stack[k].digit)
            now = ways.index(self.stack[k]) if self.stack[k] in ways else -1
            following = ways[(now + 1) % len(ways)]
            self._edit_stack("Turn digit", (*self.stack[:k], following, *self.stack[k + 1 :]), merge=f"turn {k}")

    def _fits_between(self, placed: DigitPlaced, k: int) -> bool:
        above = self.stack[k + 1 : k + 2]
        return not self.refuses(placed, k) and not any(refusal(placed, upper) for upper in above)

    def remove(self) -> None:
        """Deletes the selected digit, or the top one."""
        k = len(self.stack) - 1 if self.selected is None else self.selected
        if k >= 0:
            self._edit_stack("Delete digit", (*self.stack[:k], *self.stack[k + 1 :]))
            self.select(None)

    def shift(self, by: int) -> None:
        """Swaps the selected digit with its neighbour."""
        k = self.selected
        if k is None or not 0 <= k + by < len(self.stack):
            return
        stack = list(self.stack)
        stack[k], stack[k + by] = stack[k + by], stack[k]
        self._edit_stack("Move digit", stack)
        self.select(k + by)

    def step(self, by: int) -> None:
        """Selects the digit above or below."""
        if self.stack:
            k = self.selected
            self.select(len(self.stack) - 1 if k is None else min(max(k + by, 0), len(self.stack) - 1))

    # The number --------------------------------------------------------------------------------------------------

    def take_number(self) -> None:
        """Stacks the typed number."""
        digits = "".join(c for c in self._field.text() if c not in ", _.'")
        if not digits.isdecimal() or len(digits) > MAX_DIGITS:
            self.message.emit(f"Type a number of at most {MAX_DIGITS} digits, with or without commas.")
            return
        self.use_aid("Type a number", Aid.SOLVING)
        if self._fit_number(digits, "Type number"):
            self._field.clear()

    def refit(self) -> None:
        """Finds orientations for the present digits."""
        if self.stack:
            self._fit_number(number_of(self.stack), "Fit orientations")

    def to_prime(self, way: int) -> None:
        """Looks in the background for the next larger or smaller prime of the same length that stacks."""
        if not self.stack:
            return
        self.stop_search()
        number = number_of(self.stack)
        label = "Next prime" if way > 0 else "Previous prime"

        def done(stack: list[DigitPlaced] | None) -> None:
            self._search = None
            self._is_searching = False
            if number_of(self.stack) != number:
                self.message.emit("Not done: the digits have changed in the meantime.")
            elif stack is None:
                self.message.emit("There is no such prime nearby: change digits further to the left.")
            else:
                self._edit_stack(label, stack)

        self._is_searching = True
        job = self.runner.run(
            f"Looking for the {label.lower()}", neighbouring_prime, number, way, self._ways,
            done=done, failed=self._search_failed,
        )  # fmt: skip
        self._search = job if self._is_searching else None

    def stop_search(self) -> None:
        """Cancels the search for a prime."""
        if self._search is not None:
            self._search.cancel()
        self._search = None
        self._is_searching = False

    def _search_failed(self, why: str) -> None:
        self._search = None
        self._is_searching = False
        self.message.emit(f"The prime was not found: {why}")

    @property
    def _ways(self) -> list[Orientation]:
        return [o for o in Orientation if self.rules["standing"] or o.is_flat]

    def _orientations_of(self, number: str) -> list[DigitPlaced] | None:
        return fit([int(digit) for digit in number], self._ways)

    def _fit_number(self, number: str, label: str) -> bool:
        stack = self._orientations_of(number)
        if stack is None:
            self.message.emit("These digits cannot be stacked in any orientations.")
            return False
        self._edit_stack(label, stack)
        return True

    def _edit_stack(self, label: str, stack: Sequence[DigitPlaced], merge: str = "") -> None:
        answer = DigitStack.of(stack, self.document.answer.reasoning)
        self.edit(label, answer, merge)

    # What the controls show --------------------------------------------------------------------------------------

    def _show_number(self, number: NumberBar) -> None:
        marked = [] if self.selected is None else [self.selected]
        group = self.rules["group"]
        number.show_number(number_of(self.stack), group, marked, self.allows(Aid.JUDGING))

    def _prime(self) -> Reading:
        number = number_of(self.stack)
        if not number:
            return Reading("–", "no number yet")
        prime = is_prime(int(number)) if len(number) <= 200 else None
        factor = smallest_factor(int(number))
        words = "prime" if prime else "not prime" + (f": divisible by {factor}" if factor else "")
        return Reading(counted(len(number), "digit"), "" if prime is None else words, prime)
