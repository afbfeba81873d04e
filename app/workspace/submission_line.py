"""The line under the verdict that shows the last submission, with its score and a link to it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

NOTHING_YET = "Nothing submitted yet"


class SubmissionLine(QWidget):
    """Shows the result of the newest submission; its space is reserved from the start.

    Signals:
        attempt_wanted(int): show this attempt in the list.
    """

    attempt_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._number = 0
        self._sign = QLabel()
        self._sign.setFixedSize(QSize(16, 16))
        self._words = QLabel(NOTHING_YET)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words.setAccessibleName("Submission")
        self._show = QPushButton("Show attempt")
        self._show.setObjectName("link")
        self._show.setToolTip("Select this attempt in the list of attempts")
        self._show.setEnabled(False)
        self._show.clicked.connect(lambda: self.attempt_wanted.emit(self._number))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 0, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self._sign)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._show)

    @property
    def text(self) -> str:
        """The text of the line."""
        return self._words.text()

    def show_stored(self, number: int) -> None:
        """Says that an attempt is stored, and is being judged."""
        self._number = number
        self._show_words(f"Attempt {number} is stored; checking…", "not_reached")

    def show_judged(self, number: int, verdict: Verdict) -> None:
        """Shows how an attempt was judged; ignores attempts older than the last."""
        if number < self._number:
            return
        self._number = number
        word = "passed" if verdict.passed else "not passed"
        self._show_words(
            f"Attempt {number}: {word}, score {score_words(verdict.score)}", "passed" if verdict.passed else "failed"
        )

    def show_trouble(self, text: str) -> None:
        """Says why the newest attempt was not judged."""
        self._words.setToolTip(text)
        self._show_words(text, "warning")

    def _show_words(self, text: str, sign: str) -> None:
        self._words.setText(text)
        self._words.setToolTip(text)
        self._sign.setPixmap(icon(sign, sign).pixmap(QSize(16, 16)))
        self._show.setEnabled(self._number > 0)
