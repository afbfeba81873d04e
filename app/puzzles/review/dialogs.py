"""Dialogs of the review: who reviews a puzzle, what is doubtful or to be changed, and which model reads annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core.words import abridged, counted
from spatial_workbench.engine.puzzles.annotation.review import FlagKind
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.evaluation.puzzles.flagging import FlaggingOutcome


KIND_MEANINGS = {
    FlagKind.UNCLEAR: "it does not say what is done, or what the result is",
    FlagKind.JUMP: "a step is missing before this one",
    FlagKind.WRONG: "it is not true",
    FlagKind.TYPO: "a spelling mistake",
    FlagKind.FORMAT: "the action, a figure or the form is not as agreed",
}
MOST_SHOWN = 60
"""How many letters of a step a list of steps shows."""
_NOBODY = "Choose…"
_OTHER = "Somebody else…"


class SendBackDialog(FormDialog):
    """Asks what the author of a puzzle is to change.

    Signals:
        ordered(str): the puzzle goes back with this text.
    """

    ordered = Signal(str)

    def __init__(self, author: str, parent: QWidget | None = None) -> None:
        super().__init__("Send back", f"What {author} is to change", "Send back", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 0)
        self.wanted = QPlainTextEdit()
        self.wanted.setAccessibleName("What is to be changed")
        self.wanted.setTabChangesFocus(True)
        self.wanted.setFixedHeight(6 * self.fontMetrics().lineSpacing())
        self.wanted.textChanged.connect(self._show_whether_ready)
        self.form.addRow(self.wanted)
        self._show_whether_ready()

    def order(self) -> None:
        """Sends it back."""
        self.ordered.emit(self.wanted.toPlainText().strip())
        self.accept()

    def _show_whether_ready(self) -> None:
        self.go.setEnabled(bool(self.wanted.toPlainText().strip()))


class StepFlagDialog(FormDialog):
    """Asks which step of an annotation is doubtful, in what way, and why.

    Signals:
        ordered(FlagKind, str, int): the kind, the reason, and the step, counted from 1; 0 for the whole annotation.
    """

    ordered = Signal(object, str, int)

    def __init__(self, steps: Sequence[str], parent: QWidget | None = None) -> None:
        """steps: What each step says."""
        super().__init__("Flag", "Say what is doubtful; reviewers and the author see it.", "Flag", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(520, 0)
        self.step = ChoiceBox()
        self.step.addItem("The whole annotation")
        self.step.addItems([abridged(f"{number}. {text}", MOST_SHOWN) for number, text in enumerate(steps, 1)])
        self.kind = ChoiceBox()
        for kind, meaning in KIND_MEANINGS.items():
            self.kind.addItem(f"{kind}: {meaning}", kind)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Why, in a few words")
        self._add("Where", self.step)
        self._add("What", self.kind)
        self._add("Reason", self.reason)

    def order(self) -> None:
        """Flags it."""
        self.ordered.emit(FlagKind(self.kind.currentData()), self.reason.text().strip(), self.step.currentIndex())
        self.accept()

    def _add(self, label: str, field: QWidget) -> None:
        field.setAccessibleName(label)
        self.form.addRow(label, field)


class TwoPeopleDialog(FormDialog):
    """Asks for two people, who are chosen from those that are known, and for the day on which they should be done."""

    def __init__(
        self,
        title: str,
        about: str,
        labels: tuple[str, str],
        people: Sequence[str],
        excluded: Sequence[str],
        parent: QWidget | None,
    ) -> None:
        """labels: What the two are; `excluded` cannot be chosen."""
        super().__init__(title, about, "Assign", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(460, 0)
        self._people = [name for name in people if name and name not in excluded]
        self._excluded = tuple(excluded)
        self.fields: list[QComboBox] = []
        self.names = (self._add_field(labels[0]), self._add_field(labels[1]))
        self.has_due = QCheckBox("on")
        self.has_due.setAccessibleName("Has a due day")
        self.due = QDateEdit(QDate.currentDate().addDays(14))
        self.due.setCalendarPopup(True)
        self.due.setDisplayFormat("yyyy-MM-dd")
        self.due.setAccessibleName("Due on")
        self.due.setEnabled(False)
        self.has_due.toggled.connect(self.due.setEnabled)
        self.due_row = QWidget()
        row = QHBoxLayout(self.due_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.has_due)
        row.addWidget(self.due, 1)
        self._show_trouble()

    def add_person(self, name: str) -> bool:
        """Adds a person to those who can be chosen; False if it is nobody, or somebody who cannot be chosen."""
        name = name.strip()
        if not name or name in self._excluded:
            self.show_trouble(f"{name} is the author and cannot review this." if name else "")
            return False
        if name not in self._people:
            self._people.append(name)
            for field in self.fields:
                field.insertItem(field.count() - 1, name)
        return True

    def day(self) -> date | None:
        """The day on which it is due; None if there is none."""
        day = self.due.date()
        return date(day.year(), day.month(), day.day()) if self.has_due.isChecked() else None

    def chosen(self) -> tuple[str, str]:
        """The two people; "" where nobody is chosen."""
        first, second = (chosen_name(field) for field in self.names)
        return first, second

    def _add_field(self, label: str, nobody: str = _NOBODY) -> QComboBox:
        field = ChoiceBox()
        field.setAccessibleName(label)
        field.addItem(nobody, "")
        field.addItems([*self._people, _OTHER])
        field.currentIndexChanged.connect(lambda _: self._show_trouble())
        field.activated.connect(lambda _: self._ask_name(field))
        self.form.addRow(label, field)
        self.fields.append(field)
        return field

    def _ask_name(self, field: QComboBox) -> None:
        if field.currentText() != _OTHER:
            return
        name, is_given = QInputDialog.getText(self, "Somebody else", "Name")
        if is_given and self.add_person(name):
            field.setCurrentText(name.strip())
        else:
            field.setCurrentIndex(0)

    def _trouble(self) -> str:
        first, second = self.chosen()
        return "These must be two different people." if first and first == second else ""

    def _show_trouble(self) -> None:
        trouble = self._trouble()
        self.show_trouble(trouble)
        self.go.setEnabled(all(self.chosen()) and not trouble)


def chosen_name(field: QComboBox) -> str:
    """The person who is chosen in a field; empty if nobody is."""
    is_nobody = field.currentData() == "" or field.currentText() == _OTHER
    return "" if is_nobody else field.currentText()


class ReviewersDialog(TwoPeopleDialog):
    """Asks for the two reviewers of puzzles.

    Signals:
        ordered(str, str, object): the two names, and the day or None.
    """

    ordered = Signal(str, str, object)

    def __init__(
        self, people: Sequence[str], authors: Sequence[str], puzzles: int, parent: QWidget | None = None
    ) -> None:
        """puzzles: How many puzzles they are to review; `authors` wrote these."""
        about = f"Choose two people to review {counted(puzzles, 'puzzle')} by {', '.join(authors)}."
        super().__init__("Assign reviewers", about, ("First reviewer", "Second reviewer"), people, authors, parent)
        self.form.addRow("Due", self.due_row)
        self.accepted.connect(lambda: self.ordered.emit(*self.chosen(), self.day()))


class AnnotatorsDialog(TwoPeopleDialog):
    """Asks for the two people who annotate puzzles independently, and perhaps for who makes the third annotation.

    Signals:
        ordered(str, str, str, object): the two names, the third or "", and the day or None.
    """

    ordered = Signal(str, str, str, object)

    def __init__(self, people: Sequence[str], puzzles: int, parent: QWidget | None = None) -> None:
        about = (
            f"Two people annotate {counted(puzzles, 'puzzle')}, each in a copy of their own, without seeing what the "
            "other writes. Then a third person makes one annotation of both."
        )
        super().__init__("Two annotators", about, ("Annotator A", "Annotator B"), people, (), parent)
        self.third = self._add_field("Third person", "Anybody else")
        self.form.addRow("Due", self.due_row)
        self.accepted.connect(lambda: self.ordered.emit(*self.chosen(), chosen_name(self.third), self.day()))

    def _trouble(self) -> str:
        # The field is made after those of the two.
        third = chosen_name(self.fields[2]) if len(self.fields) > 2 else ""
        if third and third in self.chosen():
            return f"{third} is one of the two and cannot make the third annotation."
        return super()._trouble()


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
        self.model = ChoiceBox()
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
    lines = ["Clear: the model found nothing to doubt."] if outcome.clear else []
    lines += [f"{len(outcome.failed)} not read.", *outcome.failed[:5]] if outcome.failed else []
    box.setInformativeText("\n".join(lines))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.addButton(QMessageBox.StandardButton.Close)
    return box
