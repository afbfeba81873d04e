"""Parts of a plan that are more than one field: items, conditions, questions to people, rules, the size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.frame.choosing import TaskTree
from app.frame.form_dialog import FormDialog
from app.studies.leader.buttons import make_button
from app.studies.leader.fields import Field
from app.studies.leader.work import PlannerInputs
from engine.core import InstanceError
from engine.core.words import counted
from engine.studies.document import PRESETS, Feedback, ItemPhase, Response
from engine.studies.drafting import LIBRARY, block_of, item_id
from engine.studies.orders import Order
from engine.studies.planner import ASSUMED_SD_OF_PEOPLE, ASSUMED_SD_OF_REST
from engine.studies.rules import DEFAULTS
from widgets.number_box import number_field
from widgets.qt import child_items, top_items
from widgets.theme import SPACE

_BLOCK, _ITEM = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
ATTENTION_ADDRESS = "hamiltonian_loop@1?blocked=0&height=2&width=2"
_CUSTOM = "custom"
_ITEM_ROWS_PX = 300


class ItemsField(Field):
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

    def offer_conditions(self, names: Sequence[str]) -> None:
        """Sets the conditions that a block may name."""
        if list(names) != self._conditions:
            self._conditions = list(names)
            self.condition.clear()
            self.condition.addItem("assigned to the person", None)
            for name in names:
                self.condition.addItem(name, name)
            self._tell_buttons()

    def set_read_only(self, is_fixed: bool) -> None:
        self._is_fixed = is_fixed
        self._tell_buttons()

    def add_items(self, addresses: Sequence[str], phase: ItemPhase = ItemPhase.MAIN) -> None:
        """Adds items to the chosen block, or to the last one; practice comes first by itself."""
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

    def _change_items(self, **values: Any) -> None:
        chosen = {entry.data(0, _ITEM) for entry in self.tree.selectedItems()}
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
            "An instance so small that care alone solves it; it stands at a drawn place among the others",
        )
        self.own_block = make_button("Own block", "", self.add_block, "Puts the chosen items into a block of their own")
        self.delete = make_button("Remove", "delete", self.remove, "Removes the chosen items (Delete)")
        for button in (self.add, self.attention, self.own_block, self.delete):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _make_choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        self.phase = _combo("Phase of the chosen items", [phase.value for phase in ItemPhase])
        self.phase.activated.connect(lambda _: self._change_items(phase=self.phase.currentText()))
        self.limit = QLineEdit(placeholderText="as for all")
        self.limit.setAccessibleName("Limit of the chosen items in seconds")
        self.limit.setMaximumWidth(90)
        self.limit.editingFinished.connect(self._take_limit)
        self.order = _combo("Order of the chosen block", [order.value for order in Order])
        self.order.activated.connect(lambda _: self._change_block(order=self.order.currentText()))
        self.condition = _combo("Condition of the chosen block", [])
        self.condition.activated.connect(lambda _: self._change_block(condition=self.condition.currentData()))
        words = (("Items:", self.phase), ("limit, s", self.limit), ("Block: order", self.order))
        for text, control in (*words, ("condition", self.condition)):
            label = QLabel(text)
            label.setObjectName("secondary")
            label.setBuddy(control)
            row.addWidget(label)
            row.addWidget(control)
        row.addStretch(1)
        return row

    def _take_limit(self) -> None:
        text = self.limit.text().strip()
        try:
            value = float(text) if text else None
        except ValueError:
            return
        if not self.limit.isReadOnly() and self._limits_of_chosen() != {value}:
            self._change_items(limit_s=value)

    def _limits_of_chosen(self) -> set[Any]:
        chosen = {entry.data(0, _ITEM) for entry in self.tree.selectedItems()}
        return {item.get("limit_s") for block in self.blocks for item in block["items"] if item["id"] in chosen}

    def _tell_buttons(self) -> None:
        chosen = [entry.data(0, _ITEM) for entry in self.tree.selectedItems() if entry.data(0, _ITEM)]
        can = not self._is_fixed
        for button in (self.add, self.attention):
            button.setEnabled(can)
        for control in (self.own_block, self.delete, self.phase, self.limit):
            control.setEnabled(can and bool(chosen))
        self.order.setEnabled(can and bool(self.blocks))
        self.condition.setEnabled(can and len(self._conditions) > 1)
        if self.blocks:
            block = self.blocks[self._place()]
            self.order.setCurrentText(block["order"])
            self.condition.setCurrentIndex(max(0, self.condition.findData(block.get("condition"))))
        items = [item for block in self.blocks for item in block["items"] if item["id"] in chosen]
        if items:
            self.phase.setCurrentText(items[0]["phase"])
            limits = self._limits_of_chosen()
            self.limit.setText(f"{next(iter(limits)):g}" if len(limits) == 1 and None not in limits else "")


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
            self.tell_trouble(str(error))
            self.go.setEnabled(False)
            return
        self.tell_trouble("")
        self.tell(f"{counted(len(addresses), 'instance')} chosen." if addresses else "")
        self.go.setEnabled(bool(addresses))


class ConditionsField(Field):
    """The conditions: a name, which aids people have, what they are told, whether the clock is shown."""

    def __init__(self) -> None:
        self._data: dict[str, Any] = {}
        self._is_fixed = False
        body = QWidget()
        self._grid = QGridLayout(body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(2 * SPACE)
        self._grid.setVerticalSpacing(2 * SPACE)
        super().__init__("conditions", "", body)

    @property
    def value(self) -> Any:
        return self._data

    def show_value(self, value: Any) -> None:
        if value != self._data:
            self._data = dict(value)
            self._build()

    def set_read_only(self, is_fixed: bool) -> None:
        if is_fixed != self._is_fixed:
            self._is_fixed = is_fixed
            self._build()

    def add(self) -> None:
        """Adds a condition with the usual aids."""
        name = next(name for name in (f"condition{n}" for n in range(1, 99)) if name not in self._data)
        self._set({**self._data, name: preset_data("hands")})

    def _build(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for column, text in enumerate(("Name", "Aids", "Feedback", "Told after", "Clock")):
            label = QLabel(text)
            label.setObjectName("secondary")
            self._grid.addWidget(label, 0, column)
        for row, name in enumerate(self._data, 1):
            self._add_row(row, name, self._data[name])
        button = make_button("Add condition", "place", self.add, "People are dealt to conditions in equal numbers")
        button.setEnabled(not self._is_fixed)
        self._grid.addWidget(button, len(self._data) + 1, 0)
        self._grid.setColumnStretch(7, 1)

    def _add_row(self, row: int, name: str, condition: Mapping[str, Any]) -> None:
        line = QLineEdit(name)
        line.setAccessibleName(f"Name of condition {row}")
        line.setMaximumWidth(140)
        line.editingFinished.connect(lambda: self._rename(name, line.text().strip()))
        preset = _combo(f"Aids of {name}", [*PRESETS, *([_CUSTOM] if preset_of(condition) == _CUSTOM else [])])
        preset.setCurrentText(preset_of(condition))
        preset.activated.connect(lambda _: self._take_preset(name, preset.currentText()))
        feedback = _combo(f"Feedback of {name}", [kind.value for kind in Feedback])
        feedback.setCurrentText(condition["feedback"])
        feedback.activated.connect(lambda _: self._change(name, feedback=feedback.currentText()))
        after = _combo(f"When people in {name} are told", ["submission", "item", "block", "end"])
        after.setCurrentText(condition["feedback_after"])
        after.activated.connect(lambda _: self._change(name, feedback_after=after.currentText()))
        clock = _combo(f"Clock of {name}", ["shown", "hidden"])
        clock.setCurrentText(condition["clock"])
        clock.activated.connect(lambda _: self._change(name, clock=clock.currentText()))
        check = QCheckBox("Format check")
        check.setAccessibleName(f"Format check in {name}")
        check.setToolTip("A typed answer that cannot be read is objected to once, as models are told of one")
        check.setChecked(condition.get("format_check", True))
        check.clicked.connect(lambda checked: self._change(name, format_check=checked))
        check.setVisible(condition["answer"] == "text")
        remove = make_button("", "delete", lambda: self._remove(name), f"Remove the condition {name}")
        remove.setAccessibleName(f"Remove the condition {name}")
        remove.setVisible(len(self._data) > 1)
        for column, control in enumerate((line, preset, feedback, after, clock, check, remove)):
            control.setEnabled(not self._is_fixed)
            self._grid.addWidget(control, row, column)

    def _rename(self, old: str, new: str) -> None:
        if new and new != old and new not in self._data:
            self._set({new if name == old else name: value for name, value in self._data.items()})

    def _take_preset(self, name: str, preset: str) -> None:
        if preset != _CUSTOM:
            self._set({**self._data, name: preset_data(preset)})

    def _change(self, name: str, **values: Any) -> None:
        self._set({**self._data, name: {**self._data[name], **values}})

    def _remove(self, name: str) -> None:
        self._set({other: value for other, value in self._data.items() if other != name})

    def _set(self, data: dict[str, Any]) -> None:
        self.show_value(data)
        self.edited.emit()


def preset_data(name: str) -> dict[str, Any]:
    """A named condition as plain data."""
    data: dict[str, Any] = PRESETS[name].model_dump(mode="json", by_alias=True)
    return {**data, "aids": sorted(data["aids"])}


def preset_of(condition: Mapping[str, Any]) -> str:
    """The name of a condition's aids, or "custom"."""
    key = (sorted(condition["aids"]), condition["answer"])
    matching = (name for name in PRESETS if (preset_data(name)["aids"], preset_data(name)["answer"]) == key)
    return next(matching, _CUSTOM)


class CovariatesField(Field):
    """Questions about the person: those of the library as boxes to tick; own ones are edited as JSON."""

    def __init__(self) -> None:
        self._data: list[Any] = []
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        self.boxes: dict[str, QCheckBox] = {}
        for covariate in LIBRARY:
            words = str(covariate.ask) + (" (asked at the end)" if covariate.when == "after" else "")
            box = QCheckBox(words)
            box.clicked.connect(self._take)
            self.boxes[covariate.key] = box
            column.addWidget(box)
        self._own = QLabel()
        self._own.setObjectName("caption")
        column.addWidget(self._own)
        super().__init__("covariates", "", body)

    @property
    def value(self) -> Any:
        return self._data

    def show_value(self, value: Any) -> None:
        self._data = list(value)
        keys = [covariate["key"] for covariate in self._data]
        for key, box in self.boxes.items():
            box.setChecked(key in keys)
        own = [key for key in keys if key not in self.boxes]
        self._own.setText(f"Own questions, edited as JSON: {', '.join(own)}" if own else "")
        self._own.setVisible(bool(own))

    def _take(self) -> None:
        library = {covariate.key: covariate.model_dump(mode="json") for covariate in LIBRARY}
        kept = [one for one in self._data if one["key"] not in self.boxes or self.boxes[one["key"]].isChecked()]
        known = {one["key"] for one in kept}
        added = [library[key] for key, box in self.boxes.items() if box.isChecked() and key not in known]
        self._data = [*kept, *added]
        self.edited.emit()


class RulesField(Field):
    """The rules of quality: what each leads to, and its thresholds."""

    def __init__(self) -> None:
        self._data: list[Any] = []
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4 * SPACE)
        grid.setVerticalSpacing(SPACE)
        self.boxes: dict[str, QComboBox] = {}
        self._thresholds: dict[str, QLabel] = {}
        for row, name in enumerate(DEFAULTS):
            box = _combo(f"Rule {name}", [response.value for response in Response])
            box.activated.connect(self._take)
            words = QLabel()
            words.setObjectName("caption")
            words.setWordWrap(True)
            self.boxes[name], self._thresholds[name] = box, words
            grid.addWidget(QLabel(name.replace("_", " ")), row, 0)
            grid.addWidget(box, row, 1)
            grid.addWidget(words, row, 2)
        grid.setColumnStretch(2, 1)
        super().__init__("rules", "", body, "Thresholds are edited as JSON.")

    @property
    def value(self) -> Any:
        return self._data

    def show_value(self, value: Any) -> None:
        self._data = list(value)
        own = {rule["rule"]: rule for rule in self._data}
        for name, usual in DEFAULTS.items():
            rule = own.get(name, usual.model_dump(mode="json"))
            self.boxes[name].setCurrentText(rule["response"])
            self._thresholds[name].setText(", ".join(_threshold(key, one) for key, one in rule["value"].items()))

    def _take(self) -> None:
        own = {rule["rule"]: rule for rule in self._data}
        self._data = [
            {**own.get(name, usual.model_dump(mode="json")), "response": self.boxes[name].currentText()}
            for name, usual in DEFAULTS.items()
        ]
        self.edited.emit()


_THRESHOLDS = {
    "least_s": "under {} s",
    "share_of_pilot": "under {} of the pilot's median",
    "least": "fewer than {}",
    "seconds": "more than {} s",
    "times": "more than {} times",
    "resumes": "more than {} resumes",
    "share": "less than {} of the items",
    "characters": "over {} characters",
    "items": "on {} items",
}


def _threshold(name: str, value: Any) -> str:
    """A threshold in words; what is declared, as question and answers."""
    if isinstance(value, list | tuple):
        given = ("yes" if one is True else "no" if one is False else str(one) for one in value)
        return f"{name.replace('_', ' ')}: {' or '.join(given)}"
    return _THRESHOLDS.get(name, f"{name} {{}}").format(value)


class PlannerPanel(QWidget):
    """Works out how many people a study needs.

    Signals:
        asked(PlannerInputs): somebody wants to know; the answer goes to `show_people`.
        chosen(int, dict): the slots, and the inputs that led to them.
    """

    asked = Signal(object)
    chosen = Signal(int, dict)

    def __init__(self) -> None:
        super().__init__()
        self._items, self._multiple, self._slots = 1, 1, 0
        self.aim = _combo("Aim", ["interval of ±", "difference from a model of"])
        self.target = number_field("Size", (0.01, 1), 0.01, 2)
        self.target.setValue(0.1)
        self.people = number_field("SD of people", (0, 1), 0.01, 2)
        self.people.setValue(ASSUMED_SD_OF_PEOPLE)
        self.rest = number_field("SD within a person", (0, 1), 0.01, 2)
        self.rest.setValue(ASSUMED_SD_OF_REST)
        self.dropout = number_field("Dropout", (0, 90), 5, 0, "%")
        self.dropout.setValue(10)
        self.words = QLabel()
        self.use = QPushButton("Use")
        self.use.clicked.connect(lambda: self.chosen.emit(self._slots, asdict(self.inputs)))
        self._lay_out()
        self.aim.currentIndexChanged.connect(self._ask)
        for field in (self.target, self.people, self.rest, self.dropout):
            field.valueChanged.connect(self._ask)

    @property
    def inputs(self) -> PlannerInputs:
        """What the number of people is worked out from."""
        return PlannerInputs(
            aim="half_width" if self.aim.currentIndex() == 0 else "difference",
            size=self.target.value(),
            sd_people=self.people.value(),
            sd_rest=self.rest.value(),
            items=self._items,
            dropout=self.dropout.value() / 100,
            multiple=self._multiple,
        )

    def show_study(self, items: int, multiple: int) -> None:
        """Sets how many main items a person meets, and the rows times conditions."""
        if (items, multiple) != (self._items, self._multiple) or not self.words.text():
            self._items, self._multiple = max(1, items), max(1, multiple)
            self._ask()

    def show_people(self, needed: tuple[int | None, int]) -> None:
        """Shows the number of people, and the slots to plan."""
        people, self._slots = needed
        self.words.setText("more than can be planned" if people is None else f"→ {people} people")
        self.use.setText(f"Use {self._slots} slots")
        self.use.setEnabled(bool(self._slots))

    def _ask(self) -> None:
        self.words.setText("…")
        self.use.setEnabled(False)
        self.asked.emit(self.inputs)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        labelled = (
            (first, "Aim", self.aim),
            (first, "", self.target),
            (second, "SD of people", self.people),
            (second, "within a person", self.rest),
            (second, "dropout", self.dropout),
        )
        for row, text, control in labelled:
            if text:
                label = QLabel(text)
                label.setObjectName("secondary")
                row.addWidget(label)
            row.addWidget(control)
        first.addWidget(self.words)
        first.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        for row in (first, second):
            row.setSpacing(2 * SPACE)
            row.addStretch(1)
            column.addLayout(row)


def _combo(name: str, options: Sequence[str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.addItems(list(options))
    return box
