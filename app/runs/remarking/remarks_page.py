"""The notes and labels of one attempt, in the pane beside the runs browser."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.text_list import moment_words
from spatial_workbench.app.frame.controls import Chip
from spatial_workbench.app.frame.people import shown_name
from spatial_workbench.engine.store import Remark, RemarkKind
from spatial_workbench.engine.store.remarks import MAX_REMARK, MAX_TAG
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE


class RemarksPage(QWidget):
    """Labels as chips, notes below them, and fields for new ones.

    Signals:
        label_added(str), note_added(str): words for the attempt that is shown.
        label_removed(str): take a label off it.
        note_removed(int): take back the note of this number.
    """

    label_added = Signal(str)
    label_removed = Signal(str)
    note_added = Signal(str)
    note_removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        self._flow.setSpacing(SPACE)
        self.label = QLineEdit()
        self.label.setPlaceholderText("New label")
        self.label.setAccessibleName("New label")
        self.label.setMaxLength(MAX_TAG)
        self.label.returnPressed.connect(self._add_label)
        self.add_label = QPushButton("Add label")
        self.add_label.clicked.connect(self._add_label)
        self.note = QPlainTextEdit()
        self.note.setPlaceholderText("New note")
        self.note.setAccessibleName("New note")
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(64)
        self.add_note = QPushButton("Add note")
        self.add_note.clicked.connect(self._add_note)
        self._notes = QVBoxLayout()
        self._notes.setSpacing(3 * SPACE)
        self._shown_notes: list[QWidget] = []
        self.label.textChanged.connect(self._enable_buttons)
        self.note.textChanged.connect(self._enable_buttons)
        self._lay_out()
        self._enable_buttons()

    def show_remarks(self, remarks: Sequence[Remark], is_other: bool) -> None:
        """Shows the remarks of an attempt. What was typed for another attempt is dropped."""
        standing = [remark for remark in remarks if remark.withdrawn_at is None]
        for chip in self._chips.findChildren(Chip):
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        for remark in standing:
            if remark.kind is RemarkKind.TAG:
                chip = Chip(with_marks(remark.text))
                chip.setToolTip(f"Remove this label. It is of {_source(remark)}")
                chip.setAccessibleName(f"Remove the label {remark.text}")
                chip.clicked.connect(lambda _=False, text=remark.text: self.label_removed.emit(text))
                self._flow.addWidget(chip)
        self._chips.setVisible(any(remark.kind is RemarkKind.TAG for remark in standing))
        for note in self._shown_notes:
            self._notes.removeWidget(note)
            note.hide()
            note.deleteLater()
        self._shown_notes = []
        for remark in reversed(standing):
            if remark.kind is RemarkKind.NOTE:
                note = self._make_note(remark)
                self._notes.addWidget(note)
                self._shown_notes.append(note)
        if is_other:
            self.label.clear()
            self.note.clear()

    def _make_note(self, remark: Remark) -> QWidget:
        text = QLabel(with_marks(remark.text))
        text.setWordWrap(True)
        source = QLabel(with_marks(_source(remark)))
        source.setObjectName("caption")
        remove = QPushButton("Remove")
        remove.setObjectName("link")
        remove.setToolTip("Take this note back; it can be undone")
        remove.setAccessibleName(f"Remove the note of {_source(remark)}")
        remove.clicked.connect(lambda: self.note_removed.emit(remark.number))
        below = QHBoxLayout()
        below.addWidget(source)
        below.addWidget(remove)
        below.addStretch(1)
        note = QWidget()
        column = QVBoxLayout(note)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(text)
        column.addLayout(below)
        return note

    def _add_label(self) -> None:
        if self.label.text().strip():
            self.label_added.emit(self.label.text())
            self.label.clear()

    def _add_note(self) -> None:
        self.note_added.emit(self.note.toPlainText())
        self.note.clear()

    def _enable_buttons(self) -> None:
        self.add_label.setEnabled(bool(self.label.text().strip()))
        self.add_note.setEnabled(0 < len(self.note.toPlainText().strip()) <= MAX_REMARK)

    def _lay_out(self) -> None:
        labels = QHBoxLayout()
        labels.addWidget(self.label, 1)
        labels.addWidget(self.add_label)
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self.add_note)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self._chips)
        column.addLayout(labels)
        column.addWidget(self.note)
        column.addLayout(below)
        column.addLayout(self._notes)
        column.addStretch(1)


def _source(remark: Remark) -> str:
    return f"{shown_name(remark.person)}, {moment_words(remark.at)}"
