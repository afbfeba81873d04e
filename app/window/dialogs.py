"""Small dialogs: settings, a new instance, about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.actions import Actions
from spatial_workbench.app.frame.settings import Settings
from spatial_workbench.app.window.abilities import Ability
from spatial_workbench.app.window.keys_page import KeysPage
from spatial_workbench.engine.core import Difficulty, Instance, InstanceError, Task
from spatial_workbench.engine.core.declared_fields import DeclaredField, FieldKind, declared_fields
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.widgets.forms.making import make_field
from spatial_workbench.widgets.forms.record_form import RecordForm
from spatial_workbench.widgets.number_box import inset
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox, CountBox

_THEMES = ("system", "light", "dark")


class SettingsDialog(QDialog):
    """Appearance, clock, and the keys of all actions. Everything takes effect when it is accepted."""

    def __init__(self, settings: Settings, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(560, 520)
        self._settings = settings
        self.theme = ChoiceBox()
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
        self._seed = inset(CountBox())
        self._seed.setRange(0, 2**31 - 1)
        self._seed.setValue(1000)
        self._seed.setToolTip("The same seed gives the same instance")
        self._error = QLabel()
        self._error.setObjectName("error")
        self._error.setWordWrap(True)
        self._error.hide()
        arguments = [_as_argument(field) for field in declared_fields(task.difficulty)]
        self.form = RecordForm(())
        self.form.rows.addRow("Seed", self._seed)
        for argument in arguments:
            self.form.add_field(make_field(argument))
        self.form.show_record({argument.path: argument.default for argument in arguments})
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton("Generate", QDialogButtonBox.ButtonRole.AcceptRole).setObjectName("primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(4 * SPACE)
        layout.addWidget(self.form)
        layout.addWidget(self._error)
        layout.addWidget(buttons)

    @property
    def address(self) -> str:
        """The address of the instance that was asked for.

        Raises:
            InstanceError: An argument is invalid.
        """
        arguments = self._difficulty().model_dump(mode="json", exclude_defaults=True)
        return Instance.generated(self._task.id, self._seed.value(), {}, arguments).address

    def accept(self) -> None:
        """Accepts valid arguments; otherwise shows what is wrong with them."""
        try:
            self._difficulty()
        except InstanceError as error:
            self._error.setText(str(error))
            self._error.show()
            return
        super().accept()

    def _difficulty(self) -> Difficulty:
        """The arguments; what is empty is left out."""
        typed = self.form.fill_in({})
        given = {name: value for name, value in typed.items() if value not in (None, "")}
        difficulty: Difficulty = self._task.difficulty_of(given)
        return difficulty


def _as_argument(field: DeclaredField) -> DeclaredField:
    """A field as an argument of a generator is worded; what cannot be chosen or counted is typed."""
    is_typed = field.kind in (FieldKind.LINE, FieldKind.OTHER)
    open_text = "any" if field.choices else "from the seed"
    return replace(
        field,
        kind=FieldKind.LINE if is_typed else field.kind,
        label=field.path.replace("_", " ").capitalize(),
        about=field.about or field.path,
        default="" if is_typed and field.default is None else field.default,
        open_text=open_text if field.is_optional else "",
    )


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
