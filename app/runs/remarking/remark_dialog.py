"""The dialog that asks for a label or a note on the selected attempts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.people import shown_name
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.store import RemarkKind
from spatial_workbench.engine.store.remarks import MAX_REMARK, MAX_TAG
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class RemarkDialog(QDialog):
    """Asks for a label or a note on some attempts.

    Signals:
        added(str): add these words.
        removed(str): take this label off.
    """

    added = Signal(str)
    removed = Signal(str)

    def __init__(self, kind: RemarkKind, count: int, labels: Sequence[str], person: str, parent: QWidget) -> None:
        super().__init__(parent)
        is_label = kind is RemarkKind.TAG
        where = "the selected attempt" if count == 1 else counted(count, "selected attempt")
        self.setWindowTitle(f"{'Label' if is_label else 'Note on'} {where}")
        self.setMinimumWidth(420)
        self.label = ChoiceBox()
        self.label.setEditable(True)
        self.label.setLineEdit(QLineEdit(maxLength=MAX_TAG, placeholderText="such as: look again"))
        self.label.setAccessibleName("Label")
        self.label.addItems([with_marks(label) for label in labels])
        self.label.setCurrentText("")
        self.note = QPlainTextEdit()
        self.note.setAccessibleName("Note")
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(120)
        field = self.label if is_label else self.note
        form = QFormLayout()
        form.setHorizontalSpacing(4 * SPACE)
        form.addRow("Label" if is_label else "Note", field)
        told = QLabel(f"Stored in the project under the name “{shown_name(person)}”, with the time. It can be undone.")
        told.setObjectName("secondary")
        told.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add = self.buttons.addButton(
            "Add label" if is_label else "Add note", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.add.setObjectName("primary")
        self.remove = self.buttons.addButton("Remove label", QDialogButtonBox.ButtonRole.DestructiveRole)
        self.remove.setVisible(is_label and bool(labels))
        self.remove.setToolTip("Take this label off the selected attempts")
        self.remove.clicked.connect(lambda: self._end(self.removed))
        self.buttons.accepted.connect(lambda: self._end(self.added))
        self.buttons.rejected.connect(self.reject)
        (self.note if is_label else self.label).hide()
        self.label.editTextChanged.connect(self._enable_buttons)
        self.note.textChanged.connect(self._enable_buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(form)
        layout.addWidget(told)
        layout.addWidget(self.buttons)
        self._is_label = is_label
        self._labels = set(labels)
        self._enable_buttons()
        field.setFocus()

    @property
    def words(self) -> str:
        """What was typed."""
        return (self.label.currentText() if self._is_label else self.note.toPlainText()).strip()

    def _end(self, signal: SignalInstance) -> None:
        words = self.words
        self.accept()
        signal.emit(words)

    def _enable_buttons(self) -> None:
        is_short = len(self.words) <= MAX_REMARK
        self.add.setEnabled(bool(self.words) and is_short)
        self.add.setToolTip("" if is_short else f"A note has at most {MAX_REMARK:,} characters")
        self.remove.setEnabled(self.words in self._labels)
