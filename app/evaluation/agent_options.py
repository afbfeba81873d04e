"""The fields for the options of an agent, made from the declaration of the options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from spatial_workbench.engine.evaluation.planning.agent_options import AgentOption, options_of_kind
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE

_HIGHEST = 2**31 - 1


class AgentOptionsForm(QWidget):
    """A field for each option of an agent: choices, numbers and flags. What was set is kept when the agent changes.

    Signals:
        changed(): an option has another value.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[str, QWidget] = {}
        self._chosen: dict[type[BaseModel], dict[str, Any]] = {}
        self._declared: type[BaseModel] | None = None
        self._offered: tuple[AgentOption, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._holder: QWidget | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the agent has no options."""
        return not self._offered

    def values(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        chosen = self._chosen.get(self._declared, {}) if self._declared is not None else {}
        return {option.name: chosen[option.name] for option in self._offered if option.name in chosen}

    def show_agent(self, kind: str | None, declared: type[BaseModel] | None) -> None:
        """Shows the options of a kind of agent, as they were last set."""
        self._declared = declared
        self._offered = options_of_kind(declared, kind) if declared is not None and kind is not None else ()
        self._rebuild()

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Sets the options of the present agent; those that are not named go back to their defaults."""
        if self._declared is not None:
            known = {option.name: option for option in self._offered}
            self._chosen[self._declared] = {
                name: value for name, value in values.items() if name in known and value != known[name].default
            }
        self._rebuild()

    def _rebuild(self) -> None:
        if self._holder is not None:
            self._layout.removeWidget(self._holder)
            self._holder.hide()
            self._holder.deleteLater()
        self._holder = QWidget()
        form = QFormLayout(self._holder)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(2 * SPACE)
        form.setHorizontalSpacing(4 * SPACE)
        self.fields = {option.name: self._field(option) for option in self._offered}
        for option in self._offered:
            self._add_row(form, option)
        self._layout.addWidget(self._holder)

    def _add_row(self, form: QFormLayout, option: AgentOption) -> None:
        field = self.fields[option.name]
        field.setToolTip(option.about)
        field.setAccessibleName(option.label)
        if isinstance(field, QCheckBox):
            form.addRow("", field)
            return
        label = QLabel(option.label)
        label.setToolTip(option.about)
        form.addRow(label, field)

    def _field(self, option: AgentOption) -> QWidget:
        value = self.values().get(option.name, option.default)
        if option.choices:
            return self._combo(option, value)
        if isinstance(option.default, bool):
            box = QCheckBox(option.label)
            box.setChecked(bool(value))
            box.toggled.connect(lambda on: self._set_option(option, on))
            return box
        return self._number(option, value)

    def _combo(self, option: AgentOption, value: Any) -> QComboBox:
        combo = QComboBox()
        for choice, label in option.choices:
            combo.addItem(label, choice)
        combo.setCurrentIndex(max(0, combo.findData(value)))
        combo.currentIndexChanged.connect(lambda: self._set_option(option, combo.currentData()))
        return combo

    def _number(self, option: AgentOption, value: int | None) -> QSpinBox:
        spin = inset(QSpinBox())
        low = option.low or 0
        # An option that may be left open stands one below its lowest value.
        lowest = low - 1 if option.default is None else low
        spin.setRange(lowest, _HIGHEST if option.high is None else option.high)
        if option.default is None:
            spin.setSpecialValueText(option.open_text or "default")
        spin.setSuffix(f" {option.unit}" if option.unit else "")
        spin.setValue(lowest if value is None else value)
        spin.valueChanged.connect(
            lambda number: self._set_option(option, None if option.default is None and number == lowest else number)
        )
        return spin

    def _set_option(self, option: AgentOption, value: Any) -> None:
        assert self._declared is not None
        chosen = self._chosen.setdefault(self._declared, {})
        chosen[option.name] = value
        if value == option.default:
            del chosen[option.name]
        self.changed.emit()
