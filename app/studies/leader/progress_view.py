"""How far a study is: a matrix of places and items, with times and flags, and without outcomes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.progress import (
    FREE_AGAIN,
    IN_RESERVE,
    INTERRUPTED,
    NOT_STARTED,
    WITHDREW,
    SlotProgress,
    StudyCell,
)
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.sessions.schema import SessionState, TrialState
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)
ROW_HEIGHT = 28
LEAST_ITEM_PX = 118
MOST_ITEM_PX = 180
"""Between these, the column of an item is as wide as its name."""
_TINT = 0.16
_CODES_STYLE = "QHeaderView::section { border: none; font-size: 13px; padding: 0px 8px; }"
_CORNER_STYLE = "QTableCornerButton::section { border: none; background: palette(button); }"
NOTHING = ("No places yet", "They are made when the first bundle is written. A pilot bundle freezes nothing.")
SERVE_TIP = "Let people take part with links, in their own browsers"
REPLACE_TIP = "Replace the chosen place by a reserve"
STATE_WORDS = {
    NOT_STARTED: ("not started", "not_reached"),
    FREE_AGAIN: ("free again", "not_reached"),
    IN_RESERVE: ("in reserve", "not_reached"),
    WITHDREW: ("withdrew", "warning"),
    INTERRUPTED: ("interrupted", "warning"),
    SessionState.FINISHED.value: ("finished", "passed"),
    SessionState.STOPPED.value: ("stopped", "warning"),
    SessionState.ENDED.value: ("ended", "warning"),
    SessionState.RUNNING.value: ("working", "accent"),
    SessionState.BREAK.value: ("in a break", "accent"),
    SessionState.PRACTISING.value: ("practising", "accent"),
    SessionState.CONSENTED.value: ("consented", "accent"),
    SessionState.NEW.value: ("at the code", "accent"),
}
"""The words and the colour of a place's state; none of them speaks of success."""
CELL_WORDS = {
    TrialState.WAITING.value: ("", ""),
    TrialState.SHOWN.value: ("at it", "accent"),
    TrialState.COVERED.value: ("paused", "accent"),
    TrialState.SUBMITTED.value: ("handed in", "text"),
    TrialState.SOLVED.value: ("ended", "text"),
    TrialState.GIVEN_UP.value: ("gave up", "warning"),
    TrialState.TIMED_OUT.value: ("time over", "warning"),
    TrialState.LEFT.value: ("left", "warning"),
    TrialState.SKIPPED.value: ("skipped", "not_reached"),
    TrialState.BROKEN.value: ("broken", "failed"),
}
_STATE_ICONS = {"passed": "passed", "warning": "warning", "not_reached": "not_reached", "accent": "play"}


def minutes(milliseconds: int) -> str:
    """A time in minutes and seconds."""
    return f"{milliseconds // 60_000}:{milliseconds // 1000 % 60:02}"


class MatrixModel(QAbstractTableModel):
    """Places as rows under their codes; state, site, time and flags as columns, then the items."""

    HEADS = ("State", "Site", "Time, min", "Flags")

    def __init__(self) -> None:
        super().__init__()
        self.slots: tuple[SlotProgress, ...] = ()
        self.items: tuple[str, ...] = ()
        self.addresses: dict[str, str] = {}
        self._cells: list[dict[str, StudyCell]] = []

    def show_snapshot(self, snapshot: StudySnapshot) -> None:
        """Shows a study; where the places stay the same, the selection stays, too, and only what has changed is drawn
        again."""
        slots = snapshot.progress.slots
        items = snapshot.progress.items
        self.addresses = {item.id: item.address or item.kind.value for item in snapshot.document.items()}
        if (items, [slot.code for slot in slots]) == (self.items, [slot.code for slot in self.slots]):
            self._update(slots)
            return
        self.beginResetModel()
        self.slots = slots
        self.items = items
        self._cells = [_by_item(slot) for slot in slots]
        self.endResetModel()

    def _update(self, slots: tuple[SlotProgress, ...]) -> None:
        before = self.slots
        self.slots = slots
        for row, (old, new) in enumerate(zip(before, slots, strict=True)):
            if old != new:
                self._cells[row] = _by_item(new)
                self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.slots)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.HEADS) + len(self.items)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return self.slots[section].code if role == Qt.ItemDataRole.DisplayRole else None
        own = len(self.HEADS)
        if role == Qt.ItemDataRole.DisplayRole:
            return self.HEADS[section] if section < own else self.items[section - own]
        if role == Qt.ItemDataRole.ToolTipRole and section >= own:
            return self.addresses.get(self.items[section - own])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _CENTRE if section >= own else _RIGHT if section in (2, 3) else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        slot = self.slots[index.row()]
        column = index.column()
        if column < len(self.HEADS):
            return self._of_slot(slot, column, role)
        cell = self._cells[index.row()].get(self.items[column - len(self.HEADS)])
        return None if cell is None else self._of_cell(cell, role)

    def _of_slot(self, slot: SlotProgress, column: int, role: int) -> Any:
        words, color = STATE_WORDS[slot.state]
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                words if not slot.replaced_by else f"{words} → {slot.replaced_by}",
                slot.site or "–",
                minutes(slot.active_ms) if slot.session else "–",
                str(len(slot.flags) + sum(len(cell.flags) for cell in slot.cells) or "–"),
            )[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return _about(slot)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (2, 3):
            return _RIGHT
        if role == Qt.ItemDataRole.DecorationRole and column == 0:
            return icon(_STATE_ICONS[color], color)
        if role == Qt.ItemDataRole.ForegroundRole and column == 3 and slot.is_excluded:
            return appearance().theme.color("failed")
        return None

    def _of_cell(self, cell: StudyCell, role: int) -> Any:
        words, color = CELL_WORDS[cell.state]
        if role == Qt.ItemDataRole.DisplayRole:
            return words or "·"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _CENTRE
        if role == Qt.ItemDataRole.ToolTipRole:
            flags = f"\nFlags: {', '.join(cell.flags)}" if cell.flags else ""
            handed_in = f", {counted(cell.submissions, 'submission')}" if cell.submissions else ""
            return f"{self.addresses.get(cell.item, cell.item)}\n{words or 'waiting'}, {minutes(cell.active_ms)}" + (
                f"{handed_in}{flags}"
            )
        theme = appearance().theme
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme.color(color or "disabled")
        if role == Qt.ItemDataRole.BackgroundRole and words:
            return _tinted(theme.color("neutral" if color == "text" else color), theme.color("field"))
        if role == Qt.ItemDataRole.DecorationRole and cell.flags:
            return icon("warning", "warning")
        return None


def _by_item(slot: SlotProgress) -> dict[str, StudyCell]:
    return {cell.item: cell for cell in slot.cells}


def _about(slot: SlotProgress) -> str:
    lines = [f"{slot.code}, row {slot.place.slot.row + 1}", slot.place.slot.condition]
    lines += [f"stands in for {slot.place.replaces}"] if slot.place.replaces else []
    lines += [f"began {slot.began_at}"] if slot.began_at else []
    lines += [slot.ended_words] if slot.session else []
    lines += [f"{counted(slot.others, 'further session')} of this code"] if slot.others > 0 else []
    lines += [f"Flags: {', '.join(slot.flags)}"] if slot.flags else []
    lines += ["Excluded by a rule"] if slot.is_excluded else []
    return "\n".join(filter(None, lines))


def _tinted(color: QColor, ground: QColor) -> QColor:
    """The ground with a touch of a colour."""
    pairs = ((color.redF(), ground.redF()), (color.greenF(), ground.greenF()), (color.blueF(), ground.blueF()))
    return QColor.fromRgbF(*(_TINT * a + (1 - _TINT) * b for a, b in pairs))


class ProgressView(QWidget):
    """The matrix with its actions.

    Signals:
        bundle_asked(), serve_asked(), merge_asked(), run_asked(), settle_asked(), log_asked(): buttons.
        accommodate_asked(str), note_asked(str), replace_asked(str), withdraw_asked(str): the texts are codes.
    """

    bundle_asked = Signal()
    serve_asked = Signal()
    merge_asked = Signal()
    run_asked = Signal()
    settle_asked = Signal()
    log_asked = Signal()
    accommodate_asked = Signal(str)
    note_asked = Signal(str)
    replace_asked = Signal(str)
    withdraw_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.snapshot: StudySnapshot | None = None
        self.model = MatrixModel()
        self._make_table()
        self._make_buttons()
        self._lay_out()

    @property
    def code(self) -> str:
        """The code of the chosen place; "" if none is chosen."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.slots[rows[0].row()].code if rows else ""

    def show_snapshot(self, snapshot: StudySnapshot) -> None:
        """Shows how far a study is."""
        self.snapshot = snapshot
        columns = self.model.columnCount()
        code = self.code
        self.model.show_snapshot(snapshot)
        self.choose(code)
        if self.model.columnCount() != columns:
            self._size_columns()
        self.stack.setCurrentIndex(0 if self.model.slots else 1)
        self.facts.setText(" · ".join(facts(snapshot)))
        self.more.setText(" · ".join(balance(snapshot)))
        waiting = [conflict for conflict in snapshot.conflicts if not conflict.is_settled]
        self.settle.setVisible(bool(snapshot.conflicts))
        self.settle.setText(f"{counted(len(waiting), 'conflict')}…" if waiting else "Conflicts…")
        self._update_buttons()

    def choose(self, code: str) -> None:
        """Chooses a place, unless it is chosen already."""
        codes = [slot.code for slot in self.model.slots]
        if code in codes and code != self.code:
            self.table.selectRow(codes.index(code))

    def _make_table(self) -> None:
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Places and items")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        # The codes stay in sight while the items are scrolled through.
        self.table.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.verticalHeader().setHighlightSections(False)
        self.table.verticalHeader().setStyleSheet(_CODES_STYLE)
        self.table.setCornerButtonEnabled(False)
        self.table.setStyleSheet(_CORNER_STYLE)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._update_buttons())

    def _size_columns(self) -> None:
        for column, width in enumerate((150, 90, 84, 60)):
            self.table.setColumnWidth(column, width)
        for column in range(len(MatrixModel.HEADS), self.model.columnCount()):
            wanted = self.table.horizontalHeader().sectionSizeHint(column)
            self.table.setColumnWidth(column, min(max(wanted, LEAST_ITEM_PX), MOST_ITEM_PX))

    def _make_buttons(self) -> None:
        self.bundle = make_button("Bundle…", "save", self.bundle_asked.emit, "Write a bundle for a machine")
        self.run = make_button("Run here", "play", self.run_asked.emit, "Open the participant's window on this machine")
        self.serve = make_button("Collect in browsers…", "link", self.serve_asked.emit, SERVE_TIP)
        self.merge = make_button(
            "Merge results…", "open", self.merge_asked.emit, "Merge results; files can also be dropped here"
        )
        self.settle = make_button(
            "Conflicts…", "warning", self.settle_asked.emit, "Sessions that arrived in several states"
        )
        self.log = make_button("Log…", "log", self.log_asked.emit, "The history of the study, and your notes")
        self.accommodate = make_button(
            "Needs…",
            "",
            lambda: self.accommodate_asked.emit(self.code),
            "More time or larger type for the chosen place",
        )
        self.replace = make_button("", "", lambda: self.replace_asked.emit(self.to_replace), REPLACE_TIP)
        self.note = make_button("Note…", "", lambda: self.note_asked.emit(self.code), "Add a note to the log")
        self.withdraw = make_button(
            "Withdraw…", "", lambda: self.withdraw_asked.emit(self.code), "Delete all data of the chosen code"
        )

    def _update_buttons(self) -> None:
        state = self.snapshot.row.state.value if self.snapshot else ""
        collects = state in ("draft", "pilot", "frozen")
        self.bundle.setEnabled(collects)
        self.run.setEnabled(collects)
        self._update_serve(state == "frozen")
        self.merge.setEnabled(state in ("pilot", "frozen", "closed"))
        self._update_replace(state == "frozen")
        self.withdraw.setEnabled(bool(self.code))
        chosen = next((slot for slot in self.model.slots if slot.code == self.code), None)
        self.accommodate.setEnabled(state == "frozen" and chosen is not None and not chosen.place.bundles)

    @property
    def lost(self) -> list[str]:
        """The places that are lost for the plan, and not replaced yet."""
        return [slot.code for slot in self.model.slots if slot.needs_replacement]

    @property
    def to_replace(self) -> str:
        """The place that would be replaced: the chosen one, or the first one that is lost."""
        return self.code or next(iter(self.lost), "")

    def _update_serve(self, is_frozen: bool) -> None:
        """A study is served from Linux, once it is frozen, if its plan says that people take part in browsers."""
        in_browsers = self.snapshot is not None and StudySetting.BROWSER in self.snapshot.document.settings
        reasons = {
            "Only a Linux machine can serve a study.": sys.platform == "linux",
            "By its plan, people take part in this study at a desk: Plan › Where people take part.": in_browsers,
            "The study has to be frozen first.": is_frozen,
        }
        lacking = [reason for reason, is_met in reasons.items() if not is_met]
        self.serve.setEnabled(not lacking)
        self.serve.setToolTip(lacking[0] if lacking else SERVE_TIP)

    def _update_replace(self, may_replace: bool) -> None:
        is_due = may_replace and bool(self.lost) and self.to_replace in self.lost
        self.replace.setText(f"Replace {self.to_replace}…" if is_due else "Replace…")
        self.replace.setIcon(icon("warning", "warning") if may_replace and self.lost else QIcon())
        self.replace.setToolTip(f"Lost for the plan: {', '.join(self.lost)}" if self.lost else REPLACE_TIP)
        self.replace.setEnabled(may_replace and bool(self.to_replace))

    def _open_menu(self, place: QPoint) -> None:
        if not self.code:
            return
        menu = QMenu(self)
        for button in (self.accommodate, self.replace, self.note, self.withdraw):
            action = QAction(button.text(), menu)
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
            menu.addAction(action)
        menu.popup(self.table.viewport().mapToGlobal(place))

    def _lay_out(self) -> None:
        self.facts = QLabel()
        self.more = QLabel()
        for label in (self.facts, self.more):
            label.setObjectName("secondary")
            label.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(_flowing(self.bundle, self.run, self.serve, self.merge, self.log, self.settle), 3)
        row.addWidget(_flowing(self.accommodate, self.replace, self.note, self.withdraw, at_right=True), 2)
        legend = QLabel("· waiting. Nothing here shows how an answer was judged.")
        legend.setObjectName("caption")
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(EmptyState(*NOTHING))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addLayout(row)
        column.addWidget(self.facts)
        column.addWidget(self.more)
        column.addWidget(self.stack, 1)
        column.addWidget(legend)


def facts(snapshot: StudySnapshot) -> list[str]:
    """How many places are in which state, dropouts, times, and missing results."""
    progress = snapshot.progress
    parts = [f"{count} {STATE_WORDS[state][0]}" for state, count in progress.states.items()]
    if progress.active_ms is not None:
        parts.append(f"median {minutes(progress.active_ms)} min")
        left = sum(count for state, count in progress.states.items() if state in (NOT_STARTED, FREE_AGAIN))
        if left:
            parts.append(f"about {left * progress.active_ms / 3_600_000:.1f} h of work to come")
    if progress.dropouts:
        parts.append(counted(progress.dropouts, "dropout"))
    if snapshot.local_bytes:
        parts.append(f"{snapshot.local_bytes / 1e6:.1f} MB on this machine")
    return parts


def balance(snapshot: StudySnapshot) -> list[str]:
    """How equally rows and conditions were finished, and which consents people saw."""
    progress = snapshot.progress
    parts = []
    if progress.rows and any(progress.rows.values()):
        least, most = min(progress.rows.values()), max(progress.rows.values())
        often = str(most) if least == most else f"{least} to {most}"
        parts.append(f"each of the {len(progress.rows)} rows of the orders was finished {often} times")
    if len(progress.conditions) > 1:
        parts.append("by condition " + ", ".join(f"{name}: {count}" for name, count in progress.conditions.items()))
    if len(progress.reserves) > 1:
        parts.append("in reserve " + ", ".join(f"{name}: {count}" for name, count in progress.reserves.items()))
    if snapshot.unpooled:
        parts.append(f"{counted(snapshot.unpooled, 'session')} of earlier versions, not pooled")
    if len(progress.consents) > 1:
        parts.append(f"{len(progress.consents)} versions of the consent")
    lost = [slot.code for slot in progress.slots if slot.needs_replacement]
    if lost and snapshot.row.state.value == "frozen":
        parts.append(f"to be replaced: {_some(lost)}")
    if snapshot.missing and snapshot.row.state.value in ("frozen", "closed"):
        parts.append(f"no results yet: {_some(snapshot.missing)}")
    return parts


def _some(codes: Sequence[str]) -> str:
    return ", ".join(codes[:8]) + (" …" if len(codes) > 8 else "")


def results_in(paths: list[Path]) -> list[Path]:
    """Those of the dropped files that may hold results."""
    return [path for path in paths if path.suffix in (".studyresult", ".jsonl") or path.is_dir()]


def _flowing(*buttons: QPushButton, at_right: bool = False) -> QWidget:
    """Buttons in a row, or in several where a row has no room for all."""
    strip = QWidget()
    flow = FlowLayout(strip, at_right=at_right)
    flow.setSpacing(2 * SPACE)
    for button in buttons:
        flow.addWidget(button)
    return strip
