"""The languages of a study's texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class LanguagesField(FormField):
    """The languages that people can choose from, the first one being that of texts in one language."""

    def __init__(self) -> None:
        self._codes: list[str] = []
        self._is_fixed = False
        self._buttons: list[QPushButton] = []
        body = QWidget()
        self._row = QHBoxLayout(body)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2 * SPACE)
        self.box = ChoiceBox()
        self.box.setAccessibleName("Add a language")
        self.box.addItem("Add a language…", "")
        for code, name in known_languages():
            self.box.addItem(name, code)
        self.box.activated.connect(lambda _: self._add())
        self._row.addWidget(self.box)
        self._row.addStretch(1)
        super().__init__(
            "languages", "Languages", body, "Above the plan you choose in which of them texts are shown and written."
        )

    @property
    def value(self) -> Any:
        return list(self._codes)

    def show_value(self, value: Any) -> None:
        if list(value) != self._codes:
            self._codes = list(value)
            self._make_buttons()
        self._enable_controls()

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._enable_controls()

    def remove(self, code: str) -> None:
        """Removes a language, with the texts in it."""
        self._set([other for other in self._codes if other != code])

    def _add(self) -> None:
        code = self.box.currentData()
        self.box.setCurrentIndex(0)
        if code and code not in self._codes:
            self._set([*self._codes, code])

    def _set(self, codes: list[str]) -> None:
        self.show_value(codes)
        self.edited.emit()

    def _make_buttons(self) -> None:
        """Makes a button for each language; the box keeps its place, and takes the focus of a button that goes."""
        if any(button.hasFocus() for button in self._buttons):
            self.box.setFocus()
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [
            make_button(name_of(code), "delete", partial(self.remove, code), f"Remove {name_of(code)}")
            for code in self._codes
        ]
        for place, button in enumerate(self._buttons):
            self._row.insertWidget(place, button)

    def _enable_controls(self) -> None:
        for button in self._buttons:
            button.setEnabled(len(self._codes) > 1 and not self._is_fixed)
        self.box.setEnabled(not self._is_fixed)


@cache
def known_languages() -> list[tuple[str, str]]:
    """The codes and the names of languages, by their names."""
    codes = {
        locale.name().partition("_")[0]
        for locale in QLocale.matchingLocales(
            QLocale.Language.AnyLanguage, QLocale.Script.AnyScript, QLocale.Country.AnyCountry
        )
    }
    named = [(code, name_of(code)) for code in codes - {"C"}]
    return sorted((pair for pair in named if pair[1] != pair[0]), key=lambda pair: pair[1].casefold())


def name_of(language: str) -> str:
    """The name of a language, in English and in itself, with its code: "German, Deutsch (de)"."""
    locale = QLocale(language)
    english = QLocale.languageToString(locale.language())
    own = locale.nativeLanguageName()
    if english == "C":
        return language
    names = english if not own or english.casefold() in own.casefold() else f"{english}, {own}"
    return f"{names} ({language})"


def without_languages(data: Any, gone: Sequence[str], left: Sequence[str]) -> Any:
    """A document whose texts in several languages have lost some; a text that has one language left is plain again."""
    if isinstance(data, list):
        return [without_languages(part, gone, left) for part in data]
    if not isinstance(data, dict):
        return data
    if data and set(data) <= {*gone, *left} and all(isinstance(words, str) for words in data.values()):
        kept = {language: words for language, words in data.items() if language in left}
        return kept if len(left) > 1 and kept else next(iter(kept.values()), "")
    return {name: without_languages(part, gone, left) for name, part in data.items()}
