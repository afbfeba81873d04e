"""A field for a few numbers that belong together, such as a place or a size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.shown_text import replace_line
from spatial_workbench.widgets.theme import SPACE


class VectorField(FormField):
    """Numbers beside each other, each with its name; the up and down keys change one by a step.

    usual: What an absent value means; None: an empty field is none.
    """

    def __init__(
        self,
        path: str,
        label: str,
        names: Sequence[str],
        hint: str = "",
        step: float = 0.5,
        usual: Sequence[float] | None = None,
    ) -> None:
        self._names = tuple(names)
        self._usual = usual
        self._changed = names[0]
        self.lines = [_StepLine(step) for _ in names]
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(SPACE)
        for place, (name, line) in enumerate(zip(names, self.lines, strict=True)):
            caption = QLabel(name)
            caption.setObjectName("caption")
            caption.setBuddy(line)
            line.setAccessibleName(f"{label}, {name}")
            line.setPlaceholderText("" if usual is None else f"{usual[place]:g}")
            line.textEdited.connect(partial(self._announce, name))
            across.addWidget(caption)
            across.addWidget(line, 1)
        super().__init__(path, label, row, hint)
        self.setFocusProxy(self.lines[0])

    @property
    def value(self) -> Any:
        texts = [line.text().strip() for line in self.lines]
        if not any(texts):
            return None
        usual: Sequence[float | None] = self._usual or [None] * len(texts)
        return [_number(*row) for row in zip(self._names, texts, usual, strict=True)]

    @property
    def typed(self) -> Any:
        return [line.text().strip() for line in self.lines]

    @property
    def step(self) -> str:
        return f"{self.path}.{self._changed}"

    def show_value(self, value: Any) -> None:
        is_fit = isinstance(value, list | tuple) and len(value) == len(self.lines)
        for number, line in zip(value if is_fit else [None] * len(self.lines), self.lines, strict=True):
            if not _is_same(line.text(), number):
                replace_line(line, _spelled(number))

    def set_read_only(self, is_fixed: bool) -> None:
        for line in self.lines:
            line.setReadOnly(is_fixed)

    def _announce(self, name: str, _: str) -> None:
        self._changed = name
        self.edited.emit()


class _StepLine(QLineEdit):
    """A number that the up and down keys change; with Shift by a fifth of a step."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self._step = step
        self.setMinimumWidth(44)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        try:
            number = float(self.text().replace(",", ".") or 0)
        except ValueError:
            way = None
        if way is None or self.isReadOnly():
            super().keyPressEvent(event)
            return
        share = 0.2 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        text = _spelled(round(number + way * share * self._step, 6))
        self.setText(text)
        self.textEdited.emit(text)


def _number(name: str, text: str, usual: float | None) -> float:
    if not text and usual is not None:
        return usual
    try:
        number = float(text.replace(",", "."))
        if not math.isfinite(number):
            raise ValueError
    except ValueError:
        raise ValueError(f"{name}: “{text[:20]}” is not a number" if text else f"{name}: a number is missing") from None
    return int(number) if number == int(number) else number


def _spelled(number: Any) -> str:
    return "" if number is None else f"{number:.10g}" if isinstance(number, int | float) else str(number)


def _is_same(text: str, number: Any) -> bool:
    """Whether a text means this number, however it is spelled."""
    try:
        return number is not None and float(text.replace(",", ".")) == number
    except ValueError:
        return not text.strip() and number is None
