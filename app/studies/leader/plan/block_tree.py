"""The blocks of a plan as a tree, with their items below them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from spatial_workbench.app.studies.leader.plan.block_changes import Blocks, items_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.widgets.qt import child_items, top_items

_BLOCK = Qt.ItemDataRole.UserRole
_ITEM = Qt.ItemDataRole.UserRole + 1
_ROWS_PX = 300


class BlockTree(QTreeWidget):
    """Shows blocks, of which items are chosen; what is chosen stays so by its id."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: Blocks = []
        self.setAccessibleName("Items")
        self.setHeaderLabels(["Item", "Instance", "Phase", "Limit"])
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFixedHeight(_ROWS_PX)
        self.setUniformRowHeights(True)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.header().setStretchLastSection(False)

    @property
    def chosen_ids(self) -> set[str]:
        """The ids of the chosen items."""
        return {item_of(entry) for entry in self.selectedItems()} - {""}

    @property
    def chosen_items(self) -> list[dict[str, Any]]:
        """The chosen items, in order."""
        ids = self.chosen_ids
        return [item for item in items_of(self.blocks) if item["id"] in ids]

    @property
    def place(self) -> int:
        """The index of the block that is chosen, or of the last one; 0 if there is none."""
        chosen = self.selectedItems()
        names = [block["id"] for block in self.blocks]
        return names.index(chosen[0].data(0, _BLOCK)) if chosen else max(0, len(names) - 1)

    def show_blocks(self, blocks: Blocks) -> None:
        """Shows other blocks without a signal; the cursor stays at its entry, or in its row if that entry is gone."""
        chosen = {_key_of(entry) for entry in self.selectedItems()}
        cursor = self.currentItem()
        row = 0 if cursor is None else self._entries.index(cursor)
        key = None if cursor is None else _key_of(cursor)
        scrolled_px = self.verticalScrollBar().value()
        self.blocks = blocks
        # Nothing is chosen meanwhile: whoever heard of it would disable the control that has the focus.
        with QSignalBlocker(self):
            self.clear()
            for block in blocks:
                self._add_block(block)
            for entry in self._entries:
                entry.setSelected(_key_of(entry) in chosen)
            if key is not None:
                self._put_cursor(key, row)
        self.verticalScrollBar().setValue(scrolled_px)
        self.resizeColumnToContents(0)

    @property
    def _entries(self) -> list[QTreeWidgetItem]:
        """All entries from top to bottom."""
        return [entry for top in top_items(self) for entry in (top, *child_items(top))]

    def _put_cursor(self, key: tuple[str, str], row: int) -> None:
        """Puts the cursor, without choosing anything, at an entry, or in a row if there is no such entry."""
        entries = self._entries
        same = [entry for entry in entries if _key_of(entry) == key]
        in_row = entries[row : row + 1] or entries[-1:]
        for entry in (same or in_row)[:1]:
            self.setCurrentItem(entry, 0, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _add_block(self, block: dict[str, Any]) -> None:
        count = counted(len(block["items"]), "item")
        titles = block.get("title") or ""
        title = next(filter(None, titles.values()), "") if isinstance(titles, dict) else titles
        top = QTreeWidgetItem(self, [title or f"Block {block['id']}", count, block["order"], ""])
        top.setData(0, _BLOCK, block["id"])
        for item in block["items"]:
            limit = f"{item['limit_s']:g} s" if item.get("limit_s") else ""
            words = item["address"] or f"{item['kind']}: {item['shows']}"
            leaf = QTreeWidgetItem(top, [item["id"], str(words), item["phase"], limit])
            leaf.setToolTip(1, str(words))
            leaf.setData(0, _BLOCK, block["id"])
            leaf.setData(0, _ITEM, item["id"])
        top.setExpanded(True)


def item_of(entry: QTreeWidgetItem) -> str:
    """The id of the item that an entry of the tree stands for; "" for a block."""
    return entry.data(0, _ITEM) or ""


def _key_of(entry: QTreeWidgetItem) -> tuple[str, str]:
    """An item is the same in whatever block it is."""
    item = item_of(entry)
    return ("", item) if item else (entry.data(0, _BLOCK), "")
