"""What the rules of quality find, the exclusions, and the end of collection. It knows no outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSortFilterProxyModel, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.studies.leader.work.reading import StudySnapshot
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.analysis.outcomes import StudyState
from spatial_workbench.engine.studies.analysis.rules import excluded_sessions
from spatial_workbench.engine.studies.planning.document import StudyResponse
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.empty_state import EmptyState
from spatial_workbench.widgets.tables.rows import ROW_HEIGHT, RowsModel, TableColumn, make_rows_table
from spatial_workbench.widgets.theme import SPACE

NO_RESULTS = ("No results yet", "Merge results under Progress; what breaks a rule of the plan appears here.")
NOTHING_BROKEN = ("No rule is broken", "No session that is analysed breaks a rule of the plan.")


@dataclass(frozen=True)
class FlagRow:
    """A line of the list: a breach, or a post-hoc entry."""

    code: str
    item: str
    rule: str
    value: str
    threshold: str
    response: str
    session: str
    position: int | None


def _consequence(row: FlagRow) -> str:
    """The icon and the colour of what a breach leads to."""
    return "failed" if row.response != StudyResponse.FLAG.value else "warning"


COLUMNS: tuple[TableColumn[FlagRow], ...] = (
    TableColumn("Code", lambda row: row.code, 84, is_long=True),
    TableColumn("Item", lambda row: row.item or "all", 180, is_long=True),
    TableColumn("Rule", lambda row: row.rule.replace("_", " "), 120, is_long=True),
    TableColumn("Value", lambda row: row.value, 220, is_long=True),
    TableColumn("Threshold", lambda row: row.threshold, 140, is_long=True),
    TableColumn(
        "Leads to",
        lambda row: row.response,
        120,
        is_long=True,
        icon=lambda row: (_consequence(row), _consequence(row)),
        color=_consequence,
    ),
)


def rows_of(snapshot: StudySnapshot) -> tuple[FlagRow, ...]:
    """The breaches, then the post-hoc entries, with the items that they are about."""
    items = {
        (slot.session, place): cell.item
        for slot in snapshot.progress.slots
        for place, cell in enumerate(slot.cells)
        if slot.session
    }
    codes = {slot.session: slot.code for slot in snapshot.progress.slots if slot.session}
    found = [
        FlagRow(
            breach.code,
            "" if breach.position is None else items.get((breach.session, breach.position), str(breach.position)),
            breach.rule,
            breach.value,
            breach.threshold,
            breach.response.value,
            breach.session,
            breach.position,
        )
        for breach in snapshot.flags
    ]
    later = [
        FlagRow(
            codes.get(entry.session, ""),
            "" if entry.position is None else items.get((entry.session, entry.position), str(entry.position)),
            "post-hoc",
            entry.reason,
            "",
            "listed apart",
            entry.session,
            entry.position,
        )
        for entry in snapshot.post_hoc
    ]
    return (*found, *later)


class QualityView(QWidget):
    """Flags by rule, exclusions by hand, and closing.

    Signals:
        exclude_asked(str): exclude a session by hand; the code of the chosen row, or "".
        close_asked(): end the collection.
        row_chosen(str): go to the place of that code.
    """

    exclude_asked = Signal(str)
    close_asked = Signal()
    row_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.snapshot: StudySnapshot | None = None
        self.model: RowsModel[FlagRow] = RowsModel(COLUMNS)
        self.sorted = QSortFilterProxyModel()
        self.sorted.setSourceModel(self.model)
        self.table = make_rows_table(self.sorted, COLUMNS, "Flags")
        self.table.setSortingEnabled(True)
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.doubleClicked.connect(lambda _: self.row_chosen.emit(self.code))
        self.exclude = make_button(
            "Exclude…", "", lambda: self.exclude_asked.emit(self.code), "Exclude a session or an item, with a reason"
        )
        self.close_button = make_button(
            "Close collection…", "lock", self.close_asked.emit, "Ends collection and permanently fixes this list"
        )
        self._lay_out()

    @property
    def code(self) -> str:
        """The code of the chosen row; "" if none is chosen."""
        rows = self.table.selectionModel().selectedRows()
        return self.model.rows[self.sorted.mapToSource(rows[0]).row()].code if rows else ""

    def show_snapshot(self, snapshot: StudySnapshot) -> None:
        """Shows the flags of a study."""
        self.snapshot = snapshot
        self.model.show_rows(rows_of(snapshot))
        self.stack.setCurrentIndex(0 if self.model.rows else 1)
        self.nothing.say(*(NOTHING_BROKEN if snapshot.row.sessions else NO_RESULTS))
        self.words.setText(words_of(snapshot))
        is_fixed = bool(snapshot.list_hash)
        has_sessions = any(slot.session for slot in snapshot.progress.slots)
        self.exclude.setEnabled(has_sessions)
        self.exclude.setText("Post-hoc entry…" if is_fixed or snapshot.is_open else "Exclude…")
        can_close = snapshot.row.state is StudyState.FROZEN or (snapshot.is_open and not is_fixed)
        self.close_button.setEnabled(can_close)
        self.close_button.setVisible(not is_fixed)

    def _lay_out(self) -> None:
        self.words = QLabel()
        self.words.setObjectName("secondary")
        self.words.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self.exclude)
        row.addStretch(1)
        row.addWidget(self.close_button)
        self.nothing = EmptyState(*NO_RESULTS)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.table)
        self.stack.addWidget(self.nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3 * SPACE, 0, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addLayout(row)
        column.addWidget(self.words)
        column.addWidget(self.stack, 1)


def words_of(snapshot: StudySnapshot) -> str:
    """How many are flagged and excluded, and whether that can change."""
    sessions = len({breach.session for breach in snapshot.flags})
    excluded = len(excluded_sessions(snapshot.flags))
    counts = (
        f"{counted(len(snapshot.flags), 'entry', 'entries')} about {counted(sessions, 'session')}, {excluded} excluded."
    )
    if snapshot.list_hash:
        return f"{counts} The list is fixed; its hash is {snapshot.list_hash[:12]}. Later errors are listed separately."
    return f"{counts} The list changes with every merge until collection is closed."
