"""The options of a question, one a line, in one language at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from PySide6.QtCore import QSignalBlocker

from spatial_workbench.widgets.forms.fields import FormField, long_edit
from spatial_workbench.widgets.forms.texts import text_in, with_text
from spatial_workbench.widgets.shown_text import replace_text

ROWS = 4


class OptionsField(FormField):
    """Options of a question. What is stored of an option stays the same when it is translated."""

    def __init__(self, path: str = "options", label: str = "Options", hint: str = "One a line") -> None:
        self.text = long_edit(ROWS)
        self._stored: list[Any] = []
        self._language = ""
        self._languages: tuple[str, ...] = ("",)
        super().__init__(path, label, self.text, hint)
        self.text.textChanged.connect(self.edited)

    @property
    def value(self) -> Any:
        lines = [line.strip() for line in self.text.toPlainText().splitlines()]
        return with_lines(self._stored, lines, self._language, self._languages)

    def show_value(self, value: Any) -> None:
        is_shown = self._shows(list(value))
        self._stored = list(value)
        self.text.setPlaceholderText(self._words_elsewhere())
        if not is_shown:
            with QSignalBlocker(self.text):
                lines = lines_in(self._stored, self._language, self._languages)
                replace_text(self.text, "\n".join(lines).rstrip())

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        if (language, tuple(languages)) == (self._language, self._languages):
            return
        if not self._shows(self._stored):
            self._stored = self._held()
        self._language = language
        self._languages = tuple(languages)
        self.show_value(self._stored)

    def set_read_only(self, is_fixed: bool) -> None:
        self.text.setReadOnly(is_fixed)

    def _held(self) -> list[Any]:
        try:
            return list(self.value)
        except ValueError:
            return self._stored

    def _shows(self, value: list[Any]) -> bool:
        """Whether the text that is typed is that of these options."""
        try:
            return bool(self.value == value) and bool(value)
        except ValueError:
            return False

    def _words_elsewhere(self) -> str:
        """The options in the first language, where there are none in the chosen one."""
        first = self._languages[0]
        if self._language == first or any(lines_in(self._stored, self._language, self._languages)):
            return ""
        return "\n".join(lines_in(self._stored, first, self._languages))


def lines_in(options: Sequence[Any], language: str, languages: Sequence[str]) -> list[str]:
    """The words of options in a language; empty where there are none."""
    return [text_in(_text_of(option), language, languages)[0] for option in options]


def with_lines(options: Sequence[Any], lines: Sequence[str], language: str, languages: Sequence[str]) -> list[Any]:
    """Options with other words in one language.

    In the first language, lines are added and removed; in the others, each line translates the option in its place.

    Raises:
        ValueError: There are more lines than options.
    """
    if language == languages[0]:
        return list(_matched(options, [line for line in lines if line], languages))
    written = list(lines)
    while written and not written[-1]:
        written.pop()
    if len(written) > len(options):
        raise ValueError(f"There are {len(options)} options, and more lines than that")
    return [
        _with_words(option, line, language, languages) for option, line in zip_longest(options, written, fillvalue="")
    ]


def _matched(options: Sequence[Any], lines: Sequence[str], languages: Sequence[str]) -> Iterator[Any]:
    """Options for lines in the first language: a line that stands already is the option that it was."""
    known = lines_in(options, languages[0], languages)
    for kind, begin, end, line, last in SequenceMatcher(None, known, lines, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from options[begin:end]
            continue
        for place, words in enumerate(lines[line:last], begin):
            yield _with_words(options[place], words, languages[0], languages) if place < end else words


def _with_words(option: Any, words: str, language: str, languages: Sequence[str]) -> Any:
    text = with_text(_text_of(option), words, language, languages)
    if isinstance(option, Mapping):
        return {**option, "text": text}
    return {"value": option, "text": text} if isinstance(text, Mapping) else text


def _text_of(option: Any) -> Any:
    return option["text"] if isinstance(option, Mapping) else option
