"""Texts of a form: on several lines, in one language at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker

from spatial_workbench.engine.core.declared_fields import ROWS
from spatial_workbench.widgets.forms.fields import FormField, long_edit
from spatial_workbench.widgets.shown_text import replace_text


class TextField(FormField):
    """A text on several lines, in one language at a time."""

    def __init__(self, path: str, label: str, hint: str = "", rows: int = ROWS) -> None:
        self.text = long_edit(rows)
        self._stored: Any = ""
        self._language = ""
        self._languages: tuple[str, ...] = ("",)
        super().__init__(path, label, self.text, hint)
        self.text.textChanged.connect(self.edited)

    @property
    def value(self) -> Any:
        return with_text(self._stored, self.text.toPlainText(), self._language, self._languages)

    def show_value(self, value: Any) -> None:
        self._stored = value
        shown, elsewhere = text_in(value, self._language, self._languages)
        self.text.setPlaceholderText(elsewhere)
        if self.text.toPlainText() != shown:
            with QSignalBlocker(self.text):
                replace_text(self.text, shown)

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        if (language, tuple(languages)) != (self._language, self._languages):
            self._language = language
            self._languages = tuple(languages)
            self.show_value(self._stored)

    def set_read_only(self, is_fixed: bool) -> None:
        self.text.setReadOnly(is_fixed)


def text_in(value: Any, language: str, languages: Sequence[str]) -> tuple[str, str]:
    """A text in a language; if there is none, the text that people who chose this language see instead."""
    if isinstance(value, Mapping):
        return str(value.get(language, "")), ""
    is_first = language == languages[0]
    return (str(value), "") if is_first else ("", str(value))


def with_text(value: Any, text: str, language: str, languages: Sequence[str]) -> Any:
    """A text with other words in one language. It stays one for all languages until it is written in a second one."""
    first = languages[0]
    if not isinstance(value, Mapping):
        if language == first or not text:
            return text if language == first else value
        return {first: str(value), language: text}
    texts = {**value, language: text}
    return {name: words for name, words in texts.items() if words or name == first}
