"""The items of a plan: blocks with their instances, phases, limits and orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.plan import block_changes as changes
from spatial_workbench.app.studies.leader.plan.block_changes import Blocks
from spatial_workbench.app.studies.leader.plan.block_tree import BlockTree, item_of
from spatial_workbench.app.studies.leader.plan.item_choices import ItemChoices
from spatial_workbench.app.studies.leader.plan.question_dialog import QuestionDialog
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import FormField
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.theme import SPACE


class ItemsField(FormField):
    """The blocks with their items, and what is done with those that are chosen."""

    def __init__(self) -> None:
        self._is_fixed = False
        self._languages: Sequence[str] = ("en",)
        self.tree = BlockTree()
        self.tree.itemSelectionChanged.connect(self._show_chosen)
        self.tree.itemActivated.connect(lambda entry, _: self.change_question(entry))
        self.choices = ItemChoices()
        self.choices.phase_chosen.connect(self._change_phase)
        self.choices.items_changed.connect(self._change_items)
        self.choices.block_changed.connect(self._change_block)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.tree)
        column.addLayout(self._make_buttons())
        column.addWidget(self.choices)
        super().__init__("blocks", "", body)
        self._show_chosen()

    @property
    def value(self) -> Any:
        return self.tree.blocks

    def show_value(self, value: Any) -> None:
        if list(value) != self.tree.blocks:
            self.tree.show_blocks(list(value))
            self._show_chosen()

    def offer(self, data: Data) -> None:
        """Sets the conditions that a block may name."""
        if self.choices.offer_conditions(list(data["conditions"])):
            self._show_chosen()

    def write_in(self, language: str, languages: Sequence[str]) -> None:
        self._languages = tuple(languages)
        self.choices.write_in(language)

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._show_chosen()

    # Adding and removing -----------------------------------------------------------------------------------------

    def add_items(self, addresses: Sequence[str], phase: ItemPhase = ItemPhase.MAIN) -> None:
        """Adds items to the chosen block, or to the last one; practice always comes first."""
        self._change(changes.with_instances(self.tree.blocks, self.tree.place, addresses, phase))

    def add_attention_item(self) -> None:
        """Adds an easy instance that looks like the main items and is met nowhere else: nobody recognises it."""
        self._change(changes.with_attention(self.tree.blocks, self.tree.place))

    def ask_items(self) -> None:
        """Lets the person pick instances from the catalogue."""
        dialog = ItemsDialog(self)
        dialog.ordered.connect(lambda addresses: self.add_items(addresses))
        dialog.open()

    def ask_question(self) -> None:
        """Lets the person write a question or a page to read, for the chosen block or the last one."""
        dialog = QuestionDialog(self, None, self._languages)
        dialog.ordered.connect(lambda item: self._change(changes.with_written(self.tree.blocks, self.tree.place, item)))
        dialog.open()

    def change_question(self, entry: QTreeWidgetItem) -> None:
        """Opens an item that was written, to be changed."""
        chosen = item_of(entry)
        item = next((item for item in changes.items_of(self.tree.blocks) if item["id"] == chosen), None)
        if item is None or self._is_fixed or item["kind"] == ItemKind.INSTANCE:
            return
        dialog = QuestionDialog(self, item, self._languages)
        dialog.ordered.connect(
            lambda changed: self._change(
                changes.with_changed_items(self.tree.blocks, (chosen,), **{**changed, "id": chosen})
            )
        )
        dialog.open()

    def add_block(self) -> None:
        """Adds a block with the chosen items."""
        self._change(changes.with_own_block(self.tree.blocks, self.tree.chosen_ids))

    def remove(self) -> None:
        """Removes the chosen items, and blocks that are left empty."""
        self._change(changes.without_items(self.tree.blocks, self.tree.chosen_ids))

    # What is chosen for items and blocks -------------------------------------------------------------------------

    def _change_phase(self, phase: str) -> None:
        self._change(changes.with_phase(self.tree.blocks, self.tree.chosen_ids, phase))

    def _change_items(self, values: dict[str, Any]) -> None:
        self._change(changes.with_changed_items(self.tree.blocks, self.tree.chosen_ids, **values))

    def _change_block(self, values: dict[str, Any]) -> None:
        self._change(changes.with_changed_block(self.tree.blocks, self.tree.place, **values))

    def _change(self, blocks: Blocks) -> None:
        self.show_value(blocks)
        self.edited.emit()

    def _show_chosen(self) -> None:
        """Shows what is chosen for the chosen items, and what can be done with them."""
        items = self.tree.chosen_items
        blocks = self.tree.blocks
        can_change = not self._is_fixed
        for button in (self.add, self.question, self.attention):
            button.setEnabled(can_change)
        for button in (self.own_block, self.delete):
            button.setEnabled(can_change and bool(items))
        self.choices.show_chosen(items, blocks[self.tree.place] if blocks else None, can_change)

    def _make_buttons(self) -> QHBoxLayout:
        self.add = make_button("Add items…", "place", self.ask_items, "Pick instances from the catalogue")
        self.question = make_button(
            "Add question…",
            "",
            self.ask_question,
            "A question with options, or a page to read; double-click it to edit it",
        )
        self.attention = make_button(
            "Add attention item",
            "",
            self.add_attention_item,
            "An easy instance like the others, which care alone solves; it is put at a random position among them",
        )
        self.own_block = make_button("Own block", "", self.add_block, "Puts the chosen items into a separate block")
        self.delete = make_button("Remove", "delete", self.remove, "Removes the chosen items (Delete)")
        key = QShortcut(QKeySequence.StandardKey.Delete, self.tree, self.delete.click)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for button in (self.add, self.question, self.attention, self.own_block, self.delete):
            row.addWidget(button)
        row.addStretch(1)
        return row


class ItemsDialog(FormDialog):
    """Asks for instances of the catalogue.

    Signals:
        ordered(list): addresses.
    """

    ordered = Signal(list)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Add items", "Tick tasks and instances, or type their addresses.", "Add", parent)
        self.tasks = TaskTree()
        self.tasks.changed.connect(self._count)
        self.body.insertWidget(1, self.tasks, 1)
        self.resize(560, 640)
        self._count()

    def order(self) -> None:
        """Passes the addresses on."""
        self.ordered.emit(self.tasks.addresses())
        self.accept()

    def _count(self) -> None:
        try:
            addresses = self.tasks.addresses()
        except InstanceError as error:
            self.show_trouble(str(error))
            self.go.setEnabled(False)
            return
        self.show_trouble("")
        self.show_note(f"{counted(len(addresses), 'instance')} chosen." if addresses else "")
        self.go.setEnabled(bool(addresses))
