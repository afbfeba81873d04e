"""What people are asked about themselves, who may take part, and the boxes that they tick."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from spatial_workbench.app.studies.leader.plan.options_field import OptionsField
from spatial_workbench.engine.core.declared_fields import declared_field
from spatial_workbench.engine.core.languages.translation import ENGLISH
from spatial_workbench.engine.studies.planning.default_texts import LIBRARY, library_in
from spatial_workbench.engine.studies.planning.document import Comparison, ConsentBox, Covariate, Eligibility
from spatial_workbench.widgets.forms.fields import ChoiceField, FormField, LineField, combo
from spatial_workbench.widgets.forms.making import make_fields
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.forms.records import RecordsField
from spatial_workbench.widgets.layouts import column
from spatial_workbench.widgets.shown_text import replace_line
from spatial_workbench.widgets.theme import SPACE

COMPARISONS = dict(declared_field(Eligibility, "op").choices)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_LISTS = (Comparison.IN.value, Comparison.NOT_IN.value)
_BOUNDS = (Comparison.AT_LEAST.value, Comparison.AT_MOST.value)


class KeyField(LineField):
    """A short name that stands for something in the data."""

    def __init__(self, path: str = "key", label: str = "Key") -> None:
        super().__init__(path, label, "Its name in the data")
        self.line.setMaximumWidth(220)

    @property
    def value(self) -> Any:
        text = self.line.text().strip()
        if not _KEY.fullmatch(text):
            raise ValueError("A key begins with a letter, and has up to 40 letters, digits, _ and -")
        return text

    def show_value(self, value: Any) -> None:
        if self.line.text().strip() != value:
            replace_line(self.line, str(value))


class CovariatesField(RecordsField):
    """Questions about the person: boxes for those that studies often ask, and all questions in their order."""

    noun = "question"
    key = "key"

    def __init__(self) -> None:
        self.boxes: dict[str, QCheckBox] = {}
        self._languages: Sequence[str] = (ENGLISH,)
        super().__init__("covariates", "Questions about the person", "", self._make_library())

    def make_parts(self) -> Sequence[FormField]:
        return (
            *make_fields(Covariate, ["ask", "type", "when"]),
            KeyField(),
            OptionsField(),
            RangeField(),
            *make_fields(Covariate, ["required", "identifying"]),
        )

    def title_of(self, record: Mapping[str, Any]) -> str:
        return str(record["key"])

    def new_record(self) -> Data:
        taken = {record["key"] for record in self.records}
        key = next(key for key in (f"question{n}" for n in range(1, 99)) if key not in taken)
        return Covariate(key=key, ask="", type="choice", options=("yes", "no")).model_dump(mode="json")

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        self._languages = tuple(languages)
        super().write_in(language, languages)

    def adjust(self, record: Mapping[str, Any]) -> None:
        self.parts["options"].setVisible(record["type"] in ("choice", "multi"))
        self.parts["range"].setVisible(record["type"] in ("integer", "scale"))

    def show_value(self, value: Any) -> None:
        super().show_value(value)
        self._tick()

    def set_read_only(self, is_fixed: bool) -> None:
        super().set_read_only(is_fixed)
        for box in self.boxes.values():
            box.setEnabled(not is_fixed)

    def _set(self, records: list[Data], row: int) -> None:
        super()._set(records, row)
        self._tick()

    def _tick(self) -> None:
        keys = {record["key"] for record in self.records}
        for key, box in self.boxes.items():
            box.setChecked(key in keys)

    def _make_library(self) -> QWidget:
        library = QWidget()
        for covariate in LIBRARY:
            box = self.boxes[covariate.key] = QCheckBox(str(covariate.ask))
            box.setToolTip("Asked at the end" if covariate.when == "after" else "Asked before the items")
            box.clicked.connect(lambda ticked, key=covariate.key: self._toggle(key, ticked))
        column(library, *self.boxes.values(), spacing=SPACE)
        return library

    def _toggle(self, key: str, ticked: bool) -> None:
        rest = [record for record in self.records if record["key"] != key]
        usual = [covariate.model_dump(mode="json") for covariate in library_in(self._languages) if covariate.key == key]
        added = usual if ticked else []
        self._set([*rest, *added], len(rest) if ticked else min(self.row, len(rest) - 1))


class RangeField(FormField):
    """The least and the largest number that can be given."""

    def __init__(self) -> None:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        self.low, self.high = QLineEdit(), QLineEdit()
        for line, name in ((self.low, "Least number"), (self.high, "Largest number")):
            line.setMaximumWidth(90)
            line.setAccessibleName(name)
            line.setToolTip(name)
            line.textEdited.connect(lambda _: self.edited.emit())
        row.addWidget(self.low)
        row.addWidget(QLabel("to"))
        row.addWidget(self.high)
        row.addStretch(1)
        super().__init__("range", "Range", body, "Without one, scales go from 1 to 5")

    @property
    def value(self) -> Any:
        texts = [line.text().strip() for line in (self.low, self.high)]
        if not any(texts):
            return None
        try:
            low, high = (int(text) for text in texts)
        except ValueError:
            raise ValueError("The range consists of two whole numbers") from None
        if low >= high:
            raise ValueError("The largest number is not above the least")
        return [low, high]

    def show_value(self, value: Any) -> None:
        for line, number in zip((self.low, self.high), value or ("", ""), strict=True):
            if line.text().strip() != str(number):
                replace_line(line, str(number))

    def set_read_only(self, is_fixed: bool) -> None:
        for line in (self.low, self.high):
            line.setReadOnly(is_fixed)


class PersonAnswerField(FormField):
    """The answers that a rule compares with: options of a question as they are, numbers or words as they are typed."""

    def __init__(self) -> None:
        self.box = combo("Answer", [])
        self.box.setMaximumWidth(320)
        self.line = QLineEdit()
        self.line.setAccessibleName("Answer")
        self._ticks = QWidget()
        self._column = QVBoxLayout(self._ticks)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE)
        self.boxes: list[QCheckBox] = []
        self._question: Mapping[str, Any] = {}
        self._op = Comparison.EQUAL.value
        self._is_fixed = False
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        for control in (self.box, self._ticks, self.line):
            column.addWidget(control)
        super().__init__("value", "Answer", body)
        self.box.activated.connect(lambda _: self.edited.emit())
        self.line.textEdited.connect(self.edited)

    @property
    def value(self) -> Any:
        if self._options and self._op in _LISTS:
            return [box.text() for box in self.boxes if box.isChecked()]
        if self._options:
            return self.box.currentText()
        parts = [self._read(part.strip()) for part in self.line.text().split(",")]
        return parts if self._op in _LISTS else parts[0]

    def show_value(self, value: Any) -> None:
        given = list(value) if isinstance(value, list | tuple) else [value]
        words = ["yes" if part is True else "no" if part is False else str(part) for part in given]
        if self._options and self._op in _LISTS:
            for box in self.boxes:
                box.setChecked(box.text() in words)
        elif self._options:
            self.box.setCurrentIndex(self.box.findText(words[0]))
        elif self._typed() != given:
            replace_line(self.line, ", ".join(words))

    def ask(self, question: Mapping[str, Any], op: str) -> None:
        """Offers the answers to a question."""
        if (question, op) == (self._question, self._op):
            return
        self._question = question
        self._op = op
        self.box.clear()
        self.box.addItems(self._options)
        for box in self.boxes:
            box.hide()
            box.deleteLater()
        self.boxes = [QCheckBox(option) for option in self._options]
        for box in self.boxes:
            box.setEnabled(not self._is_fixed)
            box.clicked.connect(self.edited)
            self._column.addWidget(box)
        self.box.setVisible(bool(self._options) and op not in _LISTS)
        self._ticks.setVisible(bool(self._options) and op in _LISTS)
        self.line.setVisible(not self._options)
        self.line.setPlaceholderText("separated by commas" if op in _LISTS else "")

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self.line.setReadOnly(is_fixed)
        for control in (self.box, *self.boxes):
            control.setEnabled(not is_fixed)

    @property
    def _options(self) -> list[str]:
        has_options = self._question.get("type") in ("choice", "multi") and self._op not in _BOUNDS
        return _values_of(self._question) if has_options else []

    def _typed(self) -> Any:
        try:
            return [self._read(part.strip()) for part in self.line.text().split(",")]
        except ValueError:
            return None

    def _read(self, text: str) -> Any:
        if self._op not in _BOUNDS and self._question.get("type") == "text":
            return text
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"“{text[:20]}” is not a whole number") from None


class EligibilityField(RecordsField):
    """Who may take part: people who meet all rules."""

    noun = "rule"

    def __init__(self) -> None:
        self._questions: dict[str, Mapping[str, Any]] = {}
        super().__init__("eligibility", "Who may take part", "Everybody whose answers meet all rules.")

    def make_parts(self) -> Sequence[FormField]:
        self.answer = PersonAnswerField()
        return (
            ChoiceField("covariate", "Question", []),
            *make_fields(Eligibility, ["op"]),
            self.answer,
            *make_fields(Eligibility, ["reason"]),
        )

    def title_of(self, record: Mapping[str, Any]) -> str:
        value = record["value"]
        words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        return f"{record['covariate']} {COMPARISONS[record['op']]} {words}"

    def new_record(self) -> Data:
        question = next(iter(self._questions.values()), {"key": ""})
        value = next(iter(_values_of(question)), 0)
        return {"covariate": question["key"], "op": Comparison.EQUAL.value, "value": value, "reason": ""}

    def adjust(self, record: Mapping[str, Any]) -> None:
        self.answer.ask(self._questions.get(record["covariate"], {}), record["op"])

    def follow(self, record: Data, changed: str) -> Data:
        value = record["value"]
        is_list = record["op"] in _LISTS
        if changed == "covariate":
            first: Any = next(iter(_values_of(self._questions.get(record["covariate"], {}))), 0)
            value = [first] if is_list else first
        elif is_list and not isinstance(value, list | tuple):
            value = [value]
        elif not is_list and isinstance(value, list | tuple):
            value = next(iter(value), 0)
        return {**record, "value": value}

    def offer(self, data: Data) -> None:
        before = {question["key"]: question for question in data["covariates"] if question["when"] == "before"}
        self._questions = before
        covariate = self.parts["covariate"]
        assert isinstance(covariate, ChoiceField)
        covariate.set_options([(key, key) for key in before])
        if 0 <= self.row < len(self.records):
            self.adjust(self.records[self.row])
            self.answer.show_value(self.records[self.row]["value"])


def _values_of(question: Mapping[str, Any]) -> list[str]:
    """What is stored of the options of a question."""
    return [option if isinstance(option, str) else str(option["value"]) for option in question.get("options") or ()]


class ConsentBoxesField(RecordsField):
    """The boxes under the consent; without a text of its own, a box says “I take part.”"""

    noun = "box"

    def __init__(self) -> None:
        super().__init__(
            "consent.boxes",
            "Boxes to tick",
            "One must be required. People who tick “share” may be in public data; with “quote”, in their own words.",
        )

    def make_parts(self) -> Sequence[FormField]:
        return (
            *make_fields(ConsentBox, ["text"]),
            KeyField(),
            *make_fields(ConsentBox, ["required"]),
        )

    def title_of(self, record: Mapping[str, Any]) -> str:
        return f"{record['key']}{' (required)' if record['required'] else ''}"

    def new_record(self) -> Data:
        taken = {record["key"] for record in self.records}
        key = next(key for key in (f"box{n}" for n in range(1, 99)) if key not in taken)
        return ConsentBox(key=key).model_dump(mode="json")
