"""A line at the top of a page that says what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from spatial_workbench.widgets.theme import SPACE


class Banner(QFrame):
    """A line at the top of the page that says what happened, and offers what to do."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        self._row.setSpacing(2 * SPACE)
        self._row.addWidget(self.text, 1)
        self.hide()

    def offer(self, text: str, choices: Mapping[str, Callable[[], object]]) -> None:
        """Shows a text with buttons; each hides the banner and does its work."""
        self.text.setText(text)
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for label, do in choices.items():
            button = QPushButton(label)
            button.clicked.connect(self.hide)
            button.clicked.connect(lambda _=False, do=do: do())
            self._row.addWidget(button)
            self.buttons.append(button)
        self.show()
