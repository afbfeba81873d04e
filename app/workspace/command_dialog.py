"""Runs a command of the task on the answer, from a form made of the command's arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QWidget
from shiboken6 import isValid

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core import Aid, AnswerError
from spatial_workbench.engine.core.acting.commands import TaskCommand, commands_of
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.declared_fields import DeclaredField, FieldKind, declared_fields
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.forms.data_field import DataField, example_of
from spatial_workbench.widgets.forms.fields import FieldFault, FormField
from spatial_workbench.widgets.forms.making import make_field
from spatial_workbench.widgets.forms.record_form import RecordForm

WIDTH_PX = 460
_TEXTS = (FieldKind.LINE, FieldKind.TEXT)
_UNITS = ("mm", "cm", "m", "deg", "px")


class CommandDialog(FormDialog):
    """Stays open beside the editor, so that several commands can be run. Each is a step of the history.

    Attributes:
        choice: The commands that the person's aids allow.
        arguments: The form of the chosen command.
    """

    def __init__(self, editor: Editor[Any], runner: ScopedRunner, parent: QWidget | None = None) -> None:
        super().__init__(tr("Run command"), "", tr("Run"), parent)
        self.setMinimumWidth(WIDTH_PX)
        self._editor = editor
        self._document: AnswerDocument[Any] = editor.document
        self._runner = runner
        self._commands = [one for one in commands_of(self._document.task).values() if editor.allows(one.aid)]
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Command"))
        self.choice.setToolTip(tr("What is done to the answer"))
        for command in self._commands:
            self.choice.addItem(f"{said(command.label)} ({command.name})")
        self.about = QLabel(wordWrap=True)
        self.about.setObjectName("secondary")
        self.arguments = RecordForm(())
        for part in (self.choice, self.about, self.arguments):
            self.body.insertWidget(self.body.indexOf(self.note), part)
        self.body.addStretch(1)
        self.cancel.setText(tr("Close"))
        self.choice.currentIndexChanged.connect(self._show_command)
        self._show_command(self.choice.currentIndex())

    @property
    def command(self) -> TaskCommand:
        """The chosen command."""
        return self._commands[self.choice.currentIndex()]

    def choose(self, name: str) -> None:
        """Chooses a command by its name."""
        self.choice.setCurrentIndex([command.name for command in self._commands].index(name))

    def order(self) -> None:
        """Runs the command; what is wrong is shown in the form."""
        self.show_note("")
        self.show_trouble("")
        given = self._given()
        if given is None:
            return
        command = self.command
        try:
            command.read(given)
            if command.aid is not Aid.SOLVING:
                self._put(command, command.apply(self._document.instance, self._document.answer, given))
                return
        except AnswerError as error:
            self._show_error(error)
            return
        self._solve(command, given)

    def _solve(self, command: TaskCommand, given: Mapping[str, Any]) -> None:
        """Carries out in the background what may take long; nothing happens if the dialog was closed by then."""
        document = self._document
        revision = document.revision
        self.go.setEnabled(False)
        self.show_note(tr("Working…"))

        def arrived(text: str) -> None:
            if not isValid(self):
                return
            self._be_ready()
            if document.revision == revision:
                self._put(command, document.task.parse(text))
            else:
                self.show_trouble(tr("Not done: the answer has changed in the meantime."))

        def failed(text: str) -> None:
            if isValid(self):
                self._be_ready()
                self.show_trouble(text)

        answer = packed(document.task, document.answer)
        self._runner.run(
            said(command.label),
            judging.act,
            document.instance,
            answer,
            command.name,
            given,
            done=arrived,
            failed=failed,
        )

    def _be_ready(self) -> None:
        self.go.setEnabled(True)
        self.show_note("")

    def _put(self, command: TaskCommand, answer: Any) -> None:
        """Makes the answer a step of the history."""
        if answer == self._document.answer:
            self.show_note(tr("Nothing has changed."))
            return
        self._editor.use_aid(command.label, command.aid)
        self._document.edit(command.label, answer)
        self.show_note(tr("Done. Undo takes it back."))

    def _given(self) -> dict[str, Any] | None:
        """The arguments as plain data, without those left open; None, with the faults shown, if one cannot be read."""
        given: dict[str, Any] = {}
        is_readable = True
        for path, field in self.arguments.fields.items():
            field.show_problems(())
            try:
                value = field.value
            except ValueError as error:
                field.show_problems([FieldFault(path, str(error))])
                is_readable = False
            else:
                given |= {} if value is None else {path: value}
        return given if is_readable else None

    def _show_error(self, error: AnswerError) -> None:
        """Shows a sentence at the field that it is about, or below the form."""
        field = self.arguments.fields.get(str(error.path[0])) if error.path else None
        if field is None:
            self.show_trouble(str(error))
        else:
            field.show_problems([FieldFault(field.path, str(error))])

    def _show_command(self, _: int) -> None:
        """Shows the form of the chosen command."""
        command = self.command
        old = self.arguments
        self.arguments = RecordForm(())
        declared = [_as_argument(field) for field in declared_fields(command.arguments)]
        for field in declared:
            self.arguments.add_field(_make_argument(field))
        self.arguments.show_record({field.path: field.default for field in declared})
        recorded = tr("It solves a part of the task, and is recorded as an aid.")
        self.about.setText(" ".join([said(command.about), *([recorded] if command.aid is Aid.SOLVING else [])]))
        self.body.replaceWidget(old, self.arguments)
        old.hide()
        old.deleteLater()
        self.show_note("")
        self.show_trouble("")


def open_dialog(editor: Editor[Any], runner: ScopedRunner, parent: QWidget) -> CommandDialog:
    """Opens the dialog beside the editor."""
    dialog = CommandDialog(editor, runner, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    return dialog


def _as_argument(field: DeclaredField) -> DeclaredField:
    """A field as an argument of a command is worded: its unit apart, and a choice made where none is given."""
    name, _, unit = field.path.rpartition("_")
    has_unit = unit in _UNITS and bool(name)
    words = (name if has_unit else field.path).replace("_", " ")
    label = f"{words[:1].upper()}{words[1:]}" + (f" [{unit}]" if has_unit else "")
    default = field.choices[0][0] if field.choices and field.default is None else field.default
    return replace(field, label=label, default="" if default is None and field.kind in _TEXTS else default)


def _make_argument(field: DeclaredField) -> FormField:
    if field.kind in (FieldKind.OTHER, FieldKind.LINES):
        holds_lists = field.extra.get("items", {}).get("type") == "array"
        return DataField(field.path, field.label, field.about, example_of(field.extra), holds_lists)
    return make_field(field)
