"""Parts of a record as a form: labels at the left, and what is wrong below each field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from spatial_workbench.engine.core.declared_fields import DeclaredField, declared_field
from spatial_workbench.widgets.forms.fields import FieldFault, FormField
from spatial_workbench.widgets.forms.making import make_field
from spatial_workbench.widgets.forms.places import value_at, with_value
from spatial_workbench.widgets.theme import SPACE


class RecordForm(QWidget):
    """Parts of a record.

    Signals:
        changed(): the person changed a field.

    Attributes:
        fields: By their paths.
    """

    changed = Signal()

    def __init__(self, declared: Sequence[DeclaredField]) -> None:
        super().__init__()
        self.fields: dict[str, FormField] = {}
        self.rows = QFormLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setVerticalSpacing(2 * SPACE)
        self.rows.setHorizontalSpacing(4 * SPACE)
        for field in declared:
            self.add_field(make_field(field))

    def add_field(self, field: FormField) -> None:
        """Adds a field below the others."""
        label = field.stand_in_row()
        self.fields[field.path] = field
        field.edited.connect(self.changed)
        if label is None:
            self.rows.addRow("", field)
        else:
            self.rows.addRow(label, field)

    def show_record(self, data: Mapping[str, Any]) -> None:
        """Shows the parts of a record as plain data, without a signal and without problems."""
        for path, field in self.fields.items():
            field.show_value(value_at(data, path))
            field.show_problems(())

    def fill_in(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The record with its parts as they stand in the form; what cannot be read stays as it was typed."""
        filled = dict(data)
        for path, field in self.fields.items():
            filled = with_value(filled, path, field.typed)
        return filled

    def show_errors(self, error: ValidationError) -> str:
        """Shows each error at its field; gives the first of those that are about no field, or "" if there is none."""
        faults = [_fault(detail) for detail in error.errors(include_url=False)]
        for path, field in self.fields.items():
            field.show_problems([fault for fault in faults if fault.place == path])
        return next((fault.message for fault in faults if fault.place not in self.fields), "")


def declared_parts(record: type[BaseModel], paths: Sequence[str]) -> tuple[DeclaredField, ...]:
    """Parts of a record, for a form."""
    return tuple(declared_field(record, path) for path in paths)


def _fault(detail: Any) -> FieldFault:
    place = ".".join(str(part) for part in detail["loc"])
    return FieldFault(place, detail["msg"].removeprefix("Value error, "))
