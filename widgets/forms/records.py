"""Lists of records: their names at the left, the chosen one as a small form at the right."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from spatial_workbench.widgets.forms.fields import FieldFault, FormField, PlacedProblem
from spatial_workbench.widgets.forms.places import Data, row_and_part
from spatial_workbench.widgets.forms.record_details import RecordDetails
from spatial_workbench.widgets.forms.records_list import RecordsList
from spatial_workbench.widgets.theme import SPACE


class RecordsField(FormField):
    """A list of records, of which one is edited at a time.

    Subclasses say which fields a record has, how it is called in the list, and what a new one begins with. Where it is
    clear from a problem's place which record and which of its fields it is about, it is shown there.

    Attributes:
        noun: What a record is.
        key: The part of a record that the places of problems name it by; "" if they number it.
    """

    noun: ClassVar[str]
    key: ClassVar[str] = ""

    def __init__(self, path: str, label: str, hint: str = "", above: QWidget | None = None) -> None:
        self.records: list[Data] = []
        self._is_fixed = False
        self._unread: dict[tuple[int, str], str] = {}
        self._told: tuple[PlacedProblem, ...] = ()
        self._step = ""
        self._shown: Data = {}
        self.entries = RecordsList(self.noun)
        self._details = RecordDetails(self.noun, self.make_parts())
        self.parts = self._details.parts
        super().__init__(path, label, _arrange(above, self.entries, self._details), hint)
        self.entries.list.setAccessibleName(label or path)
        self.entries.chosen.connect(self._show_chosen)
        self.entries.addition_asked.connect(self.add)
        self.entries.removal_asked.connect(self.remove)
        self.entries.move_asked.connect(self.shift)
        self._details.edited.connect(self._store_value)
        self._show_chosen()

    @abstractmethod
    def make_parts(self) -> Sequence[FormField]:
        """The fields of a record; their paths are those within it."""

    @abstractmethod
    def title_of(self, record: Mapping[str, Any]) -> str:
        """How a record is called in the list."""

    @abstractmethod
    def new_record(self) -> Data:
        """The initial values of a new record."""

    def adjust(self, record: Mapping[str, Any]) -> None:
        """Shows and hides the fields that only some records have."""

    # A field ---------------------------------------------------------------------------------------------------------

    def follow(self, record: Data, changed: str) -> Data:
        """A record after one of its parts was changed, with what follows from that for the others."""
        return record

    @property
    def value(self) -> Any:
        return self.records

    @property
    def faults(self) -> Sequence[PlacedProblem]:
        return [FieldFault(f"{self.path}[{row}].{part}", fault) for (row, part), fault in self._unread.items()]

    @property
    def step(self) -> str:
        return self._step

    def show_value(self, value: Any) -> None:
        if list(value) == self.records and not self._unread:
            return
        row = max(0, self.row)
        self._unread = {}
        self.records = [dict(record) for record in value]
        self._show_list(min(row, len(self.records) - 1))

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._details.set_read_only(is_fixed)
        self.entries.update_buttons(self._is_fixed)

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        self._details.write_in(language, languages)

    def show_problems(self, problems: Sequence[PlacedProblem]) -> None:
        self._told = tuple(problems)
        self._mark_rows()

    @property
    def told(self) -> Sequence[PlacedProblem]:
        return self._told

    # The list --------------------------------------------------------------------------------------------------------

    @property
    def row(self) -> int:
        """The row of the chosen record; -1 if there is none."""
        return self.entries.row

    def add(self) -> None:
        """Adds a record and goes to it."""
        self.add_record(self.new_record())

    def add_record(self, record: Data) -> None:
        """Adds this record and goes to it."""
        self._set([*self.records, record], len(self.records))
        next(iter(self.parts.values())).control.setFocus()

    def remove(self) -> None:
        """Removes the chosen record."""
        if self.row >= 0 and not self._is_fixed:
            self._set([*self.records[: self.row], *self.records[self.row + 1 :]], min(self.row, len(self.records) - 2))

    def shift(self, step: int) -> None:
        """Moves the chosen record up (-1) or down (1)."""
        row = self.row
        other = self.row + step
        if min(row, other) >= 0 and other < len(self.records):
            moved = list(self.records)
            moved[row], moved[other] = moved[other], moved[row]
            self._set(moved, other)

    def _set(self, records: list[Data], row: int) -> None:
        self._unread = {}
        self._step = ""
        self.records = records
        self._show_list(row)
        self.edited.emit()

    def _show_list(self, row: int) -> None:
        self.entries.show_titles([self.title_of(record) for record in self.records], row)
        self._show_chosen()

    def _show_chosen(self) -> None:
        """Fills the form with the chosen record."""
        if 0 <= self.row < len(self.records):
            self._shown = self.records[self.row]
            self.adjust(self._shown)
            self._details.show_record(self._shown)
        else:
            self._details.show_none()
        self._mark_rows()
        self.entries.update_buttons(self._is_fixed)

    def _store_value(self, part: FormField) -> None:
        if not 0 <= self.row < len(self.records):
            return
        place = (self.row, part.path)
        try:
            value = part.value
            self._unread.pop(place, None)
        except ValueError as error:
            self._unread[place] = str(error)
            # What was half typed before must not be stored in its place.
            value = self._shown.get(part.path)
        self._step = f"{self.path}[{self.row}].{part.step}" if part.step else ""
        self._store_record(self.follow({**self.records[self.row], part.path: value}, part.path), part)
        self._mark_rows()
        self.edited.emit()

    def _store_record(self, record: Data, changed: FormField) -> None:
        """Stores the current state of the chosen record."""
        before = self.records[self.row]
        self.records = [*self.records]
        self.records[self.row] = record
        self.adjust(record)
        self._details.show_differences(before, record, changed)
        self.entries.rename(self.row, self.title_of(record))

    # What is wrong ---------------------------------------------------------------------------------------------------

    def _mark_rows(self) -> None:
        """Shows each problem at its record and its field; the rest below."""
        names = [record.get(self.key) for record in self.records] if self.key else []
        told = [problem for problem in self._told if problem not in self.faults]
        placed = [(row_and_part(self.path, names, problem.place), problem) for problem in (*self.faults, *told)]
        for row in range(len(self.records)):
            self.entries.mark(row, [problem.is_error for (at, _), problem in placed if at == row])
        self._details.show_problems([(part, problem) for (at, part), problem in placed if at == self.row >= 0])
        self.problems.show_problems([problem for (at, _), problem in placed if not 0 <= at < len(self.records)])


def _arrange(above: QWidget | None, entries: RecordsList, details: RecordDetails) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2 * SPACE)
    if above is not None:
        column.addWidget(above)
    row = QHBoxLayout()
    row.setSpacing(4 * SPACE)
    row.addWidget(entries)
    row.addWidget(details, 1)
    column.addLayout(row)
    return body
