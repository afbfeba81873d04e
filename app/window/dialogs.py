"""Small dialogs: settings, a new instance, about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.actions import Actions
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.window.abilities import Ability
from spatial_workbench.app.window.keys_page import KeysPage
from spatial_workbench.engine.core import Instance, InstanceError, Task
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE

_THEMES = ("system", "light", "dark")


class SettingsDialog(QDialog):
    """Appearance, clock, and the keys of all actions. Everything takes effect when it is accepted."""

    def __init__(self, settings: Settings, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(560, 520)
        self._settings = settings
        self.theme = QComboBox()
        self.theme.addItems(["Follow the system", "Light", "Dark"])
        self.theme.setCurrentIndex(_THEMES.index(settings.theme))
        self.reduce_motion = QCheckBox("Reduce motion")
        self.reduce_motion.setChecked(settings.reduce_motion)
        self.clock = QCheckBox("Show the clock while I work")
        self.clock.setChecked(settings.show_clock)
        tabs = QTabWidget()
        tabs.addTab(self._general(), "General")
        self.keys = KeysPage(actions)
        tabs.addTab(self.keys, "Keys")
        tabs.addTab(self._computer(), "This computer")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.keys.valid_changed.connect(buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled)
        layout = QVBoxLayout(self)
        layout.addWidget(tabs)
        layout.addWidget(buttons)

    def accept(self) -> None:
        """Stores the chosen settings."""
        self._settings.theme = _THEMES[self.theme.currentIndex()]
        self._settings.reduce_motion = self.reduce_motion.isChecked()
        self._settings.show_clock = self.clock.isChecked()
        self.keys.store()
        super().accept()

    def _general(self) -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        form.setVerticalSpacing(2 * SPACE)
        form.addRow("Appearance", self.theme)
        form.addRow("", self.reduce_motion)
        form.addRow("", self.clock)
        note = QLabel("Choose who is solving at the right of the status bar.")
        note.setObjectName("secondary")
        note.setWordWrap(True)
        form.addRow("", note)
        return page

    def show_abilities(self, abilities: Sequence[Ability]) -> None:
        """Shows what this computer can do."""
        while self._abilities.rowCount():
            self._abilities.removeRow(0)
        for ability in abilities:
            words = QLabel(f"{'✓' if ability.is_available else '✗'}  {ability.words[:1].upper()}{ability.words[1:]}")
            words.setWordWrap(True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._abilities.addRow(ability.name, words)

    def _computer(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        note = QLabel("Code written by a model runs in the sandbox only. Without a sandbox it is refused.")
        note.setObjectName("secondary")
        note.setWordWrap(True)
        self._abilities = QFormLayout()
        self._abilities.setVerticalSpacing(2 * SPACE)
        self._abilities.setHorizontalSpacing(4 * SPACE)
        self._abilities.addRow("", QLabel("Testing…"))
        column.addLayout(self._abilities)
        column.addWidget(note)
        column.addStretch(1)
        return page


class GenerateDialog(QDialog):
    """Asks for a seed and the generator's arguments; the form follows from the task's difficulty model."""

    def __init__(self, task: Task[Any], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"New instance of {task.title}")
        self.setMinimumWidth(420)
        self._task = task
        self.instance: Instance | None = None
        self._fields: dict[str, QWidget] = {}
        self._seed = inset(QSpinBox())
        self._seed.setRange(0, 2**31 - 1)
        self._seed.setValue(1000)
        self._seed.setToolTip("The same seed gives the same instance")
        self._error = QLabel()
        self._error.setObjectName("error")
        self._error.setWordWrap(True)
        self._error.hide()
        form = QFormLayout()
        form.setVerticalSpacing(2 * SPACE)
        form.addRow("Seed", self._seed)
        for name, field in task.difficulty.model_fields.items():
            widget = _field_for(task.difficulty.model_json_schema()["properties"][name], field.get_default())
            widget.setToolTip(field.description or name)
            widget.setAccessibleName(name.replace("_", " "))
            self._fields[name] = widget
            form.addRow(name.replace("_", " ").capitalize(), widget)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton("Generate", QDialogButtonBox.ButtonRole.AcceptRole).setObjectName("primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(4 * SPACE)
        layout.addLayout(form)
        layout.addWidget(self._error)
        layout.addWidget(buttons)

    @property
    def address(self) -> str:
        """The address of the instance that was asked for."""
        arguments = {name: _value_of(widget) for name, widget in self._fields.items()}
        defaults = {name: field.get_default() for name, field in self._task.difficulty.model_fields.items()}
        changed = {name: value for name, value in arguments.items() if value is not None and value != defaults[name]}
        return Instance.generated(self._task.id, self._seed.value(), {}, changed).address

    def accept(self) -> None:
        """Accepts valid arguments; otherwise shows what is wrong with them."""
        try:
            arguments = {name: _value_of(widget) for name, widget in self._fields.items()}
            self._task.difficulty_of({name: value for name, value in arguments.items() if value is not None})
        except InstanceError as error:
            self._error.setText(str(error))
            self._error.show()
            return
        super().accept()


class AboutDialog(QDialog):
    """The application's version, licence and the work it builds on."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Spatial Workbench")
        self.setMinimumWidth(460)
        title = QLabel("Spatial Workbench")
        title.setObjectName("pageTitle")
        text = QLabel(
            f"Version {application_version()}\n\n"
            "Build, solve and inspect spatial-reasoning tasks: the Spatial Competence Benchmark, CubeBench, "
            "BesiegeField and PuzzleWorld, under one roof.\n\n"
            "Licensed under the Apache License 2.0. Drawn with Qt and VTK, solid geometry by Manifold, plane geometry "
            "by Shapely, plots by pyqtgraph."
        )
        text.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 4 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(title)
        layout.addWidget(text)
        layout.addWidget(buttons)


def _field_for(schema: dict[str, Any], default: Any) -> QWidget:
    """The control for one argument of a generator."""
    options = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    kind = options[0]
    choices = kind.get("enum") or ([kind["const"]] if "const" in kind else None)
    if choices is not None:
        combo = QComboBox()
        if default is None:
            combo.addItem("any", None)
        for choice in choices:
            combo.addItem(str(choice), choice)
        combo.setCurrentIndex(max(0, combo.findData(default)))
        return combo
    if kind.get("type") == "boolean":
        box = QCheckBox()
        box.setChecked(bool(default))
        return box
    if kind.get("type") in ("integer", "number"):
        return _number_field(kind, default)
    return QLineEdit("" if default is None else str(default))


def _number_field(kind: dict[str, Any], default: Any) -> QWidget:
    whole = kind["type"] == "integer"
    field: Any = inset(QSpinBox() if whole else QDoubleSpinBox())
    convert = int if whole else float
    low = convert(kind.get("minimum", kind.get("exclusiveMinimum", -1_000_000)))
    high = convert(kind.get("maximum", kind.get("exclusiveMaximum", 1_000_000)))
    if default is None:
        # The lowest value of the field stands for "let the seed decide".
        low -= 1
        field.setSpecialValueText("from the seed")
        field.setProperty("optional", True)
    field.setRange(low, high)
    field.setValue(low if default is None else default)
    widget: QWidget = field
    return widget


def _value_of(widget: QWidget) -> Any:
    if isinstance(widget, QComboBox):
        return widget.currentData()
    if isinstance(widget, QCheckBox):
        return widget.isChecked()
    if isinstance(widget, QSpinBox | QDoubleSpinBox):
        if widget.property("optional") and widget.value() == widget.minimum():
            return None
        return widget.value()
    assert isinstance(widget, QLineEdit)
    return widget.text() or None
