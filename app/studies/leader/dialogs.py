"""Dialogs of the leader: a new study, a bundle, a reason, a confirmation, a conflict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.work import BundleOrder
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store.study_records import Conflict, Merged, Withdrawal
from spatial_workbench.engine.studies.drafting import Wish, new_passphrase
from spatial_workbench.engine.studies.leaving import LEAST_CHARS
from spatial_workbench.engine.studies.merging import MergeOutcome
from spatial_workbench.engine.studies.records import Accommodations
from spatial_workbench.engine.studies.rules import LEAST_REASON
from spatial_workbench.widgets.number_box import number_field

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
        self.tasks.changed.connect(self._look)
        for field in (self.name, self.passphrase):
            field.textChanged.connect(self._look)
        self._look()

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

    def _look(self) -> None:
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
        self.tell_trouble(trouble)
        self.tell(f"{counted(len(addresses), 'instance')} chosen. Write the passphrase down; only its hash is stored.")
        self.go.setEnabled(bool(self.name.text().strip() and addresses) and not trouble)


class BundleDialog(FormDialog):
    """Asks for the places and the file of a bundle.

    Signals:
        ordered(BundleOrder): write it.
    """

    ordered = Signal(object)

    def __init__(self, folder: Path, name: str, may_pilot: bool, parent: QWidget | None = None) -> None:
        about = "A machine needs this file and the application, no network. Whoever has it can forge results."
        super().__init__("Write a bundle", about, "Write…", parent)
        self._file = folder / f"{name}.study"
        self.codes = QLineEdit(placeholderText="all places without the reserves, or P001-P020, P031")
        self.codes.setMinimumWidth(360)
        self.site = QLineEdit(placeholderText="name of the machine or the room")
        self.pilot = QCheckBox("For a pilot: its sessions are never analysed")
        self.pilot.setVisible(may_pilot)
        self.form.addRow("Places", self.codes)
        self.form.addRow("Site", self.site)
        self.form.addRow("", self.pilot)
        self._may_pilot = may_pilot
        self.pilot.toggled.connect(self._look)
        self._look()

    def order(self) -> None:
        """Asks for the file and passes the order on."""
        path, _ = QFileDialog.getSaveFileName(self, "Write a bundle", str(self._file), "Bundles (*.study)")
        if path:
            self.order_to(Path(path).with_suffix(".study"))

    def order_to(self, path: Path) -> None:
        """Passes the order on for this file."""
        is_pilot = self.pilot.isChecked() and self._may_pilot
        self.ordered.emit(BundleOrder(path, self.codes.text().strip(), self.site.text().strip(), is_pilot))
        self.accept()

    def _look(self) -> None:
        freezes = self._may_pilot and not self.pilot.isChecked()
        self.tell("This freezes the study: from then on its document is fixed." if freezes else "")


class ReasonDialog(FormDialog):
    """Asks for a text: a reason, or a note.

    Signals:
        ordered(str): the text.
    """

    ordered = Signal(str)

    def __init__(self, title: str, about: str, verb: str, least: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(title, about, verb, parent)
        self._least = least
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text")
        self.text.setTabChangesFocus(True)
        self.text.setMinimumSize(380, 90)
        self.text.textChanged.connect(self._look)
        self.body.insertWidget(1, self.text)
        self._look()

    def order(self) -> None:
        """Passes the text on."""
        self.ordered.emit(self.text.toPlainText().strip())
        self.accept()

    def _look(self) -> None:
        self.go.setEnabled(len(self.text.toPlainText().strip()) >= self._least)


class ExcludeDialog(FormDialog):
    """Asks which session or trial is excluded, and why.

    Signals:
        ordered(str, str, object): session, reason, position or None.
    """

    ordered = Signal(str, str, object)

    def __init__(
        self,
        sessions: Sequence[tuple[str, str, Sequence[tuple[int, str]]]],
        code: str,
        is_late: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`sessions` are (session, code, [(position, item)])."""
        about = (
            "The list is fixed. This becomes a post-hoc entry: the report lists it apart, with figures of its own."
            if is_late
            else "It becomes an entry of the list that closing fixes."
        )
        super().__init__("Exclude", about, "Exclude", parent)
        self._trials = {session: trials for session, _, trials in sessions}
        self.session = QComboBox()
        for session, name, _ in sessions:
            self.session.addItem(name, session)
        self.session.setCurrentIndex(max(0, self.session.findText(code)))
        self.trial = QComboBox()
        self.reason = QLineEdit(placeholderText=f"at least {LEAST_REASON} characters")
        self.reason.setMinimumWidth(360)
        self.form.addRow("Code", self.session)
        self.form.addRow("What", self.trial)
        self.form.addRow("Reason", self.reason)
        self.session.currentIndexChanged.connect(self._offer)
        self.reason.textChanged.connect(self._look)
        self._offer()
        self._look()

    def order(self) -> None:
        """Passes the exclusion on."""
        self.ordered.emit(self.session.currentData(), self.reason.text().strip(), self.trial.currentData())
        self.accept()

    def _offer(self) -> None:
        self.trial.clear()
        self.trial.addItem("the session as a whole", None)
        for position, item in self._trials.get(self.session.currentData(), ()):
            self.trial.addItem(item, position)

    def _look(self) -> None:
        self.go.setEnabled(len(self.reason.text().strip()) >= LEAST_REASON and self.session.count() > 0)


class NeedsDialog(FormDialog):
    """Asks what a place has beyond the others.

    Signals:
        ordered(Accommodations): set it.
    """

    ordered = Signal(object)

    def __init__(self, code: str, parent: QWidget | None = None) -> None:
        about = (
            f"Set before {code} is in a bundle. The report counts such sessions, and repeats its figures without them."
        )
        super().__init__("Needs", about, "Set", parent)
        self.time = number_field("Time factor", (1, 3), 0.25, 2)
        self.type = number_field("Type scale", (1, 2), 0.25, 2)
        self.boxes = {
            name: QCheckBox(name.replace("_", " ").capitalize())
            for name in ("reduced_motion", "high_contrast", "keyboard_only")
        }
        self.form.addRow("Time factor", self.time)
        self.form.addRow("Type scale", self.type)
        for box in self.boxes.values():
            self.form.addRow("", box)

    def order(self) -> None:
        """Passes the needs on."""
        ticked = {name: box.isChecked() for name, box in self.boxes.items()}
        self.ordered.emit(Accommodations(time_factor=self.time.value(), type_scale=self.type.value(), **ticked))
        self.accept()


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
            field.textChanged.connect(self._look)
        self._look()

    def order(self) -> None:
        """Passes link and day on."""
        self.ordered.emit(self.link.text().strip(), self.day.text().strip())
        self.accept()

    def _look(self) -> None:
        try:
            date.fromisoformat(self.day.text().strip())
            trouble = ""
        except ValueError:
            trouble = "The date is written like 2026-11-22."
        self.tell_trouble(trouble)
        self.go.setEnabled(bool(self.link.text().strip()) and not trouble)


class NameDialog(FormDialog):
    """Asks for the name of the study as a confirmation.

    Signals:
        ordered(str): the name.
    """

    ordered = Signal(str)

    def __init__(self, name: str, missing: Sequence[str], parent: QWidget | None = None) -> None:
        about = "No bundle is written any more, and the list of exclusions is fixed for good. Type the name to go on."
        super().__init__("Close collection", about, "Close", parent)
        self._expected = name
        self.name = QLineEdit(placeholderText=name)
        self.name.setMinimumWidth(320)
        self.form.addRow("Name", self.name)
        self.name.textChanged.connect(self._look)
        if missing:
            self.tell(f"No results yet: {_shown(missing)}. They can be merged until outcomes are opened.")
        self._look()

    def order(self) -> None:
        """Passes the name on."""
        self.ordered.emit(self.name.text())
        self.accept()

    def _look(self) -> None:
        self.go.setEnabled(self.name.text() == self._expected)


class UnsealDialog(FormDialog):
    """Asks whether outcomes are to be opened.

    Signals:
        ordered(str): open them; a note for the report.
    """

    ordered = Signal(str)

    def __init__(self, is_early: bool, missing: Sequence[str], parent: QWidget | None = None) -> None:
        about = "All answers are judged by all verifiers. It is put on record that you looked. This cannot be undone."
        super().__init__("Show outcomes", about, "Show outcomes", parent)
        self.remark = QLineEdit(placeholderText="may be empty")
        self.form.addRow("Note", self.remark)
        words = ["Exclusions are not fixed yet; the report says so in its first paragraph."] if is_early else []
        words += [f"No results were merged for {_shown(missing)}; they cannot be merged afterwards."] if missing else []
        self.tell_trouble(" ".join(words))

    def order(self) -> None:
        """Passes the note on."""
        self.ordered.emit(self.remark.text())
        self.accept()


class DeleteDraftDialog(FormDialog):
    """Asks before a draft is deleted.

    Signals:
        ordered(): delete it.
    """

    ordered = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("Delete draft", f"“{name}” is deleted from the project.", "Delete", parent)
        self.tell("You can bring it back as long as this page is open.")

    def order(self) -> None:
        """Passes the order on."""
        self.ordered.emit()
        self.accept()


class PurgeDialog(FormDialog):
    """Asks what is deleted of a study: files on this machine, or all sessions of the project, too.

    Signals:
        ordered(bool): delete; True: all sessions of the project, too.
    """

    ordered = Signal(bool)

    def __init__(self, name: str, delete_after: str, parent: QWidget | None = None) -> None:
        about = "Files of sessions on this machine are deleted if the project holds all that is in them."
        super().__init__("Delete data", about, "Delete", parent)
        self._expected = name
        self.data = QCheckBox("All sessions of the project, too, with all that came of them")
        self.name = QLineEdit(placeholderText=name)
        self.name.setMinimumWidth(320)
        self.form.addRow("", self.data)
        self.form.addRow("Name", self.name)
        self._until = f"The data may be kept until {delete_after}. " if date.today().isoformat() <= delete_after else ""
        self.data.toggled.connect(self._look)
        self.name.textChanged.connect(self._look)
        self._look()

    def order(self) -> None:
        """Passes the order on."""
        self.ordered.emit(self.data.isChecked())
        self.accept()

    def _look(self) -> None:
        is_all = self.data.isChecked()
        self.form.setRowVisible(self.name, is_all)
        self.tell_trouble(f"{self._until}This cannot be undone. Type the name of the study to go on." if is_all else "")
        self.go.setEnabled(not is_all or self.name.text() == self._expected)


class AmendDialog(FormDialog):
    """Asks why a frozen study is amended, and whether its sessions may be pooled.

    Signals:
        ordered(str, str): the reason, and why sessions may be pooled; "" if they may not.
    """

    ordered = Signal(str, str)

    def __init__(self, parts: Sequence[str], parent: QWidget | None = None) -> None:
        """`parts` are those that have changed and keep sessions from being pooled."""
        about = "Sessions keep the version that they met. The new version has a hash of its own."
        super().__init__("Freeze amendment", about, "Freeze amendment", parent)
        self.reason = QLineEdit()
        self.reason.setMinimumWidth(360)
        self.comparable = QLineEdit(placeholderText="empty: they are not pooled")
        self.comparable.setEnabled(not parts)
        self.form.addRow("Reason", self.reason)
        self.form.addRow("Why sessions may be pooled", self.comparable)
        if parts:
            self.tell(f"Sessions are not pooled, because of the change of {', '.join(parts)}.")
        self.reason.textChanged.connect(lambda text: self.go.setEnabled(bool(text.strip())))
        self.go.setEnabled(False)

    def order(self) -> None:
        """Passes the words on."""
        self.ordered.emit(self.reason.text().strip(), self.comparable.text().strip())
        self.accept()


class ConflictsDialog(FormDialog):
    """Shows sessions that came in several states, and asks which one stands.

    Signals:
        ordered(str, str, str): session, digest, reason.
    """

    ordered = Signal(str, str, str)

    def __init__(self, conflicts: Sequence[Conflict], parent: QWidget | None = None) -> None:
        about = "These sessions came in states of which none continues the other. One stands; all are kept."
        super().__init__("Conflicts", about, "Let it stand", parent)
        self.list = QListWidget()
        self.list.setAccessibleName("States")
        self.list.setMinimumSize(460, 160)
        for conflict in conflicts:
            for place, (digest, words) in enumerate(conflict.states):
                stands = " (stands)" if place == 0 else ""
                item = QListWidgetItem(f"{conflict.code}  {digest[:12]}  {words}{stands}", self.list)
                item.setData(Qt.ItemDataRole.UserRole, (conflict.session, digest))
        self.reason = QLineEdit(placeholderText="is put into the log")
        self.body.insertWidget(1, self.list)
        self.form.addRow("Reason", self.reason)
        self.list.currentRowChanged.connect(self._look)
        self.reason.textChanged.connect(self._look)
        self._look()

    def order(self) -> None:
        """Passes the decision on."""
        session, digest = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        self.ordered.emit(session, digest, self.reason.text().strip())
        self.accept()

    def _look(self) -> None:
        self.go.setEnabled(self.list.currentItem() is not None and bool(self.reason.text().strip()))


class ListDialog(QDialog):
    """Says what became of files, a line each."""

    def __init__(self, title: str, heading: str, lines: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        head = QLabel(heading)
        head.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(lines))
        self.lines.setReadOnly(True)
        self.lines.setMinimumSize(560, 240)
        column = QVBoxLayout(self)
        column.addWidget(head)
        column.addWidget(self.lines, 1)


def merge_heading(merged: Sequence[Merged]) -> str:
    """How many files became what."""
    counts = {outcome: sum(entry.outcome is outcome for entry in merged) for outcome in MergeOutcome}
    return ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count) or "There was no file."


def withdrawal_lines(done: Withdrawal) -> list[str]:
    """What was deleted, and what still holds the data."""
    lines = [f"{counted(done.sessions, 'session')} and {counted(done.attempts, 'attempt')} deleted."]
    lines += [f"Still holds the data: {name}" for name in done.elsewhere]
    if not done.is_journal_clear:
        lines.append("Another program has the project open. Close it and withdraw again, to clear the journal.")
    return lines


def _shown(codes: Sequence[str]) -> str:
    return ", ".join(codes[:8]) + (f" and {len(codes) - 8} more" if len(codes) > 8 else "")
