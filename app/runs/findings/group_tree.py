"""Groups of findings as a tree, by task; questions first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.attempts.columns import task_title
from spatial_workbench.engine.core.instance import task_of_address
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.answer_parts import element_count, most_digits
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup, group_from_data
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import child_items, top_items

_NUMBER = Qt.ItemDataRole.UserRole


class FindingTree(QTreeWidget):
    """Lists groups; the chosen one is kept when others are listed.

    Signals:
        chosen(int): the group of this number was chosen.
    """

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels(["Difference", "Found", "Smallest case"])
        self.headerItem().setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName("Findings by task")
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(1, 72)
        self.setColumnWidth(2, 168)
        self.currentItemChanged.connect(lambda item, _: self._announce(item))

    def list_groups(self, rows: Sequence[dict[str, Any]]) -> None:
        """Lists groups in JSON data; chooses the first if the chosen one is gone."""
        number = self.chosen_number
        groups = sorted(((row, group_from_data(row)) for row in rows), key=lambda pair: _order(*pair))
        self.blockSignals(True)
        self.clear()
        for task in dict.fromkeys(task_of_address(row["address"]) for row, _ in groups):
            self._add_task(task, [pair for pair in groups if task_of_address(pair[0]["address"]) == task])
        self.blockSignals(False)
        items = [child for item in top_items(self) for child in child_items(item)]
        kept = [item for item in items if item.data(0, _NUMBER) == number]
        if items:
            self.setCurrentItem((kept or items)[0])

    @property
    def chosen_number(self) -> int | None:
        """The number of the chosen group."""
        item = self.currentItem()
        number = None if item is None else item.data(0, _NUMBER)
        return None if number is None else int(number)

    def _add_task(self, task: str, groups: Sequence[tuple[dict[str, Any], FindingGroup]]) -> None:
        questions = sum(group.is_question for _, group in groups)
        item = QTreeWidgetItem(self, [f"{task_title(task)} · {counted(questions, 'question')} of {len(groups)}"])
        item.setFirstColumnSpanned(True)
        item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsSelectable)
        for row, group in groups:
            child = QTreeWidgetItem(
                item, [title_of(group), f"{group.count:,}\u2003", size_words(group.smallest.answer)]
            )
            child.setData(0, _NUMBER, row["number"])
            child.setIcon(0, icon("warning", "warning") if group.is_question else icon("compare"))
            child.setToolTip(0, child.text(0))
            child.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setExpanded(True)

    def _announce(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _NUMBER) is not None:
            self.chosen.emit(item.data(0, _NUMBER))


def title_of(group: FindingGroup) -> str:
    """What a group is called: the known differences that it shows, or the check and the two verifiers."""
    way = group.smallest.divergence
    pair = way.first if way.first == way.second else f"{way.first} and {way.second}"
    name = f"{', '.join(group.known)} · " if group.known else ""
    return f"{name}{way.by_check} · {pair}: {way.direction}"


def size_words(answer: str) -> str:
    """How large an answer is, in words."""
    elements, digits = element_count(answer), most_digits(answer)
    return f"{counted(elements, 'element')}, {counted(digits, 'digit')}"


def _order(row: dict[str, Any], group: FindingGroup) -> tuple[str, bool, bool, int]:
    return task_of_address(row["address"]), not group.is_question, bool(group.known), row["number"]
