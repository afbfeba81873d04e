"""The figures and texts of two answers, side by side with their differences marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts import compared as comparing
from spatial_workbench.app.attempts.compared import Compared, ComparedRow, TextLine
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import child_items, top_items
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import Jobs

MARK = "≠"
_TINT = 0.16


class FigureComparison(QWidget):
    """Figures, verdicts and checks of both sides; what differs is marked and bold."""

    def __init__(self, left: Compared, right: Compared) -> None:
        super().__init__()
        self.only_differences = QCheckBox("Differences only")
        self.only_differences.toggled.connect(self._filter)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["", MARK, left.name, right.name])
        self.tree.setAccessibleName("Figures and checks of both answers")
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(3 * SPACE)
        self.tree.setWordWrap(True)
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for column in (2, 3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._add("Figures", comparing.figure_rows(left, right))
        self._add("Verifiers", comparing.verdict_rows(left, right))
        self._add("Checks", comparing.check_rows(left, right))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.only_differences)
        layout.addWidget(self.tree, 1)

    def _add(self, title: str, rows: Sequence[ComparedRow]) -> None:
        if not rows:
            return
        group = QTreeWidgetItem(self.tree, [title])
        group.setFont(0, _bold())
        for row in rows:
            texts = ["\n".join(filter(None, pair)) for pair in zip((row.left, row.right), row.about, strict=True)]
            item = QTreeWidgetItem(group, [row.name, MARK if row.differs else "", *texts])
            for column in range(4):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                item.setToolTip(column, item.text(column))
                if row.differs:
                    item.setFont(column, _bold())
        group.setExpanded(True)

    def _filter(self, only: bool) -> None:
        for group in top_items(self.tree):
            for item in child_items(group):
                item.setHidden(only and not item.text(1))


class TextComparison(QWidget):
    """Answers, raw outputs or reasoning line by line. They are compared in the background."""

    def __init__(self, left: Compared, right: Compared, jobs: Jobs) -> None:
        super().__init__()
        self._sides = left, right
        self._jobs = jobs
        self._lines: list[TextLine] = []
        self._asked = 0
        self._is_closed = False
        self.kind = ChoiceBox()
        self.kind.setAccessibleName("Which texts are compared")
        self.kind.addItems(list(dict.fromkeys((*left.texts, *right.texts))))
        self.kind.currentIndexChanged.connect(lambda _: self.load())
        self.next = QPushButton("Next difference")
        self.next.clicked.connect(self.go_to_next)
        self.note = QLabel()
        self.note.setObjectName("secondary")
        self.texts = tuple(_text_field(side.name) for side in (left, right))
        self._link()
        self._lay_out()
        appearance().changed.connect(self._mark)

    def load(self) -> None:
        """Compares the chosen texts in the background."""
        self._asked += 1
        asked = self._asked
        left, right = (side.texts.get(self.kind.currentText(), "") for side in self._sides)
        self.note.setText("Comparing…")
        self._jobs.live.run(
            "Comparing texts",
            comparing.differences,
            left,
            right,
            done=lambda lines: self._show_lines(lines, asked),
            failed=self.note.setText,
            quiet=True,
        )

    def go_to_next(self) -> None:
        """Scrolls to the next lines that differ; after the last ones to the first."""
        starts = [k for k, line in enumerate(self._lines) if line.differs and not (k and self._lines[k - 1].differs)]
        if not starts:
            return
        current = self.texts[0].textCursor().blockNumber()
        place = next((k for k in starts if k > current), starts[0])
        for text in self.texts:
            text.setTextCursor(QTextCursor(text.document().findBlockByNumber(place)))
            text.centerCursor()

    def close_view(self) -> None:
        """Ignores further results."""
        self._is_closed = True
        appearance().changed.disconnect(self._mark)

    def _show_lines(self, lines: list[TextLine], asked: int) -> None:
        if self._is_closed or asked != self._asked:
            return
        self._lines = lines
        count = sum(line.differs for line in lines)
        self.note.setText(
            f"{counted(count, 'line differs', 'lines differ')}, of {len(lines):,}" if count else "No differences"
        )
        self.next.setEnabled(bool(count))
        for text, name in zip(self.texts, ("left", "right"), strict=True):
            text.setPlainText("\n".join(_marked(getattr(line, name), line.differs) for line in lines))
        self._mark()

    def _mark(self) -> None:
        ground = QColor(appearance().theme.warning)
        ground.setAlphaF(_TINT)
        for text in self.texts:
            text.setExtraSelections([_tinted(text, k, ground) for k, line in enumerate(self._lines) if line.differs])

    def _link(self) -> None:
        for leader, follower in (self.texts, self.texts[::-1]):
            leader.verticalScrollBar().valueChanged.connect(follower.verticalScrollBar().setValue)
            leader.horizontalScrollBar().valueChanged.connect(follower.horizontalScrollBar().setValue)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.kind)
        head.addWidget(self.next)
        head.addWidget(self.note, 1)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for side, text in zip(self._sides, self.texts, strict=True):
            column = QVBoxLayout()
            column.setSpacing(SPACE)
            column.addWidget(QLabel(side.name))
            column.addWidget(text, 1)
            row.addLayout(column, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addLayout(row, 1)


def _text_field(name: str) -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setReadOnly(True)
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setObjectName("mono")
    text.setAccessibleName(name)
    return text


def _marked(line: str | None, differs: bool) -> str:
    if line is None:
        return ""
    return f"{MARK if differs else ' '} {line}"


def _tinted(text: QPlainTextEdit, number: int, ground: QColor) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor = QTextCursor(text.document().findBlockByNumber(number))
    selection.format.setBackground(ground)
    selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return selection


def _bold() -> QFont:
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font
