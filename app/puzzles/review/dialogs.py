"""Dialogs of the review: which two people review a puzzle, and which model reads the annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDateEdit, QInputDialog, QMessageBox, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.words import counted

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome


_NOBODY = "Choose…"
_OTHER = "Somebody else…"


class ReviewersDialog(FormDialog):
    """Asks for two reviewers, who are chosen from the people that are known, and for the day on which it is due.

    Signals:
        ordered(str, str, object): the two names, and the day or None.
    """

    ordered = Signal(str, str, object)

    def __init__(
        self, people: Sequence[str], authors: Sequence[str], puzzles: int, parent: QWidget | None = None
    ) -> None:
        """puzzles: How many puzzles they are to review; `authors` wrote these."""
        about = f"Two people who are not the author review {counted(puzzles, 'puzzle')} by {', '.join(authors)}."
        super().__init__("Assign reviewers", about, "Assign", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 0)
        self._people = [name for name in people if name and name not in authors]
        self._authors = tuple(authors)
        self.names = (self._field("First reviewer"), self._field("Second reviewer"))
        self.has_due = QCheckBox("Due on")
        self.due = QDateEdit(QDate.currentDate().addDays(14))
        self.due.setCalendarPopup(True)
        self.due.setDisplayFormat("yyyy-MM-dd")
        self.due.setAccessibleName("Due on")
        self.due.setEnabled(False)
        self.has_due.toggled.connect(self.due.setEnabled)
        self.form.addRow(self.has_due, self.due)
        self.accepted.connect(self._order)
        self._show_trouble()

    def add_person(self, name: str) -> bool:
        """Adds a person to those who can be chosen; False if it is nobody, or an author."""
        name = name.strip()
        if not name or name in self._authors:
            self.show_trouble(f"{name} is the author and cannot review this." if name else "")
            return False
        if name not in self._people:
            self._people.append(name)
            for field in self.names:
                field.insertItem(field.count() - 1, name)
        return True

    def _field(self, label: str) -> QComboBox:
        field = QComboBox()
        field.setAccessibleName(label)
        field.addItems([_NOBODY, *self._people, _OTHER])
        field.currentIndexChanged.connect(lambda _: self._show_trouble())
        field.activated.connect(lambda _: self._ask_name(field))
        self.form.addRow(label, field)
        return field

    def _ask_name(self, field: QComboBox) -> None:
        if field.currentText() != _OTHER:
            return
        name, is_given = QInputDialog.getText(self, "Somebody else", "Name of the reviewer")
        is_added = is_given and self.add_person(name)
        field.setCurrentText(name.strip() if is_added else _NOBODY)

    def _chosen(self) -> tuple[str, str]:
        texts = (field.currentText() for field in self.names)
        first, second = ("" if text in (_NOBODY, _OTHER) else text for text in texts)
        return first, second

    def _order(self) -> None:
        day = self.due.date()
        due = date(day.year(), day.month(), day.day()) if self.has_due.isChecked() else None
        self.ordered.emit(*self._chosen(), due)

    def _show_trouble(self) -> None:
        first, second = self._chosen()
        trouble = "The reviewers must be two different people." if first and first == second else ""
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
