"""Small controls of the runs pages: popups, lists of choices, ranges, chips."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time

from PySide6.QtCore import QEvent, QLocale, QPoint, Qt, Signal
from PySide6.QtGui import QDoubleValidator, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

_MANY = 8
"""A longer list of choices has a field to search it."""


class Popup(QFrame):
    """A panel below a button; Escape or a click elsewhere closes it."""

    def __init__(self, button: QPushButton) -> None:
        super().__init__(button, Qt.WindowType.Popup)
        self.setObjectName("popup")
        self._button = button
        button.clicked.connect(self.open_below)

    def open_below(self) -> None:
        """Shows it below its button, inside the screen."""
        self.adjustSize()
        place = self._button.mapToGlobal(QPoint(0, self._button.height() + SPACE))
        right = self._button.screen().availableGeometry().right() - self.width() - SPACE
        self.move(min(place.x(), right), place.y())
        self.show()
        self.setFocus()
        self.focusNextChild()


class ChoiceButton(QPushButton):
    """A button that opens a list of which any number may be chosen; none chosen means all.

    Signals:
        changed(tuple[str, ...]): the values that are chosen now.
    """

    changed = Signal(tuple)

    def __init__(self, title: str) -> None:
        super().__init__(title)
        mark_as_dropdown(self)
        self._title = title
        self._chosen: tuple[str, ...] = ()
        self._popup = Popup(self)
        self._field = QLineEdit()
        self._field.setPlaceholderText("Find")
        self._field.setAccessibleName(f"Find in {title}")
        self._field.textChanged.connect(self._narrow)
        self._list = QListWidget()
        self._list.setAccessibleName(title)
        self._list.setMinimumWidth(220)
        self._list.itemChanged.connect(self._take_choice)
        self._list.itemActivated.connect(_toggle)
        layout = QVBoxLayout(self._popup)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self._field)
        layout.addWidget(self._list)
        self.set_options([])

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen values."""
        return self._chosen

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Sets the values to choose from, with their texts. Chosen values stay even if they are not among them."""
        known = {value for value, _ in options}
        lacking = [(value, value) for value in self._chosen if value not in known]
        every = [(value, with_marks(text)) for value, text in (*options, *lacking)]
        if every == [(item.data(Qt.ItemDataRole.UserRole), item.text()) for item in self._items()]:
            return
        self._list.blockSignals(True)
        self._list.clear()
        for value, text in every:
            item = QListWidgetItem(text, self._list)
            item.setData(Qt.ItemDataRole.UserRole, value)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        self._list.blockSignals(False)
        self._field.setVisible(len(every) > _MANY)
        row_height = max(self._list.sizeHintForRow(0), 20)
        self._list.setFixedHeight(min(14, max(1, len(every))) * row_height + SPACE)
        self._tick()

    def set_chosen(self, values: Sequence[str] | None) -> None:
        """Chooses these, without a signal."""
        self._chosen = tuple(values or ())
        self.set_options([(item.data(Qt.ItemDataRole.UserRole), item.text()) for item in self._items()])
        self._tick()

    def _items(self) -> list[QListWidgetItem]:
        return [self._list.item(i) for i in range(self._list.count())]

    def _tick(self) -> None:
        self._list.blockSignals(True)
        for item in self._items():
            is_chosen = item.data(Qt.ItemDataRole.UserRole) in self._chosen
            item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        self._list.blockSignals(False)
        count = len(self._chosen)
        self.setText(f"{self._title} · {count}" if count else self._title)
        self.setAccessibleName(f"{self._title}: {count or 'all'}")

    def _take_choice(self) -> None:
        chosen = [item for item in self._items() if item.checkState() == Qt.CheckState.Checked]
        self._chosen = tuple(item.data(Qt.ItemDataRole.UserRole) for item in chosen)
        self._tick()
        self.changed.emit(self._chosen)

    def _narrow(self, text: str) -> None:
        for item in self._items():
            item.setHidden(text.lower() not in item.text().lower())


class _Bounds(QWidget):
    """Two fields, from and to; an empty field sets no bound.

    Signals:
        changed(object, object): the bounds, None where there is none.
    """

    changed = Signal(object, object)

    def __init__(self, name: str, width_px: int, hints: Sequence[str]) -> None:
        super().__init__()
        self._fields = tuple(QLineEdit(placeholderText=hint) for hint in hints)
        for field, word in zip(self._fields, ("from", "to"), strict=True):
            field.setAccessibleName(f"{name} {word}")
            field.setMinimumWidth(width_px)
            field.editingFinished.connect(self._announce)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self._fields[0])
        layout.addWidget(QLabel("–"))
        layout.addWidget(self._fields[1])

    def _announce(self) -> None:
        raise NotImplementedError


class Range(_Bounds):
    """From one number to another."""

    def __init__(self, name: str, whole: bool = False) -> None:
        super().__init__(name, 84, ("from", "to"))
        self._whole = whole
        for field in self._fields:
            validator = QDoubleValidator(0.0, 1e12, 0 if whole else 6, field)
            validator.setLocale(QLocale.c())
            field.setValidator(validator)

    def set_bounds(self, low: float | None, high: float | None) -> None:
        """Shows these bounds, without a signal."""
        for field, value in zip(self._fields, (low, high), strict=True):
            if self._read(field) != value:
                field.setText("" if value is None else f"{value:g}" if not self._whole else str(value))

    def _read(self, field: QLineEdit) -> float | int | None:
        try:
            return (int if self._whole else float)(field.text())
        except ValueError:
            return None

    def _announce(self) -> None:
        low, high = (self._read(field) for field in self._fields)
        self.changed.emit(low, high)


class DateRange(_Bounds):
    """Two days, both included, in this computer's time; the bounds are UTC, ISO 8601."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 104, ("YYYY-MM-DD", "YYYY-MM-DD"))

    def set_bounds(self, since: str | None, until: str | None) -> None:
        """Shows these bounds, without a signal."""
        for field, moment in zip(self._fields, (since, until), strict=True):
            field.setText(day_of(moment) if moment else "")

    def _announce(self) -> None:
        since, until = (field.text().strip() for field in self._fields)
        self.changed.emit(_moment(since, time.min), _moment(until, time.max))


class Chip(QPushButton):
    """An active filter; a click, or Delete, removes it."""

    def __init__(self, text: str) -> None:
        super().__init__(icon("close", "secondary"), text)
        self.setObjectName("chip")
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setToolTip(f"Remove this filter: {text}")
        self.setAccessibleName(f"Remove the filter {text}")

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        ):
            self.click()
            return True
        return super().event(event)


def mark_as_dropdown(button: QPushButton) -> None:
    """Adds the arrow that marks a button which opens a popup."""
    button.setIcon(icon("down", "secondary"))
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)


def day_of(moment: str) -> str:
    """The day of a UTC time, on this computer's calendar."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d")


def _moment(day: str, clock: time) -> str | None:
    """A moment of a day on this computer's calendar, as UTC; None where that is no day."""
    try:
        local = datetime.combine(datetime.strptime(day, "%Y-%m-%d").date(), clock).astimezone()
    except ValueError:
        return None
    return local.astimezone(UTC).isoformat(timespec="milliseconds")


def _toggle(item: QListWidgetItem) -> None:
    checked = item.checkState() == Qt.CheckState.Checked
    item.setCheckState(Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked)
