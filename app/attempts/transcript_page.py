"""A transcript to read: steps that fold, their parts, a search, and the part that is selected as a whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.attempts.long_text import LongText
from spatial_workbench.app.attempts.words import format_seconds
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.transcripts import PartKind, TranscriptPart, TranscriptStep, calls_done
from spatial_workbench.widgets.fitted_picture import FittedPicture
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE

NOTHING = "Nothing was said yet."
LINE_CHARS = 160
MOST_OPEN = 12
"""Transcripts with more steps are folded at first, but for the last step."""
_FIGURE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_STEP, _PART = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_KINDS = {
    PartKind.TOLD: "Told",
    PartKind.REASONING: "Reasoning",
    PartKind.REPLY: "Reply",
    PartKind.CALL: "Call",
    PartKind.RESULT: "Result",
    PartKind.CODE: "Code",
    PartKind.OUTPUT: "Output",
    PartKind.SEARCH: "Search",
}


class TranscriptPage(QWidget):
    """Shows a transcript. When it grows, what is selected, folded and searched stays."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps: tuple[TranscriptStep, ...] = ()
        self.search = SearchField("Search the transcript")
        self.search.textChanged.connect(self._filter)
        self.found = QLabel()
        self.found.setObjectName("secondary")
        self.fold = QPushButton("Fold all")
        self.unfold = QPushButton("Unfold all")
        self.copy = QPushButton("Copy calls")
        self.copy.setToolTip("Copy the calls that changed the answer as JSON, which other programs can carry out")
        self.copy.clicked.connect(self._copy_calls)
        self.copy.hide()
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Step", "Time", "Tokens"])
        self.tree.setAccessibleName("Steps of the transcript")
        self.tree.setUniformRowHeights(True)
        self.tree.currentItemChanged.connect(lambda current, _: self._show_part(current))
        self.fold.clicked.connect(self.tree.collapseAll)
        self.unfold.clicked.connect(self.tree.expandAll)
        self.text = LongText("Part of the transcript")
        self.picture = FittedPicture("Picture that was shown")
        self.picture.hide()
        self._lay_out()

    def show_steps(self, steps: Sequence[TranscriptStep]) -> None:
        """Shows a transcript; steps that are shown already stay as they are."""
        steps = tuple(steps)
        if steps == self.steps:
            return
        same = _common(self.steps, steps)
        is_grown = bool(self.steps) and same == len(self.steps)
        self.steps = steps
        while self.tree.topLevelItemCount() > same:
            self.tree.takeTopLevelItem(same)
        for number in range(same, len(steps)):
            self._add_step(number, steps[number])
        last = self.tree.topLevelItem(len(steps) - 1)
        if last is not None and not is_grown:
            last.setExpanded(True)
            self.tree.setCurrentItem(last)
        self._filter()
        self.copy.setVisible(any(part.kind is PartKind.CALL for step in steps for part in step.parts))
        if not steps:
            self.text.show_text(NOTHING)

    def show_note(self, note: str) -> None:
        """Shows a sentence in place of a transcript."""
        self.show_steps(())
        self.text.show_text(note)

    def _copy_calls(self) -> None:
        QGuiApplication.clipboard().setText(json.dumps(calls_done(self.steps), ensure_ascii=False))

    def _add_step(self, number: int, step: TranscriptStep) -> None:
        time = "" if step.seconds is None else format_seconds(step.seconds)
        tokens = "" if step.tokens_out is None else f"{step.tokens_out:,}"
        row = QTreeWidgetItem(self.tree, [with_marks(f"{number + 1}. {summary(step)}"), time, tokens])
        row.setData(0, _STEP, number)
        row.setData(0, _PART, -1)
        row.setToolTip(2, _cost_words(step))
        for column in (1, 2):
            row.setTextAlignment(column, _FIGURE)
        for k, part in enumerate(step.parts):
            child = QTreeWidgetItem(row, [with_marks(line_of(part))])
            child.setFirstColumnSpanned(True)
            child.setData(0, _STEP, number)
            child.setData(0, _PART, k)
        row.setExpanded(len(self.steps) <= MOST_OPEN)

    def _show_part(self, item: QTreeWidgetItem | None) -> None:
        if item is None or item.data(0, _STEP) >= len(self.steps):
            return
        step = self.steps[item.data(0, _STEP)]
        chosen = item.data(0, _PART)
        parts = step.parts if chosen < 0 else step.parts[chosen : chosen + 1]
        self.text.show_text(_whole(parts) if chosen < 0 else parts[0].text)
        self._show_pictures([picture for part in parts for picture in part.pictures])

    def _show_pictures(self, pictures: Sequence[bytes]) -> None:
        self.picture.setVisible(bool(pictures))
        if pictures:
            self.picture.show_picture(pictures[-1])

    def _filter(self) -> None:
        """Shows the steps and parts that hold what is searched for."""
        sought = self.search.text().casefold().strip()
        hits = 0
        for step, row in zip(self.steps, self._rows(), strict=True):
            parts = step.parts
            matching = [not sought or sought in f"{part.name}\n{part.text}".casefold() for part in parts]
            for child, matches in zip(_children(row), matching, strict=True):
                child.setHidden(not matches)
            row.setHidden(bool(sought) and not any(matching))
            if sought:
                hits += sum(matching)
                row.setExpanded(True)
        self.found.setText(counted(hits, "hit") if sought else counted(len(self.steps), "step"))

    def _rows(self) -> list[QTreeWidgetItem]:
        return _children(self.tree.invisibleRootItem())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.search, 1)
        for widget in (self.found, self.copy, self.fold, self.unfold):
            head.addWidget(widget)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            self.tree.headerItem().setTextAlignment(column, _FIGURE)
        shown = QSplitter(Qt.Orientation.Horizontal)
        shown.addWidget(self.text)
        shown.addWidget(self.picture)
        shown.setSizes([300, 300])
        shown.setHandleWidth(1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        split.addWidget(self.tree)
        split.addWidget(shown)
        split.setSizes([220, 200])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 0)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(head)
        layout.addWidget(split, 1)


def _children(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    return [child for k in range(item.childCount()) if (child := item.child(k)) is not None]


def summary(step: TranscriptStep) -> str:
    """What a step did: its title, the tools that were called, or the beginning of the reply."""
    calls = Counter(part.name or _KINDS[part.kind].lower() for part in step.parts if part.kind in _DONE)
    named = [name if count == 1 else f"{name} × {count}" for name, count in calls.items()]
    said = next((part.text for part in step.parts if part.kind is PartKind.REPLY), "")
    what = ", ".join(named) or _first_line(said) or _KINDS[PartKind.TOLD]
    return f"{step.title}: {what}" if step.title else what


_DONE = (PartKind.CALL, PartKind.CODE, PartKind.SEARCH)


def line_of(part: TranscriptPart) -> str:
    """A part on one line: what it is, and how it begins."""
    kind = "Refused" if part.is_refused else _KINDS[part.kind]
    title = " · ".join(filter(None, (kind, part.name)))
    picture = f" [{counted(len(part.pictures), 'picture')}]" if part.pictures else ""
    return f"{title}{picture}  {_first_line(part.text)}".rstrip()


def _whole(parts: Sequence[TranscriptPart]) -> str:
    titled = (f"{' · '.join(filter(None, (_KINDS[part.kind], part.name)))}\n{part.text}" for part in parts)
    return "\n\n".join(titled)


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= LINE_CHARS else line[: LINE_CHARS - 1] + "…"


def _cost_words(step: TranscriptStep) -> str:
    words = [f"{step.tokens_in:,} tokens in"] if step.tokens_in is not None else []
    words += [f"{step.tokens_out:,} out"] if step.tokens_out is not None else []
    words += [f"$ {step.cost_usd:.4f}"] if step.cost_usd is not None else []
    return " · ".join(words)


def _common(old: Sequence[TranscriptStep], new: Sequence[TranscriptStep]) -> int:
    """How many steps at the start are the same."""
    for k, (before, after) in enumerate(zip(old, new, strict=False)):
        if before != after:
            return k
    return min(len(old), len(new))
