"""Differences between verifiers as a tree: by task, by pair of verifiers and check, and one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.attempts.columns import instance_caption, task_title
from spatial_workbench.app.attempts.dossier import ruling_words
from spatial_workbench.engine.core.words import score_words
from spatial_workbench.engine.store.facts import CROSSCHECK
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.qt import child_items, top_items

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Difference

Key = tuple[int, str, str]
"""The key of a difference: attempt and the two verifiers."""
_DIFFERENCE = Qt.ItemDataRole.UserRole
_GROUP = Qt.ItemDataRole.UserRole + 1


class DifferenceTree(QTreeWidget):
    """Lists differences. The chosen one and the open groups are kept when others are listed.

    Signals:
        chosen(Difference): a difference was chosen.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._listed: list[Difference] = []
        """In the order of the tree."""
        self.setHeaderLabels(["Attempt", "Scores", "Ruling"])
        self.setAccessibleName("Disagreements by task, verifiers and check")
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(1, 88)
        self.setColumnWidth(2, 140)
        self.itemExpanded.connect(self._open_group)
        self.currentItemChanged.connect(lambda item, _: self._announce_chosen(item))

    def list_differences(self, differences: Iterable[Difference]) -> None:
        """Lists these differences; chooses the first if the chosen one is gone."""
        chosen = self._chosen_key()
        opened = {item.data(0, _GROUP).name for item in self._groups() if item.isExpanded()}
        self._listed = sorted(differences, key=_order)
        self.blockSignals(True)
        self.clear()
        for group in group_by_task(self._listed):
            self._add_task(group)
        self.blockSignals(False)
        if not self._choose(chosen, opened) and self._listed:
            self._choose(_key(self._listed[0]))

    def choose_next_unruled(self) -> bool:
        """Chooses the next difference without a ruling, from the top after the last; returns whether there is one."""
        keys = [_key(difference) for difference in self._listed]
        chosen = self._chosen_key()
        start = keys.index(chosen) + 1 if chosen in keys else 0
        following = (*self._listed[start:], *self._listed[:start])
        unruled = next((difference for difference in following if difference.ruling is None), None)
        return unruled is not None and self._choose(_key(unruled))

    def alike(self, chosen: Difference) -> list[Difference]:
        """The chosen difference, and the listed ones of its task, pair and check without a ruling."""
        group = PairGroup(chosen).name
        return [
            difference
            for difference in self._listed
            if _key(difference) == _key(chosen) or (difference.ruling is None and PairGroup(difference).name == group)
        ]

    def _add_task(self, group: TaskGroup) -> None:
        item = QTreeWidgetItem(self, [f"{task_title(group.task)} · {_counted(group.differences)}"])
        item.setFirstColumnSpanned(True)
        item.setExpanded(True)
        for pair in group.pairs:
            row = QTreeWidgetItem(item, [f"{pair.title} · {_counted(pair.differences)}"])
            row.setFirstColumnSpanned(True)
            row.setToolTip(0, row.text(0))
            row.setData(0, _GROUP, pair)
            row.setIcon(0, icon("warning", "warning" if pair.second == CROSSCHECK else "secondary"))
            # There may be thousands of leaves, so they are only made when the group is opened.
            row.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)

    def _open_group(self, item: QTreeWidgetItem) -> None:
        pair = item.data(0, _GROUP)
        if pair is not None and not item.childCount():
            for difference in pair.differences:
                item.addChild(_leaf(difference))

    def _groups(self) -> Iterable[QTreeWidgetItem]:
        for top in top_items(self):
            yield from child_items(top)

    def _chosen_key(self) -> Key | None:
        item = self.currentItem()
        difference = item.data(0, _DIFFERENCE) if item is not None else None
        return None if difference is None else _key(difference)

    def _choose(self, key: Key | None, opened: Iterable[tuple[str, ...]] = ()) -> bool:
        """Opens groups and selects a difference; returns whether it is listed."""
        for item in self._groups():
            pair = item.data(0, _GROUP)
            holds = any(_key(difference) == key for difference in pair.differences)
            if pair.name in opened or holds:
                self._open_group(item)
                item.setExpanded(True)
            if holds:
                leaf = next(leaf for leaf in child_items(item) if _key(leaf.data(0, _DIFFERENCE)) == key)
                self.setCurrentItem(leaf)
                return True
        return False

    def _announce_chosen(self, item: QTreeWidgetItem | None) -> None:
        difference = item.data(0, _DIFFERENCE) if item is not None else None
        if difference is not None:
            self.chosen.emit(difference)


class PairGroup:
    """Differences of one task between the same two verifiers that start at the same check."""

    def __init__(self, first: Difference) -> None:
        self.task = first.task
        self.first = first.first
        self.second = first.second
        self.check = first.by_check
        self.differences: list[Difference] = []

    @property
    def name(self) -> tuple[str, ...]:
        """Identifies the group among those of its task."""
        return self.task, self.first, self.second, self.check

    @property
    def title(self) -> str:
        """Pair and check in words."""
        return f"{self.first} / {self.second} · {self.check}"


class TaskGroup:
    """Differences of one task."""

    def __init__(self, task: str) -> None:
        self.task = task
        self._pairs: dict[tuple[str, ...], PairGroup] = {}

    @property
    def pairs(self) -> list[PairGroup]:
        """The groups by verifiers and check, those with the cross-check first."""
        return sorted(self._pairs.values(), key=lambda pair: (pair.second != CROSSCHECK, pair.name))

    @property
    def differences(self) -> list[Difference]:
        """All of them."""
        return [difference for pair in self.pairs for difference in pair.differences]

    def add(self, difference: Difference) -> None:
        """Adds a difference."""
        group = PairGroup(difference)
        self._pairs.setdefault(group.name, group).differences.append(difference)


def group_by_task(differences: Iterable[Difference]) -> list[TaskGroup]:
    """The differences by task (in the order of titles), then by pair and check."""
    groups: dict[str, TaskGroup] = {}
    for difference in differences:
        groups.setdefault(difference.task, TaskGroup(difference.task)).add(difference)
    return sorted(groups.values(), key=lambda group: task_title(group.task))


def _order(difference: Difference) -> tuple[object, ...]:
    """As in the tree."""
    return (
        task_title(difference.task),
        difference.second != CROSSCHECK,
        difference.first,
        difference.second,
        difference.by_check,
        difference.attempt,
    )


def _key(difference: Difference) -> Key:
    return difference.attempt, difference.first, difference.second


def _counted(differences: Sequence[Difference]) -> str:
    ruled = sum(difference.ruling is not None for difference in differences)
    return f"{len(differences):,}" + (f" ({ruled:,} ruled on)" if ruled else "")


def _leaf(difference: Difference) -> QTreeWidgetItem:
    leaf = QTreeWidgetItem(
        [
            f"#{difference.attempt}  {instance_caption(difference.address)} · {difference.who or '–'}",
            f"{score_words(difference.first_score)} | {score_words(difference.second_score)}",
            "" if difference.ruling is None else ruling_words(difference.ruling),
        ]
    )
    leaf.setToolTip(0, f"{leaf.text(0)}\n{difference.address}")
    leaf.setToolTip(2, "\n".join(filter(None, (leaf.text(2), difference.note))))
    leaf.setData(0, _DIFFERENCE, difference)
    if difference.ruling is not None:
        leaf.setIcon(2, icon("check", "passed"))
    return leaf
