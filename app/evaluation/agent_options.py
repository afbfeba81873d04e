"""The options of an agent: a form made from their declaration, and the column of a dialog that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from spatial_workbench.app.evaluation.sections import scrolled, section_title
from spatial_workbench.engine.core.agents import AgentPlan
from spatial_workbench.engine.core.declared_fields import DeclaredField
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.planning.agent_options import (
    declared_options,
    expected_calls,
    options_of_kind,
    tasks_played_by,
)
from spatial_workbench.widgets.forms.record_form import RecordForm
from spatial_workbench.widgets.theme import SPACE


class AgentOptionsForm(QWidget):
    """A field for each option of an agent. What was set is kept when the agent changes.

    Signals:
        changed(): an option has another value.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = RecordForm(())
        self._chosen: dict[type[BaseModel], dict[str, Any]] = {}
        self._declared: type[BaseModel] | None = None
        self._offered: tuple[DeclaredField, ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.form)

    @property
    def is_empty(self) -> bool:
        """Whether the agent has no options."""
        return not self._offered

    def values(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        chosen = self._chosen.get(self._declared, {}) if self._declared is not None else {}
        return {option.path: chosen[option.path] for option in self._offered if option.path in chosen}

    def show_agent(self, kind: str | None, declared: type[BaseModel] | None) -> None:
        """Shows the options of a kind of agent, as they were last set."""
        self._declared = declared
        self._offered = options_of_kind(declared, kind) if declared is not None and kind is not None else ()
        old = self.form
        self.form = RecordForm(self._offered)
        self.form.changed.connect(self._take_values)
        self._layout.replaceWidget(old, self.form)
        old.hide()
        old.deleteLater()
        self._show_values()

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Sets the options of the current agent; others return to their defaults."""
        self._keep(values)
        self._show_values()

    def _show_values(self) -> None:
        self.form.show_record({option.path: option.default for option in self._offered} | self.values())

    def _take_values(self) -> None:
        self._keep(self.form.fill_in({}))
        self.changed.emit()

    def _keep(self, values: Mapping[str, Any]) -> None:
        if self._declared is not None:
            defaults = {option.path: option.default for option in self._offered}
            changed = {path: value for path, value in values.items() if value != defaults.get(path, value)}
            self._chosen[self._declared] = self._of_other_kinds() | changed

    def _of_other_kinds(self) -> dict[str, Any]:
        """The values of options that the current agent does not use."""
        assert self._declared is not None
        here = {option.path for option in self._offered}
        return {path: value for path, value in self._chosen.get(self._declared, {}).items() if path not in here}


class AgentOptionsPanel(QWidget):
    """The options in a column of their own, and below them how often a run asks the model; hidden without options."""

    def __init__(self) -> None:
        super().__init__()
        self.options = AgentOptionsForm()
        self.calls = QLabel()
        self.calls.setObjectName("secondary")
        self.calls.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(section_title("Options of the agent"))
        column.addWidget(scrolled(self.options), 1)
        column.addWidget(self.calls)

    def show_agent(self, kind: str | None) -> None:
        """Shows the options of a kind of agent."""
        self.options.show_agent(kind, declared_options(kind) if kind is not None else None)
        self.setVisible(not self.options.is_empty)
        if not self.options.is_empty:
            self.setMinimumWidth(self.options.sizeHint().width() + 8 * SPACE)

    def show_calls(self, agent: AgentPlan | None) -> None:
        """Says how often a run of an agent asks the model."""
        playing = tasks_played_by(agent.kind) if agent is not None else []
        calls = expected_calls(playing[0], agent) if agent is not None and playing else 0
        self.calls.setText(f"A run asks the model about {counted(calls, 'time')}." if calls else "")
