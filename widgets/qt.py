"""Small things that Qt leaves to those who use it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtWidgets import QApplication, QTreeWidget, QTreeWidgetItem

Index = QModelIndex | QPersistentModelIndex
"""What views ask models about."""


def the_application() -> QApplication:
    """The application, which has to be there already."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def top_items(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    """The items of a tree that have no parent."""
    for k in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(k)
        assert item is not None
        yield item


def child_items(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    """The items directly below one."""
    for k in range(item.childCount()):
        child = item.child(k)
        assert child is not None
        yield child
