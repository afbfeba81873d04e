"""Asks for an item that is written: a question with options, or a page to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.plan.block_changes import COMPARED
from spatial_workbench.app.studies.leader.plan.language_row import LanguageRow
from spatial_workbench.app.studies.leader.plan.options_field import OptionsField
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase, StudyItem
from spatial_workbench.widgets.forms.texts import TextField
from spatial_workbench.widgets.wheel_fields import ChoiceBox

_KINDS = {"Question": ItemKind.QUESTION, "Page to read": ItemKind.TEXT}
_WIDTH_PX = 460


class QuestionDialog(FormDialog):
    """Asks for the words of an item, its options and the one that is expected.

    languages: those of the study, in which words and options are written; what is expected is a value, as it is stored.

    Signals:
        ordered(dict): the item as the document holds it, with an id that means nothing.
    """

    ordered = Signal(dict)

    def __init__(
        self, parent: QWidget, item: Mapping[str, Any] | None = None, languages: Sequence[str] = ("en",)
    ) -> None:
        title = "Add question" if item is None else "Change question"
        super().__init__(title, "It is shown among the items, in order.", "Add" if item is None else "Change", parent)
        self._item = dict(item or {})
        self.kind = ChoiceBox()
        self.phase = ChoiceBox()
        self.expected = ChoiceBox()
        self.kind.addItems(list(_KINDS))
        self.phase.addItems([phase.value for phase in ItemPhase])
        self.words = TextField("shows", "", rows=6)
        self.options = OptionsField(label="")
        for field in (self.words, self.options):
            field.text.setMinimumWidth(_WIDTH_PX)
        self.language = LanguageRow()
        self.language.offer(languages)
        self.body.insertWidget(1, self.language)
        for text, control in (
            ("Kind", self.kind),
            ("Words", self.words),
            ("Options", self.options),
            ("Phase", self.phase),
            ("Expected", self.expected),
        ):
            self.form.addRow(text, control)
        self._show_item()
        for field in (self.words, self.options):
            field.edited.connect(self._check_input)
        self.language.chosen.connect(self._write_in)
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

    def _values(self) -> list[str]:
        """What is stored of the options."""
        options = (option if isinstance(option, str) else str(option["value"]) for option in self.options.value)
        return list(dict.fromkeys(options))

    def _write_in(self) -> None:
        for field in (self.words, self.options):
            field.write_in(self.language.language, self.language.languages)

    def _made(self) -> StudyItem:
        return StudyItem.model_validate(
            {
                **self._item,
                "id": "new",
                "kind": _KINDS[self.kind.currentText()],
                "shows": self.words.value,
                "options": self.options.value if self._is_question else (),
                "phase": self.phase.currentText(),
                "expects": {"value": self.expected.currentText()} if self._is_compared else None,
            }
        )

    def _show_item(self) -> None:
        kinds = [kind.value for kind in _KINDS.values()]
        self.kind.setCurrentIndex(kinds.index(self._item.get("kind", ItemKind.QUESTION.value)))
        self._write_in()
        self.words.show_value(self._item.get("shows", ""))
        self.options.show_value(self._item.get("options", ()))
        self.phase.setCurrentText(self._item.get("phase", ItemPhase.MAIN.value))
        self.expected.addItems(self._values())
        self.expected.setCurrentText((self._item.get("expects") or {}).get("value", ""))

    def _check_input(self) -> None:
        """Offers the written options, and says what is missing."""
        self.form.setRowVisible(self.options, self._is_question)
        self.form.setRowVisible(self.expected, self._is_compared)
        try:
            values = self._values()
        except ValueError as error:
            self.go.setEnabled(False)
            self.show_note(f"{error}.")
            return
        self._offer_expected(values)
        has_options = len(values) > 1 or not self._is_question
        self.go.setEnabled(bool(self.words.value) and has_options)
        self.show_note("" if has_options else "A question needs at least two options.")

    def _offer_expected(self, values: Sequence[str]) -> None:
        chosen = self.expected.currentText()
        if values != [self.expected.itemText(k) for k in range(self.expected.count())]:
            self.expected.clear()
            self.expected.addItems(values)
            self.expected.setCurrentText(chosen)
