"""Fields below and beside each other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from spatial_workbench.widgets.forms.fields import ChoiceField, FormField, NumberField
from spatial_workbench.widgets.theme import SPACE

SHORT_IN_A_ROW = 3


def add_fields(column: QVBoxLayout, fields: Sequence[FormField]) -> None:
    """Adds long fields below each other, short ones beside each other."""
    short: list[FormField] = []
    for field in (*fields, None):
        if isinstance(field, NumberField | ChoiceField):
            short.append(field)
            continue
        if short:
            column.addLayout(beside(short))
            short = []
        if field is not None:
            column.addWidget(field)


def beside(fields: Sequence[QWidget]) -> QGridLayout:
    """Short fields, three in a row."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(6 * SPACE)
    grid.setVerticalSpacing(3 * SPACE)
    for place, field in enumerate(fields):
        grid.addWidget(field, place // SHORT_IN_A_ROW, place % SHORT_IN_A_ROW, Qt.AlignmentFlag.AlignTop)
    for column in range(SHORT_IN_A_ROW):
        grid.setColumnStretch(column, 1)
    return grid
