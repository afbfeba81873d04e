"""Runs a command of the task on the answer, or asks a question about it, from a form made of the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget
from shiboken6 import isValid

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import ScopedRunner
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core import Aid, AnswerError
from spatial_workbench.engine.core.acting.commands import (
    TaskCommand,
    TaskQuestion,
    commands_of,
    questions_of,
    read_arguments,
    words_of_argument,
)
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.declared_fields import DeclaredField, FieldKind, declared_fields
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.fitted_picture import FittedPicture
from spatial_workbench.widgets.forms.data_field import DataField, example_of
from spatial_workbench.widgets.forms.fields import FieldFault, FormField
from spatial_workbench.widgets.forms.making import make_field
from spatial_workbench.widgets.forms.record_form import RecordForm
from spatial_workbench.widgets.wheel_fields import ChoiceBox

WIDTH_PX = 460
_TEXTS = (FieldKind.LINE, FieldKind.TEXT)
PICTURE_PX = 280
TOLD_PX = 140


class CommandDialog(FormDialog):
    """Stays open beside the editor, so that several commands can be run. Each is a step of the history.

    Attributes:
        choice: The commands and questions that the person's aids allow.
        arguments: The form of the chosen one.
        told: What a question was answered with, below the form; hidden while there is nothing.
        picture: The picture that it showed.
    """

    def __init__(self, editor: Editor[Any], runner: ScopedRunner, parent: QWidget | None = None) -> None:
        super().__init__(tr("Run command"), "", tr("Run"), parent)
        self.setMinimumWidth(WIDTH_PX)
        self._editor = editor
        self._document: AnswerDocument[Any] = editor.document
        self._runner = runner
        offered: list[TaskCommand | TaskQuestion] = [
            *commands_of(self._document.task).values(),
            *questions_of(self._document.task).values(),
        ]
        self._commands = [one for one in offered if editor.allows(one.aid)]
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Command"))
        self.choice.setToolTip(tr("What is done to the answer, or asked about it"))
        for command in self._commands:
            self.choice.addItem(f"{said(command.label)} ({command.name})")
        self.about = QLabel(wordWrap=True)
        self.about.setObjectName("secondary")
        self.arguments = RecordForm(())
        self.told = QPlainTextEdit(readOnly=True)
        self.told.setAccessibleName(tr("What was told"))
        self.picture = FittedPicture(tr("Picture that was shown"))
        self.picture.setMinimumHeight(PICTURE_PX)
        for part in (self.choice, self.about, self.arguments, self.told, self.picture):
            self.body.insertWidget(self.body.indexOf(self.note), part)
        self.body.addStretch(1)
        self.cancel.setText(tr("Close"))
        self.choice.currentIndexChanged.connect(self._show_command)
        self._show_command(self.choice.currentIndex())

    @property
    def command(self) -> TaskCommand | TaskQuestion:
        """The chosen command or question."""
        return self._commands[self.choice.currentIndex()]

    def choose(self, name: str) -> None:
        """Chooses a command or question by its name."""
        self.choice.setCurrentIndex([command.name for command in self._commands].index(name))

    def order(self) -> None:
        """Runs the command or asks the question; what is wrong is shown in the form."""
        self._be_silent()
        given = self._given()
        if given is None:
            return
        command = self.command
        try:
            read_arguments(command.name, command.arguments, given)
            if isinstance(command, TaskQuestion):
                self._ask(command, given)
                return
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
            if not self._is_open():
                return
            self._be_ready()
            if document.revision == revision:
                self._put(command, document.task.parse(text))
            else:
                self.show_trouble(tr("Not done: the answer has changed in the meantime."))

        def failed(text: str) -> None:
            if self._is_open():
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

    def _ask(self, question: TaskQuestion, given: Mapping[str, Any]) -> None:
        """Asks in the background, and shows what is told."""
        document = self._document
        self.go.setEnabled(False)
        self.show_note(tr("Working…"))

        def arrived(reply: tuple[str, tuple[bytes, ...]]) -> None:
            if self._is_open():
                self._be_ready()
                self._tell(*reply)

        def failed(text: str) -> None:
            if self._is_open():
                self._be_ready()
                self.show_trouble(text)

        self._editor.use_aid(question.label, question.aid)
        answer = packed(document.task, document.answer)
        self._runner.run(
            said(question.label),
            judging.ask,
            document.instance,
            answer,
            question.name,
            given,
            done=arrived,
            failed=failed,
        )

    def _tell(self, text: str, pictures: Sequence[bytes]) -> None:
        """Shows what was told."""
        self.told.setPlainText(text)
        lines = text.count("\n") + 2
        self.told.setFixedHeight(min(TOLD_PX, lines * self.told.fontMetrics().lineSpacing()))
        self.told.setVisible(bool(text))
        self.picture.setVisible(bool(pictures))
        if pictures:
            self.picture.show_picture(pictures[-1])
        self._fit()

    def _be_silent(self) -> None:
        """Shows nothing that was said before."""
        self.show_note("")
        self.show_trouble("")
        self._tell("", ())

    def _is_open(self) -> bool:
        """A closed dialog lives on until the event loop deletes it."""
        return isValid(self) and not self.isHidden()

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
        """Shows the form of the chosen command or question."""
        command = self.command
        old = self.arguments
        self.arguments = RecordForm(())
        declared = [_as_argument(field) for field in declared_fields(command.arguments)]
        for field in declared:
            self.arguments.add_field(_make_argument(field))
        self.arguments.show_record({field.path: field.default for field in declared})
        recorded = tr("It solves a part of the task, and is recorded as an aid.")
        self.about.setText(" ".join([said(command.about), *([recorded] if command.aid is Aid.SOLVING else [])]))
        self.go.setText(tr("Ask") if isinstance(command, TaskQuestion) else tr("Run"))
        self.body.replaceWidget(old, self.arguments)
        old.hide()
        old.deleteLater()
        self._be_silent()


def open_dialog(editor: Editor[Any], runner: ScopedRunner, parent: QWidget) -> CommandDialog:
    """Opens the dialog beside the editor."""
    dialog = CommandDialog(editor, runner, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    return dialog


def _as_argument(field: DeclaredField) -> DeclaredField:
    """A field as an argument of a command is worded: its unit apart, and a choice made where none is given."""
    words, unit = words_of_argument(field.path)
    label = said(words) + (f" [{unit}]" if unit else "")
    default = field.choices[0][0] if field.choices and field.default is None else field.default
    return replace(field, label=label, default="" if default is None and field.kind in _TEXTS else default)


def _make_argument(field: DeclaredField) -> FormField:
    if field.kind in (FieldKind.OTHER, FieldKind.LINES):
        holds_lists = field.extra.get("items", {}).get("type") == "array"
        return DataField(field.path, field.label, field.about, example_of(field.extra), holds_lists)
    return make_field(field)
