"""Which language the participant's window speaks: its own words, and those of Qt's dialogs and menus."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from spatial_workbench.engine.core.languages.translation import ENGLISH, speak, spoken_language


class WindowLanguage:
    """Speaks one language at a time; English once it is stopped."""

    def __init__(self, application: QCoreApplication) -> None:
        self._application = application
        self._of_qt: QTranslator | None = None

    def speak(self, language: str) -> bool:
        """Speaks a language from now on; False if it did already."""
        if language == spoken_language():
            return False
        speak(language)
        self._drop_words_of_qt()
        translator = QTranslator(self._application)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(QLocale(language), "qtbase", "_", folder):
            self._application.installTranslator(translator)
            self._of_qt = translator
        return True

    def stop(self) -> None:
        """Speaks English again."""
        speak(ENGLISH)
        self._drop_words_of_qt()

    def _drop_words_of_qt(self) -> None:
        if self._of_qt is not None:
            self._application.removeTranslator(self._of_qt)
            self._of_qt.deleteLater()
            self._of_qt = None
