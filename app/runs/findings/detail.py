"""A group of findings: what its two verifiers say of the smallest case, the case, and what can be done with it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from spatial_workbench.app.runs.findings.group_tree import size_words, title_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.answer_parts import plain_data
from spatial_workbench.engine.evaluation.laboratory.searching.asking import words_of
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup, group_from_data
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

SHOWN_CHARACTERS = 200_000
"""Of a longer answer, so much is shown."""


class FindingDetail(QWidget):
    """Shows a group.

    Signals:
        small_wanted(): make its case small.
        undo_wanted(): put the case back that was there before.
        stop_wanted(): stop making it small.
        open_wanted(), case_wanted(), test_wanted(): open it in the editor, save it as a case, export it as a test.
    """

    small_wanted = Signal()
    undo_wanted = Signal()
    stop_wanted = Signal()
    open_wanted = Signal()
    case_wanted = Signal()
    test_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.group: dict[str, Any] | None = None
        self._title = _label("panelTitle")
        self._about = _label("secondary")
        self.said = (_label(), _label())
        self.names = (_label("secondary"), _label("secondary"))
        self.answer = QPlainTextEdit()
        self.answer.setReadOnly(True)
        self.answer.setObjectName("code")
        self.answer.setAccessibleName("The smallest case")
        self.state = _label("secondary")
        self.small = _button("Make small", "Remove what does not matter, and shorten numbers", self.small_wanted)
        self.small.setObjectName("primary")
        self.stop = _button("Stop", "Keep the smallest case so far aside, and stop", self.stop_wanted)
        self.undo = _button("Undo", "Put back the case that was there before", self.undo_wanted)
        self.open = _button("Open in editor", "Put the answer into the editor of its instance", self.open_wanted)
        self.case = _button("Save as case…", "Save the answer with what each verifier says of it", self.case_wanted)
        self.test = _button("Export as test…", "Write a test for pytest", self.test_wanted)
        self.case.setIcon(icon("save"))
        self._lay_out()
        self.show_group(None, can_undo=False)

    def show_group(self, row: dict[str, Any] | None, can_undo: bool) -> None:
        """Shows a group in JSON data; None: nothing is chosen."""
        self.group = row
        for button in (self.small, self.open, self.case, self.test):
            button.setEnabled(row is not None)
        self.undo.setEnabled(row is not None and can_undo)
        self.show_state("")
        if row is None:
            for label in (self._title, self._about, *self.said, *self.names):
                label.setText("")
            self.answer.setPlainText("")
            return
        self._fill(group_from_data(row))

    def show_state(self, words: str, is_busy: bool = False) -> None:
        """Shows how far making small is, or how it ended."""
        self.state.setText(words)
        self.small.setVisible(not is_busy)
        self.stop.setVisible(is_busy)
        if is_busy:
            self.undo.setEnabled(False)

    def _fill(self, group: FindingGroup) -> None:
        finding, way = group.smallest, group.smallest.divergence
        self._title.setText(with_marks(title_of(group)))
        found = f"Found {counted(group.count, 'time')}" if group.count > 1 else "Found once"
        kind = "a question" if group.is_question else "a known difference" if group.known else "a difference"
        self._about.setText(
            f"{found}, {kind}. The smallest case, on {finding.address} ({finding.source}), has "
            f"{size_words(finding.answer)}."
        )
        second = f"{way.second}, asked again" if way.first == way.second else way.second
        for name, label, words in zip(self.names, self.said, (way.first, second), strict=True):
            name.setText(words)
            label.setText(with_marks(words_of(finding.first if label is self.said[0] else finding.second)))
        self.answer.setPlainText(laid_out(finding.answer))

    def _lay_out(self) -> None:
        verdicts = QGridLayout()
        verdicts.setHorizontalSpacing(4 * SPACE)
        verdicts.setVerticalSpacing(SPACE)
        verdicts.setColumnStretch(1, 1)
        for row in (0, 1):
            verdicts.addWidget(self.names[row], row, 0)
            verdicts.addWidget(self.said[row], row, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        for button in (self.small, self.stop, self.undo):
            buttons.addWidget(button)
        buttons.addWidget(self.state, 1)
        for button in (self.open, self.case, self.test):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 3 * SPACE, 4 * SPACE, 3 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addWidget(self._title)
        layout.addWidget(self._about)
        layout.addLayout(verdicts)
        layout.addWidget(self.answer, 1)
        layout.addLayout(buttons)


def laid_out(answer: str) -> str:
    """An answer with a record of a list on each line, where it is JSON."""
    from spatial_workbench.engine.core.formats.jsonlayout import layout

    data = plain_data(answer) if len(answer) <= SHOWN_CHARACTERS else answer
    text = answer if isinstance(data, str) else layout(data)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}\n…"


def _label(name: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    if name:
        label.setObjectName(name)
    return label


def _button(text: str, tip: str, signal: Any) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(signal)
    return button
