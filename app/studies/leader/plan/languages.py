"""The languages of a study's texts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.theme import SPACE


class LanguagesField(FormField):
    """The languages that people can choose from, the first one being that of texts in one language."""

    def __init__(self) -> None:
        self._codes: list[str] = []
        self._is_fixed = False
        body = QWidget()
        self._row = QHBoxLayout(body)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2 * SPACE)
        self.box = QComboBox()
        self.box.setAccessibleName("Add a language")
        self.box.addItem("Add a language…", "")
        for code, name in known_languages():
            self.box.addItem(name, code)
        self.box.activated.connect(lambda _: self._add())
        super().__init__(
            "languages", "Languages", body, "Above the plan you choose in which of them texts are shown and written."
        )

    @property
    def value(self) -> Any:
        return list(self._codes)

    def show_value(self, value: Any) -> None:
        self._codes = list(value)
        self._build()

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._build()

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

    def _build(self) -> None:
        self.box.setParent(None)
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for code in self._codes:
            button = make_button(name_of(code), "delete", partial(self.remove, code), f"Remove {name_of(code)}")
            button.setEnabled(len(self._codes) > 1 and not self._is_fixed)
            self._row.addWidget(button)
        self._row.addWidget(self.box)
        self.box.setEnabled(not self._is_fixed)
        self.box.show()
        self._row.addStretch(1)


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
