"""Difficulty and tags by choice: words that are known, as boxes or buttons, and nothing to type."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QCheckBox, QRadioButton, QWidget

from spatial_workbench.engine.puzzles.annotation.settling import KNOWN_WORDS
from spatial_workbench.widgets.flow_layout import FlowLayout


class TagChoice(QWidget):
    """The known words of a field: one of them for the difficulty, any number for tags.

    Words of the field that are not known are left out, since nobody can choose them.

    Signals:
        changed(): another word is chosen.
    """

    changed = Signal()

    def __init__(self, name: str, chosen: str | Sequence[str]) -> None:
        super().__init__()
        self.name = name
        self._is_one = isinstance(chosen, str)
        given = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        self._given = tuple(word for word in given if word in KNOWN_WORDS[name])
        self.boxes: dict[str, QAbstractButton] = {}
        row = FlowLayout(self)
        group = QButtonGroup(self)
        group.setExclusive(self._is_one)
        for word in KNOWN_WORDS[name]:
            label = word.replace("_", " ")
            box: QAbstractButton = QRadioButton(label) if self._is_one else QCheckBox(label)
            box.setAccessibleName(f"{name.capitalize()}: {label}")
            box.setChecked(word in given)
            box.toggled.connect(lambda _: self.changed.emit())
            group.addButton(box)
            row.addWidget(box)
            self.boxes[word] = box

    def value(self) -> str | tuple[str, ...]:
        """The chosen word, or the chosen words: those of the annotation in its order, then the others."""
        chosen = [word for word, box in self.boxes.items() if box.isChecked()]
        if self._is_one:
            return chosen[0] if chosen else ""
        kept = [word for word in self._given if word in chosen]
        return (*kept, *(word for word in chosen if word not in kept))

    def choose(self, words: Sequence[str]) -> None:
        """Chooses words, and no others."""
        for word, box in self.boxes.items():
            box.setChecked(word in words)
