"""The items of a plan: blocks with their instances, phases, limits and orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.frame.form_dialog import FormDialog
from spatial_workbench.app.studies.leader.plan.question_dialog import QuestionDialog
from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.studies.planning.document import ItemKind, ItemPhase
from spatial_workbench.engine.studies.planning.drafting import block_of, item_id
from spatial_workbench.engine.studies.planning.orders import Order
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.forms.fields import FormField, combo
from spatial_workbench.widgets.forms.places import Data
from spatial_workbench.widgets.qt import child_items, top_items
from spatial_workbench.widgets.theme import SPACE

_BLOCK = Qt.ItemDataRole.UserRole
_ITEM = Qt.ItemDataRole.UserRole + 1
ATTENTION_ADDRESS = "hamiltonian_loop@1?blocked=0&height=2&width=2"
_COMPARED = (ItemPhase.COMPREHENSION.value, ItemPhase.ATTENTION.value)
"""The phases whose answers are compared with expected scores."""
_ITEM_ROWS_PX = 300


class ItemsField(FormField):
    """The blocks with their items."""

    def __init__(self) -> None:
        self.blocks: list[dict[str, Any]] = []
        self._conditions: list[str] = []
        self._is_fixed = False
        body = QWidget()
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Items")
        self.tree.setHeaderLabels(["Item", "Instance", "Phase", "Limit"])
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setFixedHeight(_ITEM_ROWS_PX)
        self.tree.setUniformRowHeights(True)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setStretchLastSection(False)
        self.tree.itemSelectionChanged.connect(self._tell_buttons)
        self.tree.itemActivated.connect(lambda entry, _: self.change_question(entry))
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.tree)
        column.addLayout(self._make_buttons())
        column.addLayout(self._make_choices())
        super().__init__("blocks", "", body)
        self._tell_buttons()

    @property
    def value(self) -> Any:
        return self.blocks

    def show_value(self, value: Any) -> None:
        if list(value) == self.blocks:
            return
        chosen = {self._id_of(item) for item in self.tree.selectedItems()}
        self.blocks = list(value)
        self.tree.clear()
        for block in self.blocks:
            count = counted(len(block["items"]), "item")
            top = QTreeWidgetItem(self.tree, [f"Block {block['id']}", count, block["order"], ""])
            top.setData(0, _BLOCK, block["id"])
            for item in block["items"]:
                limit = f"{item['limit_s']:g} s" if item.get("limit_s") else ""
                words = item["address"] or f"{item['kind']}: {item['shows']}"
                leaf = QTreeWidgetItem(top, [item["id"], str(words), item["phase"], limit])
                leaf.setToolTip(1, str(words))
                leaf.setData(0, _BLOCK, block["id"])
                leaf.setData(0, _ITEM, item["id"])
            top.setExpanded(True)
        for entry in self._entries():
            entry.setSelected(self._id_of(entry) in chosen)
        self.tree.resizeColumnToContents(0)
        self._tell_buttons()

    def offer(self, data: Data) -> None:
        """Sets the conditions that a block may name."""
        names = list(data["conditions"])
        if names != self._conditions:
            self._conditions = names
            self.condition.clear()
            self.condition.addItem("assigned to the person", None)
            for name in names:
                self.condition.addItem(name, name)
            self._tell_buttons()

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._tell_buttons()

    def add_items(self, addresses: Sequence[str], phase: ItemPhase = ItemPhase.MAIN) -> None:
        """Adds items to the chosen block, or to the last one; practice always comes first."""
        place = self._place()
        block = self.blocks[place] if self.blocks else {"id": "main", "items": []}
        taken = {item["id"] for other in self.blocks for item in other["items"]}
        made = [item.model_dump(mode="json") for item in block_of("new", addresses).items]
        for item in made:
            item["id"] = item_id(item["address"], taken)
            item["phase"] = phase.value
            if phase is ItemPhase.ATTENTION:
                item["expects"] = {"score": 1}
            taken.add(item["id"])
        changed = {**block, "items": [*block["items"], *made]}
        self._replace(place, changed)

    def ask_items(self) -> None:
        """Lets the person pick instances from the catalogue."""
        dialog = ItemsDialog(self)
        dialog.ordered.connect(lambda addresses: self.add_items(addresses))
        dialog.open()

    def ask_question(self) -> None:
        """Lets the person write a question or a page to read."""
        dialog = QuestionDialog(self)
        dialog.ordered.connect(self.add_question)
        dialog.open()

    def add_question(self, item: dict[str, Any]) -> None:
        """Adds an item that was written, to the chosen block or to the last one."""
        place = self._place()
        taken = {other["id"] for block in self.blocks for other in block["items"]}
        block = self.blocks[place] if self.blocks else block_of("main", ()).model_dump(mode="json")
        new = {**item, "id": item_id(item["kind"], taken)}
        self._replace(place, {**block, "items": [*block["items"], new]})

    def change_question(self, entry: QTreeWidgetItem) -> None:
        """Opens an item that was written, to be changed."""
        chosen = entry.data(0, _ITEM)
        item = next((item for block in self.blocks for item in block["items"] if item["id"] == chosen), None)
        if item is None or self._is_fixed or item["kind"] == ItemKind.INSTANCE or not isinstance(item["shows"], str):
            return
        dialog = QuestionDialog(self, item)
        dialog.ordered.connect(lambda changed: self._change_items(chosen, **{**changed, "id": chosen}))
        dialog.open()

    def add_block(self) -> None:
        """Adds a block with the chosen items."""
        chosen = {entry.data(0, _ITEM) for entry in self.tree.selectedItems() if entry.data(0, _ITEM)}
        items = [item for block in self.blocks for item in block["items"] if item["id"] in chosen]
        if not items:
            return
        rest = [
            {**block, "items": [item for item in block["items"] if item["id"] not in chosen]} for block in self.blocks
        ]
        names = {block["id"] for block in self.blocks}
        name = next(name for name in (f"block{n}" for n in range(2, len(names) + 3)) if name not in names)
        new = {**self.blocks[0], "id": name, "items": items, "order": "latin" if len(items) > 1 else "fixed"}
        self._set([*(block for block in rest if block["items"]), new])

    def remove(self) -> None:
        """Removes the chosen items, and blocks that are left empty."""
        chosen = {entry.data(0, _ITEM) for entry in self.tree.selectedItems()}
        kept = [
            {**block, "items": [item for item in block["items"] if item["id"] not in chosen]} for block in self.blocks
        ]
        self._set([block for block in kept if block["items"]] or self.blocks)

    def _entries(self) -> list[QTreeWidgetItem]:
        return [entry for top in top_items(self.tree) for entry in (top, *child_items(top))]

    def _id_of(self, entry: QTreeWidgetItem) -> tuple[str, str]:
        return entry.data(0, _BLOCK), entry.data(0, _ITEM) or ""

    def _place(self) -> int:
        """The index of the block that is chosen, or of the last one."""
        chosen = self.tree.selectedItems()
        names = [block["id"] for block in self.blocks]
        return names.index(chosen[0].data(0, _BLOCK)) if chosen else max(0, len(names) - 1)

    def _replace(self, place: int, block: dict[str, Any]) -> None:
        self._set([*self.blocks[:place], block, *self.blocks[place + 1 :]])

    def _set(self, blocks: list[dict[str, Any]]) -> None:
        self.show_value(blocks)
        self.edited.emit()

    def _change_items(self, only: str = "", **values: Any) -> None:
        """Changes the item `only`, or all that are chosen."""
        chosen = {only} if only else {entry.data(0, _ITEM) for entry in self.tree.selectedItems()}
        self._set(
            [
                {
                    **block,
                    "items": [{**item, **values} if item["id"] in chosen else item for item in block["items"]],
                }
                for block in self.blocks
            ]
        )

    def _change_block(self, **values: Any) -> None:
        if self.blocks:
            place = self._place()
            self._replace(place, {**self.blocks[place], **values})

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        self.add = make_button("Add items…", "place", self.ask_items, "Pick instances from the catalogue")
        self.attention = make_button(
            "Add attention item",
            "",
            lambda: self.add_items([ATTENTION_ADDRESS], ItemPhase.ATTENTION),
            "An instance so small that care alone solves it; it is put at a random position among the others",
        )
        self.own_block = make_button("Own block", "", self.add_block, "Puts the chosen items into a separate block")
        self.delete = make_button("Remove", "delete", self.remove, "Removes the chosen items (Delete)")
        self.question = make_button(
            "Add question…",
            "",
            self.ask_question,
            "A question with options, or a page to read; double-click it to edit it",
        )
        for button in (self.add, self.question, self.attention, self.own_block, self.delete):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _make_choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        self.phase = combo("Phase of the chosen items", [phase.value for phase in ItemPhase])
        self.phase.activated.connect(lambda _: self._take_phase(self.phase.currentText()))
        self.score = QLineEdit(placeholderText="–")
        self.score.setAccessibleName("Score that the chosen comprehension or attention items expect")
        self.score.setToolTip("The score from which a comprehension or attention item is answered as expected")
        self.score.setMaximumWidth(50)
        self.score.editingFinished.connect(self._take_score)
        self.limit = QLineEdit(placeholderText="as for all")
        self.limit.setAccessibleName("Limit of the chosen items in seconds")
        self.limit.setMaximumWidth(90)
        self.limit.editingFinished.connect(self._take_limit)
        self.order = combo("Order of the chosen block", [order.value for order in Order])
        self.order.activated.connect(lambda _: self._change_block(order=self.order.currentText()))
        self.condition = combo("Condition of the chosen block", [])
        self.condition.activated.connect(lambda _: self._change_block(condition=self.condition.currentData()))
        words = (
            ("Items:", self.phase),
            ("score ≥", self.score),
            ("limit, s", self.limit),
            ("Block: order", self.order),
        )
        for text, control in (*words, ("condition", self.condition)):
            label = QLabel(text)
            label.setObjectName("secondary")
            label.setBuddy(control)
            row.addWidget(label)
            row.addWidget(control)
        row.addStretch(1)
        return row

    def _take_phase(self, phase: str) -> None:
        """Sets the phase of the chosen items; an instance expects the full score where one is needed."""
        is_compared = phase in _COMPARED
        chosen = self._chosen_items()
        for item in chosen:
            is_instance = item["kind"] == ItemKind.INSTANCE
            expects = (item.get("expects") or ({"score": 1} if is_instance else None)) if is_compared else None
            self._change_items(item["id"], phase=phase, expects=expects)

    def _take_score(self) -> None:
        try:
            score = float(self.score.text())
        except ValueError:
            return
        if self.score.isEnabled() and self._score_of_chosen() != score:
            self._change_items(expects={"score": score})

    def _score_of_chosen(self) -> float | None:
        """The score that all chosen items expect; None if they differ, or expect something else."""
        scores = {(item.get("expects") or {}).get("score") for item in self._chosen_items()}
        return next(iter(scores)) if len(scores) == 1 else None

    def _chosen_items(self) -> list[dict[str, Any]]:
        chosen = {entry.data(0, _ITEM) for entry in self.tree.selectedItems() if entry.data(0, _ITEM)}
        return [item for block in self.blocks for item in block["items"] if item["id"] in chosen]

    def _take_limit(self) -> None:
        text = self.limit.text().strip()
        try:
            value = float(text) if text else None
        except ValueError:
            return
        if not self.limit.isReadOnly() and self._limits_of_chosen() != {value}:
            self._change_items(limit_s=value)

    def _limits_of_chosen(self) -> set[Any]:
        return {item.get("limit_s") for item in self._chosen_items()}

    def _tell_buttons(self) -> None:
        items = self._chosen_items()
        can = not self._is_fixed
        for button in (self.add, self.question, self.attention):
            button.setEnabled(can)
        for control in (self.own_block, self.delete, self.phase, self.limit):
            control.setEnabled(can and bool(items))
        is_scored = all(item["kind"] == ItemKind.INSTANCE and item["phase"] in _COMPARED for item in items)
        self.score.setEnabled(can and bool(items) and is_scored)
        self.order.setEnabled(can and bool(self.blocks))
        self.condition.setEnabled(can and len(self._conditions) > 1)
        if self.blocks:
            block = self.blocks[self._place()]
            self.order.setCurrentText(block["order"])
            self.condition.setCurrentIndex(max(0, self.condition.findData(block.get("condition"))))
        if items:
            self.phase.setCurrentText(items[0]["phase"])
            limits = self._limits_of_chosen()
            self.limit.setText(f"{next(iter(limits)):g}" if len(limits) == 1 and None not in limits else "")
        score = self._score_of_chosen()
        self.score.setText("" if score is None else f"{score:g}")


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
