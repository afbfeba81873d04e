"""Dialogs of the review: which two people review a puzzle, and which model reads the annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QMessageBox, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome


class ReviewersDialog(FormDialog):
    """Asks for two reviewers, who are chosen from the names that are known, or typed.

    Signals:
        ordered(str, str): the two names.
    """

    ordered = Signal(str, str)

    def __init__(self, people: Sequence[str], author: str, parent: QWidget | None = None) -> None:
        super().__init__("Assign reviewers", f"Two people other than the author, {author}.", "Assign", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 0)
        self._author = author
        self.names = (self._field("First reviewer", people), self._field("Second reviewer", people))
        for field in self.names:
            field.editTextChanged.connect(lambda _: self._show_trouble())
        self.accepted.connect(lambda: self.ordered.emit(*self._typed()))
        self._show_trouble()

    def _field(self, label: str, people: Sequence[str]) -> QComboBox:
        field = QComboBox()
        field.setEditable(True)
        field.setAccessibleName(label)
        field.addItems([name for name in people if name != self._author])
        field.setCurrentText("")
        self.form.addRow(label, field)
        return field

    def _typed(self) -> tuple[str, str]:
        first, second = (field.currentText().strip() for field in self.names)
        return first, second

    def _show_trouble(self) -> None:
        first, second = self._typed()
        trouble = ""
        if self._author in (first, second):
            trouble = f"{self._author} is the author and cannot review this puzzle."
        elif first and first == second:
            trouble = "The reviewers must be two different people."
        self.show_trouble(trouble)
        self.go.setEnabled(bool(first and second and not trouble))


class FlagDialog(FormDialog):
    """Asks which model reads the annotations that were sent to review.

    Signals:
        ordered(str): the name of the model.
    """

    ordered = Signal(str)

    def __init__(self, judges: Mapping[str, Contender], waiting: int, parent: QWidget | None = None) -> None:
        about = "A model reads each annotation sent to review, with its pages and figures, and flags doubtful steps."
        super().__init__("Flag by a model", about, "Flag", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 0)
        self.model = QComboBox()
        self.model.setAccessibleName("Model")
        self.model.addItems(list(judges))
        self.form.addRow("Model", self.model)
        self.go.setEnabled(bool(judges) and waiting > 0)
        self.show_note(_expectation(bool(judges), waiting))
        self.accepted.connect(lambda: self.ordered.emit(self.model.currentText()))


def _expectation(has_models: bool, waiting: int) -> str:
    if not has_models:
        return "No model that can read annotations is set up. Add one in Evaluate › Models."
    if not waiting:
        return "No puzzle of this set waits for a model. Send drafts to review first."
    return f"{counted(waiting, 'puzzle')}, one request each; up to three if an answer cannot be read."


def flagging_box(outcome: FlaggingOutcome, parent: QWidget) -> QMessageBox:
    """Shows the outcome of a flagging pass."""
    text = f"{outcome.flagged} flagged, {outcome.clear} clear, {outcome.unreadable} to be asked again."
    box = QMessageBox(QMessageBox.Icon.Information, "Flag by a model", text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    if outcome.failed:
        box.setInformativeText("\n".join([f"{len(outcome.failed)} not read.", *outcome.failed[:5]]))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.addButton(QMessageBox.StandardButton.Close)
    return box
