"""The rules of quality in a plan: what each leads to, and its thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from spatial_workbench.engine.studies.analysis.rules import DEFAULTS
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.widgets.forms.fields import FormField, combo
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.shown_text import replace_line, replace_text
from spatial_workbench.widgets.theme import SPACE

THRESHOLDS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "too_fast": (("least_s", "under", "s"), ("share_of_pilot", "or under", "of the pilot's median")),
    "attention": (("least", "fewer than", "as expected"),),
    "left_window": (("seconds", "away for more than", "s"), ("times", "or more than", "times")),
    "covered": (("seconds", "covered for more than", "s"),),
    "gap": (("seconds", "gaps of more than", "s"), ("resumes", "or more than", "resumes")),
    "connection": (("seconds", "lost for more than", "s"), ("round_trip_ms", "or round trips of more than", "ms")),
    "incomplete": (("share", "less than", "of the items"),),
    "identical": (("characters", "answers of more than", "characters"), ("items", "on", "items")),
}
"""The numbers of each rule, with the words before and after them."""
WHOLE = frozenset({"least", "times", "resumes", "round_trip_ms", "characters", "items"})
WORDS = {
    "no_edits": "handed in without an edit",
    "comprehension": "not passed",
    "file": "altered, unsigned, inconsistent, or double",
    "by_hand": "with a reason of at least 10 characters",
}
DECLARED = "declared"


class RulesField(FormField):
    """The rules, one per line."""

    def __init__(self) -> None:
        self._data: dict[str, Data] = {}
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4 * SPACE)
        self._grid.setVerticalSpacing(2 * SPACE)
        self.boxes: dict[str, QComboBox] = {}
        self.lines: dict[tuple[str, str], QLineEdit] = {}
        for row, name in enumerate(DEFAULTS):
            self._add_rule(row, name)
        self._grid.setColumnStretch(2, 1)
        super().__init__("rules", "", body, "Declared: a question a line, by its key, with the answers that lead to it")

    @property
    def value(self) -> Any:
        return [self._read(name) for name in DEFAULTS]

    def show_value(self, value: Any) -> None:
        self._data = {rule["rule"]: rule for rule in value}
        for name in DEFAULTS:
            rule = self._rule(name)
            self.boxes[name].setCurrentText(rule["response"])
            for key, _, _ in THRESHOLDS.get(name, ()):
                self._show_number(self.lines[name, key], rule["value"].get(key))
        shown = _lines_of(self._rule(DECLARED)["value"])
        if _answers_in(self.declared.toPlainText()) != _answers_in(shown):
            with QSignalBlocker(self.declared):
                replace_text(self.declared, shown)

    def set_read_only(self, is_fixed: bool) -> None:
        for box in self.boxes.values():
            box.setEnabled(not is_fixed)
        for line in self.lines.values():
            line.setReadOnly(is_fixed)
        self.declared.setReadOnly(is_fixed)

    def _add_rule(self, row: int, name: str) -> None:
        box = combo(f"Rule {name}", [response.value for response in StudyResponse])
        box.activated.connect(lambda _: self.edited.emit())
        self.boxes[name] = box
        self._grid.addWidget(QLabel(name.replace("_", " ")), row, 0)
        self._grid.addWidget(box, row, 1)
        self._grid.addWidget(self._make_threshold(name), row, 2)

    def _make_threshold(self, name: str) -> QWidget:
        if name == DECLARED:
            return self._make_declared()
        part = QWidget()
        layout = QHBoxLayout(part)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        if name in WORDS:
            layout.addWidget(_caption(WORDS[name]))
        for key, before, after in THRESHOLDS.get(name, ()):
            line = self.lines[name, key] = QLineEdit()
            line.setMaximumWidth(64)
            line.setAccessibleName(f"{name.replace('_', ' ')}: {before} … {after}")
            line.textEdited.connect(lambda _: self.edited.emit())
            for widget in (_caption(before), line, _caption(after)):
                layout.addWidget(widget)
        layout.addStretch(1)
        return part

    def _make_declared(self) -> QWidget:
        self.declared = QPlainTextEdit()
        self.declared.setTabChangesFocus(True)
        self.declared.setAccessibleName("declared: answers that lead to it, a question a line")
        self.declared.setPlaceholderText("used_ai: yes")
        self.declared.setToolTip("A question a line, by its key, with the answers that lead to it: used_ai: yes")
        self.declared.setFixedHeight(3 * self.declared.fontMetrics().lineSpacing() + 4 * SPACE)
        self.declared.textChanged.connect(lambda: self.edited.emit())
        return self.declared

    def _rule(self, name: str) -> Data:
        """A rule as the document has it, or as it usually is."""
        return self._data.get(name) or DEFAULTS[name].model_dump(mode="json")

    def _read(self, name: str) -> Data:
        """A rule, as entered in the form.

        Raises:
            ValueError: A threshold is not a number.
        """
        rule = self._rule(name)
        value = dict(rule["value"])
        for key, before, _ in THRESHOLDS.get(name, ()):
            value = _with_number(
                value, key, self.lines[name, key].text().strip(), f"{name.replace('_', ' ')}, {before}"
            )
        if name == DECLARED and _answers_in(_lines_of(value)) != _answers_in(self.declared.toPlainText()):
            value = _answers_in(self.declared.toPlainText())
        return {**rule, "response": self.boxes[name].currentText(), "value": value}

    def _show_number(self, line: QLineEdit, value: Any) -> None:
        text = "" if value is None else _number_text(value)
        if line.text().strip() != text:
            replace_line(line, text)


def _with_number(value: Data, key: str, text: str, place: str) -> Data:
    """The thresholds of a rule with a typed one; empty: without it."""
    if not text:
        return {name: number for name, number in value.items() if name != key}
    if key in value and _number_text(value[key]) == text:
        return value
    try:
        number: float = int(text) if key in WHOLE else float(text)
    except ValueError:
        kind = "a whole number" if key in WHOLE else "a number"
        raise ValueError(f"{place}: “{text[:20]}” is not {kind}") from None
    if not 0 <= number < math.inf:
        raise ValueError(f"{place}: {text[:20]} is not a threshold")
    return {**value, key: number}


def _number_text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _lines_of(value: Mapping[str, Any]) -> str:
    """Which answers lead to the rule, a question a line: "used_ai: yes"."""
    return "\n".join(f"{key}: {', '.join(map(_word, answers))}" for key, answers in value.items())


def _answers_in(text: str) -> Data:
    """The answers by their questions, as they were typed."""
    lines = (line.partition(":") for line in text.splitlines() if line.strip())
    return {
        key.strip(): [answer.strip() for answer in answers.split(",") if answer.strip()] for key, _, answers in lines
    }


def _word(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else str(value)


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("caption")
    return label
