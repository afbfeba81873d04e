"""The fields of the chosen record of a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from spatial_workbench.widgets.forms.fields import FormField, PlacedProblem
from spatial_workbench.widgets.forms.laying_out import add_fields
from spatial_workbench.widgets.panels.problem_lines import ProblemLines
from spatial_workbench.widgets.theme import SPACE


class RecordDetails(QStackedWidget):
    """The fields of a record with what is wrong with it, or a note that there is no record.

    Attributes:
        parts: The fields, by their paths within a record.

    Signals:
        edited(FormField): the person changed this field.
    """

    edited = Signal(object)

    def __init__(self, noun: str, parts: Sequence[FormField]) -> None:
        super().__init__()
        self.parts = {part.path: part for part in parts}
        self._problems: ProblemLines[PlacedProblem] = ProblemLines()
        self.addWidget(self._make_form(parts))
        self.addWidget(_note(f"No {noun} yet."))

    def show_record(self, record: Mapping[str, Any]) -> None:
        """Fills the fields."""
        self.setCurrentIndex(0)
        for path, part in self.parts.items():
            part.show_value(record.get(path))

    def show_none(self) -> None:
        """Says that there is no record."""
        self.setCurrentIndex(1)

    def show_differences(self, before: Mapping[str, Any], record: Mapping[str, Any], changed: FormField) -> None:
        """Fills the fields that differ from before, except the one that the person changed."""
        for path, part in self.parts.items():
            if part is not changed and record.get(path) != before.get(path):
                part.show_value(record.get(path))

    def show_problems(self, problems: Iterable[tuple[str, PlacedProblem]]) -> None:
        """Shows each problem at the field whose path is given with it, and the rest below the fields."""
        placed = list(problems)
        for path, part in self.parts.items():
            part.show_problems([problem for at, problem in placed if at == path])
        self._problems.show_problems([problem for at, problem in placed if at not in self.parts])

    def set_read_only(self, is_fixed: bool) -> None:
        """Whether the fields can be changed."""
        for part in self.parts.values():
            part.set_read_only(is_fixed)

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        """Shows and writes texts in one of the document's languages."""
        for part in self.parts.values():
            part.write_in(language, languages)

    def _make_form(self, parts: Sequence[FormField]) -> QWidget:
        form = QWidget()
        column = QVBoxLayout(form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * SPACE)
        for part in parts:
            part.edited.connect(lambda part=part: self.edited.emit(part))
        add_fields(column, parts)
        column.addWidget(self._problems)
        column.addStretch(1)
        return form


def _note(text: str) -> QLabel:
    note = QLabel(text)
    note.setObjectName("secondary")
    note.setAlignment(Qt.AlignmentFlag.AlignTop)
    return note
