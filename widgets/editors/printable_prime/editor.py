"""The editor: a stack of digits, with the number above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.printable_prime import MAX_DIGITS, DigitStack
from spatial_workbench.engine.tasks.printable_prime.digits import (
    layer_tenths,
    number_of,
)
from spatial_workbench.engine.tasks.printable_prime.drawing import draw_stack
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
from spatial_workbench.widgets.editors.printable_prime.commands import DigitCommands
from spatial_workbench.widgets.editors.printable_prime.number_bar import NumberBar
from spatial_workbench.widgets.editors.printable_prime.numbers import NumberSearch
from spatial_workbench.widgets.editors.printable_prime.palette import NAMES, DigitPalette
from spatial_workbench.widgets.editors.printable_prime.workpiece import StackedDigits
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Type digits, or click a digit on the left.  Backspace deletes a digit."
MAX_SPREAD_TENTHS = 60


class PrintablePrimeEditor(Editor[DigitStack]):
    """Stacks digits; new digits go above the selected one, or on top of the stack."""

    marks_with_answer = True

    def prepare(self) -> None:
        self._spread_tenths = Setting(0, self.redraw)

    def begin(self) -> None:
        if not self.digits.stack:
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = super().make_view()
        view.box_select = False
        free_digit_keys(view)
        self.digits = StackedDigits(self.document, view, self.allows(Aid.JUDGING))
        self.commands = DigitCommands(self.digits, self.message.emit)
        self.search = NumberSearch(self.digits, self.runner, self.message.emit)
        self._palette = DigitPalette()
        self._palette.chosen.connect(self.commands.add)
        return view

    def list_controls(self) -> Iterable[Declared]:
        yield Bars(CustomPart("The number so far", self._make_number, aid=Aid.VIEWING, refresh=self._show_number))
        turned = "Turn the digit to the next orientation that fits both neighbours"
        digits = CustomPart("Digits", lambda: self._palette, refresh=lambda palette: palette.offer(self.digits.refuses))
        yield Section("Next digit", digits)
        yield Section(
            "Digit",
            Buttons(
                Action("Turn", self.commands.turn_digit, "R", "rotate", turned, Aid.SOLVING),
                Action(
                    "Delete", self.commands.remove, "Backspace, Delete", "delete", "Delete the digit", verb=Verb.DELETE
                ),
                columns=2,
            ),
        )
        yield Keys(
            Action("Next orientation", self.commands.turn_on, "Shift+R"),
            Action("Move digit up", partial(self.commands.shift, 1), "Ctrl+Up"),
            Action("Move digit down", partial(self.commands.shift, -1), "Ctrl+Down"),
            Action("Select digit above", partial(self.commands.step, 1), "Up", aid=Aid.VIEWING),
            Action("Select digit below", partial(self.commands.step, -1), "Down", aid=Aid.VIEWING),
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
                Action("Fit", self.search.refit, "T", "check", fitting, Aid.SOLVING),
                Action("Next prime", partial(self.search.to_prime, 1), "N", "", larger, Aid.SOLVING),
                Action("Previous prime", partial(self.search.to_prime, -1), "P", "", smaller, Aid.SOLVING),
            ),
            Gauge("Prime", self._prime, aid=Aid.SOLVING, shown=lambda: self.document.tells_all),
        )

    def _make_number(self) -> NumberBar:
        number = NumberBar()
        number.digit_clicked.connect(self.digits.select)
        return number

    def _make_field(self) -> QWidget:
        self._field = QLineEdit(placeholderText="888,999,…")
        self._field.setAccessibleName(tr("The whole number"))
        self._field.setToolTip(tr("Type or paste a number and press Return; it is stacked as high as possible"))
        self._field.returnPressed.connect(self.stack_typed)
        return self._field

    def make_scene(self) -> Scene:
        return draw_stack(self.digits.stack, self.digits.rules["height_goal_mm"], self._spread_tenths.value / 10)

    def status(self) -> str:
        height = sum(map(layer_tenths, self.digits.stack)) / 10
        words = [f"{counted(len(self.digits.stack), 'digit')} · {height:.1f} mm"] if self.allows(Aid.MEASURING) else []
        if (k := self.digits.selected) is not None:
            words.append(f"digit {k}: {self.digits.stack[k].digit}, {NAMES[self.digits.stack[k].orientation]}")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Digits that cannot be printed, or do not rest on the one below, without waiting for the verdict."""
        faulty = self.digits.faulty if self.allows(Aid.JUDGING) else ()
        return dict.fromkeys((f"digit {k}" for k in faulty), "failed")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits are added to the stack."""
        if event.text().isdecimal() and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.commands.add_digit(int(event.text()))
        elif event.key() == Qt.Key.Key_Escape and self.search.is_searching:
            self.search.stop_search()
        elif event.key() == Qt.Key.Key_Escape:
            self.view.set_selection(())
        else:
            super().keyPressEvent(event)

    def stack_typed(self) -> None:
        """Stacks the typed number."""
        digits = "".join(c for c in self._field.text() if c not in ", _.'")
        if not digits.isdecimal() or len(digits) > MAX_DIGITS:
            self.message.emit(f"Type a number of at most {MAX_DIGITS} digits, with or without commas.")
            return
        self.use_aid("Type a number", Aid.SOLVING)
        if self.search.fit(digits, "Type number"):
            self._field.clear()

    def _show_number(self, number: NumberBar) -> None:
        marked = [] if self.digits.selected is None else [self.digits.selected]
        group = self.digits.rules["group"]
        number.show_number(number_of(self.digits.stack), group, marked, self.allows(Aid.JUDGING))

    def _prime(self) -> Reading:
        number = number_of(self.digits.stack)
        if not number:
            return Reading("–", "no number yet")
        prime = is_prime(int(number)) if len(number) <= 200 else None
        factor = smallest_factor(int(number))
        words = "prime" if prime else "not prime" + (f": divisible by {factor}" if factor else "")
        return Reading(counted(len(number), "digit"), "" if prime is None else words, prime)
