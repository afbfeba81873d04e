"""The dialog of prices: a table that people edit, with the day and the source of each price."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.models import KnownModel, LibraryProblem, ModelLibrary, PriceEntry, PriceTable
from spatial_workbench.engine.models.price_table import host_of
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.theme import SPACE

_COLUMNS = (
    ("model", "Model", "The endpoint's name of the model"),
    ("host", "Endpoint", "Host of the endpoint, such as api.example.org; empty: any"),
    ("input_usd", "Input, $/M", "US dollars per million input tokens"),
    ("cached_input_usd", "Cached, $/M", "US dollars per million cached input tokens; empty: as other input"),
    ("output_usd", "Output, $/M", "US dollars per million output tokens, reasoning included"),
    ("as_of", "As of", "The day on which these were the prices, such as 2026-05-01; empty: today"),
    ("source", "Source", "Where they were read, such as an address"),
)
_FIGURES = ("input_usd", "cached_input_usd", "output_usd")
_OF_ENTRY = ("model", "host")
_ABOUT = (
    "US dollars per million tokens. A batch keeps the prices that it was started with: changes here count for new "
    "batches only. A model with prices of its own uses those."
)


class PricesDialog(QDialog):
    """Edits the table of prices; rows without any price are left out when it is stored.

    Signals:
        changed(): the table was stored.
    """

    changed = Signal()

    def __init__(self, prices: PriceTable, models: Sequence[KnownModel], parent: QWidget | None = None) -> None:
        """`models`: those that are offered as rows if they have no price yet."""
        super().__init__(parent)
        self.setWindowTitle("Prices")
        self.resize(960, 420)
        self._prices = prices
        self.table = QTableWidget(0, len(_COLUMNS))
        self.table.setAccessibleName("Prices")
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.table.horizontalHeader().setStretchLastSection(True)
        for k, (_, title, tip) in enumerate(_COLUMNS):
            heading = QTableWidgetItem(title)
            heading.setToolTip(tip)
            self.table.setHorizontalHeaderItem(k, heading)
            self.table.setColumnWidth(k, 200 if k < 2 else 100)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self._lay_out()
        self._load(models)

    def add_row(self, values: dict[str, Any] | None = None) -> None:
        """Adds a row, dated today if it is empty."""
        shown = values or {"as_of": date.today().isoformat()}
        row = self.table.rowCount()
        self.table.insertRow(row)
        for k, (name, _, _) in enumerate(_COLUMNS):
            value = shown.get(name)
            cell = QTableWidgetItem("" if value is None else f"{value:g}" if isinstance(value, float) else str(value))
            if name in _FIGURES:
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, k, cell)
        if values is None:
            self.table.setCurrentCell(row, 0)
            self.table.edit(self.table.model().index(row, 0))

    def remove_row(self) -> None:
        """Removes the current row."""
        if self.table.currentRow() >= 0:
            self.table.removeRow(self.table.currentRow())

    def save(self) -> bool:
        """Stores the table, or says which row is wrong; returns whether it was stored."""
        entries = []
        for row in range(self.table.rowCount()):
            values = self._values(row)
            if not any(values.get(name) for name in _FIGURES):
                continue
            try:
                prices = {"as_of": date.today().isoformat()} | values
                prices = {name: value for name, value in prices.items() if name not in _OF_ENTRY}
                entries.append(
                    PriceEntry.model_validate({**{n: values.get(n, "") for n in _OF_ENTRY}, "prices": prices})
                )
            except ValidationError as error:
                self._say_fault(row, error)
                return False
        try:
            self._prices.store(entries)
        except LibraryProblem as error:
            self._show_note(str(error), True)
            return False
        self.changed.emit()
        self.accept()
        return True

    def _values(self, row: int) -> dict[str, str]:
        """What is typed in a row, without what is empty; decimal commas are read as points."""
        typed: dict[str, str] = {}
        for k, (name, _, _) in enumerate(_COLUMNS):
            item = self.table.item(row, k)
            text = item.text().strip() if item is not None else ""
            if text:
                typed[name] = text.replace(",", ".") if name in _FIGURES else text
        if "host" in typed:
            typed["host"] = typed["host"].lower()
        return typed

    def _say_fault(self, row: int, error: ValidationError) -> None:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][-1])
        titles = {column: title for column, title, _ in _COLUMNS}
        self._show_note(f"Row {row + 1}, {titles.get(name, name)}: {first['msg']}.", True)
        self.table.setCurrentCell(row, next((k for k, column in enumerate(_COLUMNS) if column[0] == name), 0))

    def _load(self, models: Sequence[KnownModel]) -> None:
        try:
            entries = self._prices.entries()
        except LibraryProblem as error:
            self._show_note(str(error), True)
            return
        for entry in entries:
            self.add_row({**entry.model_dump(mode="json", exclude={"prices"}), **entry.prices.model_dump(mode="json")})
        listed = {entry.model for entry in entries}
        for model in models:
            settings = model.settings
            if settings.provider.is_endpoint and not settings.prices.are_known and settings.model not in listed:
                listed.add(settings.model)
                self.add_row({"model": settings.model, "host": host_of(settings)})

    def _lay_out(self) -> None:
        about = QLabel(_ABOUT)
        about.setObjectName("secondary")
        about.setWordWrap(True)
        save = make_button("Save", "", self.save, "")
        save.setObjectName("primary")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(make_button("Add", "", self.add_row, "Add a price"))
        row.addWidget(make_button("Remove", "", self.remove_row, "Remove the price of the current row"))
        row.addWidget(self.note, 1)
        row.addWidget(make_button("Cancel", "", self.reject, ""))
        row.addWidget(save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(about)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)

    def _show_note(self, text: str, is_error: bool = False) -> None:
        self.note.setObjectName("error" if is_error else "secondary")
        self.note.style().polish(self.note)
        self.note.setText(text)


class PriceLine(QWidget):
    """Which price counts for a model, and a button that opens the table of prices.

    Signals:
        changed(): the table was stored.
    """

    changed = Signal()

    def __init__(self, library: ModelLibrary) -> None:
        super().__init__()
        self._library = library
        self._model: KnownModel | None = None
        self.words = QLabel()
        self.words.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.words, 1)
        row.addWidget(make_button("Prices…", "", self.show_prices, "Edit the table of prices"))

    def show_model(self, model: KnownModel) -> None:
        """Shows the price of a model; hidden for those that cost nothing by their kind."""
        self._model = model
        self.setVisible(model.settings.provider.is_endpoint)
        self.words.setText(price_words(self._library, model))

    def show_prices(self) -> None:
        """Opens the table of prices."""
        try:
            models = self._library.all()
        except LibraryProblem:
            models = []
        dialog = PricesDialog(self._library.prices, models, self)
        dialog.changed.connect(self._tell_change)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _tell_change(self) -> None:
        if self._model is not None:
            self.show_model(self._model)
        self.changed.emit()


def price_words(library: ModelLibrary, model: KnownModel) -> str:
    """Which price counts for a model, in a sentence; empty if it costs nothing by its kind."""
    if not model.settings.provider.is_endpoint:
        return ""
    if model.settings.prices.are_known:
        return f"Price: {model.settings.prices.words}, its own."
    try:
        priced = library.prices.applied(model)
    except LibraryProblem as error:
        return str(error)
    if priced.settings.prices.are_known:
        return f"Price: {priced.settings.prices.words}, from the table of prices."
    return "Price: unknown, so its cost will be unknown, too, and does not count towards limits of money."
