"""Makes the field of a form from what a record declares of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel

from spatial_workbench.engine.core.declared_fields import DeclaredField, FieldKind, declared_field
from spatial_workbench.widgets.forms.fields import (
    HIGHEST,
    AmountField,
    ChoiceField,
    CountField,
    FormField,
    LineField,
    LinesField,
    NumberField,
    TickField,
)
from spatial_workbench.widgets.forms.texts import TextField


def make_fields(record: type[BaseModel], paths: Sequence[str]) -> tuple[FormField, ...]:
    """Fields for these parts of a record, for a long page.

    Numbers are typed: a box with arrows would be changed by the wheel that scrolls the page.
    """
    numbers = (FieldKind.COUNT, FieldKind.NUMBER)
    declared = (declared_field(record, path) for path in paths)
    return tuple(_make_typed(field) if field.kind in numbers else make_field(field) for field in declared)


def make_field(declared: DeclaredField) -> FormField:
    """The field for a part of a record.

    Raises:
        KeyError: It is a record itself, or a list of records.
    """
    return _MAKERS[declared.kind](declared)


def _make_choice(field: DeclaredField) -> FormField:
    nothing = [(None, field.open_text)] if field.is_optional else []
    # Where nothing is a choice of its own, it is what the document says.
    default = None if field.is_optional else field.default
    return ChoiceField(field.path, field.label, [*nothing, *field.choices], field.about, default)


def _make_count(field: DeclaredField) -> FormField:
    low = int(field.low or 0)
    high = HIGHEST if field.high is None else int(field.high)
    empty = (field.open_text or "default") if field.is_optional else None
    return CountField(field.path, field.label, (low, high), field.about, field.unit, empty)


def _make_typed(field: DeclaredField) -> FormField:
    return NumberField(field.path, field.label, field.about, field.kind is FieldKind.COUNT, field.open_text)


def _make_number(field: DeclaredField) -> FormField:
    if field.unit and not field.is_optional:
        high = float(HIGHEST) if field.high is None else field.high
        return AmountField(field.path, field.label, (field.low or 0, high), field.about, field.unit)
    return _make_typed(field)


_MAKERS: dict[FieldKind, Callable[[DeclaredField], FormField]] = {
    FieldKind.FLAG: lambda field: TickField(field.path, field.label, field.about, bool(field.default)),
    FieldKind.CHOICE: _make_choice,
    FieldKind.COUNT: _make_count,
    FieldKind.NUMBER: _make_number,
    FieldKind.LINE: lambda field: LineField(field.path, field.label, field.about, field.open_text),
    FieldKind.TEXT: lambda field: TextField(field.path, field.label, field.about, field.rows),
    FieldKind.LINES: lambda field: LinesField(field.path, field.label, field.about, field.rows),
}
