"""Dialogs about a plan: a new study, deleting a draft, its registration, an amendment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QLineEdit,
    QWidget,
)

from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.drafting import Wish, new_passphrase
from spatial_workbench.engine.studies.sessions.leaving import LEAST_CHARS

MOST_NAME = 80


class NewStudyDialog(FormDialog):
    """Asks what a new study is called and which items it has.

    Signals:
        ordered(Wish): make it.
    """

    ordered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        about = "Everything else has a default and can be changed until the study is frozen."
        super().__init__("New study", about, "Make draft", parent)
        self.name = QLineEdit()
        self.leader = QLineEdit()
        self.contact = QLineEdit(placeholderText="is shown to participants")
        self.passphrase = QLineEdit(new_passphrase())
        self.passphrase.setToolTip("Needed to leave the participant's window. Write it down; it is not stored.")
        self.form.addRow("Name", self.name)
        self.form.addRow("Leader", self.leader)
        self.form.addRow("Contact", self.contact)
        self.form.addRow("Passphrase", self.passphrase)
        self.tasks = TaskTree()
        self.body.insertWidget(2, self.tasks, 1)
        self.resize(600, 720)
        self.tasks.changed.connect(self._check_input)
        for field in (self.name, self.passphrase):
            field.textChanged.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes the wish on."""
        self.ordered.emit(
            Wish(
                self.name.text().strip(),
                self.tasks.addresses(),
                self.passphrase.text(),
                self.leader.text().strip(),
                self.contact.text().strip(),
            )
        )
        self.accept()

    def _check_input(self) -> None:
        trouble = ""
        addresses: list[str] = []
        try:
            addresses = self.tasks.addresses()
        except InstanceError as error:
            trouble = str(error)
        if len(self.name.text().strip()) > MOST_NAME:
            trouble = f"The name has at most {MOST_NAME} characters."
        elif len(self.passphrase.text()) < LEAST_CHARS:
            trouble = f"The passphrase has at least {LEAST_CHARS} characters."
        self.show_trouble(trouble)
        self.show_note(
            f"{counted(len(addresses), 'instance')} chosen. Write the passphrase down; only its hash is stored."
        )
        self.go.setEnabled(bool(self.name.text().strip() and addresses) and not trouble)


class RegistrationDialog(FormDialog):
    """Asks where and when the plan was registered.

    Signals:
        ordered(str, str): the link, and the day as YYYY-MM-DD.
    """

    ordered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        about = "The report says if this was after the first session. It is not part of the hash."
        super().__init__("Registered", about, "Remember", parent)
        self.link = QLineEdit(placeholderText="https://…")
        self.link.setMinimumWidth(360)
        self.day = QLineEdit(date.today().isoformat())
        self.form.addRow("Link", self.link)
        self.form.addRow("Date", self.day)
        for field in (self.link, self.day):
            field.textChanged.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes link and day on."""
        self.ordered.emit(self.link.text().strip(), self.day.text().strip())
        self.accept()

    def _check_input(self) -> None:
        try:
            date.fromisoformat(self.day.text().strip())
            trouble = ""
        except ValueError:
            trouble = "Write the date like 2026-11-22."
        self.show_trouble(trouble)
        self.go.setEnabled(bool(self.link.text().strip()) and not trouble)


class DeleteDraftDialog(FormDialog):
    """Asks before a draft is deleted.

    Signals:
        ordered(): delete it.
    """

    ordered = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("Delete draft", f"“{name}” is deleted from the project.", "Delete", parent)
        self.show_note("You can bring it back as long as this page is open.")

    def order(self) -> None:
        """Passes the order on."""
        self.ordered.emit()
        self.accept()


class AmendDialog(FormDialog):
    """Asks why a frozen study is amended, and whether its sessions may be pooled.

    Signals:
        ordered(str, str): the reason, and why sessions may be pooled; "" if they may not.
    """

    ordered = Signal(str, str)

    def __init__(self, parts: Sequence[str], parent: QWidget | None = None) -> None:
        """`parts` are those that have changed and keep sessions from being pooled."""
        about = "Sessions keep the version that they started with. The new version has its own hash."
        super().__init__("Freeze amendment", about, "Freeze amendment", parent)
        self.reason = QLineEdit()
        self.reason.setMinimumWidth(360)
        self.comparable = QLineEdit(placeholderText="empty: they are not pooled")
        self.comparable.setEnabled(not parts)
        self.form.addRow("Reason", self.reason)
        self.form.addRow("Why sessions may be pooled", self.comparable)
        if parts:
            self.show_note(f"Sessions are not pooled, because of the change of {', '.join(parts)}.")
        self.reason.textChanged.connect(lambda text: self.go.setEnabled(bool(text.strip())))
        self.go.setEnabled(False)

    def order(self) -> None:
        """Passes the words on."""
        self.ordered.emit(self.reason.text().strip(), self.comparable.text().strip())
        self.accept()
