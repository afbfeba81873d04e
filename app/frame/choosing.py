"""A tree for choosing tasks and instances, grouped by bucket."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from spatial_workbench.app.frame.added import added
from spatial_workbench.engine.core import Family, Instance, Named, Task, tasks
from spatial_workbench.engine.evaluation.planning.plan import select
from spatial_workbench.widgets.qt import child_items, top_items
from spatial_workbench.widgets.search_field import SearchField
from spatial_workbench.widgets.theme import SPACE

_ADDRESS = Qt.ItemDataRole.UserRole
_TASK = Qt.ItemDataRole.UserRole + 1


class TaskTree(QWidget):
    """Tasks and instances with boxes to tick.

    Signals:
        changed(): the choice has changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField("Find a task")
        self.search.textChanged.connect(self._filter)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Tasks and instances")
        self.more = QLineEdit()
        self.more.setPlaceholderText("More, such as two_segments@7 or maze_3d:0-2")
        self.more.setAccessibleName("More instances by their addresses")
        self.more.setToolTip("TASK@SEED is a generated instance, TASK:0-4 a range of published ones")
        self.more.textChanged.connect(self.changed)
        self._changing = QTimer(self, singleShot=True, interval=0)
        self._changing.timeout.connect(self.changed)
        self._fill()
        self.tree.itemChanged.connect(lambda *_: self._changing.start())
        self.tree.itemExpanded.connect(_name_instances)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.search)
        layout.addWidget(self.tree, 1)
        layout.addLayout(self._buttons())
        layout.addWidget(self.more)

    def addresses(self) -> list[str]:
        """The ticked instances in the order of the tree, then the typed addresses.

        Raises:
            InstanceError: A typed address names no instance.
        """
        parts = [part.strip() for part in self.more.text().split(",") if part.strip()]
        # Making an instance from its seed may take a while; whether it can be made is seen in the background.
        typed = [address for part in parts for address in ([part] if "@" in part else select(part))]
        return list(dict.fromkeys([*self._ticked_addresses(), *typed]))

    def _ticked_addresses(self) -> list[str]:
        return [leaf.data(0, _ADDRESS) for leaf in self._leaves() if leaf.checkState(0) == Qt.CheckState.Checked]

    def choose(self, addresses: set[str]) -> None:
        """Ticks these instances and no others."""
        for leaf in self._leaves():
            chosen = leaf.data(0, _ADDRESS) in addresses
            leaf.setCheckState(0, Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)

    def _fill(self) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for task in tasks():
            name = task.bucket.label if task.family == Family.SCBENCH else task.family.label
            if name not in groups:
                groups[name] = _ticked(self.tree, name)
            branch = _ticked(groups[name], task.title)
            branch.setData(0, _TASK, task)
            for instance in task.instances():
                leaf = _ticked(branch, str(instance.number))
                leaf.setData(0, _ADDRESS, instance.address)
            for collection, entries in added().to(task.id).items():
                _add_collection(groups[name], task, collection, entries)
        for name, group in groups.items():
            count = sum(branch.childCount() for branch in child_items(group))
            group.setText(0, f"{name}  ({count})")
            group.setExpanded(True)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for text, tip, chosen in (
            ("All of SCBench", "The 285 subtasks of the Spatial Competence Benchmark", _is_scbench),
            ("First of each", "The first instance of every task", _is_first),
            ("None", "Untick everything", lambda task, instance: False),
        ):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, criterion=chosen: self._choose_by(criterion))
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _choose_by(self, criterion: Callable[[Task[Any], Instance], bool]) -> None:
        self.choose(
            {instance.address for task in tasks() for instance in task.instances() if criterion(task, instance)}
        )

    def _leaves(self) -> Iterator[QTreeWidgetItem]:
        for branch in self._branches():
            yield from child_items(branch)

    def _branches(self) -> Iterator[QTreeWidgetItem]:
        for group in top_items(self.tree):
            yield from child_items(group)

    def _filter(self, text: str) -> None:
        words = text.lower().split()
        for branch in self._branches():
            title = f"{branch.text(0)} {branch.data(0, _TASK).id}".lower()
            branch.setHidden(not all(word in title for word in words))
        for group in top_items(self.tree):
            group.setHidden(all(branch.isHidden() for branch in child_items(group)))


def _ticked(parent: QTreeWidget | QTreeWidgetItem, text: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem(parent, [text])
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
    item.setCheckState(0, Qt.CheckState.Unchecked)
    return item


def _add_collection(group: QTreeWidgetItem, task: Task[Any], collection: str, entries: Sequence[Named]) -> None:
    """Adds the instances that a person added to a collection, as a branch of its own."""
    branch = _ticked(group, f"{task.title}: {collection}")
    branch.setData(0, _TASK, task)
    for entry in entries:
        leaf = _ticked(branch, entry.caption)
        leaf.setData(0, _ADDRESS, f"{task.id}:{entry.name}")


def _name_instances(branch: QTreeWidgetItem) -> None:
    """Adds the captions of the instances when their task is expanded."""
    task: Task[Any] | None = branch.data(0, _TASK)
    if task is None:
        return
    published = {instance.address: instance for instance in task.instances()}
    for leaf in child_items(branch):
        if (instance := published.get(leaf.data(0, _ADDRESS))) is not None:
            leaf.setText(0, f"{instance.number}  {task.caption(instance)}")


def _is_scbench(task: Task[Any], instance: Instance) -> bool:
    return task.family == Family.SCBENCH


def _is_first(task: Task[Any], instance: Instance) -> bool:
    return instance.number == 0
