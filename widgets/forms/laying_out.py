"""Fields below and beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from spatial_workbench.widgets.forms.fields import ChoiceField, FormField, NumberField
from spatial_workbench.widgets.theme import SPACE

SHORT_IN_A_ROW = 3


def add_fields(column: QVBoxLayout, fields: Sequence[FormField], in_a_row: int = SHORT_IN_A_ROW) -> None:
    """Adds long fields below each other, so many short ones beside each other."""
    short: list[FormField] = []
    for field in (*fields, None):
        if isinstance(field, NumberField | ChoiceField):
            short.append(field)
            continue
        if short:
            column.addLayout(beside(short, in_a_row))
            short = []
        if field is not None:
            column.addWidget(field)


def beside(fields: Sequence[QWidget], in_a_row: int = SHORT_IN_A_ROW) -> QGridLayout:
    """Short fields, so many in a row."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(6 * SPACE)
    grid.setVerticalSpacing(3 * SPACE)
    for place, field in enumerate(fields):
        grid.addWidget(field, place // in_a_row, place % in_a_row, Qt.AlignmentFlag.AlignTop)
    for column in range(in_a_row):
        grid.setColumnStretch(column, 1)
    return grid
