"""Asks for an item that is written: a question with options, or a page to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.plan.block_changes import COMPARED
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase, StudyItem

_KINDS = {"Question": ItemKind.QUESTION, "Page to read": ItemKind.TEXT}
_WIDTH_PX = 460


class QuestionDialog(FormDialog):
    """Asks for the words of an item, its options and the one that is expected.

    Signals:
        ordered(dict): the item as the document holds it, with an id that means nothing.
    """

    ordered = Signal(dict)

    def __init__(self, parent: QWidget, item: Mapping[str, Any] | None = None) -> None:
        title = "Add question" if item is None else "Change question"
        super().__init__(title, "It is shown among the items, in order.", "Add" if item is None else "Change", parent)
        self._item = dict(item or {})
        self.kind = QComboBox()
        self.phase = QComboBox()
        self.expected = QComboBox()
        self.kind.addItems(list(_KINDS))
        self.phase.addItems([phase.value for phase in ItemPhase])
        self.words = QPlainTextEdit()
        self.options = QPlainTextEdit(placeholderText="One a line")
        for area, rows in ((self.words, 6), (self.options, 5)):
            area.setFixedHeight(area.fontMetrics().lineSpacing() * rows + 16)
            area.setTabChangesFocus(True)
            area.setMinimumWidth(_WIDTH_PX)
        for text, control in (
            ("Kind", self.kind),
            ("Words", self.words),
            ("Options", self.options),
            ("Phase", self.phase),
            ("Expected", self.expected),
        ):
            self.form.addRow(text, control)
        self._show_item()
        for signal in (self.words.textChanged, self.options.textChanged):
            signal.connect(self._check_input)
        self.kind.currentIndexChanged.connect(self._check_input)
        self.phase.currentIndexChanged.connect(self._check_input)
        self._check_input()

    def order(self) -> None:
        """Passes the item on."""
        self.ordered.emit(self._made().model_dump(mode="json"))
        self.accept()

    @property
    def _is_question(self) -> bool:
        return _KINDS[self.kind.currentText()] is ItemKind.QUESTION

    @property
    def _is_compared(self) -> bool:
        return self._is_question and self.phase.currentText() in COMPARED

    def _lines(self) -> list[str]:
        lines = (line.strip() for line in self.options.toPlainText().splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def _made(self) -> StudyItem:
        return StudyItem.model_validate(
            {
                **self._item,
                "id": "new",
                "kind": _KINDS[self.kind.currentText()],
                "shows": self.words.toPlainText().strip(),
                "options": self._lines() if self._is_question else (),
                "phase": self.phase.currentText(),
                "expects": {"value": self.expected.currentText()} if self._is_compared else None,
            }
        )

    def _show_item(self) -> None:
        kinds = [kind.value for kind in _KINDS.values()]
        self.kind.setCurrentIndex(kinds.index(self._item.get("kind", ItemKind.QUESTION.value)))
        self.words.setPlainText(self._item.get("shows", ""))
        self.options.setPlainText("\n".join(self._item.get("options", ())))
        self.phase.setCurrentText(self._item.get("phase", ItemPhase.MAIN.value))
        self.expected.addItems(self._lines())
        self.expected.setCurrentText((self._item.get("expects") or {}).get("value", ""))

    def _check_input(self) -> None:
        """Offers the written options, and says what is missing."""
        lines = self._lines()
        chosen = self.expected.currentText()
        if lines != [self.expected.itemText(k) for k in range(self.expected.count())]:
            self.expected.clear()
            self.expected.addItems(lines)
            self.expected.setCurrentText(chosen)
        self.form.setRowVisible(self.options, self._is_question)
        self.form.setRowVisible(self.expected, self._is_compared)
        has_options = len(lines) > 1 or not self._is_question
        self.go.setEnabled(bool(self.words.toPlainText().strip()) and has_options)
        self.show_note("" if has_options else "A question needs at least two options.")
