"""Small additions to Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QTimer
from PySide6.QtGui import QDropEvent, QFont, QPixmap
from PySide6.QtWidgets import QApplication, QTreeWidget, QTreeWidgetItem

Index = QModelIndex | QPersistentModelIndex
"""An index in either form in which Qt passes it to models and delegates."""


def the_application() -> QApplication:
    """The running application, which has to exist already."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def call_later(owner: QObject, slot: Callable[[], object], after_ms: int = 0) -> None:
    """Calls a slot once, unless its owner is deleted first.

    QTimer.singleShot does the same, but if the owner is deleted first, PySide keeps a bound method for ever, and
    everything that it refers to.
    """
    timer = QTimer(owner, singleShot=True, interval=after_ms)
    timer.timeout.connect(slot)
    timer.timeout.connect(timer.deleteLater)
    timer.start()


def sized_font(pixels: int, bold: bool = False) -> QFont:
    """The application's font in a size in pixels."""
    font = QFont()
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font


def top_items(tree: QTreeWidget) -> Iterator[QTreeWidgetItem]:
    """The items of a tree that have no parent."""
    for k in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(k)
        assert item is not None
        yield item


def child_items(item: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    """The items directly below another one."""
    for k in range(item.childCount()):
        child = item.child(k)
        assert child is not None
        yield child


def pixmap_of(png: bytes) -> QPixmap:
    """A picture to be shown; empty if it cannot be read."""
    pixmap = QPixmap()
    pixmap.loadFromData(png)
    return pixmap


def dropped_paths(event: QDropEvent) -> list[Path]:
    """The files and folders of this computer that are dropped; the drop is accepted."""
    event.acceptProposedAction()
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
