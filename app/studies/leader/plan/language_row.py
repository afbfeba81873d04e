"""Chooses the language in which the texts of a plan are shown and written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from spatial_workbench.app.studies.leader.plan.languages import name_of
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox


class LanguageRow(QWidget):
    """The languages of a study; hidden while there is only one.

    Signals:
        chosen(): somebody chose a language.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box = ChoiceBox()
        self.box.setAccessibleName("Language of the texts")
        self.box.activated.connect(lambda _: self.chosen.emit())
        label = QLabel("Texts in")
        label.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * SPACE, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(label)
        row.addWidget(self.box)
        row.addStretch(1)
        self.hide()

    @property
    def language(self) -> str:
        """The code of the chosen language."""
        return str(self.box.currentData())

    @property
    def languages(self) -> list[str]:
        """The codes of all languages."""
        return [self.box.itemData(place) for place in range(self.box.count())]

    def offer(self, languages: Sequence[str]) -> None:
        """Offers these languages; the chosen one stays chosen if it is among them."""
        if self.languages != languages:
            chosen = self.box.currentData()
            self.box.clear()
            for code in languages:
                self.box.addItem(name_of(code), code)
            self.box.setCurrentIndex(max(0, self.box.findData(chosen)))
        self.setVisible(len(languages) > 1)
