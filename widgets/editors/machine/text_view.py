"""The machine as text beside the view: typed changes are built at once, and every fault is marked at its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeGuard

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from spatial_workbench.engine.core.formats.jsonlayout import layout
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.building.listing import Listing, Mark, read_listing, write_listing
from spatial_workbench.engine.machines.building.tree import Tree
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.widgets.editing.runner import Newest, Runner
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.panels.answer_panel import LONG_CHARS, QUIET_MS, CodeEdit
from spatial_workbench.widgets.shown_text import replace_text
from spatial_workbench.widgets.theme import SPACE

WIDTH_PX = 520
_LIST_PX = 120
_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class MachineText(QWidget):
    """Shows the machine while nothing is typed; typed text replaces the machine as soon as it describes one.

    take: replaces the machine by a typed one; consecutive steps with the same second argument are merged.

    Signals:
        block_chosen(int): a fault of this block was clicked.
        left(): Escape was pressed in the text.
    """

    block_chosen = Signal(int)
    left = Signal()

    def __init__(self, size_limits: Vector, runner: Runner, judges: bool, take: Callable[[Tree, str], None]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._limits = size_limits
        self._judges = judges
        self._take = take
        self._work = Newest(runner, "Reading the text")
        self._shown = ""
        self._typings = 0
        self._is_taking = False
        self._listing = Listing(None)
        self._marks: list[Mark] = []
        self.edit = _HistoryEdit(lambda: self.is_typed)
        self.edit.setAccessibleName(tr("Machine as text"))
        self.edit.textChanged.connect(self._typed)
        self.edit.escaped.connect(self.left)
        self.edit.pasted.connect(self._lay_out_pasted)
        self.state = QLabel()
        self.state.setObjectName("caption")
        self.revert_button = QPushButton(tr("Revert"))
        self.revert_button.setToolTip(tr("Discard what was typed and show the machine again"))
        self.revert_button.clicked.connect(self.revert)
        self.faults = QListWidget()
        self.faults.setAccessibleName(tr("Faults of the text"))
        self.faults.setMaximumHeight(_LIST_PX)
        self.faults.setWordWrap(True)
        self.faults.itemClicked.connect(lambda item: self._go_to(self.faults.row(item)))
        self.faults.itemActivated.connect(lambda item: self._go_to(self.faults.row(item)))
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._quiet.timeout.connect(self.read_now)
        foot = QWidget()
        row(foot, self.state, self.revert_button, spacing=2 * SPACE).setStretch(0, 1)
        column(self, self.edit, self.faults, foot, margin=2 * SPACE, spacing=2 * SPACE)
        self.setMinimumWidth(WIDTH_PX // 3)

    @property
    def is_typed(self) -> bool:
        """Whether something is typed that is not built yet, or cannot be."""
        return self.edit.toPlainText() != self._shown

    def show_machine(self, answer: MachineAnswer) -> None:
        """Shows a machine, unless something else is being typed."""
        self._answer = answer
        if self._is_taking:
            return
        self._typings += 1
        if self.is_typed:
            self._show_note()
        else:
            self._show_listing()

    def revert(self) -> None:
        """Shows the machine again."""
        self._show_listing()

    def show_block(self, block: int) -> None:
        """Scrolls to the line of a block."""
        if block < len(self._listing.lines) and not self.edit.hasFocus():
            self.edit.go_to_line(self._listing.lines[block])

    def read_now(self) -> None:
        """Reads the text, a long one in the background."""
        self._quiet.stop()
        text = self.edit.toPlainText()
        if len(text) <= LONG_CHARS:
            self._arrived(text, read_listing(text, self._limits))
            return
        self.state.setText(tr("Reading…"))
        failed = partial(self._failed, text)
        self._work.ask(read_listing, text, self._limits, done=partial(self._arrived, text), failed=failed)

    def _show_listing(self) -> None:
        self._shown = write_listing(self._answer.blocks)
        with QSignalBlocker(self.edit):
            replace_text(self.edit, self._shown)
        self.read_now()

    def _lay_out_pasted(self) -> None:
        """Lays out what was pasted, as one more step of the text's own history; text that is no JSON stays as it is."""
        text = self.edit.toPlainText()
        if len(text) <= LONG_CHARS and (laid_out := laid_out_listing(text)) is not None:
            cursor = QTextCursor(self.edit.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(laid_out)
            cursor.movePosition(QTextCursor.MoveOperation.Start)
            self.edit.setTextCursor(cursor)

    def _typed(self) -> None:
        self._show_note()
        self._quiet.start()

    def _arrived(self, text: str, listing: Listing) -> None:
        """Marks what is wrong with a text; if it describes a machine, builds that, and shows its plain list."""
        if text != self.edit.toPlainText():
            return
        self._listing = listing
        self._marks = [mark for mark in listing.marks if self._judges or listing.tree is None]
        if listing.tree is not None and self.is_typed:
            self._is_taking = True
            self._take(listing.tree, f"text {self._typings}")
            self._is_taking = False
            self._shown = text
            if not listing.is_plain:
                self._answer = MachineAnswer.of(listing.tree)
                self._show_listing()
                # What was pasted had longer lines.
                self.edit.horizontalScrollBar().setValue(0)
                return
        self._show_marks()

    def _failed(self, text: str, why: str) -> None:
        self._arrived(text, Listing(None, (Mark(1, "NOT_A_LIST", f"The text could not be read: {why}"),)))

    def _show_marks(self) -> None:
        self.edit.mark_lines({mark.line: "warning" if mark.is_warning else "failed" for mark in reversed(self._marks)})
        self.faults.clear()
        for mark in self._marks:
            self.faults.addItem(QListWidgetItem(said(f"Line {mark.line} · {mark.code} · {mark.sentence}")))
        self.faults.setVisible(bool(self._marks))
        self._show_note()

    def _show_note(self) -> None:
        """Shows below whether the text is the visible machine."""
        self.revert_button.setVisible(self.is_typed)
        count = len(self._marks)
        faults = counted(count, "fault")
        if self.is_typed:
            self.state.setText(said(f"Not built yet: {faults}" if count else "Not built yet"))
        else:
            self.state.setText(said(faults if count else f"{len(self._listing.lines)} blocks"))

    def _go_to(self, place: int) -> None:
        mark = self._marks[place]
        self.edit.go_to_line(mark.line)
        self.edit.setFocus()
        if mark.entry is not None:
            self.block_chosen.emit(mark.entry)


def laid_out_listing(text: str) -> str | None:
    """A list of blocks with one line for each, other JSON as people read it; None for text that is no JSON."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list | dict):
        return None
    return write_listing(data) if _has_rows(data) else layout(data)


def _has_rows(data: list[Any] | dict[str, Any]) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(data, list) and bool(data) and all(isinstance(row, dict) for row in data)


class _HistoryEdit(CodeEdit):
    """Leaves undo and redo to the machine's history while nothing is typed.

    keeps_history: whether the text's own history counts.

    Signals:
        escaped(): Escape was pressed.
        pasted(): text was pasted or dropped.
    """

    escaped = Signal()
    pasted = Signal()

    def __init__(self, keeps_history: Callable[[], bool]) -> None:
        super().__init__()
        self._keeps_history = keeps_history

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_history = any(event.matches(key) for key in _HISTORY)
            if is_history and not self._keeps_history():
                event.ignore()
                return True
        return super().event(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Called for everything that is pasted or dropped."""
        super().insertFromMimeData(source)
        self.pasted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
